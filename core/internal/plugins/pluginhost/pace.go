package pluginhost

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/failsafe-go/failsafe-go/ratelimiter"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/net/netutil"
)

// idleConnections is the number of connections that a plugin may keep in addition to those of its running calls; the clients of core/plugin
// keep at most 80.
const idleConnections = 96

// acceptRate is the number of connections per second that are accepted from a plugin. The clients of core/plugin keep their connections
// open.
const acceptRate = 300

// pacedListener limits the number of connections, and how many are accepted per second. Other connections wait in the kernel, which costs
// only the plugin's time.
type pacedListener struct {
	net.Listener
	pace ratelimiter.RateLimiter[any]
}

func newPacedListener(l net.Listener, limits Limits) net.Listener {
	return &pacedListener{netutil.LimitListener(l, limits.Calls+idleConnections), ratelimiter.NewSmooth[any](acceptRate, time.Second)}
}

func newPace(l Limits) ratelimiter.RateLimiter[any] {
	return ratelimiter.NewSmooth[any](uint(l.Rate), time.Second)
}

// Accept implements net.Listener.
func (l *pacedListener) Accept() (net.Conn, error) {
	_ = l.pace.AcquirePermit(context.Background()) // the only error is the context's; a caller waits a few milliseconds
	return l.Listener.Accept()
}

// awaitTurn waits until the plugin's next call may begin. A refused call is also delayed: an immediate refusal would cost the portal as
// much as a call, and would let the plugin make the next call. awaitTurn returns false if the call may not begin.
func (p *Plugin) awaitTurn(ctx context.Context) bool {
	began := time.Now()
	err := p.guard.pace.AcquirePermitWithMaxWait(ctx, maxWait)
	switch {
	case errors.Is(err, ratelimiter.ErrExceeded):
		select {
		case <-ctx.Done():
		case <-time.After(maxWait):
		}
		p.report("it calls the portal more often than it may; the rest are answered 429", "calls_per_second", p.guard.limits.Rate)
		p.countBack(backLimited)
		return false
	case err != nil: // the plugin has ended the call
		return false
	case time.Since(began) > maxWait/2:
		p.report("it calls the portal more often than it may; its calls wait", "calls_per_second", p.guard.limits.Rate)
		p.countBack(backDelayed)
	default:
		p.countBack(backPassed)
	}
	return true
}

// Outcomes of a plugin's calls to the portal, for the metric. A call that has begun can be counted a second time, as busy or refused.
const (
	backPassed  = "passed"
	backDelayed = "delayed" // it passed after it had waited for its turn
	backLimited = "limited" // 429: more in a second than it may
	backBusy    = "busy"    // 503: more simultaneous calls than allowed
	backRefused = "refused" // 403: not asked for or not granted
)

// newBackCalls returns the metric for calls by plugins to the portal. If r is nil, the metric is not registered.
func newBackCalls(r prometheus.Registerer) *prometheus.CounterVec {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "wattle_plugin_calls_total",
		Help: "Calls of a plugin to siblings, core and the outside world: passed, delayed, limited (429), busy (503), refused (403)."},
		[]string{"plugin", "outcome"})
	if r != nil {
		r.MustRegister(v)
	}
	return v
}

func (p *Plugin) countBack(outcome string) {
	if p.o.backCalls != nil { // nil in a command that only describes plugins
		p.o.backCalls.WithLabelValues(p.Spec.Key, outcome).Inc()
	}
}
