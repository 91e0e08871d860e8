package notifications

import (
	"cmp"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// NoticeKind says what a notice is.
type NoticeKind string

// Kinds of notice. A market message is shown by labels that have them on (1-market-messages-labels).
const (
	PlainNotice   NoticeKind = "notice"
	MarketMessage NoticeKind = "market_message"
)

// Notice is dated content of the label at the top of pages (7.6-notice-shape, 7.6-notice-published).
type Notice struct {
	ID        string     `json:"id" doc:"The same as long as the label has it"`
	Kind      NoticeKind `json:"kind" enum:"notice,market_message"`
	Title     string     `json:"title"`
	Message   string     `json:"message" doc:"Sanitised HTML"`
	Labels    []string   `json:"labels" nullable:"false" doc:"Keys of the labels that it is meant for"`
	Published time.Time  `json:"publication_date_time" doc:"With the offset of the label's zone"`
	Until     *value.Day `json:"until" nullable:"true" doc:"The last day on which it is shown; null: until the label takes it out"`
	Pages     []string   `json:"pages" nullable:"false" doc:"Paths of the pages that it concerns; empty: all"`
}

// holds reports whether a notice is shown on a day.
func (n NoticeSettings) holds(on value.Day) bool {
	return !on.Before(n.From) && (n.Until.IsZero() || !on.After(n.Until))
}

// noticesOn are the notices of a label that are shown on a day, newest first, those of one day by name.
func noticesOn(set *Settings, label, locale string, on value.Day, zone *time.Location, clean func(string) cleaned) []Notice {
	out := []Notice{}
	for id, n := range set.Notices {
		if !n.holds(on) || n.Kind == MarketMessage && !set.MarketMessages {
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
