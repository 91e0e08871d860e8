package portaltest

import (
	"time"

	"github.com/stretchr/testify/require"
)

// patience ends a test that waits for what never comes; it measures nothing.
const patience = 2 * time.Minute

// Now is what the portal's clock says. It runs.
func (p *Portal) Now() time.Time { return p.app.Clock.Now() }

// SetClock moves the clock, and nothing else: schedules have not noticed yet.
func (p *Portal) SetClock(at time.Time) { p.app.Clock.Set(at) }

// Pass moves the clock on and does what has become due by then.
func (p *Portal) Pass(d time.Duration) {
	p.t.Helper()
	require.NoError(p.t, p.app.Advance(p.t.Context(), d))
}

// RunSchedules does what is due now.
func (p *Portal) RunSchedules() {
	p.t.Helper()
	require.NoError(p.t, p.app.Jobs.Pass(p.t.Context()))
}

// Deliver delivers what waits: events, mails, changes, webhooks. What follows from them may still wait.
func (p *Portal) Deliver() {
	p.t.Helper()
	require.NoError(p.t, p.app.Outbox.Work(p.t.Context()))
}

// Eventually delivers until what follows from it is there.
func (p *Portal) Eventually(done func() bool, what ...any) {
	p.t.Helper()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for end := time.After(patience); ; {
		p.Deliver()
		if done() {
			return
		}
		select {
		case <-again.C:
		case <-end:
			require.Fail(p.t, "it did not come", what...)
		}
	}
}
