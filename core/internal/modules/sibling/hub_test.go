package sibling_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
)

// core/moduletest tests the behavior that is the same in the program and in a plugin. These tests cover what only core does.

type private struct{}

var (
	core    = module.Manifest{Key: registry.Core}
	ended   = make(chan struct{}, 1)
	arrived = make(chan context.Context, 1)
)

func open(t *testing.T) *moduletest.World {
	t.Helper()
	op := func(id, method, path string) huma.Operation {
		return huma.Operation{OperationID: id, Method: method, Path: path}
	}
	return moduletest.Open(t, moduletest.Fake("callee", func(api huma.API) {
		module.Route(api, op("see", http.MethodGet, "/callee"), module.Sibling,
			module.Read, func(ctx context.Context, _ *struct{}) (*struct{}, error) {
				arrived <- ctx
				return nil, nil
			})
		module.Route(api, op("fail", http.MethodGet, "/callee/fail"), module.Sibling, module.Read,
			func(context.Context, *struct{}) (*struct{}, error) { return nil, errors.New("secret of the database") })
		module.Route(api, op("panic", http.MethodGet, "/callee/panic"), module.Sibling, module.Read,
			func(context.Context, *struct{}) (*struct{}, error) { panic("secret") })
		module.Route(api, op("hang", http.MethodGet, "/callee/hang"), module.Sibling,
			module.Read, func(ctx context.Context, _ *struct{}) (*struct{}, error) {
				<-ctx.Done()
				ended <- struct{}{}
				return nil, ctx.Err()
			})
		module.Route(api, op("echo", http.MethodPost, "/callee/echo"), module.Sibling, module.Read, func(_ context.Context, in *struct {
			RawBody []byte `contentType:"text/plain"`
		}) (*struct{ Body []byte }, error) {
			return &struct{ Body []byte }{in.RawBody}, nil
		})
	}), moduletest.Options{}, false)
}

func request(t *testing.T, ctx context.Context, path string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://callee"+path, nil)
	require.NoError(t, err)
	return r
}

func TestOtherHeadersAreNotPassedOn(t *testing.T) {
	w := open(t)
	ctx, ok := w.Hub.ScopeFor(moduletest.LabelOne, "callee")
	require.True(t, ok)
	ctx = context.WithValue(ctx, private{}, "the caller's own")
	ctx = scope.WithClient(ctx, scope.Client{IP: "192.0.2.1", RequestID: "r1"})
	id := trace.TraceID{1}
	ctx = trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: trace.SpanID{2},
		TraceFlags: trace.FlagsSampled}))
	ctx, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	resp, err := w.Hub.Client(core).Do(request(t, ctx, "/callee"))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	seen := <-arrived
	require.Nil(t, seen.Value(private{}))
	require.Equal(t, "r1", scope.ClientOf(seen).RequestID)
	require.Equal(t, id, trace.SpanContextFromContext(seen).TraceID())
	_, bounded := seen.Deadline()
	require.True(t, bounded)
	require.Equal(t, scope.RoleSystem, scope.Of(seen).Role)
	require.Empty(t, scope.Of(seen).Caller, "core is not a module")
	require.NotNil(t, scope.SettingsOf(seen))
}

func TestCallUnderWayKeepsItsRevision(t *testing.T) {
	w := open(t)
	ctx, _ := w.Hub.ScopeFor(moduletest.LabelOne, "callee")
	next := *w.Labels.ByKey(moduletest.LabelOne)
	next.Revision = "r2"
	w.Labels.Put(&next)
	resp, err := w.Hub.Client(core).Do(request(t, ctx, "/callee"))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	seen := <-arrived
	require.Equal(t, "r1", scope.Of(seen).Revision)
	require.Equal(t, "r1", label.Of(seen).Revision)
	fresh := w.Hub.Enter(context.Background(), scope.Scope{Label: moduletest.LabelOne}, "callee")
	require.Equal(t, "r2", scope.Of(fresh).Revision)
	_, ok := w.Hub.ScopeFor("nowhere", "callee")
	require.False(t, ok)
	_, ok = w.Hub.ScopeFor(moduletest.LabelOne, "elsewhere")
	require.False(t, ok)
	_, ok = w.Hub.ScopeFor(moduletest.LabelOne, registry.Core)
	require.True(t, ok)
}

func TestFailuresAreReportedToCoreOnly(t *testing.T) {
	w := open(t)
	ctx, _ := w.Hub.ScopeFor(moduletest.LabelOne, "callee")
	for _, path := range []string{"/callee/fail", "/callee/panic"} {
		reported := make(chan error, 1)
		resp, err := w.Hub.Client(core).Do(request(t, problem.WithObserver(ctx, func(err error) { reported <- err }), path))
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusInternalServerError, resp.StatusCode)
		require.NotContains(t, string(body), "secret")
		require.ErrorContains(t, <-reported, "secret")
	}
}

func TestCallerWhoLeavesEndsTheCall(t *testing.T) {
	w := open(t)
	ctx, _ := w.Hub.ScopeFor(moduletest.LabelOne, "callee")
	ctx, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	_, err := w.Hub.Client(core).Do(request(t, ctx, "/callee/hang"))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Fatal("the callee keeps working after the caller disconnected")
	}
}

func TestBodiesArePassedOn(t *testing.T) {
	w := open(t)
	ctx, _ := w.Hub.ScopeFor(moduletest.LabelOne, "callee")
	text := strings.Repeat("wattle ", 50_000)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://callee/callee/echo", strings.NewReader(text))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "text/plain")
	resp, err := w.Hub.Client(core).Do(r)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, text, string(body))
}

// A sibling that was built before an operation moved to another module still calls the operation in the old module.
func TestAnOperationThatMoved(t *testing.T) {
	t.Run("9-operations-moved", func(t *testing.T) {
		served := make(chan string, 1)
		moved := huma.Operation{OperationID: "lookup", Method: http.MethodPost, Path: "/lookup"}
		moved.Extensions = map[string]any{module.ExtFormerly: "previous"}
		w := moduletest.Open(t, moduletest.Fake("callee", func(api huma.API) {
			module.Route(api, moved, module.Public, module.Read, func(ctx context.Context, _ *struct{}) (*struct{}, error) {
				served <- module.ScopeOf(ctx).Caller
				return nil, nil
			})
		}), moduletest.Options{Siblings: []module.Module{moduletest.Fake("previous", func(huma.API) {})}}, false)
		ctx, ok := w.Hub.ScopeFor(moduletest.LabelOne, "callee")
		require.True(t, ok)
		call := func(needs, path string) int {
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://previous"+path, nil)
			require.NoError(t, err)
			resp, err := w.Hub.Client(module.Manifest{Key: "caller", Needs: []string{needs}}).Do(r)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			return resp.StatusCode
		}
		require.Equal(t, http.StatusNoContent, call("previous", "/lookup"))
		require.Equal(t, "caller", <-served)
		require.Equal(t, http.StatusForbidden, call("callee", "/lookup"), "the new module is not in the Needs of the caller")
		require.Equal(t, http.StatusNotFound, call("previous", "/other"))
	})
}
