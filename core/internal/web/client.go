package web

import (
	"bytes"
	"cmp"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/go-chi/chi/v5/middleware"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"

	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// proxies are the networks in front of the portal that may say where a call came from.
type proxies struct {
	networks []netip.Prefix
	ip       func(http.Handler) http.Handler
}

func newProxies(cidrs []string) proxies {
	if len(cidrs) == 0 {
		return proxies{ip: middleware.ClientIPFromRemoteAddr}
	}
	p := proxies{ip: middleware.ClientIPFromXFF(cidrs...)}
	for _, c := range cidrs {
		p.networks = append(p.networks, netip.MustParsePrefix(c))
	}
	return p
}

// client puts into the context where a call came from, gives it an id, and throws away what only core may send.
func (p proxies) client(next http.Handler) http.Handler {
	return p.ip(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := scope.Client{
			IP:        cmp.Or(middleware.GetClientIP(r.Context()), peer(r.RemoteAddr)),
			RequestID: value.NewID(),
			Secure:    r.TLS != nil || p.trusts(r.RemoteAddr) && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https"),
			UserAgent: cut(r.UserAgent(), 200),
		}
		w.Header().Set("X-Request-Id", c.RequestID)
		for name := range r.Header {
			if strings.HasPrefix(name, "X-Wattle-") { // a plugin's scope handle and the like
				delete(r.Header, name)
			}
		}
		ctx := scope.WithClient(r.Context(), c)
		if p.trusts(r.RemoteAddr) { // anybody else's trace is none of ours
			ctx = otel.GetTextMapPropagator().Extract(ctx, propagation.HeaderCarrier(r.Header))
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	}))
}

// readable refuses an address with what no text has: a NUL, or bytes that are not UTF-8. A database would fail on it.
func readable(next http.Handler) http.Handler {
	text := func(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fine := text(r.URL.Path)
		if fine && strings.Contains(r.URL.RawQuery, "%") {
			query, err := url.QueryUnescape(r.URL.RawQuery)
			fine = err != nil || text(query) // what cannot be unescaped is left out when it is read
		}
		if !fine {
			problem.Write(w, problem.Fail(http.StatusBadRequest, problem.CodeMalformed))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// peer is the address that a connection came from: that of a proxy which says nothing of where a call came from, or nothing that can
// be believed. Limits for each address then hold for all who come through that proxy, and never for an empty address.
func peer(remote string) string {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	return at.Addr().Unmap().WithZone("").String()
}

func (p proxies) trusts(remote string) bool {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	for _, n := range p.networks {
		if n.Contains(ip.Unmap().WithZone("")) {
			return true
		}
	}
	return false
}

// secure sets the headers that every answer carries; a page or an asset sets a policy of its own. Whether subdomains belong to the
// policy of https is up to the label of the host, never to that of a header (9-hsts).
func (s *Server) secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin") // 4-impersonator-referrer-value
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		if scope.ClientOf(r.Context()).Secure {
			policy := "max-age=31536000"
			if l := s.Labels.ByHost(label.NormalHost(r.Host)); l != nil && l.HSTS.IncludeSubdomains {
				policy += "; includeSubDomains"
			}
			h.Set("Strict-Transport-Security", policy)
		}
		next.ServeHTTP(w, r)
	})
}

// cut shortens a text to at most n bytes without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// escapedNUL is a NUL as JSON writes it, and not a backslash before the text u0000.
var escapedNUL = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*\\u0000`)

// legible says the same of the texts of a JSON body. It reads the body, which is bounded, and puts it back; one that cannot be read to
// its end is for whoever decodes it to refuse.
func legible(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength == 0 || kind != "" && !strings.HasSuffix(kind, "json") {
		return true
	}
	data, err := io.ReadAll(r.Body)
	rest := io.Reader(bytes.NewReader(data))
	if err != nil {
		rest = io.MultiReader(rest, r.Body) // which says its error again
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{rest, r.Body}
	return !escapedNUL.Match(data)
}
