package label

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/labels/markdown"
	"github.com/wattle-portal/wattle/core/value"
)

// Promo is a message of the label on pages of the portal between two days (9-promo-dates).
type Promo struct {
	Name    string            `json:"name"`
	From    string            `json:"from"`  // first civil date in the label's time zone
	Until   string            `json:"until"` // last civil date
	Title   map[string]string `json:"title"` // by locale
	Text    map[string]string `json:"text,omitempty"`
	Picture string            `json:"picture,omitempty"` // file in assets/
	Link    *PromoLink        `json:"link,omitempty"`
	Slots   []string          `json:"slots"` // pages that show it: "dashboard", "home" or "account"
}

// PromoLink is the link of a promo: to a page of the portal, or to an https address.
type PromoLink struct {
	To   string            `json:"to"`
	Text map[string]string `json:"text"` // by locale
}

// Promo returns the first promo whose period includes the label's day at that time, or nil when there is none.
func (l *Label) Promo(at time.Time) *Promo {
	day := value.DayOf(at.In(l.Location)).String()
	if i := slices.IndexFunc(l.Promos, func(p Promo) bool { return p.From <= day && day <= p.Until }); i >= 0 {
		return &l.Promos[i]
	}
	return nil
}

// checkPromos returns a problem for each promo that ends before it begins, has the name of an earlier promo, or links to a label page that
// does not exist.
func (c *candidate) checkPromos(l *Label) (ps []Problem) {
	seen := map[string]bool{}
	for i, p := range l.Promos {
		add := func(field, format string, args ...any) {
			at := append([]string{"promos", strconv.Itoa(i)}, strings.Split(field, ".")...)
			ps = append(ps, c.at(at, strings.Join(at, ".")+": "+format, args...))
		}
		if seen[p.Name] {
			add("name", "%s is listed twice", p.Name)
		}
		seen[p.Name] = true
		if p.Until < p.From {
			add("until", "%s is before %s, the first day", p.Until, p.From)
		}
		if p.Link == nil {
			continue
		}
		if slug, own := strings.CutPrefix(p.Link.To, markdown.PagePath); own && l.Page(slug) == nil {
			add("link.to", "the label has no page %s", slug)
		}
	}
	return ps
}

// vetPromos reports links to pages that the portal of the label does not have.
func (c *candidate) vetPromos(face *FrontEnd) (ps []Problem) {
	if face == nil {
		return nil
	}
	paths := slices.Clone(face.Routes[shell])
	for _, module := range slices.Sorted(maps.Keys(c.label.Modules)) {
		paths = append(paths, face.Routes[module]...)
	}
	for i, p := range c.label.Promos {
		if p.Link == nil || !strings.HasPrefix(p.Link.To, "/") || strings.HasPrefix(p.Link.To, markdown.PagePath) || hasPath(paths, p.Link.To) {
			continue
		}
		at := []string{"promos", strconv.Itoa(i), "link", "to"}
		ps = append(ps, c.at(at, "%s: the portal of this label has no page %s", strings.Join(at, "."), p.Link.To))
	}
	return ps
}
