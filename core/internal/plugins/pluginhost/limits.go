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

// Limits are the limits of one plugin, in the portal and on the machine. A zero field has the value of DefaultLimits.
type Limits struct {
	Timeout time.Duration // for a call to an operation that declares no module.ExtTimeout
	Calls   int           // maximum number of simultaneous calls to the plugin, and of simultaneous calls by the plugin to the portal
	Rate    int           // maximum number of calls per second that the plugin may make to the portal
	Answer  int64         // maximum response size in bytes of an operation that is not a download
	Memory  int64         // bytes of resident memory of the process
	Cores   int           // maximum number of CPU cores on which the process runs Go code
}

// DefaultLimits are the limits of a plugin for which the operator has set none. Half of the cores remain for other processes, however much
// the plugin computes.
var DefaultLimits = Limits{Timeout: 30 * time.Second, Calls: 64, Rate: 300, Answer: 16 << 20, Memory: 1 << 30,
	Cores: max(1, runtime.NumCPU()/2)}

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	return Limits{cmp.Or(l.Timeout, d.Timeout), cmp.Or(l.Calls, d.Calls), cmp.Or(l.Rate, d.Rate), cmp.Or(l.Answer, d.Answer),
		cmp.Or(l.Memory, d.Memory),
		cmp.Or(l.Cores, d.Cores)}
}

const (
	maxWait      = 250 * time.Millisecond // how long a call waits when the maximum number of calls is running
	maxBrowser   = 64 << 10               // maximum size in bytes of the browser settings, which every page contains
	maxRelayRows = 1000                   // maximum number of outbox rows in one message
	reportEvery  = 10 * time.Second       // minimum interval between two log messages about the same fault
)

// errSlow is the cancellation cause of a call that exceeds its operation's timeout.
var errSlow = errors.New("pluginhost: the operation takes too long")

// errTooLarge is the error for a response that is larger than Limits.Answer.
var errTooLarge = errors.New("pluginhost: the response is too large")

// guard enforces the limits of a plugin. Calls and downloads are counted separately, because a download may take minutes.
type guard struct {
	limits    Limits
	calls     bulkhead.Bulkhead[any]
	downloads bulkhead.Bulkhead[any]
	back      bulkhead.Bulkhead[any] // calls by the plugin to siblings, core and external services
	pace      ratelimiter.RateLimiter[any]
	relay     bulkhead.Bulkhead[any] // for outbox rows of the plugin, which are stored in one call at a time
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

// admit waits briefly for a free slot among the running calls. It returns false if there is none.
func admit(ctx context.Context, b bulkhead.Bulkhead[any]) (leave func(), ok bool) {
	if err := b.AcquirePermitWithMaxWait(ctx, maxWait); err != nil {
		return func() {}, false
	}
	return b.ReleasePermit, true
}

// begin admits a call to an operation and sets its deadline. It returns false if too many calls are already running.
func (p *Plugin) begin(r *http.Request) (ctx context.Context, max int64, end func(), ok bool) {
	op := p.operation(r)
	slots, timeout, max := p.guard.calls, p.guard.limits.Timeout, p.guard.limits.Answer
	if op != nil && op.Stream { // a download may have any size, and take any time while it sends data
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

// operation returns the operation of a request, or nil if it is unknown.
func (p *Plugin) operation(r *http.Request) *registry.Operation {
	op, _ := p.o.Registry.Snapshot().With(p.Spec.Key, p.Version()).MatchIn(p.Spec.Key, r.Method, r.URL.EscapedPath())
	return op
}
