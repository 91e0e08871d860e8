// Package clock is the only source of time that business code may use.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock is the wall clock plus an offset that a demo or a test can change. The zero Clock has no offset.
type Clock struct{ offset atomic.Int64 }

// Now returns the wall time plus the offset, in UTC.
func (c *Clock) Now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())).UTC() }

// Set changes the offset so that Now returns t. The clock runs on from there.
func (c *Clock) Set(t time.Time) { c.offset.Store(int64(time.Until(t))) }

// Advance adds d to the offset.
func (c *Clock) Advance(d time.Duration) { c.offset.Add(int64(d)) }
