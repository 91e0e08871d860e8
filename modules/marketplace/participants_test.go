package marketplace

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/share"
)

func TestParticipants(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		ask := func(at time.Time, more string) (out struct {
			Total     int      `json:"total"`
			Relations []string `json:"relations"`
		}) {
			return call[struct {
				Total     int      `json:"total"`
				Relations []string `json:"relations"`
			}](w, 200, staffMember(), "GET", "/sustainable/projects/WP/participants?at="+at.UTC().Format("2006-01-02T15:04:05.000000Z")+more, nil)
		}
		before := w.Clock.Now()
		w.Clock.Advance(time.Second)
		had := ask(before, "")
		w.load("participation", shareRecord("7", "P-7", "WP", 14))
		now := ask(w.Clock.Now(), "")
		assert.Equal(t, had.Total+1, now.Total)
		assert.Contains(t, now.Relations, member("7").Relation)
		assert.Equal(t, had, ask(before, ""), "who takes part now did not before")
		assert.Len(t, ask(w.Clock.Now(), "&limit=1").Relations, 1)
		assert.Equal(t, now.Relations[1:], ask(w.Clock.Now(), "&after="+now.Relations[0]).Relations)
		periods := call[[]share.Period](w, 200, member("7"), "GET", "/sustainable/participations/periods", nil)
		if assert.Len(t, periods, 1) {
			assert.Equal(t, "WP", periods[0].Project)
			assert.True(t, periods[0].From.After(before) && periods[0].Until.IsZero())
		}
		assert.Empty(t, call[[]share.Period](w, 200, member("9"), "GET", "/sustainable/participations/periods", nil))
		w.refused(404, "not_found", staffMember(), "GET", "/sustainable/projects/NONE/participants?at=2026-01-01T00:00:00Z", nil)
	})
}
