// Package traffic reports whether the process is serving requests, so that background work can wait for them.
package traffic

import (
	"sync/atomic"
	"time"
)

// idleDelay is how long the process counts as busy after its last request, because a customer's requests have gaps in between.
const idleDelay = 250 * time.Millisecond

// Meter counts requests in flight. The zero value is ready and idle; a nil Meter is always idle.
type Meter struct {
	inFlight atomic.Int64
	last     atomic.Int64 // when the last request ended, in nanoseconds since start; 0 before the first one
}

// start is the origin of the times in Meter. Durations since start are monotonic, even if the wall clock changes.
var start = time.Now()

// Begin counts a request as in flight until end is called.
func (m *Meter) Begin() (end func()) {
	m.inFlight.Add(1)
	return func() {
		m.last.Store(max(int64(time.Since(start)), 1)) // at least 1: zero means no request yet
		m.inFlight.Add(-1)
	}
}

// Busy reports whether a request is in flight or has just ended.
func (m *Meter) Busy() bool {
	if m == nil {
		return false
	}
	if m.inFlight.Load() > 0 {
		return true
	}
	last := m.last.Load()
	return last > 0 && time.Since(start)-time.Duration(last) < idleDelay
}
