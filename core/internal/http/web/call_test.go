package web_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

const helped = `impersonation: allow: ["probe.helped"]`

func probe(t *testing.T) *apptest.Server {
	modules, dir := []module.Module{apptest.Probe}, t.TempDir()
	for _, l := range []apptest.Label{{Key: "alpha", CUE: helped}, {Key: "beta"}, {Key: "bare"},
		{Key: "gamma", CUE: `impersonation: allow: ["probe.changeMine"]`}} {
		apptest.WriteLabel(t, dir, l, modules)
	}
	file := filepath.Join(dir, "beta", "label.cue")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	text = bytes.Replace(text, []byte("hosts: ["), []byte(`hosts: [{name: "bücher.example"}, `), 1)
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return apptest.Start(t, apptest.Options{Modules: modules, LabelsDir: dir})
}

func TestLabelOfACall(t *testing.T) {
	s := probe(t)
	ask := func(host, branding string) (status int, got string) {
		t.Helper()
		a := s.Do(apptest.Call{Host: host, Path: "/probe/open", Header: map[string]string{"X-PORTAL-BRANDING": branding}})
		require.Contains(t, a.Header.Values("Vary"), "X-PORTAL-BRANDING", "the answer depends on the label")
		if a.Status != http.StatusOK {
			return a.Status, a.Code()
		}
		var sc module.Scope
		a.JSON(t, &sc)
		return a.Status, sc.Label
	}
	t.Run("7-branding-header-missing,1-one-label-per-host", func(t *testing.T) {
		for _, c := range []struct {
			host, branding string
			status         int
			want           string
		}{
			{"alpha.localhost", "", 200, "alpha"},
			{"ALPHA.localhost.:8080", "", 200, "alpha"}, // port, case and trailing dot
			{"test.alpha.localhost", "", 200, "alpha"},
			{"beta.localhost", "", 200, "beta"},
			{"beta.localhost", "beta.localhost", 200, "beta"},
			{"alpha.localhost", "test.alpha.localhost", 200, "alpha"}, // another host of the same label
			{"alpha.localhost", "beta.localhost", 400, "label_mismatch"},
			{"alpha.localhost", "BETA.localhost.:8080", 400, "label_mismatch"},
			{"alpha.localhost", "nobody.example", 200, "alpha"}, // matches no other label
			{"xn--bcher-kva.example", "", 200, "beta"},          // IDNA
			{"alpha.localhost", "bücher.example", 400, "label_mismatch"},
			{"127.0.0.1:9000", "BÜCHER.example.:8080", 200, "beta"},
			{"127.0.0.1:9000", "beta.localhost", 200, "beta"}, // the branding header decides when no label owns Host
			{"127.0.0.1:9000", "Beta.localhost:8080", 200, "beta"},
			{"127.0.0.1:9000", "nobody.example", 400, "unknown_label"},
			{"127.0.0.1:9000", "", 404, "unknown_label"},
		} {
			status, got := ask(c.host, c.branding)
			require.Equal(t, c.status, status, c)
			require.Equal(t, c.want, got, c)
		}
		keys := s.Do(apptest.Call{Host: "127.0.0.1:9000", Path: "//.well-known/jwks.json",
			Header: map[string]string{"X-PORTAL-BRANDING": "beta.localhost"}})
		require.Equal(t, http.StatusOK, keys.Status)
		require.Contains(t, keys.Header.Values("Vary"), "X-PORTAL-BRANDING")
	})
	t.Run("7-branding-header", func(t *testing.T) {
		_, got := ask("gateway.example", "test.beta.localhost")
		require.Equal(t, "beta", got, "location.hostname, without a port, names the label")
	})
}

func TestBasePath(t *testing.T) {
	s := probe(t)
	t.Run("7-base-path,7-base-path-reconcile", func(t *testing.T) {
		for _, op := range s.Registry.Snapshot().Operations() {
			require.True(t, strings.HasPrefix(op.Path, "/"), op.Name())
			path := strings.ReplaceAll(strings.ReplaceAll(op.Path, "{", ""), "}", "")
			a := s.Do(apptest.Call{Method: op.Method, Path: "//" + path[1:], Header: map[string]string{"Accept": "application/json"}})
			require.Contains(t, []int{404, 405}, a.Status, "%s answers outside /api/v0", op.Name())
			a = s.Do(apptest.Call{Method: op.Method, Path: "//api" + path})
			require.Equal(t, 404, a.Status, "%s answers outside /api/v0", op.Name())
		}
		require.Equal(t, 200, s.Do(apptest.Call{Path: "/probe/open"}).Status)
		require.Equal(t, 404, s.Do(apptest.Call{Path: "//api/v1/probe/open"}).Status)
		require.Equal(t, 404, s.Do(apptest.Call{Path: "//api/v0//probe/open"}).Status)
		require.Equal(t, 404, s.Do(apptest.Call{Path: "//api/v0/probe/open/"}).Status)
	})
	t.Run("missing paths and methods have different problems", func(t *testing.T) {
		a := s.Do(apptest.Call{Path: "/probe/nothing"})
		require.Equal(t, []any{404, "not_found"}, []any{a.Status, a.Code()})
		a = s.Do(apptest.Call{Method: "PATCH", Path: "/probe/mine"})
		require.Equal(t, []any{405, "method_not_allowed", "GET, PUT"}, []any{a.Status, a.Code(), a.Header.Get("Allow")})
		require.Equal(t, 200, s.Do(apptest.Call{Method: "HEAD", Path: "/probe/open"}).Status)
	})
}

func TestModuleOfAnotherLabel(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe},
		LabelsDir: func() string {
			dir := t.TempDir()
			apptest.WriteLabel(t, dir, apptest.Label{Key: "alpha"}, nil)
			apptest.WriteLabel(t, dir, apptest.Label{Key: "beta"}, []module.Module{apptest.Probe})
			return dir
		}()})
	a := s.Do(apptest.Call{Path: "/probe/open"})
	require.Equal(t, []any{404, "module_not_enabled"}, []any{a.Status, a.Code()})
	require.Equal(t, 200, s.Do(apptest.Call{Host: "beta.localhost", Path: "/probe/open"}).Status)
}

func TestAccessByRole(t *testing.T) {
	s := probe(t)
	customer, staff := s.Customer("alpha", "r1"), s.Staff("alpha")
	impersonator := s.Impersonator("alpha", "r1")
	key, err := s.Identity.AddKey(t.Context(), "alpha", "back office")
	require.NoError(t, err)
	call := func(method, path, bearer string) apptest.Answer {
		t.Helper()
		return s.Do(apptest.Call{Method: method, Path: path, Bearer: bearer})
	}
	t.Run("roles", func(t *testing.T) {
		for _, c := range []struct{ call, none, customer, staff, key, impersonator string }{
			{"GET /probe/open", "200", "200", "200", "200", "200"},
			{"GET /probe/mine", "401", "200", "403", "403", "200"},
			{"PUT /probe/mine", "401", "200", "403", "403", "403"},
			{"GET /probe/desk", "401", "403", "200", "403", "403"},
			{"POST /probe/desk", "401", "403", "200", "200", "403"},
			{"GET /probe/inside", "404", "404", "404", "404", "404"},
		} {
			method, path, _ := strings.Cut(c.call, " ")
			for i, bearer := range []string{"", customer, staff, key, impersonator} {
				want := []string{c.none, c.customer, c.staff, c.key, c.impersonator}[i]
				a := call(method, path, bearer)
				require.Equal(t, want, strconv.Itoa(a.Status), "%s as caller %d: %s", c.call, i, a.Body)
			}
		}
	})
	t.Run("7-bearer-token", func(t *testing.T) {
		for header, want := range map[string]int{"Bearer " + customer: 200, "bearer " + customer: 200, customer: 401, "Basic " + customer: 401,
			"Token " + customer: 401, "Bearer": 401} {
			a := s.Do(apptest.Call{Path: "/probe/mine", Header: map[string]string{"Authorization": header}})
			require.Equal(t, want, a.Status, "%.10s", header)
		}
		require.Equal(t, 401, s.Do(apptest.Call{Path: "/probe/mine?access_token=" + customer}).Status, "only in the header")
	})
	t.Run("7-bearer-invalid", func(t *testing.T) {
		other := s.Customer("beta", "r1") // a valid token of another label
		parts := strings.Split(customer, ".")
		forged := parts[0] + "." + parts[1] + "." + strings.Repeat("A", len(parts[2]))
		none := "eyJhbGciOiJub25lIn0." + parts[1] + "."
		for name, bearer := range map[string]string{"missing": "", "junk": "x.y.z", "forged": forged, "none": none, "other label": other,
			"no key": "wk_nothing"} {
			a := call("GET", "/probe/mine", bearer)
			require.Equal(t, []any{401, "unauthorized"}, []any{a.Status, a.Code()}, name)
			require.Equal(t, "Bearer", a.Header.Get("WWW-Authenticate"), name)
		}
		require.NoError(t, s.Advance(t.Context(), 2*time.Hour))
		require.Equal(t, 401, call("GET", "/probe/mine", customer).Status, "expired")
		require.NoError(t, s.Advance(t.Context(), -2*time.Hour))
	})
	t.Run("6-impersonator-acts-for", func(t *testing.T) {
		s.Customer("alpha", "r9")
		for _, call := range []string{"GET /probe/mine", "POST /probe/search", "PUT /probe/helped"} {
			for _, relation := range []string{"r1", "r9"} {
				method, path, _ := strings.Cut(call, " ")
				var sc module.Scope
				s.Do(apptest.Call{Method: method, Path: path, Bearer: s.Impersonator("alpha", relation)}).JSON(t, &sc)
				require.Equal(t, relation, sc.Relation, call)
			}
		}
	})
	t.Run("6-impersonator-api", func(t *testing.T) {
		for _, c := range []struct {
			call string
			want int
		}{
			{"GET /probe/mine", 200}, {"POST /probe/search", 200}, // a POST that reads
			{"PUT /probe/mine", 403}, {"GET /probe/consent", 403}, // a GET that writes
			{"PUT /probe/helped", 200}, // allowed by the label
		} {
			method, path, _ := strings.Cut(c.call, " ")
			a := call(method, path, impersonator)
			require.Equal(t, c.want, a.Status, c.call)
			if c.want == 403 {
				require.Equal(t, "read_only", a.Code(), c.call)
			}
		}
		s.Customer("beta", "r2")
		a := s.Do(apptest.Call{Method: "PUT", Host: "beta.localhost", Path: "/probe/helped", Bearer: s.Impersonator("beta", "r2")})
		require.Equal(t, []any{403, "read_only"}, []any{a.Status, a.Code()}, "by default no label allows a write")
		s.Customer("gamma", "r3")
		a = s.Do(apptest.Call{Method: "PUT", Host: "gamma.localhost", Path: "/probe/mine", Bearer: s.Impersonator("gamma", "r3")})
		require.Equal(t, []any{403, "read_only"}, []any{a.Status, a.Code()}, "the label names an operation that does not allow it")
	})
	t.Run("scopes", func(t *testing.T) {
		var sc module.Scope
		call("GET", "/probe/mine", customer).JSON(t, &sc)
		require.Equal(t, []any{"alpha", "r1", "customer", "nl", "Europe/Amsterdam", false},
			[]any{sc.Label, sc.Relation, sc.Role, sc.Locale, sc.Zone, sc.ReadOnly})
		require.Equal(t, sc.Subject, sc.Actor)
		call("GET", "/probe/mine", impersonator).JSON(t, &sc)
		require.Equal(t, []any{"r1", true}, []any{sc.Relation, sc.ReadOnly})
		require.NotEqual(t, sc.Subject, sc.Actor)
		call("GET", "/probe/desk", staff).JSON(t, &sc)
		require.Equal(t, []any{"staff", ""}, []any{sc.Role, sc.Relation})
		call("POST", "/probe/desk", key).JSON(t, &sc)
		require.Equal(t, []any{"key", "back office"}, []any{sc.Role, sc.Actor})
		s.Do(apptest.Call{Path: "/probe/open", Header: map[string]string{"Accept-Language": "en-GB,en;q=0.8"}}).JSON(t, &sc)
		require.Equal(t, []any{"public", "en"}, []any{sc.Role, sc.Locale})
		s.Do(apptest.Call{Path: "/probe/open", Header: map[string]string{"Accept-Language": "fr"}}).JSON(t, &sc)
		require.Equal(t, "nl", sc.Locale)
	})
	t.Run("7.7-key-scopes", func(t *testing.T) {
		all := s.Registry.Snapshot().Scopes()
		require.Subset(t, all, []string{"accounts", "changes:decide", "changes:read", "impersonate", "probe:write", "webhooks"})
		count := 0
		for _, mine := range all {
			secret, err := s.Identity.MakeKey(t.Context(), "alpha", identity.Key{Name: mine, Scopes: []string{mine}})
			require.NoError(t, err)
			for _, op := range s.Registry.Snapshot().Operations() {
				if op.Access != module.APIKey {
					require.Empty(t, op.Scope, op.Name())
					continue
				}
				require.NotEmpty(t, op.Scope, op.Name())
				count++
				a := call(op.Method, strings.NewReplacer("{id}", "none").Replace(op.Path), secret)
				if op.Scope == mine {
					require.NotContains(t, []int{401, 403}, a.Status, "%s with %s", op.Name(), mine)
				} else {
					require.Equal(t, []any{403, "key_scope_missing"}, []any{a.Status, a.Code()}, "%s with %s", op.Name(), mine)
				}
			}
			require.Equal(t, 403, call("GET", "/probe/mine", secret).Status, "no scope gives the access of a customer")
			require.Equal(t, 200, call("GET", "/probe/open", secret).Status)
		}
		require.Greater(t, count, 60)
		for _, op := range s.Registry.Snapshot().Operations() {
			if op.Access == module.APIKey {
				path := strings.NewReplacer("{id}", "none").Replace(op.Path)
				require.NotContains(t, []int{401, 403}, call(op.Method, path, key).Status, "a key without a list of scopes may call %s", op.Name())
			}
		}
		require.Equal(t, 200, call("POST", "/probe/desk", staff).Status, "staff need no scope")
		require.Contains(t, string(s.Do(apptest.Call{Path: "/openapi.json"}).Body), `"x-scope":"probe:write"`)
	})
	t.Run("a scope from outside is removed", func(t *testing.T) {
		a := s.Do(apptest.Call{Path: "/probe/open", Header: map[string]string{"X-Wattle-Scope": "x", "x-wattle-hops": "4",
			"X-Wattle-Handle": "x"}})
		require.Equal(t, 200, a.Status)
	})
}

func TestOwnData(t *testing.T) {
	s := probe(t)
	anna, bert := s.Customer("alpha", "anna"), s.Customer("alpha", "bert")
	namesake := s.Customer("beta", "anna") // the same relation id on another label
	a := s.Do(apptest.Call{Method: "POST", Path: "/probe/items", Bearer: anna, Body: map[string]string{"name": "mine"}})
	require.Equal(t, 200, a.Status, string(a.Body))
	var item struct{ ID string }
	a.JSON(t, &item)
	t.Run("6-customer-own-data,6-customer-own-data-status", func(t *testing.T) {
		for name, c := range map[string]struct{ host, bearer string }{"bert": {"alpha.localhost", bert},
			"namesake": {"beta.localhost", namesake}} {
			for _, method := range []string{"GET", "DELETE"} {
				answer := s.Do(apptest.Call{Method: method, Host: c.host, Path: "/probe/items/" + item.ID, Bearer: c.bearer})
				missing := s.Do(apptest.Call{Method: method, Host: c.host, Path: "/probe/items/nothing", Bearer: c.bearer})
				require.Equal(t, 404, answer.Status, name)
				require.Equal(t, string(missing.Body), string(answer.Body), "the response for another customer's item is that for a missing one")
			}
		}
		require.Equal(t, 200, s.Do(apptest.Call{Path: "/probe/items/" + item.ID, Bearer: anna}).Status)
	})
	t.Run("a module handles its own event", func(t *testing.T) {
		require.NoError(t, s.Advance(t.Context(), 0))
		a := s.Do(apptest.Call{Path: "/probe/items/" + item.ID, Bearer: anna})
		require.Contains(t, string(a.Body), "mine (seen)")
	})
}

func TestErrorsRevealNothing(t *testing.T) {
	s := probe(t)
	t.Run("8-error-body", func(t *testing.T) {
		for _, path := range []string{"/probe/broken", "/probe/panics"} {
			a := s.Do(apptest.Call{Path: path})
			require.Equal(t, []any{500, "internal"}, []any{a.Status, a.Code()}, path)
			for _, secret := range []string{"hunter2", "/var/lib", "goroutine", ".go", "panic"} {
				require.NotContains(t, string(a.Body), secret)
			}
		}
		a := s.Do(apptest.Call{Method: "POST", Path: "/probe/form", Body: `{"name":"Zx","email":"geheim","count":77,"secret":"hunter2"}`})
		require.Equal(t, 400, a.Status)
		var p problem.Problem
		a.JSON(t, &p)
		require.Equal(t, "invalid", p.Code)
		var fields []string
		for _, e := range p.Errors {
			require.NotEmpty(t, e.Code)
			fields = append(fields, e.Field)
		}
		for _, want := range []string{"name", "email", "count"} {
			require.True(t, slices.Contains(fields, want), "%s is not among %v", want, fields)
		}
		for _, value := range []string{"Zx", "geheim", "77", "hunter2"} {
			require.NotContains(t, string(a.Body), value)
		}
	})
	t.Run("too large", func(t *testing.T) {
		big := `{"name":"` + strings.Repeat("a", 1<<20) + `"}`
		a := s.Do(apptest.Call{Method: "POST", Path: "/probe/form", Body: big})
		require.Equal(t, []any{413, "too_large"}, []any{a.Status, a.Code()})
		a = s.Do(apptest.Call{Method: "POST", Path: "/probe/form", Body: `{}`, Header: map[string]string{"X-Big": strings.Repeat("a", 64<<10)}})
		require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, a.Status)
	})
}

// unknownNames matches the names of unknown fields, which an error repeats (11-problem-unknown-field).
var unknownNames = regexp.MustCompile(`"field":"[\w.]*","code":"unknown_field"|[\w.]*: there is no such field`)

// An error never repeats values from the request.
func FuzzErrorsNeverEcho(f *testing.F) {
	s := apptest.Start(f, apptest.Options{Modules: []module.Module{apptest.Probe}})
	for _, seed := range []string{`{"name":"qqqqzzzz"}`, `{"qqqqzzzz":1}`, `qqqqzzzz`, `["qqqqzzzz"]`,
		`{"name":"abc","email":"qqqqzzzz","count":1}`,
		`{"count":"qqqqzzzz"}`, `{"tags":["qqqqzzzz",{"qqqqzzzz":[]}]}`, `{"name":"qqqqzzzz`, "\x00qqqqzzzz"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		s := s.For(t)
		for _, a := range []apptest.Answer{
			s.Do(apptest.Call{Method: "POST", Path: "/probe/form", Body: body}),
			s.Do(apptest.Call{Method: "POST", Path: "/auth/sign-in", Body: body}),
			s.Do(apptest.Call{Path: "/labels/key?domain=qqqqzzzz"}),
			s.Do(apptest.Call{Path: "/labels/qqqqzzzz/style"}),
			s.Do(apptest.Call{Path: "/qqqqzzzz"}),
		} {
			if a.Status < 400 {
				continue
			}
			var p problem.Problem
			if err := json.Unmarshal(a.Body, &p); err != nil || p.Status != a.Status || p.Code == "" || p.Title == "" {
				t.Fatalf("no problem: %d %s", a.Status, a.Body)
			}
			require.Equal(t, "application/problem+json", a.Header.Get("Content-Type"))
			require.NotContains(t, unknownNames.ReplaceAllString(string(a.Body), ""), "qqqqzzzz")
		}
	})
}
