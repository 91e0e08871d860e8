// Package sibling carries calls between modules, and between core and a module. Inside the program a call is no more than a
// function, but it carries exactly what it would carry over the socket to a plugin: neither side can tell which of the two it is.
package sibling

import (
	"context"
	"net/http"
	"slices"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/registry"
	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// MaxHops is how many sibling calls may follow out of one another; the next is 508.
const MaxHops = 4

// CodeLoop is the code of a call that went through too many modules.
const CodeLoop = "loop"

// Hub connects the running modules.
type Hub struct {
	registry *registry.Registry
	labels   label.Source
}

// New makes a hub over the running modules.
func New(r *registry.Registry, labels label.Source) *Hub { return &Hub{r, labels} }

// Client gives a module the client with which it calls siblings: http://<key>/<path> of a module in its Needs or Uses, or of
// core. The pseudo module "core" may call any. An error of Do is problem.ErrNested for the context of a transaction, or that of
// the context; all else is an answer with a problem: 401 without a scope, 403 for a module that is neither needed nor used, 404
// module_not_enabled, 503 unavailable, 508 loop.
func (h *Hub) Client(caller module.Manifest) *http.Client {
	return &http.Client{
		Transport:     &transport{h, caller},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Enter puts a scope into a context, with the label that it names and the settings that module has in it. Revision, zone and URL
// are those of the label. A call that is under way keeps the label's revision that it began with.
func (h *Hub) Enter(ctx context.Context, s scope.Scope, moduleKey string) context.Context {
	l := label.Of(ctx)
	if l == nil || l.Key != s.Label {
		l = h.labels.ByKey(s.Label)
	}
	return enter(ctx, s, l, moduleKey)
}

func enter(ctx context.Context, s scope.Scope, l *label.Label, moduleKey string) context.Context {
	var settings *scope.Settings
	if l != nil {
		s.Revision, s.Zone, s.URL, settings = l.Revision, l.Zone, l.URL, l.Settings[moduleKey]
		ctx = label.With(ctx, l)
	}
	return scope.With(ctx, s, settings)
}

// ScopeFor gives the context in which core itself runs a module for a label: deliveries, jobs, decisions and imports. It is
// false when there is no such label or the label does not have the module.
func (h *Hub) ScopeFor(labelKey, moduleKey string) (context.Context, bool) {
	l := h.labels.ByKey(labelKey)
	if l == nil || !has(l, moduleKey) {
		return nil, false
	}
	return enter(context.Background(), scope.Scope{Label: l.Key, Role: scope.RoleSystem, Locale: "nl"}, l, moduleKey), true
}

func has(l *label.Label, moduleKey string) bool {
	_, on := l.Modules[moduleKey]
	return on || moduleKey == registry.Core
}

// Call is all of a context that travels with a sibling call. On the way to a plugin it stays with core, under a handle.
type Call struct {
	Scope    scope.Scope
	Label    *label.Label
	Client   scope.Client
	Hops     int
	Deadline time.Time // zero: none
	Trace    trace.SpanContext
}

type hopsKey struct{}

// Capture reads what travels out of a context.
func Capture(ctx context.Context) Call {
	c := Call{Scope: scope.Of(ctx), Label: label.Of(ctx), Client: scope.ClientOf(ctx), Trace: trace.SpanContextFromContext(ctx)}
	c.Hops, _ = ctx.Value(hopsKey{}).(int)
	c.Deadline, _ = ctx.Deadline()
	return c
}

// Enter makes the context in which module runs the call. Nothing of parent is seen in it but that it ends with parent.
func (c Call) Enter(parent context.Context, moduleKey string) (context.Context, context.CancelFunc) {
	ctx := enter(context.Background(), c.Scope, c.Label, moduleKey)
	ctx = scope.WithClient(ctx, c.Client)
	ctx = context.WithValue(ctx, hopsKey{}, c.Hops)
	ctx = problem.WithObserver(ctx, func(err error) { problem.Observe(parent, err) })
	if c.Trace.IsValid() {
		ctx = trace.ContextWithRemoteSpanContext(ctx, c.Trace)
	}
	var cancel context.CancelFunc
	if c.Deadline.IsZero() {
		ctx, cancel = context.WithCancel(ctx)
	} else {
		ctx, cancel = context.WithDeadline(ctx, c.Deadline)
	}
	stop := context.AfterFunc(parent, cancel)
	return ctx, func() { stop(); cancel() }
}

// allowed says whether the caller may call the operation on behalf of the scope; nil when it may.
func allowed(caller module.Manifest, op *registry.Operation, s scope.Scope) *problem.Problem {
	if op.Effect == module.Write && s.ReadOnly {
		return problem.Fail(http.StatusForbidden, problem.CodeReadOnly)
	}
	switch op.Access {
	case module.Sibling, module.Public:
		return nil
	case module.Customer:
		if s.Role == scope.RoleCustomer {
			return nil
		}
	case module.Staff:
		if s.Role == scope.RoleStaff {
			return nil
		}
	case module.APIKey:
		if s.Role == scope.RoleKey || s.Role == scope.RoleStaff {
			return nil
		}
	}
	if s.Role == scope.RoleSystem && caller.Key == registry.Core {
		return nil
	}
	return problem.Fail(http.StatusForbidden, problem.CodeForbidden)
}

func mayCall(caller module.Manifest, target string) bool {
	return target == registry.Core || caller.Key == registry.Core || target == caller.Key ||
		slices.Contains(caller.Needs, target) || slices.Contains(caller.Uses, target)
}
