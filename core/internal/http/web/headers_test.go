package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/http/web"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/module"
)

func TestSecurityHeaders(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Config: config.Config{Proxies: []string{"127.0.0.0/8"}}})
	for _, path := range []string{"/portal", "/nothing", "//", "//healthz", "//assets/nothing.js"} {
		a := s.Do(apptest.Call{Path: path, Header: map[string]string{"X-Forwarded-Proto": "https"}})
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin-when-cross-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "X-Frame-Options": "DENY", "Strict-Transport-Security": "max-age=31536000"} {
			require.Equal(t, want, a.Header.Get(name), "%s of %s", name, path)
		}
		require.Contains(t, a.Header.Get("Permissions-Policy"), "camera=()")
		policy := a.Header.Get("Content-Security-Policy")
		require.Contains(t, policy, "frame-ancestors 'none'")
		require.NotContains(t, policy, "unsafe")
		require.NotEmpty(t, a.Header.Get("X-Request-Id"))
		if path == "//" {
			continue // skips the page, which loads scripts
		}
		t.Run("11-security-policy", func(t *testing.T) {
			require.Equal(t, "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'", policy, path)
		})
	}
	require.Empty(t, s.Do(apptest.Call{Path: "/portal"}).Header.Get("Strict-Transport-Security"), "not over plain http")

	t.Run("9-hsts", func(t *testing.T) {
		s := apptest.Start(t, apptest.Options{Config: config.Config{Proxies: []string{"127.0.0.0/8"}},
			Labels: []apptest.Label{{Key: "alpha", CUE: "hsts: include_subdomains: true"}, {Key: "beta"}}})
		policy := func(host, branding string) string {
			return s.Do(apptest.Call{Host: host, Path: "/portal", Header: map[string]string{"X-Forwarded-Proto": "https",
				"X-PORTAL-BRANDING": branding}}).
				Header.Get("Strict-Transport-Security")
		}
		require.Equal(t, "max-age=31536000; includeSubDomains", policy("alpha.localhost", ""))
		require.Equal(t, "max-age=31536000", policy("beta.localhost", ""))
		require.Equal(t, "max-age=31536000", policy("elsewhere.localhost", "alpha.localhost"), "the host's own policy")
		require.Empty(t, s.Do(apptest.Call{Path: "/portal"}).Header.Get("Strict-Transport-Security"), "not over plain http")
	})
}

func TestAuthRefusesOtherOrigins(t *testing.T) {
	s := apptest.Start(t, apptest.Options{})
	in := map[string]string{"username": "x", "password": "y"}
	for header, want := range map[string]int{"cross-site": 403, "same-site": 403, "same-origin": 401} {
		a := s.Do(apptest.Call{Method: "POST", Path: "/auth/sign-in", Body: in, Header: map[string]string{"Sec-Fetch-Site": header}})
		require.Equal(t, want, a.Status, header)
	}
	a := s.Do(apptest.Call{Method: "POST", Path: "/auth/refresh", Header: map[string]string{"Origin": "https://evil.example"}})
	require.Equal(t, []any{403, "forbidden"}, []any{a.Status, a.Code()})
}

func TestAnswersAreCompressed(t *testing.T) {
	s := apptest.Start(t, apptest.Options{})
	plain := s.Do(apptest.Call{Path: "/openapi.json"}).Body
	for name, unpack := range map[string]func([]byte) io.Reader{
		"br": func(b []byte) io.Reader { return brotli.NewReader(bytes.NewReader(b)) },
		"gzip": func(b []byte) io.Reader {
			r, err := gzip.NewReader(bytes.NewReader(b))
			require.NoError(t, err)
			return r
		},
	} {
		a := s.Do(apptest.Call{Path: "/openapi.json", Header: map[string]string{"Accept-Encoding": name}})
		require.Equal(t, name, a.Header.Get("Content-Encoding"))
		require.Less(t, len(a.Body), len(plain)/2)
		got, err := io.ReadAll(unpack(a.Body))
		require.NoError(t, err)
		require.Equal(t, plain, got)
	}
}

type noLabels struct{ label.Source }

func (noLabels) ByHost(string) *label.Label { return nil }

type pages func(http.ResponseWriter, *http.Request)

func (p pages) ServeHTTP(w http.ResponseWriter, r *http.Request) { p(w, r) }

// Only a trusted proxy may set the origin of a call.
func TestClientBehindProxies(t *testing.T) {
	var got scope.Client
	handler := web.New(web.Deps{Registry: registry.New(), Labels: noLabels{}, Log: slog.New(slog.DiscardHandler),
		Proxies: []string{"10.0.0.0/8"},
		Pages:   pages(func(_ http.ResponseWriter, r *http.Request) { got = scope.ClientOf(r.Context()) })})
	for _, c := range []struct {
		remote, forwarded, proto, ip string
		secure                       bool
	}{
		{"10.1.2.3:1", "203.0.113.7", "https", "203.0.113.7", true},
		{"10.1.2.3:1", "6.6.6.6, 203.0.113.7, 10.9.9.9", "http", "203.0.113.7", false},
		{"203.0.113.9:1", "6.6.6.6", "https", "203.0.113.9", false}, // this address is not a trusted proxy
		{"[2001:db8::1]:1", "", "", "2001:db8::1", false},
		// 9-proxy-address: a proxy that sends no address, and proxies that send no address that can be trusted.
		{"10.1.2.3:1", "", "https", "10.1.2.3", true},
		{"[::ffff:10.1.2.3]:1", "", "https", "10.1.2.3", true},
		{"10.1.2.3:1", "unknown", "https", "10.1.2.3", true},
		{"10.1.2.3:1", "10.9.9.9, 10.8.8.8", "https", "10.1.2.3", true},
	} {
		t.Run("9-proxy-address", func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr, r.Header = c.remote, http.Header{"X-Forwarded-For": {c.forwarded}, "X-Forwarded-Proto": {c.proto},
				"User-Agent": {strings.Repeat("é", 300)}}
			handler.ServeHTTP(httptest.NewRecorder(), r)
			require.Equal(t, c.ip, got.IP)
			require.Equal(t, c.secure, got.Secure, c)
			require.LessOrEqual(t, len(got.UserAgent), 200)
		})
	}
}

func TestTheLogSaysWhoAndWhyNot(t *testing.T) {
	var log bytes.Buffer
	s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Labels: []apptest.Label{{Key: "alpha", CUE: helped}},
		Log: &log})
	anna := s.SignIn(identity.Account{Label: "alpha", Relation: "r1", Username: "anna.smit", Role: identity.Customer})
	staff := s.Staff("alpha")
	key, err := s.Identity.AddKey(t.Context(), "alpha", "back office")
	require.NoError(t, err)
	var who [2]module.Scope // the customer, and a person who impersonates the customer
	s.Do(apptest.Call{Path: "/probe/mine", Bearer: anna}).JSON(t, &who[0])
	impersonator := s.Impersonator("alpha", "r1")
	s.Do(apptest.Call{Path: "/probe/mine", Bearer: impersonator}).JSON(t, &who[1])
	require.NotEqual(t, who[0].Actor, who[1].Actor)
	credentials := map[string]string{"username": "Anna.Smit", "password": "n0t-hers"}
	stranger := map[string]string{"username": "s3cr3tvalue", "password": "n0t-hers"}
	reset := func(username string) map[string]string {
		return map[string]string{"username": username, "code": "12x456", "new_password": "a-Long-2-passphrase"}
	}
	type line struct{ Request, Operation, Actor, Code string }
	var want []line
	for _, c := range []struct {
		method, path, bearer string
		body                 any
		operation, who, code string
	}{
		{"POST", "/auth/sign-in", "", credentials, "core.signIn", who[0].Actor, "wrong_credentials"},
		{"POST", "/auth/sign-in", "", stranger, "core.signIn", "", "wrong_credentials"},
		{"POST", "/auth/forgot-password", "", map[string]string{"username": "anna.smit"}, "core.forgotPassword", who[0].Actor, ""},
		{"POST", "/auth/confirm-forgot-password", "", reset("anna.smit"), "core.confirmForgotPassword", who[0].Actor, "code_invalid"},
		{"POST", "/auth/confirm-forgot-password", "", reset(stranger["username"]), "core.confirmForgotPassword", "", "code_invalid"},
		{"POST", "/auth/forgot-password", "", map[string]string{"username": stranger["username"]}, "core.forgotPassword", "", ""},
		{"GET", "/probe/mine", impersonator, nil, "probe.mine", who[1].Actor, ""},
		{"GET", "/probe/mine", anna, nil, "probe.mine", who[0].Actor, ""},
		{"GET", "/probe/desk", anna, nil, "probe.desk", who[0].Actor, "forbidden"},
		{"GET", "/probe/mine", "x.y.z", nil, "probe.mine", "", "unauthorized"},
		{"POST", "/probe/desk", key, nil, "probe.decide", "back office", ""},
		{"GET", "/probe/mine", staff, nil, "probe.mine", "*", "forbidden"},
	} {
		a := s.Do(apptest.Call{Method: c.method, Path: c.path, Bearer: c.bearer, Body: c.body})
		want = append(want, line{a.Header.Get("X-Request-Id"), c.operation, c.who, c.code})
	}
	require.NoError(t, s.Stop(context.Background()))
	lines := map[string]line{}
	for text := range strings.Lines(log.String()) {
		var l line
		if json.Unmarshal([]byte(text), &l) == nil && l.Operation != "" {
			lines[l.Request] = l
		}
	}
	for _, w := range want {
		t.Run("11-security-log", func(t *testing.T) {
			got := lines[w.Request]
			if w.Actor == "*" {
				require.NotEmpty(t, got.Actor)
				w.Actor = got.Actor
			}
			require.Equal(t, w, got)
		})
	}
	require.NotContains(t, log.String(), stranger["username"])
}

// A path may contain a token, and a query or a body may contain anything, so none of them is logged.
func TestTheLogContainsNoDataOfTheCaller(t *testing.T) {
	var log bytes.Buffer
	s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Log: &log})
	secret := "s3cr3tvalue"
	s.Do(apptest.Call{Method: "POST", Path: "/emailverification/verify/" + secret})
	s.Do(apptest.Call{Path: "/" + secret + "?q=" + secret})
	s.Do(apptest.Call{Path: "//verify/" + secret, Header: map[string]string{"Accept": "text/html", "User-Agent": secret}})
	s.Do(apptest.Call{Method: "POST", Path: "/auth/sign-in", Body: map[string]string{"username": secret, "password": secret}})
	s.Do(apptest.Call{Path: "/probe/open", Bearer: secret})
	failed := s.Do(apptest.Call{Path: "/probe/broken"})
	require.NoError(t, s.Stop(context.Background()))
	require.NotContains(t, log.String(), secret)
	require.Contains(t, log.String(), `"operation":"core.signIn"`)
	require.Contains(t, log.String(), "hunter2", "an internal error is in the log")
	require.Contains(t, log.String(), failed.Header.Get("X-Request-Id"))
}
