package portaltest

import (
	"time"

	"github.com/stretchr/testify/require"
)

// waitTimeout is how long a test waits for something before it fails.
const waitTimeout = 2 * time.Minute

// Now returns the time of the portal's clock, which is running.
func (p *Portal) Now() time.Time { return p.app.Clock.Now() }

// SetClock only sets the clock: schedules do not run yet.
func (p *Portal) SetClock(at time.Time) { p.app.Clock.Set(at) }

// Advance moves the clock forward and runs everything that is due.
func (p *Portal) Advance(d time.Duration) {
	p.t.Helper()
	require.NoError(p.t, p.app.Advance(p.t.Context(), d))
}

// RunSchedules runs everything that is due now.
func (p *Portal) RunSchedules() {
	p.t.Helper()
	require.NoError(p.t, p.app.Jobs.RunDue(p.t.Context()))
}

// Deliver delivers the queued events, emails, changes and webhooks once. A delivery may queue more.
func (p *Portal) Deliver() {
	p.t.Helper()
	require.NoError(p.t, p.app.Outbox.DeliverDue(p.t.Context()))
}

// Eventually delivers until done returns true. The test fails when that takes too long.
func (p *Portal) Eventually(done func() bool, what ...any) {
	p.t.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for end := time.After(waitTimeout); ; {
		p.Deliver()
		if done() {
			return
		}
		select {
		case <-ticker.C:
		case <-end:
			require.Fail(p.t, "the condition did not become true in time", what...)
		}
	}
}
