package billing

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/value"
)

func TestCountsFrom(t *testing.T) {
	t.Run("9-term-amount-from", func(t *testing.T) {
		for _, c := range []struct{ requested, today, collection, want string }{
			{"2026-11-20", "2026-11-20", "2026-11-28", "2026-11-28"}, // a Friday: processed on Tuesday the 24th
			{"2026-11-20", "2026-11-20", "2026-11-25", "2026-11-25"}, // the day after
			{"2026-11-20", "2026-11-20", "2026-11-24", "2026-12-24"}, // processing may finish too late for a collection on the same day
			{"2026-11-16", "2026-11-16", "2026-11-18", "2026-12-18"}, // a Monday: Wednesday
			{"2026-11-16", "2026-11-16", "2026-11-19", "2026-11-19"},
			{"2026-11-19", "2026-11-19", "2026-11-21", "2026-12-21"}, // a Thursday: Monday, after the weekend
			{"2026-11-21", "2026-11-21", "2026-11-24", "2026-12-24"}, // a Saturday: Tuesday
			{"2026-11-22", "2026-11-22", "2026-11-25", "2026-11-25"}, // a Sunday: Tuesday
			{"2026-11-20", "2026-11-20", "2026-05-31", "2026-11-30"}, // a collection half a year ago
			{"2026-11-18", "2026-11-20", "2026-11-28", "2026-11-28"}, // a request that has been pending for two days
			{"2026-11-17", "2026-11-20", "2026-11-28", ""},           // takes longer than usual
			{"2026-11-16", "2026-11-20", "2026-11-28", ""},
			{"2026-11-20", "2026-11-20", "", ""},
		} {
			var known value.Day
			if c.collection != "" {
				known = day(t, c.collection)
			}
			got := ""
			if from := CountsFrom(day(t, c.requested), day(t, c.today), known); !from.IsZero() {
				got = from.String()
			}
			assert.Equal(t, c.want, got, c)
		}
	})
	t.Run("9-term-amount-from", func(t *testing.T) {
		today := day(t, "2026-11-20")
		a := storedAgreement{Agreement: Agreement{Periodical: &Payment{Details: Details{Current: 100_00, Min: 90_00, Max: 180_00}}},
			NextCollection: day(t, "2026-11-24")}
		of := func(pending *pendingAmount) string {
			p := a.termAmount(today, pending)
			if p.CountsFrom.IsZero() {
				return ""
			}
			return p.CountsFrom.String()
		}
		assert.Equal(t, "2026-12-24", of(nil))
		assert.Equal(t, "2026-11-24", of(&pendingAmount{120_00, day(t, "2026-11-19")}), "requested a day earlier, processed on the 23rd")
		assert.Empty(t, of(&pendingAmount{120_00, day(t, "2026-11-16")}))
		for last, want := range map[string]string{"2026-12-23": "", "2026-12-24": "2026-12-24"} {
			to := day(t, last)
			a.Period.To = &to
			assert.Equal(t, want, of(nil), "the agreement ends on %s", last)
		}
		a.Period.To, a.Status = nil, statusTerminated
		assert.Empty(t, of(nil), "it has ended")
		a.Status = "ACTIVE"
		a.Period.To, a.Periodical.Details.Max = nil, 90_00
		assert.Empty(t, of(nil), "it cannot be changed")
	})
}
