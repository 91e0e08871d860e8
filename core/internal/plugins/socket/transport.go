// Package socket carries HTTP requests to a process over its Unix socket, with less overhead for a small request than net/http.
package socket

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"sync"
	"syscall"
	"time"
)

// ErrHeader is the error for a response whose headers are longer than MaxHeader.
var ErrHeader = errors.New("socket: the headers of the response are too long")

// Transport calls a plugin over its socket. It implements http.RoundTripper. It writes a request without a body, and reads its response, in
// the goroutine of the caller. net/http uses two more goroutines for each connection, so that it can read an early response while it is
// still writing a body. Waking them takes longer than everything else that a small call does in this process. Requests with a body, or for
// another protocol, use net/http.
type Transport struct {
	socket string
	others *http.Transport

	mu     sync.Mutex
	idle   []*conn // the most recently used connection is used next
	closed bool
}

// MaxHeader is the maximum size of the response headers, in bytes.
const MaxHeader = 64 << 10

// maxIdle is the maximum number of idle connections to a plugin.
const maxIdle = 64

// New returns a transport for a socket.
func New(socket string) *Transport {
	t := &Transport{socket: socket}
	t.others = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return t.dial(ctx) },
		MaxIdleConns: maxIdle, MaxIdleConnsPerHost: maxIdle, DisableCompression: true, MaxResponseHeaderBytes: MaxHeader,
		ExpectContinueTimeout: 5 * time.Second, // lets a plugin refuse a body before it is sent
	}
	return t
}

func (t *Transport) dial(ctx context.Context) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, "unix", t.socket)
}

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil && r.Body != http.NoBody || r.Header.Get("Expect") != "" || r.Header.Get("Upgrade") != "" ||
		r.Method == http.MethodConnect {
		return t.others.RoundTrip(r)
	}
	for {
		c, err := t.take(r.Context())
		if err != nil {
			return nil, cause(r.Context(), err)
		}
		resp, err := c.roundTrip(r)
		if err == nil {
			return resp, nil
		}
		// The plugin closed an idle connection just before it was used. Each round leaves one connection fewer to which this can happen.
		if c.reused && !c.answered && (!c.sent || isIdempotent(r)) && r.Context().Err() == nil && !errors.Is(err, ErrHeader) {
			continue
		}
		return nil, cause(r.Context(), err)
	}
}

// isIdempotent reports whether a request may be sent again when it is unknown whether it has been served, according to the rules of
// net/http.
func isIdempotent(r *http.Request) bool {
	switch r.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return r.Header.Get("Idempotency-Key") != "" || r.Header.Get("X-Idempotency-Key") != ""
}

// cause returns the reason why the context has ended, or else the error.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// take returns an idle connection that the plugin has not closed, or a new one.
func (t *Transport) take(ctx context.Context) (*conn, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for {
		t.mu.Lock()
		n := len(t.idle)
		if n == 0 {
			t.mu.Unlock()
			break
		}
		c := t.idle[n-1]
		t.idle[n-1], t.idle = nil, t.idle[:n-1]
		t.mu.Unlock()
		if isQuiet(c.net) {
			return c, nil
		}
		c.close()
	}
	n, err := t.dial(ctx)
	if err != nil {
		return nil, err
	}
	c := &conn{owner: t, net: n}
	c.in, c.out = bufio.NewReader(c), bufio.NewWriter(c)
	return c, nil
}

func (t *Transport) put(c *conn) {
	c.reused, c.sent, c.answered = true, false, false
	t.mu.Lock()
	if full := t.closed || len(t.idle) >= maxIdle; !full {
		t.idle = append(t.idle, c)
		t.mu.Unlock()
		return
	}
	t.mu.Unlock()
	c.close()
}

// Close closes the idle connections, and the connections of running calls when the calls end.
func (t *Transport) Close() {
	t.mu.Lock()
	idle := t.idle
	t.idle, t.closed = nil, true
	t.mu.Unlock()
	for _, c := range idle {
		c.close()
	}
	t.others.CloseIdleConnections()
}

// isQuiet reports whether an idle connection is open and no unexpected data has arrived on it.
func isQuiet(c net.Conn) bool {
	s, ok := c.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return false
	}
	quiet := false
	err = raw.Read(func(fd uintptr) bool {
		quiet = wouldBlock(fd)
		return true
	})
	return err == nil && quiet
}

// conn is a connection to a plugin, for one call at a time.
type conn struct {
	owner    *Transport
	net      net.Conn
	in       *bufio.Reader
	out      *bufio.Writer
	head     int64 // remaining size limit in bytes of the response headers; negative: the body is being read
	reused   bool
	sent     bool        // a byte of the request has been written
	answered bool        // a byte of the response has arrived
	stop     func() bool // stops watching the context of the call
}

func (c *conn) close() { _ = c.net.Close() } // nothing is waiting to be written

// Read implements io.Reader for c.in.
func (c *conn) Read(p []byte) (int, error) {
	if c.head == 0 {
		return 0, ErrHeader
	}
	if c.head > 0 && int64(len(p)) > c.head {
		p = p[:c.head]
	}
	n, err := c.net.Read(p)
	c.answered = c.answered || n > 0
	if c.head > 0 {
		c.head -= int64(n)
	}
	return n, err
}

// Write implements io.Writer for c.out.
func (c *conn) Write(p []byte) (int, error) {
	n, err := c.net.Write(p)
	c.sent = c.sent || n > 0
	return n, err
}

var past = time.Unix(1, 0)

// roundTrip sends the request and reads the head of the response. After an error the connection is closed.
func (c *conn) roundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	// interrupts reads and writes; closing would let the descriptor be reused
	c.stop = context.AfterFunc(ctx, func() { _ = c.net.SetDeadline(past) })
	resp, err := c.exchange(r)
	if err != nil {
		c.stop()
		c.close()
		return nil, err
	}
	c.head = -1
	if resp.Body == http.NoBody {
		c.done(!resp.Close)
		return resp, nil
	}
	resp.Body = &body{ReadCloser: resp.Body, conn: c, ctx: ctx, keep: !resp.Close}
	return resp, nil
}

func (c *conn) exchange(r *http.Request) (*http.Response, error) {
	if err := r.Write(c.out); err != nil {
		return nil, err
	}
	if err := c.out.Flush(); err != nil {
		return nil, err
	}
	c.head = MaxHeader
	for {
		resp, err := http.ReadResponse(c.in, r)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode >= 200 || resp.StatusCode == http.StatusSwitchingProtocols {
			return resp, nil
		}
		if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.Got1xxResponse != nil {
			if err := trace.Got1xxResponse(resp.StatusCode, textproto.MIMEHeader(resp.Header)); err != nil {
				return nil, err
			}
		}
	}
}

// done ends a call. The connection is kept for the next call if the response was read completely and no data followed.
func (c *conn) done(keep bool) {
	if inTime := c.stop(); keep && inTime && c.in.Buffered() == 0 {
		c.owner.put(c)
		return
	}
	c.close()
}

// body is a response body.
type body struct {
	io.ReadCloser
	conn *conn
	ctx  context.Context
	keep bool
	end  error // nil while it is being read
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if b.end != nil {
		return 0, b.end
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		if !errors.Is(err, io.EOF) {
			b.keep, err = false, cause(b.ctx, err)
		}
		b.end = err
		b.conn.done(b.keep)
	}
	return n, err
}

// Close implements io.Closer. It closes a connection whose response was not read completely.
func (b *body) Close() error {
	if b.end == nil {
		b.end = fmt.Errorf("socket: %w", http.ErrBodyReadAfterClose)
		b.conn.done(false)
	}
	return nil
}
