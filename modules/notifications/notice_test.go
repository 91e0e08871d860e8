package notifications

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
)

func TestNoticesOn(t *testing.T) {
	day := func(d int) value.Day { return value.Day{Year: 2026, Month: time.November, Day: d} }
	zone, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	text := func(s string) Text { return Text{s + " nl", s + " en"} }
	set := &Settings{Notices: map[string]NoticeSettings{
		"b":      {Kind: PlainNotice, From: day(10), Title: text("b"), Message: text("<p onclick='x'>b</p>")},
		"a":      {Kind: PlainNotice, From: day(10), Until: day(30), Title: text("a"), Message: text("a"), Pages: []string{"/usage"}},
		"newest": {Kind: PlainNotice, From: day(20), Title: text("newest"), Message: text("newest")},
		"market": {Kind: MarketMessage, From: day(1), Title: text("market"), Message: text("market")},
		"past":   {Kind: PlainNotice, From: day(1), Until: day(19), Title: text("past"), Message: text("past")},
		"soon":   {Kind: PlainNotice, From: day(21), Title: text("soon"), Message: text("soon")},
	}}
	ids := func(locale string) (out []string) {
		for _, n := range noticesOn(set, "1042", locale, day(20), zone, newCleaner().clean) {
			out = append(out, n.ID)
		}
		return out
	}
	t.Run("7.6-notice-published", func(t *testing.T) {
		assert.Equal(t, []string{"newest", "a", "b"}, ids("nl"), "newest first, and by id within a day")
	})
	t.Run("1-market-messages-labels", func(t *testing.T) {
		assert.NotContains(t, ids("nl"), "market")
		set.MarketMessages = true
		assert.Equal(t, []string{"newest", "a", "b", "market"}, ids("nl"))
	})
	t.Run("7.6-notice-shape", func(t *testing.T) {
		all := noticesOn(set, "1042", "en", day(20), zone, newCleaner().clean)
		last := day(30)
		assert.Equal(t, Notice{ID: "a", Kind: PlainNotice, Title: "a en", Message: "a en", Labels: []string{"1042"}, Published: day(10).In(zone),
			Until: &last, Pages: []string{"/usage"}}, all[1])
		assert.Equal(t, Notice{ID: "b", Kind: PlainNotice, Title: "b en", Message: "<p>b</p> en", Labels: []string{"1042"},
			Published: day(10).In(zone), Pages: []string{}}, all[2])
		assert.Equal(t, "2026-11-10T00:00:00+01:00", all[2].Published.Format(time.RFC3339), "with the offset of the label's zone")
	})
	assert.Equal(t, []Notice{}, noticesOn(&Settings{}, "1042", "nl", day(20), zone, newCleaner().clean))
}
