// Package outside creates clients for external HTTP services. They have timeouts and a response size limit, and cannot access addresses in
// the portal's own network, whatever a name resolves to.
package outside

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/problem"
)

// Limits of a request.
const (
	MaxBody      = 10 << 20 // maximum size of a response in bytes
	Timeout      = 30 * time.Second
	MaxRedirects = 5
)

// Errors of a request, which http.Client wraps in a *url.Error.
var (
	ErrPrivate  = errors.New("outside: the address is not on the public internet")
	ErrTooLarge = errors.New("outside: the response is too large")
	ErrRedirect = errors.New("outside: too many redirects, or a redirect from https to http")
)

// Client returns a client for external services. It refuses addresses that are not public. It checks them after name resolution on every
// connection, and therefore also on redirects; allow lists exceptions, such as an operator's own payment stub or email webhook. It refuses
// the context of a transaction with problem.ErrNested. It uses no proxy, because a proxy would resolve names without this check.
func Client(allow ...netip.Prefix) *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			return checkAddress(network, address, allow)
		}}
	return WithTransport(&http.Transport{
		DialContext: dialer.DialContext, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: 5 * time.Second, ResponseHeaderTimeout: 15 * time.Second, ExpectContinueTimeout: time.Second,
		MaxIdleConns: 64, MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10,
	})
}

// WithTransport returns a client with the same limits that uses another transport: that of a plugin, for which core makes the requests.
func WithTransport(t http.RoundTripper) *http.Client {
	return &http.Client{
		Timeout:   Timeout,
		Transport: &transport{t},
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			if len(via) > MaxRedirects || via[0].URL.Scheme == "https" && next.URL.Scheme != "https" {
				return ErrRedirect
			}
			return nil
		},
	}
}

type transport struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if scope.IsTx(r.Context()) {
		if r.Body != nil {
			_ = r.Body.Close() // the body has not been used yet
		}
		return nil, problem.ErrNested
	}
	resp, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if resp.ContentLength > MaxBody {
		_ = resp.Body.Close() // the body is not read
		return nil, ErrTooLarge
	}
	resp.Body = &boundedBody{resp.Body, MaxBody}
	return resp, nil
}

// boundedBody returns ErrTooLarge instead of io.EOF at the limit, so that a truncated response is not taken for a complete one.
type boundedBody struct {
	io.ReadCloser
	remaining int64
}

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.remaining -= int64(n); b.remaining < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}

func checkAddress(network, address string, allow []netip.Prefix) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrPrivate, network)
	}
	ip := at.Addr().Unmap().WithZone("")
	for _, p := range allow {
		if p.Contains(ip) {
			return nil
		}
	}
	if !Public(ip) {
		return ErrPrivate // does not contain the address, which would let a caller map the network
	}
	return nil
}

// specialPrefixes are the blocks of the IANA special-purpose registries for which netip has no method, and the IPv6 blocks that contain an
// IPv4 address, which could be private.
var specialPrefixes = func() (out []netip.Prefix) {
	for _, p := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4",
		"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
		"5f00::/16", "fec0::/10",
	} {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}()

// Public reports whether an address is on the public internet.
func Public(ip netip.Addr) bool {
	ip = ip.Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	for _, p := range specialPrefixes {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}
