package pluginhost

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/wattle-portal/wattle/core/internal/modules/sibling"
	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/internal/plugins/sandbox"
	"github.com/wattle-portal/wattle/core/internal/plugins/socket"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

const browserTimeout = 2 * time.Second

// calls contains the running calls of a plugin, by the handle that the plugin received. The scope, number of hops and deadline of a call
// stay in core; the plugin only has the handle.
type calls struct {
	mu  sync.Mutex
	all map[string]sibling.Call
}

func newCalls() *calls { return &calls{all: map[string]sibling.Call{}} }

func (c *calls) mint(call sibling.Call) (handle string, release func()) {
	handle = rand.Text()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all[handle] = call
	return handle, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.all, handle)
	}
}

func (c *calls) of(handle string) (sibling.Call, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	call, ok := c.all[handle]
	return call, ok
}

// siblingSocket is the socket on which core accepts a plugin's calls to siblings.
type siblingSocket struct {
	socket, token string
	server        *http.Server
}

func (p *Plugin) listen(m module.Manifest, path string, c sandbox.Sandbox) (*siblingSocket, error) {
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err = os.Chmod(path, 0o600); err == nil {
		err = c.ChownFile(path)
	}
	if err != nil {
		_ = l.Close() // the listener is never used
		return nil, err
	}
	b := &siblingSocket{socket: path, token: rand.Text()}
	client := p.o.Hub.Client(m)
	b.server = &http.Server{ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: socket.MaxHeader,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !p.awaitTurn(r.Context()) { // before anything else, so that no other response is faster
				w.Header().Set("Retry-After", "1")
				if r.Header.Get(wire.HeaderWeb) != "" { // the refusal must not look like a response of the host
					w.Header().Set(wire.HeaderFault, wire.FaultFailed)
					http.Error(w, "too many calls in a second", http.StatusTooManyRequests)
					return
				}
				problem.Write(w, problem.Fail(http.StatusTooManyRequests, problem.CodeTooManyCalls))
				return
			}
			if !wire.HasToken(r, b.token) {
				problem.Write(w, problem.Fail(http.StatusUnauthorized, problem.CodeUnauthorized))
				return
			}
			if r.Header.Get(wire.HeaderWeb) != "" {
				p.web(w, r)
				return
			}
			p.forward(client.Transport, w, r)
		})}
	go func() {
		if err := b.server.Serve(newPacedListener(l, p.guard.limits)); err != nil && !errors.Is(err, http.ErrServerClosed) {
			p.log.Error("socket for calls of siblings has ended", "error", err)
		}
	}()
	return b, nil
}

func (b *siblingSocket) close() { _ = b.server.Close() } // the plugin has exited

// forward makes a plugin's call to a sibling, with the scope of the call to which its handle belongs.
func (p *Plugin) forward(hub http.RoundTripper, w http.ResponseWriter, r *http.Request) {
	call, ok := p.calls.of(r.Header.Get(wire.HeaderHandle))
	if !ok {
		problem.Write(w, problem.Fail(http.StatusUnauthorized, problem.CodeUnauthorized))
		return
	}
	if target := (&url.URL{Host: r.Host}).Hostname(); !p.mayCall(target, r.URL.Path) {
		p.countBack(backRefused)
		problem.Write(w, problem.Fail(http.StatusForbidden, problem.CodeForbidden))
		return
	}
	leave, ok := admit(r.Context(), p.guard.back)
	if !ok {
		p.report("it calls the portal too often at once; the rest are answered 503", "calls", p.guard.limits.Calls)
		p.countBack(backBusy)
		unavailable(w)
		return
	}
	defer leave()
	if at, bounded := wire.Deadline(r.Header); bounded && (call.Deadline.IsZero() || at.Before(call.Deadline)) {
		call.Deadline = at
	}
	ctx, cancel := call.Enter(r.Context(), p.Spec.Key)
	defer cancel()
	out := (&http.Request{Method: r.Method, Header: wire.Headers(r.Header), Body: r.Body, ContentLength: r.ContentLength,
		URL: &url.URL{Scheme: "http", Host: r.Host, Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}}).WithContext(ctx)
	resp, err := hub.RoundTrip(out)
	if err != nil {
		if r.Context().Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			panic(http.ErrAbortHandler) // the plugin has the same deadline and detects that it has passed
		}
		unavailable(w)
		return
	}
	defer func() { _ = resp.Body.Close() }() // the rest of the body is not needed
	for k, v := range resp.Header {
		w.Header()[k] = v
	}
	w.WriteHeader(resp.StatusCode)
	if _, err := io.Copy(flushing{w, http.NewResponseController(w)}, resp.Body); err != nil {
		panic(http.ErrAbortHandler) // an incomplete response must not look complete
	}
}

// flushing flushes after every write, because a response may be a stream.
type flushing struct {
	io.Writer
	*http.ResponseController
}

// Write implements io.Writer.
func (f flushing) Write(b []byte) (int, error) {
	n, err := f.Writer.Write(b)
	if err == nil {
		err = f.Flush()
	}
	return n, err
}

// service is the gRPC service of core for plugins.
type service struct {
	wire.UnimplementedHostServer
	p *Plugin
}

// Settings implements wire.HostServer.
func (s *service) Settings(ctx context.Context, r *wire.SettingsRequest) (*wire.SettingsResponse, error) {
	if !s.p.awaitTurn(ctx) {
		return nil, status.Error(codes.ResourceExhausted, "too many calls")
	}
	call, ok := s.p.calls.of(r.Handle)
	if !ok || call.Label == nil {
		return nil, status.Error(codes.PermissionDenied, "unknown call")
	}
	settings := call.Label.Settings[s.p.Spec.Key]
	if settings == nil {
		return &wire.SettingsResponse{}, nil
	}
	return &wire.SettingsResponse{Settings: settings.Raw}, nil
}

// Relay implements wire.HostServer.
func (s *service) Relay(ctx context.Context, r *wire.RelayRequest) (*wire.RelayResponse, error) {
	if len(r.Rows) > maxRelayRows {
		return nil, status.Error(codes.InvalidArgument, "too many rows")
	}
	// One call at a time, followed by a pause, because a plugin with many rows must not occupy the database writer that everybody needs.
	if err := s.p.guard.relay.AcquirePermit(ctx); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	began := time.Now()
	defer func() { time.AfterFunc(time.Since(began), s.p.guard.relay.ReleasePermit) }()
	rows := make([]store.Row, len(r.Rows))
	for i, b := range r.Rows {
		if err := json.Unmarshal(b, &rows[i]); err != nil {
			return nil, status.Error(codes.InvalidArgument, "invalid row")
		}
		if !s.p.ownsRow(rows[i]) {
			return nil, status.Error(codes.PermissionDenied, "the row belongs to another module")
		}
	}
	if err := s.p.o.Relay(ctx, s.p.Spec.Key, rows); err != nil {
		s.p.log.Error("rows of a plugin's outbox could not be stored", "error", err)
		return nil, status.Error(codes.Unavailable, "not stored")
	}
	return &wire.RelayResponse{}, nil
}

// ownsRow reports whether a row concerns only this plugin's module. A plugin has full access to its own database, so the rows in its outbox
// are not trusted.
func (p *Plugin) ownsRow(r store.Row) bool {
	switch r.Kind {
	case store.RowEvent:
		var e module.Event
		return json.Unmarshal(r.Payload, &e) == nil && e.Label == r.Label && strings.HasPrefix(e.Type, p.Spec.Key+".")
	case store.RowChange, store.RowDecision:
		var c module.Change
		m := p.manifest.Load()
		return json.Unmarshal(r.Payload, &c) == nil && c.Label == r.Label && (m == nil || slices.Contains(m.Changes, c.Kind))
	case store.RowMail:
		return true
	}
	return false
}
