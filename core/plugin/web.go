package plugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/outside"
	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/problem"
)

// web makes calls to external services through core, which decides whether the host is allowed. So the process needs no network.
type web struct {
	token string
	http  *http.Transport
}

func newWeb(socket, token string) *web {
	return &web{token, &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", socket)
		},
		MaxIdleConns: 16, MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, DisableCompression: true,
	}}
}

// RoundTrip implements http.RoundTripper.
func (t *web) RoundTrip(r *http.Request) (*http.Response, error) {
	out := r.Clone(r.Context())
	wire.RemoveCoreHeaders(out.Header)
	out.Header.Set(wire.HeaderToken, t.token)
	out.Header.Set(wire.HeaderWeb, r.URL.String())
	at, bounded := r.Context().Deadline()
	wire.SetDeadline(out.Header, at, bounded)
	out.URL, out.Host = &url.URL{Scheme: "http", Host: "web", Path: "/"}, cmp.Or(r.Host, r.URL.Host)
	resp, err := t.http.RoundTrip(out)
	if err != nil { // the error contains the path of the socket
		if r.Context().Err() != nil {
			return nil, r.Context().Err()
		}
		return nil, fmt.Errorf("plugin: the portal does not answer: %w", problem.ErrUnavailable)
	}
	fault := resp.Header.Get(wire.HeaderFault)
	if fault == "" {
		resp.Request = r
		return resp, nil
	}
	reason, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10)) // without the body, the error has fewer details
	_ = resp.Body.Close()
	switch fault {
	case wire.FaultRefused:
		return nil, fmt.Errorf("plugin: it does not ask for host %s, or was not granted it: %w", r.URL.Hostname(),
			problem.Fail(http.StatusForbidden, problem.CodeForbidden))
	case wire.FaultPrivate:
		return nil, outside.ErrPrivate
	case wire.FaultLarge:
		return nil, outside.ErrTooLarge
	}
	return nil, errors.New(string(reason))
}
