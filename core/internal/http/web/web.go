// Package web is the HTTP entry point of the portal: every request passes through it before it reaches a module. It finds the label and the
// operation, authenticates and authorizes the caller, and puts the scope of the call into the context.
package web

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/base/traffic"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/problem"
)

// Prefix is the prefix of every operation path (7-base-path).
const Prefix = "/api/v0"

// HeaderBranding contains the host name that the browser shows; see Server.label.
const HeaderBranding = "X-PORTAL-BRANDING"

// Identity authenticates callers. Any failure becomes a 401.
type Identity interface {
	Authenticate(ctx context.Context, l *label.Label, bearer string) (identity.Claims, error)
	AuthenticateKey(ctx context.Context, l *label.Label, secret string) (identity.Key, error)
	JWKS(ctx context.Context, l *label.Label) ([]byte, error)
}

// Scopes puts the scope of a call into its context, with the settings of the called module.
type Scopes interface {
	Enter(ctx context.Context, s scope.Scope, moduleKey string) context.Context
}

// Audit is the log of reads and writes of staff and back offices.
type Audit interface {
	Add(ctx context.Context, e audit.Entry) error
}

// Deps are the dependencies of the server.
type Deps struct {
	Registry *registry.Registry
	Labels   label.Source
	Scopes   Scopes
	Identity Identity
	Pages    http.Handler // everything except operations: index.html, its files, developer tools
	Health   http.Handler // /healthz, /readyz and /metrics
	Log      *slog.Logger
	Proxies  []string              // networks whose X-Forwarded-For and X-Forwarded-Proto are trusted
	Metrics  prometheus.Registerer // nil: none
	Audit    Audit
	Calls    *traffic.Meter // counts calls, except those under /auth/ and those that stream; nil: not counted
	Timeout  time.Duration  // timeout of one call; zero: 30 s
}

// Server is the HTTP entry point.
type Server struct {
	Deps
	proxies proxies
	auth    *http.CrossOriginProtection
	metrics *metrics
}

// New returns the handler for the portal's address. It panics on an invalid network in Proxies; config validates them.
func New(d Deps) http.Handler {
	if d.Timeout == 0 {
		d.Timeout = 30 * time.Second
	}
	s := &Server{Deps: d, proxies: newProxies(d.Proxies), auth: http.NewCrossOriginProtection(), metrics: newMetrics(d.Metrics)}
	s.auth.SetDenyHandler(problemHandler(http.StatusForbidden, problem.CodeForbidden))

	compress := middleware.NewCompressor(5, "text/html", "text/plain", "text/csv", "application/json", "application/problem+json",
		"image/svg+xml")
	compress.SetEncoder("br", func(w io.Writer, level int) io.Writer { return brotli.NewWriterLevel(w, level) })

	var h http.Handler = http.HandlerFunc(s.route)
	for _, wrap := range []func(http.Handler) http.Handler{
		compress.Handler, requireReadableURL, s.securityHeaders, s.recover, s.observe, s.proxies.client,
	} {
		h = wrap(h)
	}
	return h
}

// route passes a request to the operations, the health checks or the pages.
func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case path == Prefix || strings.HasPrefix(path, Prefix+"/"):
		s.serveOperation(w, r)
	case path == "/api" || strings.HasPrefix(path, "/api/"):
		problem.Write(w, problem.Fail(http.StatusNotFound, problem.CodeNotFound))
	case path == "/.well-known/jwks.json":
		s.serveJWKS(w, r)
	case path == "/healthz" || path == "/readyz" || path == "/metrics":
		s.Health.ServeHTTP(w, r)
	default:
		s.Pages.ServeHTTP(w, r)
	}
}

func (s *Server) serveJWKS(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", HeaderBranding)
	l, p := s.label(r)
	if p == nil && l == nil {
		p = problem.Fail(http.StatusNotFound, problem.CodeUnknownLabel)
	}
	if p == nil && r.Method != http.MethodGet && r.Method != http.MethodHead {
		p = problem.Fail(http.StatusMethodNotAllowed, "method_not_allowed")
	}
	if p != nil {
		problem.Write(w, p)
		return
	}
	keys, err := s.Identity.JWKS(r.Context(), l)
	if err != nil {
		problem.Observe(r.Context(), err)
		problem.Write(w, problem.Of(err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public, max-age=300")
	_, _ = w.Write(keys)
}

func problemHandler(status int, code string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { problem.Write(w, problem.Fail(status, code)) })
}
