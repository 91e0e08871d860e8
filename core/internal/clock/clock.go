// Package clock gives the one source of time that business code may use.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock is wall time, shifted. It runs; a demo or a test moves where it started. The zero Clock is wall time.
type Clock struct{ shift atomic.Int64 }

// Now is the shifted wall time in UTC.
func (c *Clock) Now() time.Time { return time.Now().Add(time.Duration(c.shift.Load())).UTC() }

// Set makes the clock say t now.
func (c *Clock) Set(t time.Time) { c.shift.Store(int64(time.Until(t))) }

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) { c.shift.Add(int64(d)) }
