// Package traffic knows whether the process is serving calls, so that work that can give way does.
package traffic

import (
	"sync/atomic"
	"time"
)

// linger is how long after its last call the process counts as serving: between two calls of a customer nothing is in flight.
const linger = 250 * time.Millisecond

// Meter counts calls in flight. Its zero value is ready and idle; a nil Meter is always idle.
type Meter struct {
	inFlight atomic.Int64
	last     atomic.Int64 // when a call ended last, in nanoseconds since start
}

// start is what Meter counts from: a monotonic clock, whatever the wall clock does.
var start = time.Now()

// Begin counts a call; the function that it returns ends the call.
func (m *Meter) Begin() (end func()) {
	m.inFlight.Add(1)
	return func() {
		m.last.Store(max(int64(time.Since(start)), 1)) // zero: no call yet
		m.inFlight.Add(-1)
	}
}

// Busy reports whether a call is in flight, or was a moment ago.
func (m *Meter) Busy() bool {
	if m == nil {
		return false
	}
	if m.inFlight.Load() > 0 {
		return true
	}
	last := m.last.Load()
	return last > 0 && time.Since(start)-time.Duration(last) < linger
}
