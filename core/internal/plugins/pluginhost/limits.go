package pluginhost

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"runtime"
	"time"

	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/ratelimiter"

	"github.com/wattle-portal/wattle/core/internal/modules/registry"
)

// Limits are the limits of one plugin in the portal and on the machine. A field that is zero has the value of DefaultLimits.
type Limits struct {
	Timeout time.Duration // of a call of an operation that declares no module.ExtTimeout
	Calls   int           // calls that run at once in the plugin, and as many of the plugin to the portal
	Rate    int           // calls of the plugin to the portal that begin in a second
	Answer  int64         // bytes of the response of an operation that is no download
	Memory  int64         // bytes of resident memory of the process
	Cores   int           // of the machine on which the process runs Go code at once
}

// DefaultLimits are the limits of a plugin for which the operator sets none. Half of the cores are left to the others, however much it
// computes.
var DefaultLimits = Limits{Timeout: 30 * time.Second, Calls: 64, Rate: 300, Answer: 16 << 20, Memory: 1 << 30,
	Cores: max(1, runtime.NumCPU()/2)}

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	return Limits{cmp.Or(l.Timeout, d.Timeout), cmp.Or(l.Calls, d.Calls), cmp.Or(l.Rate, d.Rate), cmp.Or(l.Answer, d.Answer),
		cmp.Or(l.Memory, d.Memory),
		cmp.Or(l.Cores, d.Cores)}
}

const (
	maxWait      = 250 * time.Millisecond // for a call when as many run as may
	maxBrowser   = 64 << 10               // bytes of the settings for the browser: every page has them
	maxRelayRows = 1000                   // rows of an outbox in one message
	reportEvery  = 10 * time.Second       // between two sentences about the same fault
)

// errSlow is the cause with which a call is canceled that takes longer than its operation may.
var errSlow = errors.New("pluginhost: the operation takes too long")

// errTooLarge is the error of a response that is larger than Limits.Answer.
var errTooLarge = errors.New("pluginhost: the response is too large")

// guard enforces the limits of a plugin. Calls and downloads are counted apart: a download may take minutes.
type guard struct {
	limits    Limits
	calls     bulkhead.Bulkhead[any]
	downloads bulkhead.Bulkhead[any]
	back      bulkhead.Bulkhead[any] // calls of the plugin to siblings, core and the outside world
	pace      ratelimiter.RateLimiter[any]
	relay     bulkhead.Bulkhead[any] // of rows of the plugin's outbox, which are stored one call at a time
	reports   reports
}

func newGuard(l Limits) *guard {
	l = l.orDefault()
	g := &guard{limits: l, pace: newPace(l), relay: bulkhead.New[any](1)}
	for _, b := range []*bulkhead.Bulkhead[any]{&g.calls, &g.downloads, &g.back} {
		*b = bulkhead.New[any](uint(l.Calls))
	}
	return g
}

// admit waits shortly for a place among the running calls. It returns false when there is none.
func admit(ctx context.Context, b bulkhead.Bulkhead[any]) (leave func(), ok bool) {
	if err := b.AcquirePermitWithMaxWait(ctx, maxWait); err != nil {
		return func() {}, false
	}
	return b.ReleasePermit, true
}

// begin admits a call of an operation and sets its deadline. It returns false when too many run already.
func (p *Plugin) begin(r *http.Request) (ctx context.Context, max int64, end func(), ok bool) {
	op := p.operation(r)
	slots, timeout, max := p.guard.calls, p.guard.limits.Timeout, p.guard.limits.Answer
	if op != nil && op.Stream { // it may take any time while it sends, and any size
		slots, timeout, max = p.guard.downloads, 0, 0
	}
	if op != nil && op.Timeout > 0 && timeout > 0 {
		timeout = op.Timeout
	}
	leave, ok := admit(r.Context(), slots)
	if !ok {
		if r.Context().Err() == nil {
			p.report("it has too many calls at once; the rest are answered 503", "calls", p.guard.limits.Calls)
		}
		return r.Context(), 0, leave, false
	}
	if timeout == 0 {
		return r.Context(), max, leave, true
	}
	ctx, cancel := context.WithTimeoutCause(r.Context(), timeout, errSlow)
	return ctx, max, func() {
		if errors.Is(context.Cause(ctx), errSlow) {
			p.report("an operation takes too long; its calls are ended with 503", "path", r.URL.Path, "timeout", timeout)
		}
		cancel()
		leave()
	}, true
}

// operation returns the operation of a request; nil for one that is unknown.
func (p *Plugin) operation(r *http.Request) *registry.Operation {
	op, _ := p.o.Registry.Snapshot().With(p.Spec.Key, p.Version()).MatchIn(p.Spec.Key, r.Method, r.URL.EscapedPath())
	return op
}
