package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/propagation"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/problem"
)

// listener serves calls from core to the module, on a Unix socket in a folder that only core can open, with a token.
type listener struct{ server *http.Server }

func listen(socket, token string, m http.Handler, s *server) (*listener, error) {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, fmt.Errorf("plugin: %w", err)
	}
	if err := os.Chmod(socket, 0o600); err != nil {
		_ = l.Close() // the listener is never used
		return nil, fmt.Errorf("plugin: %w", err)
	}
	x := &listener{&http.Server{ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 1 << 20,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, token, m) })}}
	go func() {
		if err := x.server.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("socket has ended", "error", err)
		}
	}()
	return x, nil
}

func (l *listener) close(ctx context.Context) {
	if l.server.Shutdown(ctx) != nil {
		_ = l.server.Close() // the time for the shutdown is over
	}
}

func (s *server) serve(w http.ResponseWriter, r *http.Request, token string, m http.Handler) {
	if !wire.HasToken(r, token) {
		problem.Write(w, problem.Fail(http.StatusUnauthorized, problem.CodeUnauthorized))
		return
	}
	ctx, err := s.enter(r.Context(), []byte(r.Header.Get(wire.HeaderCall)))
	if err != nil {
		s.log.Error("settings of the call could not be loaded", "error", err)
		problem.Write(w, problem.Fail(http.StatusServiceUnavailable, problem.CodeUnavailable))
		return
	}
	if at, bounded := wire.Deadline(r.Header); bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, at)
		defer cancel()
	}
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
	id := scope.ClientOf(ctx).RequestID
	ctx = problem.WithObserver(ctx, func(err error) { s.log.Error("internal error", "error", err, "request_id", id) })
	r = r.WithContext(ctx)
	r.Header = wire.Headers(r.Header)
	t := &tracked{ResponseWriter: w}
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if err, ok := v.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			s.log.Error("panic", "panic", v, "request_id", id, "stack", string(debug.Stack()))
		}
		if t.begun {
			panic(http.ErrAbortHandler)
		}
		for k := range w.Header() {
			w.Header().Del(k)
		}
		problem.Write(w, problem.Fail(http.StatusInternalServerError, problem.CodeInternal))
	}()
	m.ServeHTTP(t, r)
}

// tracked records whether the response has started.
type tracked struct {
	http.ResponseWriter
	begun bool
}

// WriteHeader implements http.ResponseWriter.
func (t *tracked) WriteHeader(status int) {
	t.begun = t.begun || status >= 200
	t.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (t *tracked) Write(b []byte) (int, error) {
	t.begun = true
	return t.ResponseWriter.Write(b)
}

// Flush implements http.Flusher.
func (t *tracked) Flush() {
	t.begun = true
	_ = http.NewResponseController(t.ResponseWriter).Flush() // the next write reports an error
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (t *tracked) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// maxConnections is the maximum number of simultaneous calls to one sibling. Further calls wait in the plugin's process, where they do not
// burden core.
const maxConnections = 64

// newClient returns a client that calls siblings through core. It sends core only the handle of the call in which it is used.
func newClient(socket, token string) *http.Client {
	return &http.Client{
		Transport: &transport{token: token, http: &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, "unix", socket)
			},
			MaxIdleConns: maxConnections, MaxIdleConnsPerHost: maxConnections, MaxConnsPerHost: maxConnections, DisableCompression: true,
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type transport struct {
	token string
	http  *http.Transport
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if scope.IsTx(ctx) {
		shut(r.Body)
		return nil, problem.ErrNested
	}
	handle := handleOf(ctx)
	if handle == "" {
		shut(r.Body)
		return answer(r, http.StatusUnauthorized, problem.CodeUnauthorized), nil
	}
	out := r.Clone(ctx)
	out.URL.Scheme = "http"
	out.Header = wire.Headers(r.Header)
	out.Header.Set(wire.HeaderToken, t.token)
	out.Header.Set(wire.HeaderHandle, handle)
	at, bounded := ctx.Deadline()
	wire.SetDeadline(out.Header, at, bounded)
	propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(out.Header))
	resp, err := t.http.RoundTrip(out)
	if wire.Late(ctx) {
		if err == nil {
			shut(resp.Body)
		}
		return nil, ctx.Err()
	}
	if err == nil {
		return resp, nil
	}
	// The error contains the path of the socket, so it is not returned.
	return answer(r, http.StatusServiceUnavailable, problem.CodeUnavailable), nil
}

func answer(r *http.Request, status int, code string) *http.Response {
	b, _ := json.Marshal(problem.Fail(status, code)) // encoding a Problem never fails
	return &http.Response{StatusCode: status, Status: strconv.Itoa(status) + " " + http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/problem+json"}}, Body: io.NopCloser(bytes.NewReader(b)),
		ContentLength: int64(len(b)), Request: r}
}

func shut(body io.Closer) {
	if body != nil {
		_ = body.Close() // the body belongs to the caller, who receives its errors
	}
}
