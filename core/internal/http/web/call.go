package web

import (
	"context"
	"io"
	"net/http"
	"strings"

	"golang.org/x/text/language"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// maxDrain is the maximum number of bytes that are read from a body that is too large.
const maxDrain = 4 << 20

// serveOperation serves everything under /api/v0: it finds the operation and the label, and runs calls that are allowed.
func (s *Server) serveOperation(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", HeaderBranding)
	w.Header().Set("Cache-Control", "no-store")
	info := infoOf(r.Context())
	info.operation = "none"
	w = &refusal{ResponseWriter: w, info: info}

	l, p := s.label(r)
	running := s.Registry.Snapshot().For(l, s.canaryCustomer(r, l))
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	op, allowed := running.Match(method, wirePath(r))
	// a HEAD request must not write, even if the GET of the same path does
	if op != nil && op.Effect == module.Write && r.Method == http.MethodHead {
		op, allowed = running.Match(r.Method, wirePath(r))
	}
	if op != nil && op.Access == module.Sibling { // not reachable from outside
		op = nil
	}
	if l != nil {
		info.label = l.Key
	}
	switch {
	case p != nil && (p.Code == problem.CodeLabelMismatch || op == nil || !op.NoLabel):
	case op == nil && len(allowed) > 0:
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		p = problem.Fail(http.StatusMethodNotAllowed, "method_not_allowed")
	case op == nil:
		p = problem.Fail(http.StatusNotFound, problem.CodeNotFound)
	case l == nil && !op.NoLabel:
		p = problem.Fail(http.StatusNotFound, problem.CodeUnknownLabel)
	case l != nil && !IsEnabled(l, op.Module):
		p = problem.Fail(http.StatusNotFound, problem.CodeModuleOff)
	default:
		p = nil
	}
	if p != nil {
		problem.Write(w, p)
		return
	}
	info.operation, info.route = op.Name(), Prefix+op.Path
	if r.ContentLength > op.MaxBody {
		_, _ = io.CopyN(io.Discard, r.Body, maxDrain) // otherwise a client that is still sending would see a broken connection and no response
		problem.Write(w, problem.Fail(http.StatusRequestEntityTooLarge, problem.CodeTooLarge))
		return
	}
	if strings.HasPrefix(op.Path, "/auth/") { // these operations set or read the cookie
		s.auth.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.runOperation(w, r, running, op, l) })).ServeHTTP(w, r)
		return
	}
	if s.Calls != nil && !op.Stream {
		defer s.Calls.Begin()()
	}
	s.runOperation(w, r, running, op, l)
}

// canaryCustomer returns the customer of a call if the label has a canary, because the customer decides which version of a plugin serves
// the call. Without a canary, or if the caller is not a customer, it returns "". The call is authorized later.
func (s *Server) canaryCustomer(r *http.Request, l *label.Label) string {
	bearer := bearer(r)
	if l == nil || !l.HasCanary() || bearer == "" || strings.HasPrefix(bearer, "wk_") {
		return ""
	}
	claims, err := s.Identity.Authenticate(r.Context(), l, bearer) // cached
	if err != nil {
		return ""
	}
	return claims.Relation
}

// runOperation authenticates the caller and runs the operation.
func (s *Server) runOperation(w http.ResponseWriter, r *http.Request, running *registry.Snapshot, op *registry.Operation, l *label.Label) {
	sc, claims, p := s.authorize(r, op, l)
	scope.Identify(r.Context(), sc.Actor)
	if p != nil {
		if p.Status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", "Bearer")
		}
		problem.Write(w, p)
		return
	}
	infoOf(r.Context()).role = sc.Role

	ctx, cancel := context.WithTimeout(r.Context(), s.Timeout)
	if op.Stream {
		cancel()
		ctx, w, cancel = s.openStream(r.Context(), w)
	}
	defer cancel()
	if l != nil {
		ctx = label.With(ctx, l)
	}
	if op.Module == registry.Core {
		ctx = context.WithValue(ctx, hostKey{}, s.host(r))
	}
	if claims != nil {
		ctx = identity.WithClaims(ctx, *claims)
	}
	inner := r.WithContext(s.Scopes.Enter(ctx, sc, op.Module))
	url := *r.URL
	url.Path = strings.TrimPrefix(url.Path, Prefix)
	url.RawPath = strings.TrimPrefix(url.RawPath, Prefix)
	inner.URL, inner.RequestURI, inner.Method = &url, "", op.Method
	inner.Body = http.MaxBytesReader(w, r.Body, op.MaxBody)
	if !isReadableJSON(inner) {
		problem.Write(w, problem.Fail(http.StatusBadRequest, problem.CodeMalformed))
		return
	}
	if op.Module != registry.Core { // a module may be another party's process: it receives the scope, never the credentials
		inner.Header = r.Header.Clone()
		inner.Header.Del("Authorization")
		inner.Header.Del("Cookie")
	}
	s.runAudited(w, inner, op, sc, running.Modules[op.Module])
}

type hostKey struct{}

// HostOf returns the host name that a call to core is for: the Host header, or the branding header when no label owns the Host
// header.
func HostOf(ctx context.Context) string {
	h, _ := ctx.Value(hostKey{}).(string)
	return h
}

// ClaimsOf returns the claims of the caller's token, for operations of core. It returns false for a public call and for an API key.
func ClaimsOf(ctx context.Context) (identity.Claims, bool) { return identity.ClaimsOf(ctx) }

func (s *Server) host(r *http.Request) string {
	h := label.NormalHost(r.Host)
	if branding := r.Header.Get(HeaderBranding); branding != "" && s.Labels.ByHost(h) == nil {
		h = label.NormalHost(branding)
	}
	return h
}

// wirePath returns the path below the prefix, escaped as it was sent. Chi matches the same path inside a module.
func wirePath(r *http.Request) string {
	if r.URL.RawPath != "" {
		return strings.TrimPrefix(r.URL.RawPath, Prefix)
	}
	return strings.TrimPrefix(r.URL.Path, Prefix)
}

// authorize returns the scope of a call, or the problem that explains why it may not run. A call without a label is anonymous.
func (s *Server) authorize(r *http.Request, op *registry.Operation, l *label.Label) (scope.Scope, *identity.Claims, *problem.Problem) {
	sc := scope.Scope{Role: scope.RolePublic, Locale: Locale(r)}
	if l == nil {
		return sc, nil, nil
	}
	sc.Label, sc.Revision, sc.Zone = l.Key, l.Revision, l.Zone
	bearer := bearer(r)
	if strings.HasPrefix(bearer, "wk_") {
		return s.authorizeKey(r, op, l, sc, bearer)
	}
	var claims *identity.Claims
	if bearer != "" {
		c, err := s.Identity.Authenticate(r.Context(), l, bearer)
		if err != nil && op.Access != module.Public { // a stale token must not prevent a new sign-in
			return sc, nil, authProblem(r, err)
		}
		if err == nil {
			claims = &c
			sc.Relation, sc.Subject, sc.Role, sc.Actor, sc.ReadOnly = c.Relation, c.Subject, c.Role, c.Actor, c.ReadOnly
		}
	}
	switch {
	case claims == nil && op.Access != module.Public:
		return sc, nil, problem.Fail(http.StatusUnauthorized, problem.CodeUnauthorized)
	case !MayCall(sc, op):
		return sc, nil, problem.Fail(http.StatusForbidden, problem.CodeForbidden)
	case sc.ReadOnly && op.Effect == module.Write:
		if !op.MayImpersonate(l) {
			return sc, nil, problem.Fail(http.StatusForbidden, problem.CodeReadOnly) // 6-impersonator-api
		}
		sc.ReadOnly = false // for this write only; the store refuses all other writes
	}
	return sc, claims, nil
}

func (s *Server) authorizeKey(r *http.Request, op *registry.Operation, l *label.Label, sc scope.Scope, key string) (scope.Scope,
	*identity.Claims, *problem.Problem) {
	k, err := s.Identity.AuthenticateKey(r.Context(), l, key)
	switch {
	case err != nil && op.Access == module.Public:
		return sc, nil, nil
	case err != nil:
		return sc, nil, authProblem(r, err)
	}
	sc.Role, sc.Actor = scope.RoleKey, k.Name
	switch {
	case !MayCall(sc, op):
		return sc, nil, problem.Fail(http.StatusForbidden, problem.CodeForbidden)
	case op.Access == module.APIKey && !k.HasScope(op.Scope):
		return sc, nil, problem.Fail(http.StatusForbidden, problem.CodeKeyScope)
	}
	return sc, nil, nil
}

// MayCall reports whether a role may call an operation. Operations of core for customers (changing the password, signing out) are
// open to everybody who has signed in.
func MayCall(sc scope.Scope, op *registry.Operation) bool {
	switch op.Access {
	case module.Public:
		return true
	case module.Customer:
		return sc.Role == scope.RoleCustomer || sc.Role == scope.RoleStaff && op.Module == registry.Core
	case module.Staff:
		return sc.Role == scope.RoleStaff && !sc.ReadOnly
	case module.APIKey:
		return sc.Role == scope.RoleKey || sc.Role == scope.RoleStaff && !sc.ReadOnly
	}
	return false
}

// authProblem returns the problem for a failed authentication and reports server errors, such as a failing database, to the log.
func authProblem(r *http.Request, err error) *problem.Problem {
	p := problem.Of(err)
	if p.Status >= http.StatusInternalServerError {
		problem.Observe(r.Context(), err)
	}
	return p
}

func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

var languages = language.NewMatcher([]language.Tag{language.Dutch, language.English})

// Locale returns the language that a browser requests, nl or en, or nl when it requests neither.
func Locale(r *http.Request) string {
	switch want := r.Header.Get("Accept-Language"); want {
	case "", "nl":
		return "nl"
	case "en":
		return "en"
	default:
		_, i := language.MatchStrings(languages, truncate(want, 200))
		return [...]string{"nl", "en"}[i]
	}
}
