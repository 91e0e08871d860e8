package history

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

func TestJob(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	two := []meter.Connection{{EANCode: "1"}, {EANCode: "2"}}
	j := NewJob(nil, "r", "A1", two, meter.Span{From: day("2026-01-31"), Until: day("2026-11-21")}, now)
	require.Equal(t, 4, j.chunkCount())
	require.Equal(t, 8, j.stepCount())
	t.Run("the steps cover the span of every connection once", func(t *testing.T) {
		next := map[string]value.Day{}
		for n := range j.stepCount() {
			ean, s := j.Step(n)
			if last, ok := next[ean]; ok {
				assert.Equal(t, last, s.From)
			} else {
				assert.Equal(t, j.FromDay, s.From)
			}
			assert.True(t, s.From.Before(s.Until))
			next[ean] = s.Until
		}
		assert.Equal(t, map[string]value.Day{"1": j.UntilDay, "2": j.UntilDay}, next)
	})
	t.Run("progress", func(t *testing.T) {
		assert.Equal(t, Retrieval{State: Queued}, j.Retrieval())
		run := j
		run.Advance(day("2026-03-01"), now)
		assert.Equal(t, Retrieval{State: Running, Progress: 12, Until: day("2026-03-01")}, run.Retrieval())
		for run.Active() {
			run.Advance(value.Day{}, now)
		}
		assert.Equal(t, Retrieval{State: Done, Progress: 100, Until: day("2026-03-01")}, run.Retrieval())
		again := NewJob(&run, "r", "A1", two, meter.Span{From: day("2026-01-31"), Until: day("2026-11-21")}, now)
		assert.Equal(t, 2, again.Number)
	})
	t.Run("a failing source is retried with back-off until the attempts are used up", func(t *testing.T) {
		run, waits := j, []time.Duration{}
		for {
			due, again := run.Fail(CodeSource, true, now)
			if !again {
				break
			}
			waits = append(waits, due.Sub(now))
			assert.Equal(t, Queued, run.State)
		}
		assert.Equal(t, []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute}, waits)
		assert.Equal(t, Retrieval{State: Failed, Code: CodeSource}, run.Retrieval())
		never := j
		_, again := never.Fail(CodeConsentNeeded, false, now)
		assert.False(t, again)
		assert.Equal(t, Failed, never.State)
	})
	t.Run("a retrieval without days is done at once", func(t *testing.T) {
		none := NewJob(nil, "r", "A1", two, meter.Span{From: day("2027-01-01"), Until: day("2026-11-21")}, now)
		assert.Equal(t, Retrieval{State: Done, Progress: 100}, none.Retrieval())
	})
	t.Run("a job without progress becomes stale", func(t *testing.T) {
		assert.False(t, j.Stale(now.Add(time.Hour)))
		assert.True(t, j.Stale(now.Add(time.Hour+time.Second)))
	})
}
