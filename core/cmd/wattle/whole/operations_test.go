package whole_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules"
)

// withoutToken lists the operations that work without a token (7-public-calls); JWKS is not under /api/v0. A download has a ticket, which
// replaces the token of the session that requested it.
var withoutToken = []string{"GET /portal", "GET /labels/*", "GET /pages/{slug}", "GET /openapi.json", "POST /lambda/address-validation/postcode",
	"POST /emailverification/verify/{token}", "POST /reactivate/begin", "POST /reactivate/finish/{token}",
	"POST /account/request", "POST /account/request/challenge",
	"POST /sustainable/payments/webhook", "GET /sustainable/sandbox/{payment}", "POST /sustainable/sandbox/{payment}",
	"GET /notifications/unsubscribe/{token}", "POST /notifications/unsubscribe/{token}", "GET /downloads/{ticket}",
	"POST /auth/sign-in", "POST /auth/sign-in-code", "POST /auth/new-password", "POST /auth/refresh", "POST /auth/sign-out",
	"POST /auth/forgot-password", "POST /auth/confirm-forgot-password", "POST /auth/impersonate"}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

// everything starts a portal with all modules enabled.
func everything(t *testing.T) *apptest.Server {
	return apptest.Start(t, apptest.Options{Modules: modules.All, Labels: []apptest.Label{{Key: "alpha"}}})
}

func request(op *registry.Operation, bearer string) apptest.Call {
	c := apptest.Call{Method: op.Method, Path: parameter.ReplaceAllString(op.Path, "x"), Bearer: bearer}
	if op.Method != http.MethodGet {
		c.Body = "{}"
	}
	return c
}

func TestEveryOperationDeclaresAccess(t *testing.T) {
	t.Parallel()
	s := everything(t)
	t.Run("7-public-calls", func(t *testing.T) {
		var open []string
		for _, op := range s.Registry.Snapshot().Operations() {
			a := s.Do(request(op, ""))
			switch op.Access {
			case module.Public:
				name := op.Method + " " + op.Path
				if strings.HasPrefix(name, "GET /labels/") {
					name = "GET /labels/*"
				}
				if !slices.Contains(open, name) {
					open = append(open, name)
				}
				if !strings.HasPrefix(op.Path, "/auth/") { // these need a password, a code or a cookie instead
					require.NotEqual(t, 401, a.Status, op.Name())
				}
			case module.Sibling:
				require.Equal(t, 404, a.Status, "%s is mounted outside", op.Name())
				if op.Method != http.MethodHead { // its responses have no body
					require.Equal(t, "not_found", a.Code(), "%s is mounted outside", op.Name())
				}
			default:
				require.Equal(t, []any{401, "unauthorized"}, []any{a.Status, a.Code()}, op.Name())
			}
		}
		require.ElementsMatch(t, withoutToken, open)
		require.Equal(t, 200, s.Do(apptest.Call{Path: "//.well-known/jwks.json"}).Status)
	})
	t.Run("7-base-path,7-base-path-reconcile", func(t *testing.T) {
		written := map[string]bool{"/lambda/address-validation/postcode": false, "/address": false,
			"/readings/{agreement}/{location}/{ean}": false}
		for _, op := range s.Registry.Snapshot().Operations() {
			if _, exists := written[op.Path]; exists {
				written[op.Path] = true
			}
			c := request(op, "")
			c.Header = map[string]string{"Accept": "application/json"}
			path := c.Path
			c.Path = "//" + path[1:]
			require.Contains(t, []int{404, 405}, s.Do(c).Status, "%s answers outside of /api/v0", op.Name())
			if op.Access == module.Sibling || op.Access == module.Public { // the others refuse a call without a token, which proves that they exist
				continue
			}
			c.Path = path
			require.Equal(t, 401, s.Do(c).Status, "%s answers below /api/v0", op.Name())
		}
		for path, exists := range written {
			require.True(t, exists, path)
		}
	})
	t.Run("7.7-key-scopes", func(t *testing.T) {
		ofCore := map[string]bool{}
		for _, op := range s.Registry.Snapshot().Operations() {
			switch {
			case op.Access != module.APIKey:
			case op.Module == registry.Core:
				ofCore[op.Scope] = true
			default:
				require.Equal(t, op.Module+":"+string(op.Effect), op.Scope, op.Name())
			}
		}
		require.ElementsMatch(t, []string{"changes:read", "changes:decide", "webhooks", "accounts", "impersonate"},
			slices.Collect(maps.Keys(ofCore)))
	})
	t.Run("7-bearer-invalid", func(t *testing.T) {
		for _, op := range s.Registry.Snapshot().Operations() {
			if op.Access != module.Public && op.Access != module.Sibling {
				require.Equal(t, 401, s.Do(request(op, "junk")).Status, op.Name())
			}
		}
	})
}

// From the document, a generated client can tell when to send a token and what an error response looks like.
func TestDocumentDescribesSecurityAndErrors(t *testing.T) {
	s := everything(t)
	t.Run("7-openapi-complete", func(t *testing.T) {
		var doc struct {
			Paths map[string]map[string]struct {
				Access    string `json:"x-access"`
				ID        string `json:"operationId"`
				Summary   string
				Security  *[]map[string][]string
				Responses map[string]struct {
					Content map[string]struct{ Schema struct{ Type, Ref string } }
				}
			}
			Components struct{ SecuritySchemes map[string]any }
		}
		s.Do(apptest.Call{Path: "/openapi.json"}).JSON(t, &doc)
		require.Contains(t, doc.Components.SecuritySchemes, "bearer")
		count := 0
		for path, item := range doc.Paths {
			for method, op := range item {
				count++
				at := method + " " + path
				require.NotNil(t, op.Security, at)
				if op.Access == string(module.Public) {
					require.Empty(t, *op.Security, at)
				} else {
					require.Equal(t, []map[string][]string{{"bearer": {}}}, *op.Security, at)
				}
				require.Contains(t, op.Responses, "default", "%s: what a refusal looks like", at)
				require.Contains(t, op.Responses["default"].Content, "application/problem+json", at)
			}
		}
		require.Greater(t, count, 100)
		require.Equal(t, "object", doc.Paths["/openapi.json"]["get"].Responses["200"].Content["application/json"].Schema.Type)
	})
}

func TestAnImpersonatorOnlyReads(t *testing.T) {
	t.Parallel()
	s := everything(t)
	s.Customer("alpha", "r1")
	bearer := s.Impersonator("alpha", "r1")
	staffOnly := func(op *registry.Operation) bool { return op.Access == module.Staff || op.Access == module.APIKey }
	t.Run("6-impersonator-api", func(t *testing.T) {
		searches := false
		for _, op := range s.Registry.Snapshot().Operations() {
			if op.Method == http.MethodPost && op.Path == "/sustainable/market" {
				searches = op.Effect == module.Read
			}
			a := s.Do(request(op, bearer))
			switch {
			case op.Always:
				require.Equal(t, []any{"core.signOut", 204}, []any{op.Name(), a.Status})
				require.Equal(t, 401, s.Do(apptest.Call{Path: "/relations", Bearer: bearer}).Status, "the impersonation has ended")
				bearer = s.Impersonator("alpha", "r1")
			case op.Access == module.Sibling:
				require.Equal(t, 404, a.Status, op.Name())
			case staffOnly(op):
				require.Equal(t, []any{403, "forbidden"}, []any{a.Status, a.Code()}, op.Name())
			case op.Effect == module.Write:
				require.Equal(t, []any{403, "read_only"}, []any{a.Status, a.Code()}, op.Name())
			default:
				require.NotEqual(t, 403, a.Status, "%s only reads: %s", op.Name(), a.Body)
			}
		}
		require.True(t, searches, "POST sustainable/market is a read")
	})
}

// Every staff operation of every module accepts only staff and API keys, regardless of what other tokens contain.
func TestOnlyStaffMayCallStaffOperations(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Labels: []apptest.Label{{Key: "alpha"},
		{Key: "beta", Kind: portaltest.Participants}}})
	outsiders := []struct{ who, label, bearer string }{
		{"a customer", "alpha", s.Customer("alpha", "r1")},
		{"a member", "beta", s.Customer("beta", "r2")},
		{"an impersonator of a customer", "alpha", s.Impersonator("alpha", "r1")},
		{"an impersonator of a member", "beta", s.Impersonator("beta", "r2")},
	}
	elsewhere := s.Staff("beta")
	t.Run("6-staff-forbidden", func(t *testing.T) {
		count := 0
		for _, op := range s.Registry.Snapshot().Operations() {
			if op.Access != module.Staff && op.Access != module.APIKey {
				require.False(t, strings.Contains(op.Path, "/staff/") && op.Access != module.Sibling, "%s stands under staff and is for %s", op.Name(),
					op.Access)
				continue
			}
			count++
			for _, o := range outsiders {
				c := request(op, o.bearer)
				c.Host = o.label + ".localhost"
				a := s.Do(c)
				require.Equal(t, []any{403, "forbidden"}, []any{a.Status, a.Code()}, "%s by %s", op.Name(), o.who)
			}
			for _, bearer := range []string{"", "junk", "wk_junk", elsewhere} {
				a := s.Do(request(op, bearer))
				require.Equal(t, []any{401, "unauthorized"}, []any{a.Status, a.Code()}, "%s without a token of this label", op.Name())
			}
		}
		require.Greater(t, count, 15)
		var entries int
		require.NoError(t, s.Store.Read().NewRaw("SELECT count(*) FROM audit WHERE action LIKE 'operation.%'").Scan(t.Context(), &entries))
		require.Zero(t, entries, "who is not let in has done nothing")
	})
}

// An impersonator may make only those writes that both the operation and the label allow. No operation of this product allows any. The
// store refuses a write that passes the first check.
func TestImpersonatorsWriteOnlyWhatALabelAllows(t *testing.T) {
	t.Parallel()
	all := append(slices.Clone(modules.All), apptest.Probe)
	t.Run("6-impersonator-all-edits-reconcile", func(t *testing.T) {
		s := apptest.Start(t, apptest.Options{Modules: all,
			Labels: []apptest.Label{{Key: "alpha", CUE: `impersonation: allow: ["probe.helped", "probe.changeMine", "account.changePhone"]`}}})
		s.Customer("alpha", "r1")
		bearer := s.Impersonator("alpha", "r1")
		named := 0
		for _, op := range s.Registry.Snapshot().Operations() {
			if op.Effect != module.Write || op.Access != module.Customer && op.Access != module.Public || op.Always {
				continue
			}
			a := s.Do(request(op, bearer))
			if op.Name() == "probe.helped" {
				named++
				require.Equal(t, 200, a.Status, string(a.Body))
				continue
			}
			require.Equal(t, []any{403, "read_only"}, []any{a.Status, a.Code()}, "%s is named or not, but does not allow it", op.Name())
		}
		require.Equal(t, 1, named)
		// a POST that only reads is allowed, and a GET that writes is not
		require.Equal(t, 200, s.Do(apptest.Call{Method: http.MethodPost, Path: "/probe/search", Bearer: bearer}).Status)
		require.Equal(t, 403, s.Do(apptest.Call{Path: "/probe/consent", Bearer: bearer}).Status)
	})
}

// Every refusal of every operation is returned as a problem.
func TestEveryRefusalIsAProblem(t *testing.T) {
	t.Parallel()
	s := everything(t)
	customer, key := s.Customer("alpha", "r1"), s.Staff("alpha")
	t.Run("8-error-body", func(t *testing.T) {
		for _, op := range s.Registry.Snapshot().Operations() {
			if op.Method == http.MethodHead {
				continue // the response has no body
			}
			for _, bearer := range []string{"", customer, key} {
				for _, body := range []string{"{}", `{"other":"qqzz"}`, `"qqzz"`, `qqzz`} {
					c := request(op, bearer)
					c.Path = parameter.ReplaceAllString(op.Path, "qqzz") + "?qqzz=qqzz"
					if op.Method != http.MethodGet {
						c.Body = body
					}
					a := s.Do(c)
					if a.Status < 400 {
						continue
					}
					var p problem.Problem
					a.JSON(t, &p)
					about := fmt.Sprintf("%s %s: %s", op.Name(), body, a.Body)
					require.Equal(t, "application/problem+json", a.Header.Get("Content-Type"), about)
					require.Equal(t, a.Status, p.Status, about)
					require.NotEmpty(t, p.Title, about)
					require.NotEmpty(t, p.Code, about)
					require.NotContains(t, strings.ToLower(string(a.Body)), "qqzz", about)
					require.Less(t, a.Status, 500, about)
				}
			}
		}
	})
}
