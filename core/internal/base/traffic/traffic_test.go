package traffic

import (
	"testing"
	"time"
)

func TestMeter(t *testing.T) {
	var none *Meter
	m := &Meter{}
	if none.Busy() || m.Busy() {
		t.Error("busy before the first call")
	}
	first, second := m.Begin(), m.Begin()
	first()
	if !m.Busy() {
		t.Error("idle during a call")
	}
	second()
	if !m.Busy() {
		t.Error("idle right after a call")
	}
	m.last.Store(int64(time.Since(start) - idleDelay)) // the request ended exactly that long ago
	if m.Busy() {
		t.Error("busy long after a call")
	}
}
