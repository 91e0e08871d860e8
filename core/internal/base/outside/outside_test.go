package outside

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/problem"
)

func TestPublic(t *testing.T) {
	for _, s := range []string{"127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1",
		"224.0.0.1", "255.255.255.255", "198.18.0.1", "::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1",
		"::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1", "2001:db8::1", "2001::1"} {
		require.False(t, Public(netip.MustParseAddr(s)), s)
	}
	for _, s := range []string{"1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450::1"} {
		require.True(t, Public(netip.MustParseAddr(s)), s)
	}
}

func TestClientRefusesPrivateAddresses(t *testing.T) {
	hit := false
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hit = true }))
	defer inside.Close()
	port := inside.URL[strings.LastIndex(inside.URL, ":"):]
	for _, u := range []string{inside.URL, "http://localhost" + port, "http://[::1]" + port, "http://[::ffff:127.0.0.1]" + port,
		"http://2130706433" + port, "http://0x7f.1" + port} {
		_, err := Client().Get(u)
		require.Error(t, err, u)
		require.NotContains(t, errors.Unwrap(err).Error(), "connection refused")
	}
	_, err := Client().Get(inside.URL)
	require.ErrorIs(t, err, ErrPrivate)
	require.False(t, hit)
}

func TestClientRefusesPrivateAddressesOnRedirects(t *testing.T) {
	hit := false
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hit = true }))
	defer inside.Close()
	out := httptest.NewServer(http.RedirectHandler(inside.URL, http.StatusFound))
	defer out.Close()
	c := Client()
	public, first := c.Transport, true
	c.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		if first { // replaces a server on the public internet
			first = false
			return http.DefaultTransport.RoundTrip(r)
		}
		return public.RoundTrip(r)
	})
	_, err := c.Get(out.URL)
	require.ErrorIs(t, err, ErrPrivate)
	require.False(t, hit)
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestClientBounds(t *testing.T) {
	loopback := netip.MustParsePrefix("127.0.0.0/8")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/small" {
			_, _ = io.WriteString(w, "ok")
			return
		}
		if r.URL.Path == "/again" {
			http.Redirect(w, r, "/again", http.StatusFound)
			return
		}
		if r.URL.Path == "/sized" {
			w.Header().Set("Content-Length", "99999999999")
		}
		b := make([]byte, 1<<20)
		for range MaxBody>>20 + 1 {
			if _, err := w.Write(b); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	c := Client(loopback)

	resp, err := c.Get(s.URL + "/small")
	require.NoError(t, err)
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, "ok", string(b))

	resp, err = c.Get(s.URL + "/streamed")
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.ErrorIs(t, err, ErrTooLarge)
	require.NoError(t, resp.Body.Close())

	_, err = c.Get(s.URL + "/sized")
	require.ErrorIs(t, err, ErrTooLarge)
	_, err = c.Get(s.URL + "/again")
	require.ErrorIs(t, err, ErrRedirect)

	r, err := http.NewRequestWithContext(scope.InTx(context.Background()), http.MethodPost, s.URL, strings.NewReader("x"))
	require.NoError(t, err)
	_, err = c.Do(r)
	require.ErrorIs(t, err, problem.ErrNested)
}
