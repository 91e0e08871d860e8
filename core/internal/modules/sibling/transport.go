package sibling

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"sync"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// transport calls a running module as if over a network.
type transport struct {
	hub    *Hub
	caller module.Manifest
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if scope.IsTx(ctx) {
		shut(r.Body)
		return nil, problem.ErrNested
	}
	if err := ctx.Err(); err != nil {
		shut(r.Body)
		return nil, err
	}
	target := r.URL.Hostname()
	call, running, p := t.admit(r, target)
	if p != nil {
		shut(r.Body)
		return answer(r, p), nil
	}
	inner, cancel := call.Enter(ctx, running.Key)
	w := &writer{header: http.Header{}, started: make(chan struct{})}
	body, pw := io.Pipe()
	w.body = pw
	stop := context.AfterFunc(ctx, func() { _ = pw.CloseWithError(ctx.Err()) }) // a module that hangs must not block the reader
	go serve(running, w, inbound(inner, r, running.Key), func() { stop(); cancel() })
	select {
	case <-w.started:
		if wire.Late(ctx) {
			return nil, ctx.Err()
		}
		return w.response(r, &stream{body, cancel}), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// admit authorizes the call, and returns the data that is needed to make it.
func (t *transport) admit(r *http.Request, target string) (call Call, running module.Running, p *problem.Problem) {
	call = Capture(r.Context())
	if call.Scope.Label == "" {
		return call, running, problem.Fail(http.StatusUnauthorized, problem.CodeUnauthorized)
	}
	if call.Label == nil || call.Label.Key != call.Scope.Label {
		call.Label = t.hub.labels.ByKey(call.Scope.Label)
	}
	if call.Label == nil {
		return call, running, problem.Fail(http.StatusNotFound, problem.CodeUnknownLabel)
	}
	if !mayCall(t.caller, target) {
		return call, running, problem.Fail(http.StatusForbidden, problem.CodeForbidden)
	}
	if call.Hops++; call.Hops > MaxHops {
		return call, running, problem.Fail(http.StatusLoopDetected, CodeLoop)
	}
	if !has(call.Label, target) {
		return call, running, problem.Fail(http.StatusNotFound, problem.CodeModuleOff)
	}
	all := t.hub.registry.Snapshot().For(call.Label, call.Scope.Relation)
	running, up := all.Modules[target]
	if !up {
		return call, running, problem.Fail(http.StatusServiceUnavailable, problem.CodeUnavailable)
	}
	op, methods := all.MatchIn(target, r.Method, r.URL.EscapedPath())
	switch {
	case op == nil && len(methods) > 0:
		return call, running, problem.Fail(http.StatusMethodNotAllowed, "method_not_allowed")
	case op == nil:
		return call, running, problem.Fail(http.StatusNotFound, problem.CodeNotFound)
	case op.Module != target: // the target had the operation in the previous release
		if !has(call.Label, op.Module) {
			return call, running, problem.Fail(http.StatusNotFound, problem.CodeModuleOff)
		}
		running = all.Modules[op.Module]
	}
	if p := checkAllowed(t.caller, op, call.Scope); p != nil {
		return call, running, p
	}
	if t.caller.Key != registry.Core {
		call.Scope.Caller = t.caller.Key
	}
	return call, running, nil
}

// inbound returns the request for the called module. It contains only the method, path, query, body and permitted headers.
func inbound(ctx context.Context, r *http.Request, target string) *http.Request {
	in := &http.Request{Method: r.Method, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Host: target,
		URL: &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}, RequestURI: r.URL.RequestURI(),
		Header: wire.Headers(r.Header), Body: r.Body, ContentLength: r.ContentLength, TransferEncoding: r.TransferEncoding}
	if in.Body == nil {
		in.Body = http.NoBody
	}
	return in.WithContext(ctx)
}

// serve calls the module in a new goroutine, so that its response can be streamed. A panic affects only this call.
func serve(h http.Handler, w *writer, r *http.Request, cancel context.CancelFunc) {
	defer cancel()
	defer shut(r.Body)
	defer func() {
		v := recover()
		if v == nil {
			w.WriteHeader(http.StatusOK)
			_ = w.body.CloseWithError(r.Context().Err()) // nil means complete; a response that ended because the call was canceled is incomplete
			return
		}
		if err, ok := v.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			problem.Observe(r.Context(), fmt.Errorf("sibling: panic in %s: %v\n%s", r.Host, v, debug.Stack()))
		}
		if w.status != 0 {
			_ = w.body.CloseWithError(io.ErrUnexpectedEOF)
			return
		}
		w.header = http.Header{}
		problem.Write(w, problem.Fail(http.StatusInternalServerError, problem.CodeInternal))
		_ = w.body.Close()
	}()
	h.ServeHTTP(w, r)
}

// writer passes the module's response to the caller while it is written.
type writer struct {
	header  http.Header
	started chan struct{}
	once    sync.Once
	status  int
	sent    http.Header // copy of header at the start of the response
	body    *io.PipeWriter
}

// Header implements http.ResponseWriter.
func (w *writer) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *writer) WriteHeader(status int) {
	if status >= 200 {
		w.once.Do(func() {
			w.status, w.sent = status, w.header.Clone()
			close(w.started)
		})
	}
}

// Write implements http.ResponseWriter.
func (w *writer) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// Flush implements http.Flusher; writes are not buffered.
func (w *writer) Flush() { w.WriteHeader(http.StatusOK) }

func (w *writer) response(r *http.Request, body io.ReadCloser) *http.Response {
	out := &http.Response{StatusCode: w.status, Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: w.sent, Body: body, ContentLength: -1, Request: r}
	if n, err := strconv.ParseInt(w.sent.Get("Content-Length"), 10, 64); err == nil {
		out.ContentLength = n
	}
	return out
}

// stream is a response body. Closing it cancels the call.
type stream struct {
	*io.PipeReader
	cancel context.CancelFunc
}

// Close implements io.Closer.
func (s *stream) Close() error {
	s.cancel()
	return s.PipeReader.Close()
}

// answer returns a response with a problem reported by core itself.
func answer(r *http.Request, p *problem.Problem) *http.Response {
	b, _ := json.Marshal(p) // encoding a Problem never fails
	h := http.Header{"Content-Type": {"application/problem+json"}}
	if p.Status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
	return &http.Response{StatusCode: p.Status, Status: strconv.Itoa(p.Status) + " " + p.Title, Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1, Header: h, Body: io.NopCloser(bytes.NewReader(b)), ContentLength: int64(len(b)), Request: r}
}

func shut(body io.Closer) {
	if body != nil {
		_ = body.Close() // the body belongs to the caller, who receives its errors
	}
}
