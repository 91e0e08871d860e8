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

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// proxies are the networks in front of the portal whose headers about the origin of a call are trusted.
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

// client puts the origin of a call into the context, assigns an id to the call, and removes headers that only core may send.
func (p proxies) client(next http.Handler) http.Handler {
	return p.ip(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := scope.Client{
			IP:        cmp.Or(middleware.GetClientIP(r.Context()), peerAddress(r.RemoteAddr)),
			RequestID: value.NewID(),
			Secure:    r.TLS != nil || p.isTrusted(r.RemoteAddr) && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https"),
			UserAgent: truncate(r.UserAgent(), 200),
		}
		w.Header().Set("X-Request-Id", c.RequestID)
		for name := range r.Header {
			if strings.HasPrefix(name, "X-Wattle-") { // such as the scope handle of a plugin
				delete(r.Header, name)
			}
		}
		ctx := scope.WithClient(r.Context(), c)
		if p.isTrusted(r.RemoteAddr) { // the trace of an untrusted caller is not continued
			ctx = otel.GetTextMapPropagator().Extract(ctx, propagation.HeaderCarrier(r.Header))
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	}))
}

// requireReadableURL refuses a URL with a NUL or with bytes that are not UTF-8: a database would fail on them.
func requireReadableURL(next http.Handler) http.Handler {
	text := func(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fine := text(r.URL.Path)
		if fine && strings.Contains(r.URL.RawQuery, "%") {
			query, err := url.QueryUnescape(r.URL.RawQuery)
			fine = err != nil || text(query) // an invalid escape is ignored when the query is parsed
		}
		if !fine {
			problem.Write(w, problem.Fail(http.StatusBadRequest, problem.CodeMalformed))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// peerAddress returns the address of the other end of a connection. It is used as the caller's address when a proxy sends no address, or
// none that can be trusted. Limits per address then apply to all callers behind that proxy, never to an empty address.
func peerAddress(remote string) string {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	return at.Addr().Unmap().WithZone("").String()
}

func (p proxies) isTrusted(remote string) bool {
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

// securityHeaders sets the headers of every response; a page or an asset replaces the content security policy. The label of the host
// decides whether Strict-Transport-Security includes subdomains, never a header (9-hsts).
func (s *Server) securityHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin") // 4-impersonator-referrer-value
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()")
		h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
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

// truncate shortens a string to at most n bytes without splitting a character.
func truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// escapedNUL matches a NUL that is escaped in JSON, but not an escaped backslash followed by u0000.
var escapedNUL = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*\\u0000`)

// isReadableJSON reports whether a JSON body contains no escaped NULs. It reads the body, which is bounded, and puts it back. If the body
// cannot be read completely, it returns true, and the decoder receives the error.
func isReadableJSON(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength == 0 || kind != "" && !strings.HasSuffix(kind, "json") {
		return true
	}
	data, err := io.ReadAll(r.Body)
	rest := io.Reader(bytes.NewReader(data))
	if err != nil {
		rest = io.MultiReader(rest, r.Body) // reading it again returns the same error
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{rest, r.Body}
	return !escapedNUL.Match(data)
}
