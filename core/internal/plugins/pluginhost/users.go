package pluginhost

import (
	"sync"
	"time"
)

// Durations for a replaced or removed version.
const (
	drainTimeout = time.Minute            // default of Options.Drain; responses of the portal's own server also have one minute
	lateArrival  = 250 * time.Millisecond // a call may have found this version in the registry just before it was replaced
)

// users counts the running calls of one version of a plugin.
type users struct {
	mu      sync.Mutex
	n       int
	retired bool
	next    *Plugin       // serves calls that arrive later; nil: no successor
	idle    chan struct{} // closed when the version is retired and no longer used
}

// enter counts a call to this version, or to the version that replaced it, until leave is called.
func (p *Plugin) enter() (serves *Plugin, leave func()) {
	for {
		u := &p.users
		u.mu.Lock()
		if !u.retired || u.next == nil {
			u.n++
			u.mu.Unlock()
			return p, p.leave
		}
		next := u.next
		u.mu.Unlock()
		p = next
	}
}

func (p *Plugin) leave() {
	u := &p.users
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.n--; u.n == 0 && u.retired {
		u.settle()
	}
}

// settle closes idle once. Without a successor, a late call can make the version busy and idle again.
func (u *users) settle() {
	select {
	case <-u.idle:
	default:
		close(u.idle)
	}
}

func (u *users) isRetired() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.retired
}

// retire sends new calls to next, waits until the running calls have finished or Options.Drain has passed, and ends the process.
func (p *Plugin) retire(next *Plugin) {
	u := &p.users
	u.mu.Lock()
	u.retired, u.next = true, next
	if u.n == 0 {
		u.settle()
	}
	u.mu.Unlock()
	if next == nil {
		select {
		case <-p.stopping.Done():
		case <-time.After(lateArrival):
		}
	}
	select {
	case <-u.idle:
	case <-p.stopping.Done():
	case <-p.done: // it exited
	case <-time.After(p.o.Drain):
		p.log.Warn("calls of the previous version are aborted", "after", p.o.Drain)
	}
	p.close()
	p.log.Info("previous version has stopped")
}

// Calls returns the number of calls that this version is serving.
func (p *Plugin) Calls() int {
	p.users.mu.Lock()
	defer p.users.mu.Unlock()
	return p.users.n
}
