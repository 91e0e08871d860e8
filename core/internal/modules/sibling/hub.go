// Package sibling carries calls between modules, and between core and a module. Inside the program such a call is a function call, but it
// passes exactly what would be sent over the socket to a plugin, so that both behave the same.
package sibling

import (
	"context"
	"net/http"
	"slices"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// MaxHops is the maximum depth of nested sibling calls; a deeper call returns 508.
const MaxHops = 4

// CodeLoop is the problem code of a call that is nested deeper than MaxHops.
const CodeLoop = "loop"

// Hub connects the running modules.
type Hub struct {
	registry *registry.Registry
	labels   label.Source
}

// New returns a hub for the running modules.
func New(r *registry.Registry, labels label.Source) *Hub { return &Hub{r, labels} }

// Client returns the HTTP client that a module uses to call siblings: http://<key>/<path> for a module in its Needs or Uses, or for core.
// The pseudo module "core" may call any module. Do returns problem.ErrNested for the context of a transaction, and the context's error if
// the context has ended. Everything else is a response with a problem: 401 without a scope, 403 for a module that is not in Needs or Uses,
// 404 module_not_enabled, 503 unavailable, 508 loop.
func (h *Hub) Client(caller module.Manifest) *http.Client {
	return &http.Client{
		Transport:     &transport{h, caller},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Enter returns a context with a scope, its label and the module's settings in that label. Revision, time zone and URL are those of the
// label. A running call keeps the label revision with which it began.
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

// ScopeFor returns the context in which core itself calls a module for a label, for deliveries, jobs, decisions and imports. It returns
// false if the label does not exist or does not have the module.
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

// Call is the part of a context that is passed on with a sibling call. For a plugin, it stays in core and is identified by a handle.
type Call struct {
	Scope    scope.Scope
	Label    *label.Label
	Client   scope.Client
	Hops     int
	Deadline time.Time // zero: none
	Trace    trace.SpanContext
}

type hopsKey struct{}

// Capture returns the Call of a context.
func Capture(ctx context.Context) Call {
	c := Call{Scope: scope.Of(ctx), Label: label.Of(ctx), Client: scope.ClientOf(ctx), Trace: trace.SpanContextFromContext(ctx)}
	c.Hops, _ = ctx.Value(hopsKey{}).(int)
	c.Deadline, _ = ctx.Deadline()
	return c
}

// Enter returns the context in which a module runs the call. It is canceled with parent, but has none of its values.
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

// checkAllowed returns a problem if the caller may not call the operation with this scope, and otherwise nil.
func checkAllowed(caller module.Manifest, op *registry.Operation, s scope.Scope) *problem.Problem {
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
