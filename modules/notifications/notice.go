package notifications

import (
	"cmp"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// NoticeKind is the kind of a notice.
type NoticeKind string

// Notice kinds. Market messages are shown by labels with market_messages (1-market-messages-labels).
const (
	PlainNotice   NoticeKind = "notice"
	MarketMessage NoticeKind = "market_message"
)

// Notice is dated content of the label at the top of pages (7.6-notice-shape, 7.6-notice-published).
type Notice struct {
	ID        string     `json:"id" doc:"Id of the notice; stays the same"`
	Kind      NoticeKind `json:"kind" enum:"notice,market_message" doc:"notice: a message of the label; market_message: news of the energy market"`
	Title     string     `json:"title" doc:"Title in the language of the call"`
	Message   string     `json:"message" doc:"Sanitized HTML"`
	Labels    []string   `json:"labels" nullable:"false" doc:"Keys of the labels that show the notice"`
	Published time.Time  `json:"publication_date_time" doc:"Start of the first day, with the offset of the label's time zone"`
	Until     *value.Day `json:"until" nullable:"true" doc:"Last day; null: until the label removes the notice"`
	Pages     []string   `json:"pages" nullable:"false" doc:"Paths of the pages that show the notice; empty: all pages"`
}

// isShown reports whether the notice is shown on a day.
func (n NoticeSettings) isShown(on value.Day) bool {
	return !on.Before(n.From) && (n.Until.IsZero() || !on.After(n.Until))
}

// noticesOn returns the notices of a label on a day, newest first, and by id within a day.
func noticesOn(set *Settings, label, locale string, on value.Day, zone *time.Location, clean func(string) cleaned) []Notice {
	out := []Notice{}
	for id, n := range set.Notices {
		if !n.isShown(on) || n.Kind == MarketMessage && !set.MarketMessages {
			continue
		}
		x := Notice{ID: id, Kind: n.Kind, Title: line(n.Title.In(locale)), Message: clean(n.Message.In(locale)).html, Labels: []string{label},
			Published: n.From.In(zone), Pages: n.Pages}
		if !n.Until.IsZero() {
			x.Until = &n.Until
		}
		if x.Pages == nil {
			x.Pages = []string{}
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b Notice) int { return cmp.Or(b.Published.Compare(a.Published), cmp.Compare(a.ID, b.ID)) })
	return out
}
