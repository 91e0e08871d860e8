package portal

import "github.com/wattle-portal/wattle/core/internal/labels/label"

// Promo is a message of the label on pages of the portal (9-promo-dates).
type Promo struct {
	Name    string            `json:"name" doc:"Name of the promo; a customer who closes it does not see one with this name again"`
	Title   map[string]string `json:"title" doc:"Title by locale"`
	Text    map[string]string `json:"text,omitempty" doc:"Text by locale"`
	Picture *string           `json:"picture" doc:"Path of a drawing or photo; null: none"`
	Link    *PromoLink        `json:"link" doc:"null: none"`
	Slots   []string          `json:"slots" doc:"Pages that show it: dashboard, home, account"`
}

// PromoLink is the link of a promo.
type PromoLink struct {
	To   string            `json:"to" doc:"Path of a page of the portal, or https address"`
	Text map[string]string `json:"text" doc:"Text by locale"`
}

// promo returns the promo of today, or nil.
func (p *Portal) promo(l *label.Label) *Promo {
	now := l.Promo(p.Clock.Now())
	if now == nil {
		return nil
	}
	promo := &Promo{Name: now.Name, Title: now.Title, Text: now.Text, Picture: optional(l.PictureURLs("promo")[now.Name]), Slots: now.Slots}
	if now.Link != nil {
		promo.Link = &PromoLink{now.Link.To, now.Link.Text}
	}
	return promo
}
