package moduletest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// echo records what a sibling received.
type echo struct {
	Scope    module.Scope `json:"scope"`
	Headers  string       `json:"headers"`
	Deadline bool         `json:"deadline"`
}

func siblings() []module.Module {
	get := func(id, path string) huma.Operation {
		return huma.Operation{OperationID: id, Method: http.MethodGet, Path: path}
	}
	none := func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }
	account := moduletest.Fake("account", func(api huma.API) {
		module.Route(api, get("echo", "/account/echo"), module.Sibling, module.Read, func(ctx context.Context, in *struct {
			Authorization string `header:"Authorization"`
			Handle        string `header:"X-Wattle-Handle"`
			Token         string `header:"X-Wattle-Token"`
			Own           string `header:"X-Own"`
		}) (*struct{ Body echo }, error) {
			out := &struct{ Body echo }{}
			_, out.Body.Deadline = ctx.Deadline()
			out.Body.Scope, out.Body.Headers = module.ScopeOf(ctx), in.Authorization+in.Handle+in.Token+in.Own
			return out, nil
		})
		module.Route(api, get("staff", "/account/staff"), module.Staff, module.Read, none)
		module.Route(api, get("mine", "/account/mine"), module.Customer, module.Read, none)
		module.Route(api, get("write", "/account/write"), module.Sibling, module.Write, none)
		module.Route(api, get("panics", "/account/panics"), module.Sibling, module.Read,
			func(context.Context, *struct{}) (*struct{}, error) { panic("on purpose") })
	})
	other := moduletest.Fake("other", func(api huma.API) { module.Route(api, get("get", "/other"), module.Public, module.Read, none) })
	core := moduletest.Fake("core", func(api huma.API) { module.Route(api, get("get", "/accounts/me"), module.Sibling, module.Read, none) })
	return []module.Module{account, other, core}
}

// both runs a test against the fixture, in-process and as a plugin, which must behave the same.
func both(t *testing.T, f func(t *testing.T, w *moduletest.World)) {
	t.Helper()
	for name, asPlugin := range map[string]bool{"in-process": false, "plugin": true} {
		t.Run(name, func(t *testing.T) {
			f(t, moduletest.Open(t, fixture.Module, moduletest.Options{Main: "github.com/wattle-portal/wattle/test/plugin/fixture/plugin",
				Settings: fixture.Settings{Greeting: "Hallo"}, Siblings: siblings()}, asPlugin))
		})
	}
}

var customer = scope.Scope{Label: moduletest.LabelOne, Role: scope.RoleCustomer, Relation: "relation-1", Subject: "account-1",
	Actor: "account-1", Locale: "en"}

func get(t *testing.T, w *moduletest.World, as scope.Scope, path string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(w.Hub.Enter(t.Context(), as, "fixture"), http.MethodGet, "http://fixture"+path, nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer of the customer")
	r.Header.Set("Cookie", "a=b")
	resp, err := w.Hub.Client(module.Manifest{Key: registry.Core}).Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func decode[T any](t *testing.T, resp *http.Response) (out T) {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &out), "%d %s", resp.StatusCode, b)
	return out
}

type called struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
	Error  string          `json:"error"`
}

func call(t *testing.T, w *moduletest.World, as scope.Scope, target string) called {
	t.Helper()
	return decode[called](t, get(t, w, as, "/fixture/call?url="+url.QueryEscape(target)))
}

func TestContextIsPassedOn(t *testing.T) {
	both(t, func(t *testing.T, w *moduletest.World) {
		hello := decode[map[string]string](t, get(t, w, customer, "/fixture/hello"))
		delete(hello, "$schema")
		require.Equal(t, map[string]string{"greeting": "Hallo", "label": "one", "relation": "relation-1", "subject": "account-1",
			"role": "customer", "caller": "", "locale": "en", "zone": "Europe/Amsterdam", "today": "2026-11-20", "client": ""}, hello)

		out := call(t, w, customer, "http://account/account/echo")
		require.Equal(t, http.StatusOK, out.Status)
		var e echo
		require.NoError(t, json.Unmarshal(out.Body, &e))
		want := customer
		want.Caller, want.Revision, want.Zone, want.URL = "fixture", "r1", "Europe/Amsterdam", "https://one.example"
		require.Equal(t, want, e.Scope)
		require.Equal(t, "own", e.Headers, "credentials or forged headers of a caller are passed on")
		require.Equal(t, strings.HasSuffix(t.Name(), "/plugin"), e.Deadline, "an operation of a plugin has a deadline")

		bounded := decode[called](t, get(t, w, customer, "/fixture/call?timeout=60000&url="+url.QueryEscape("http://account/account/echo")))
		require.NoError(t, json.Unmarshal(bounded.Body, &e))
		require.True(t, e.Deadline, "the deadline is not passed on")
	})
}

func TestAccessIsEnforced(t *testing.T) {
	both(t, func(t *testing.T, w *moduletest.World) {
		code := func(out called) string {
			var p problem.Problem
			require.NoError(t, json.Unmarshal(out.Body, &p))
			require.Equal(t, out.Status, p.Status)
			return p.Code
		}
		require.Equal(t, problem.CodeForbidden, code(call(t, w, customer, "http://other/other")), "neither needed nor used")
		require.Equal(t, http.StatusNoContent, call(t, w, customer, "http://core/accounts/me").Status)
		require.Equal(t, problem.CodeNotFound, code(call(t, w, customer, "http://account/nowhere")))
		require.Equal(t, problem.CodeNotFound, code(call(t, w, customer, "http://account/other")), "an operation of another module")
		require.Equal(t, problem.CodeForbidden, code(call(t, w, customer, "http://account/account/staff")))
		require.Equal(t, http.StatusNoContent, call(t, w, customer, "http://account/account/mine").Status)
		public := scope.Scope{Label: moduletest.LabelOne, Role: scope.RolePublic}
		require.Equal(t, problem.CodeForbidden, code(call(t, w, public, "http://account/account/mine")))
		system := scope.Scope{Label: moduletest.LabelOne, Role: scope.RoleSystem}
		require.Equal(t, problem.CodeForbidden, code(call(t, w, system, "http://account/account/staff")),
			"a module in a job does not have the role staff")
		require.Equal(t, http.StatusNoContent, call(t, w, customer, "http://account/account/write").Status)
		impersonated := customer
		impersonated.ReadOnly, impersonated.Actor = true, "support"
		require.Equal(t, problem.CodeReadOnly, code(call(t, w, impersonated, "http://account/account/write")))
		require.Equal(t, problem.CodeInternal, code(call(t, w, customer, "http://account/account/panics")))

		nobody := get(t, w, scope.Scope{}, "/fixture/hello")
		require.Equal(t, http.StatusUnauthorized, nobody.StatusCode)
		unknown := get(t, w, scope.Scope{Label: "nowhere"}, "/fixture/hello")
		require.Equal(t, http.StatusNotFound, unknown.StatusCode)

		require.NoError(t, w.Registry.Remove("account"))
		require.Equal(t, problem.CodeUnavailable, code(call(t, w, customer, "http://account/account/echo")))

		without := *w.Labels.ByKey(moduletest.LabelOne)
		without.Modules = maps.Clone(without.Modules)
		delete(without.Modules, "account")
		w.Labels.Put(&without)
		require.Equal(t, problem.CodeModuleOff, code(call(t, w, customer, "http://account/account/echo")))
	})
}

func TestFaults(t *testing.T) {
	both(t, func(t *testing.T, w *moduletest.World) {
		require.Equal(t, http.StatusLoopDetected, get(t, w, customer, "/fixture/loop").StatusCode)

		nested := get(t, w, customer, "/fixture/nested")
		b, err := io.ReadAll(nested.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, nested.StatusCode, string(b))

		panicked := get(t, w, customer, "/fixture/panic")
		require.Equal(t, http.StatusInternalServerError, panicked.StatusCode)
		require.Equal(t, problem.CodeInternal, decode[problem.Problem](t, panicked).Code)
		require.Equal(t, http.StatusOK, get(t, w, customer, "/fixture/hello").StatusCode)

		late := decode[called](t, get(t, w, customer, "/fixture/call?timeout=50&url="+url.QueryEscape("http://fixture/fixture/hang")))
		require.Equal(t, "deadline", late.Error)
	})
}

func TestStreams(t *testing.T) {
	both(t, func(t *testing.T, w *moduletest.World) {
		whole, err := io.ReadAll(get(t, w, customer, "/fixture/stream?lines=100000").Body)
		require.NoError(t, err)
		require.Equal(t, 100000, strings.Count(string(whole), "\n"))

		_, err = io.ReadAll(get(t, w, customer, "/fixture/stream?lines=100&then=break").Body)
		require.Error(t, err, "a partial response looks complete")

		ctx, cancel := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(w.Hub.Enter(ctx, customer, "fixture"), http.MethodGet,
			"http://fixture/fixture/stream?lines=3&then=hang", nil)
		require.NoError(t, err)
		resp, err := w.Hub.Client(module.Manifest{Key: registry.Core}).Do(r)
		require.NoError(t, err)
		lines := bufio.NewScanner(resp.Body)
		for range 3 {
			require.True(t, lines.Scan(), "the response is not streamed")
		}
		time.AfterFunc(20*time.Millisecond, cancel)
		require.False(t, lines.Scan())
		require.Error(t, lines.Err(), "a cancelled response looks complete")
		require.NoError(t, resp.Body.Close())
	})
}

func TestSettingsAndClockAreLive(t *testing.T) {
	both(t, func(t *testing.T, w *moduletest.World) {
		greeting := func() string { return decode[map[string]string](t, get(t, w, customer, "/fixture/hello"))["greeting"] }
		require.Equal(t, "Hallo", greeting())
		next := *w.Labels.ByKey(moduletest.LabelOne)
		next.Revision = "r2"
		next.Settings = maps.Clone(next.Settings)
		next.Settings["fixture"] = &scope.Settings{Raw: json.RawMessage(`{"greeting":"Goedemorgen"}`)}
		w.Labels.Put(&next)
		require.Equal(t, "Goedemorgen", greeting())

		w.Clock.Advance(48 * time.Hour)
		require.Equal(t, "2026-11-22", decode[map[string]string](t, get(t, w, customer, "/fixture/hello"))["today"])

		browser, err := w.Registry.Snapshot().Modules["fixture"].Browser(json.RawMessage(`{"greeting":"Hoi","secret":"x"}`))
		require.NoError(t, err)
		require.JSONEq(t, `{"greeting":"Hoi"}`, string(browser))
	})
}
