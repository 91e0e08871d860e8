package pluginhost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"go.opentelemetry.io/otel/propagation"

	"github.com/wattle-portal/wattle/core/internal/modules/sibling"
	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/internal/plugins/socket"
	"github.com/wattle-portal/wattle/core/internal/records/imports/dryrun"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// instance is the module.Instance of a plugin in the registry. A call may have looked up this version just before it was replaced; its
// successor then serves the call.
type instance struct{ p *Plugin }

// OpenAPI implements module.Instance.
func (i *instance) OpenAPI() *huma.OpenAPI { return i.p.openAPI.Load() }

// ServeHTTP implements module.Instance.
func (i *instance) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, leave := i.p.enter()
	defer leave()
	if !p.Up() { // waiting for a free slot would be pointless
		unavailable(w)
		return
	}
	ctx, max, end, ok := p.begin(r)
	if !ok {
		unavailable(w)
		return
	}
	defer end()
	x, ctx, done := p.answering(ctx)
	defer done()
	if x == nil {
		unavailable(w)
		return
	}
	call, release := p.call(ctx)
	defer release()
	x.proxy.serve(w, r.WithContext(ctx), call, max)
}

// Handle implements module.Instance. It returns ErrRetry while the plugin is down.
func (i *instance) Handle(ctx context.Context, e module.Event) error {
	p, leave := i.p.enter()
	defer leave()
	x, ctx, done := p.answering(ctx)
	defer done()
	if x == nil {
		return fmt.Errorf("plugin %s is %s: %w", p.Spec.Key, p.State(), problem.ErrRetry)
	}
	event, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	call, release := p.call(ctx)
	defer release()
	out, err := x.rpc.Handle(ctx, &wire.HandleRequest{Call: call.Encode(), Event: event})
	switch {
	case err != nil:
		return fmt.Errorf("plugin %s: %w: %w", p.Spec.Key, err, problem.ErrRetry)
	case out.Retry:
		return fmt.Errorf("plugin %s: %s: %w", p.Spec.Key, out.Error, problem.ErrRetry)
	case out.Error != "":
		return fmt.Errorf("plugin %s: %s", p.Spec.Key, out.Error)
	}
	return nil
}

// Import implements module.Importer.
func (i *instance) Import(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error) {
	p, leave := i.p.enter()
	defer leave()
	x, ctx, done := p.answering(ctx)
	defer done()
	if x == nil {
		return nil, fmt.Errorf("plugin %s is %s", p.Spec.Key, p.State())
	}
	call, release := p.call(ctx)
	defer release()
	in := &wire.ImportRequest{Call: call.Encode(), Kind: kind, DryRun: dryrun.Is(ctx)}
	for _, r := range rows {
		in.Rows = append(in.Rows, &wire.Row{Line: int64(r.Line), Data: r.Data})
	}
	out, err := x.rpc.Import(ctx, in)
	if err == nil && out.Error != "" {
		err = errors.New(out.Error)
	}
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", p.Spec.Key, err)
	}
	for _, w := range out.Warnings {
		record.Warn(ctx, int(w.Line), w.Field, w.Code)
	}
	var refused []record.Refusal
	for _, r := range out.Refusals {
		refused = append(refused, record.Refusal{Line: int(r.Line), Field: r.Field, Code: r.Code})
	}
	return refused, nil
}

// browser returns the settings that the browser may see. Results are cached, so that pages do not have to wait for a plugin.
func (p *Plugin) browser(settings json.RawMessage) (json.RawMessage, error) {
	p, leave := p.enter()
	defer leave()
	if cached, ok := p.browserSettings.Get(string(settings)); ok {
		return cached, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), browserTimeout)
	defer cancel()
	x, ctx, done := p.answering(ctx)
	defer done()
	if x == nil {
		return nil, fmt.Errorf("plugin %s is %s", p.Spec.Key, p.State())
	}
	out, err := x.rpc.Browser(ctx, &wire.BrowserRequest{Settings: settings})
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", p.Spec.Key, err)
	}
	if len(out.Settings) > maxBrowser || !json.Valid(out.Settings) { // they become part of the document of every page
		return nil, fmt.Errorf("plugin %s: its settings for the browser are not JSON of at most %d bytes", p.Spec.Key, maxBrowser)
	}
	p.browserSettings.Add(string(settings), out.Settings)
	return out.Settings, nil
}

// call returns the data of a call for the plugin, with a handle that is valid until release is called.
func (p *Plugin) call(ctx context.Context) (wire.Call, func()) {
	c := sibling.Capture(ctx)
	handle, release := p.calls.mint(c)
	return wire.Call{Scope: c.Scope, Client: c.Client, Handle: handle, Now: p.o.Clock.Now().UnixNano()}, release
}

// proxy forwards HTTP requests to the plugin's socket.
type proxy struct {
	socket    string
	transport *socket.Transport
	reverse   *httputil.ReverseProxy

	onGarbage  func(error)       // called when the plugin's response is not HTTP
	onTooLarge func(path string) // called when the plugin's response is too large
}

type callKey struct{}

func newProxy(path, token string, log *slog.Logger) *proxy {
	x := &proxy{socket: path, transport: socket.New(path)}
	x.reverse = &httputil.ReverseProxy{
		Transport: x.transport, FlushInterval: -1, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.Header = wire.Headers(r.Out.Header)
			r.Out.URL = &url.URL{Scheme: "http", Host: "plugin", Path: r.In.URL.Path, RawPath: r.In.URL.RawPath, RawQuery: r.In.URL.RawQuery}
			r.Out.Host = r.In.Host
			r.Out.Header.Set(wire.HeaderToken, token)
			call, _ := r.In.Context().Value(callKey{}).(wire.Call)
			r.Out.Header.Set(wire.HeaderCall, string(call.Encode()))
			at, bounded := r.In.Context().Deadline()
			wire.SetDeadline(r.Out.Header, at, bounded)
			propagation.TraceContext{}.Inject(r.In.Context(), propagation.HeaderCarrier(r.Out.Header))
		},
		ModifyResponse: func(r *http.Response) error {
			if r.StatusCode == http.StatusSwitchingProtocols {
				return errors.New("pluginhost: a plugin is called over HTTP only")
			}
			if b, ok := r.Request.Context().Value(bodyKey{}).(*watchedBody); ok {
				if b.max > 0 && r.ContentLength > b.max {
					return errTooLarge
				}
				b.ReadCloser = r.Body
				r.Body = b
			}
			return nil
		},
		// The error contains the path of the socket, so it is not returned.
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if x.fault(r, err) {
				problem.Write(w, problem.Fail(http.StatusBadGateway, problem.CodeInternal))
				return
			}
			unavailable(w)
		},
	}
	return x
}

// fault passes on the problem of a response. It reports whether the same call would fail again.
func (x *proxy) fault(r *http.Request, err error) (permanent bool) {
	switch {
	case errors.Is(err, errTooLarge) || errors.Is(err, socket.ErrHeader) || err != nil &&
		strings.Contains(err.Error(), "server response headers exceeded"):
		x.onTooLarge(r.URL.Path)
		return true
	case isGarbage(err):
		x.onGarbage(err)
	}
	return false
}

type bodyKey struct{}

// watchedBody limits the size of a body, and records why reading it failed. The reverse proxy reports this only to net/http's own server.
type watchedBody struct {
	io.ReadCloser
	max    int64 // maximum size in bytes; 0: unlimited
	read   int64
	broken error
}

// Read implements io.Reader.
func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.read += int64(n); b.max > 0 && b.read > b.max {
		n, err = 0, errTooLarge
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.broken = err
	}
	return n, err
}

// serve forwards a request to the plugin, whose response may have at most max bytes; 0 means unlimited. It panics with http.ErrAbortHandler
// if the response is incomplete.
func (x *proxy) serve(w http.ResponseWriter, r *http.Request, call wire.Call, max int64) {
	body := &watchedBody{max: max}
	ctx := context.WithValue(context.WithValue(r.Context(), callKey{}, call), bodyKey{}, body)
	x.reverse.ServeHTTP(w, r.WithContext(ctx))
	if body.broken != nil {
		x.fault(r, body.broken)
		panic(http.ErrAbortHandler)
	}
}

func (x *proxy) close() { x.transport.Close() }

func unavailable(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "1")
	problem.Write(w, problem.Fail(http.StatusServiceUnavailable, problem.CodeUnavailable))
}
