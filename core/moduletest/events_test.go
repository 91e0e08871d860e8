package moduletest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// recorder is a testing.TB that records failures, and whose cleanup functions are called manually.
type recorder struct {
	testing.TB
	failed   []string
	cleanups []func()
}

func (r *recorder) Errorf(format string, _ ...any) { r.failed = append(r.failed, format) }
func (r *recorder) Cleanup(f func())               { r.cleanups = append(r.cleanups, f) }
func (r *recorder) end() {
	for len(r.cleanups) > 0 {
		last := len(r.cleanups) - 1
		f := r.cleanups[last]
		r.cleanups = r.cleanups[:last]
		f()
	}
}

func TestPublishedEvents(t *testing.T) {
	type text struct {
		Text string `json:"text"`
	}
	described := fixture.Module.Publishes[0]
	t.Run("9-events-described", func(t *testing.T) {
		for name, c := range map[string]struct {
			publishes []event.Type
			good      bool
		}{
			"as it is":     {[]event.Type{described}, true},
			"not at all":   {nil, false},
			"another type": {[]event.Type{event.Of[event.None]("fixture.note_read", "Id of the note", "A note was read")}, false},
			"another data": {[]event.Type{event.Of[text](described.Name, "Id of the note", "A note was saved")}, false},
		} {
			m := fixture.Module
			m.Publishes = c.publishes
			r := &recorder{TB: t}
			w := Open(r, m, Options{Settings: fixture.Settings{Greeting: "Hallo"}}, false)
			status, body := w.Do(t.Context(), Call{Method: "PUT", Path: "/fixture/notes/a", Body: `{"text":"one"}`})
			require.Less(t, status, 300, "%s", body)
			r.end()
			require.Equal(t, c.good, len(r.failed) == 0, name)
		}

		m := fixture.Module
		swept := "fixture.swept"
		m.Publishes = []event.Type{described, event.Scheduled(swept, "Old notes are forgotten")}
		for name, c := range map[string]struct {
			change func(*suite)
			failed int
		}{
			"published":          {func(s *suite) { s.seen[described.Name], s.seen[swept] = true, true }, 0},
			"never published":    {func(s *suite) { s.seen[swept] = true }, 1},
			"with a reason":      {func(s *suite) { s.seen[swept], s.options.Skip = true, map[string]string{described.Name: "why"} }, 0},
			"scheduled":          {func(s *suite) { s.seen[described.Name], s.module.Schedule = true, map[string]string{swept: "@daily"} }, 0},
			"handled, not named": {func(s *suite) { s.seen[swept], s.module.Publishes = true, m.Publishes[1:] }, 1},
			"scheduled, not named": {func(s *suite) {
				s.seen[described.Name], s.module.Schedule = true, map[string]string{swept: "@daily", "fixture.lost": "@daily"}
			}, 1},
		} {
			r, s := &recorder{TB: t}, &suite{module: m, seen: map[string]bool{}}
			c.change(s)
			s.checkDescribed(r)
			require.Len(t, r.failed, c.failed, name)
		}
	})
}
