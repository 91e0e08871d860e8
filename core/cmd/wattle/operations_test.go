package main

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/registry"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules"
)

// withoutToken is all that works without a token (7-public-calls); JWKS stands outside of /api/v0. A download's ticket stands for
// the token of the session that asked for it.
var withoutToken = regexp.MustCompile(`^/(portal|openapi\.json|labels/.+|emailverification/.+|reactivate/.+|account/request(/challenge)?|` +
	`lambda/address-validation/.+|address(/.+)?|downloads/\{ticket\}|[a-z]+/webhooks/payment.*|payments?/webhook.*|` +
	`auth/(sign-in|new-password|refresh|sign-out|forgot-password|confirm-forgot-password|impersonate))$`)

var parameter = regexp.MustCompile(`\{[^}]+\}`)

// everything runs all modules with every one of them switched on.
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

func TestEveryOperationSaysWhoMayCall(t *testing.T) {
	s := everything(t)
	t.Run("7-public-calls", func(t *testing.T) {
		for _, op := range s.Registry.Snapshot().Operations() {
			a := s.Do(request(op, ""))
			switch op.Access {
			case module.Public:
				require.Regexp(t, withoutToken, op.Path, "%s works without a token", op.Name())
				if !strings.HasPrefix(op.Path, "/auth/") { // these ask for a password, a code or a cookie instead
					require.NotEqual(t, 401, a.Status, op.Name())
				}
			case module.Sibling:
				require.Equal(t, 404, a.Status, "%s is mounted outside", op.Name())
				if op.Method != http.MethodHead { // whose answers have no body
					require.Equal(t, "not_found", a.Code(), "%s is mounted outside", op.Name())
				}
			default:
				require.Equal(t, []any{401, "unauthorized"}, []any{a.Status, a.Code()}, op.Name())
			}
		}
	})
	t.Run("7-bearer-invalid", func(t *testing.T) {
		for _, op := range s.Registry.Snapshot().Operations() {
			if op.Access != module.Public && op.Access != module.Sibling {
				require.Equal(t, 401, s.Do(request(op, "junk")).Status, op.Name())
			}
		}
	})
}

func TestAnImpersonatorOnlyReads(t *testing.T) {
	s := everything(t)
	s.Customer("alpha", "r1")
	bearer := s.Impersonator("alpha", "r1")
	staffOnly := func(op *registry.Operation) bool { return op.Access == module.Staff || op.Access == module.APIKey }
	t.Run("6-impersonator-api", func(t *testing.T) {
		for _, op := range s.Registry.Snapshot().Operations() {
			a := s.Do(request(op, bearer))
			switch {
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
	})
}

// Staff calls are for staff and back offices, whatever a customer's token says.
func TestCustomersStayOutOfTheOffice(t *testing.T) {
	s := everything(t)
	customer := s.Customer("alpha", "r1")
	for _, op := range s.Registry.Snapshot().Operations() {
		if op.Access == module.Staff || op.Access == module.APIKey {
			a := s.Do(request(op, customer))
			require.Equal(t, []any{403, "forbidden"}, []any{a.Status, a.Code()}, op.Name())
		}
	}
}

// What is refused is a problem of the agreed form, on every operation.
func TestEveryRefusalIsAProblem(t *testing.T) {
	s := everything(t)
	customer, key := s.Customer("alpha", "r1"), s.Staff("alpha")
	t.Run("8-error-body", func(t *testing.T) {
		for _, op := range s.Registry.Snapshot().Operations() {
			if op.Method == http.MethodHead {
				continue // has no body
			}
			for _, bearer := range []string{"", customer, key} {
				for _, body := range []string{"{}", `{"qqzz":"qqzz"}`, `"qqzz"`, `qqzz`} {
					c := request(op, bearer)
					c.Path = parameter.ReplaceAllString(op.Path, "qqzz") + "?qqzz=qqzz"
					if op.Method != http.MethodGet {
						c.Body = body
					}
					a := s.Do(c)
					if a.Status < 400 {
						continue
					}
					var p module.Problem
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
