package socket_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/plugins/socket"
)

// listenUnix listens on a socket with a short path.
func listenUnix(t testing.TB) (net.Listener, string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "wattle-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "http.sock")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	return l, path
}

// over returns a transport to a net/http server, which counts its connections.
func over(t *testing.T, h http.Handler) (*socket.Transport, *httptest.Server, *atomic.Int64) {
	t.Helper()
	l, path := listenUnix(t)
	opened := &atomic.Int64{}
	s := httptest.NewUnstartedServer(h)
	s.Listener = l
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.Start()
	x := socket.New(path)
	t.Cleanup(s.Close)
	t.Cleanup(x.Close)
	return x, s, opened
}

// raw returns a transport to a peer that responds to the requests of each connection with the given bytes, then closes the connection.
func raw(t *testing.T, answers ...string) (x *socket.Transport, requests *atomic.Int64) {
	t.Helper()
	l, path := listenUnix(t)
	requests = &atomic.Int64{}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				in := bufio.NewReader(c)
				for _, a := range answers {
					if _, err := http.ReadRequest(in); err != nil {
						return
					}
					requests.Add(1)
					if _, err := io.WriteString(c, a); err != nil {
						return
					}
				}
				if len(answers) > 0 && strings.HasSuffix(answers[len(answers)-1], "\r\n\r\nok") { // breaks the connection at the next request
					if _, err := http.ReadRequest(in); err == nil {
						requests.Add(1)
					}
				}
			}()
		}
	}()
	x = socket.New(path)
	t.Cleanup(x.Close)
	return x, requests
}

func send(x http.RoundTripper, ctx context.Context, method string, body io.Reader, header ...string) (status int, text string, err error) {
	r, err := http.NewRequestWithContext(ctx, method, "http://plugin/path?query=1", body)
	if err != nil {
		return 0, "", err
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := x.RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), err
}

func TestSocketTransport(t *testing.T) {
	t.Run("11-plugin-call-transport", func(t *testing.T) { testSocketTransport(t) })
}

func testSocketTransport(t *testing.T) {
	t.Run("one connection serves call after call", func(t *testing.T) {
		x, _, opened := over(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.Method {
			case http.MethodDelete:
				w.WriteHeader(http.StatusNoContent)
			case http.MethodPost: // chunked
				_, _ = io.WriteString(w, "first")
				_ = http.NewResponseController(w).Flush()
				fallthrough
			default:
				_, _ = io.WriteString(w, r.URL.RequestURI())
			}
		}))
		for _, c := range []struct {
			method, want string
			status       int
		}{{"GET", "/path?query=1", 200}, {"HEAD", "", 200}, {"DELETE", "", 204}, {"POST", "first/path?query=1", 200},
			{"GET", "/path?query=1", 200}} {
			status, text, err := send(x, t.Context(), c.method, nil)
			require.NoError(t, err)
			require.Equal(t, c.status, status)
			require.Equal(t, c.want, text)
		}
		require.EqualValues(t, 1, opened.Load())
	})

	t.Run("a body, Expect and Upgrade go through net/http", func(t *testing.T) {
		x, _, _ := over(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Early") != "" { // responds before it has read anything
				w.WriteHeader(http.StatusRequestEntityTooLarge)
				return
			}
			n, err := io.Copy(io.Discard, r.Body)
			_, _ = fmt.Fprint(w, n, err)
		}))
		const size = 8 << 20
		status, text, err := send(x, t.Context(), http.MethodPut, io.LimitReader(rand.Reader, size))
		require.NoError(t, err)
		require.Equal(t, 200, status)
		require.Equal(t, fmt.Sprint(size, " <nil>"), text)
		status, _, err = send(x, t.Context(), http.MethodPut, io.LimitReader(rand.Reader, size), "X-Early", "1", "Expect", "100-continue")
		require.NoError(t, err)
		require.Equal(t, http.StatusRequestEntityTooLarge, status)
		status, _, err = send(x, t.Context(), http.MethodGet, nil, "Connection", "Upgrade", "Upgrade", "websocket")
		require.NoError(t, err)
		require.Equal(t, 200, status)
	})

	t.Run("a large response arrives whole", func(t *testing.T) {
		large := strings.Repeat("0123456789abcdef", 1<<18)
		x, _, opened := over(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, large) }))
		for range 2 {
			_, text, err := send(x, t.Context(), http.MethodGet, nil)
			require.NoError(t, err)
			require.True(t, text == large)
		}
		require.EqualValues(t, 1, opened.Load())
	})

	t.Run("a stream arrives as it is sent, with its trailer", func(t *testing.T) {
		next := make(chan struct{})
		x, _, _ := over(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Trailer", "X-Sum")
			w.Header().Set("Link", "</style>")
			w.WriteHeader(http.StatusEarlyHints)
			for range 3 {
				_, _ = io.WriteString(w, "line\n")
				_ = http.NewResponseController(w).Flush()
				select {
				case <-next:
				case <-r.Context().Done():
					return
				}
			}
			w.Header().Set("X-Sum", "3")
		}))
		goroutine := func() string { // number of the current goroutine
			head, _, _ := strings.Cut(string(debug.Stack()), " [")
			return head
		}
		var hints []int
		var read string
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got1xxResponse: func(code int, _ textproto.MIMEHeader) error {
			hints, read = append(hints, code), goroutine()
			return nil
		}})
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://plugin/", nil)
		require.NoError(t, err)
		resp, err := x.RoundTrip(r)
		require.NoError(t, err)
		for range 3 {
			line := make([]byte, 5)
			_, err := io.ReadFull(resp.Body, line)
			require.NoError(t, err)
			next <- struct{}{}
		}
		_, err = io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, []int{http.StatusEarlyHints}, hints)
		require.Equal(t, goroutine(), read, "in the goroutine of the caller")
		require.Equal(t, "3", resp.Trailer.Get("X-Sum"))
	})

	t.Run("a context ends the call before and in the middle of the response", func(t *testing.T) {
		gone := make(chan struct{}, 2)
		x, _, opened := over(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				_, _ = io.WriteString(w, "begun")
				_ = http.NewResponseController(w).Flush()
			}
			if r.Method != http.MethodOptions {
				<-r.Context().Done()
				gone <- struct{}{}
			}
		}))
		slow := errors.New("too slow")
		for i, method := range []string{http.MethodGet, http.MethodPost} {
			ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, slow)
			defer cancel()
			_, text, err := send(x, ctx, method, nil)
			require.ErrorIs(t, err, slow)
			require.Equal(t, []string{"", "begun"}[i], text)
			<-gone // the plugin is notified
		}
		_, _, err := send(x, t.Context(), http.MethodOptions, nil)
		require.NoError(t, err)
		require.EqualValues(t, 3, opened.Load(), "a connection of a canceled call is not used again")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err = send(x, ctx, http.MethodGet, nil)
		require.ErrorIs(t, err, context.Canceled)
	})

	t.Run("a response that is not read to its end costs the connection", func(t *testing.T) {
		x, _, opened := over(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "text") }))
		for range 2 {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://plugin/", nil)
			require.NoError(t, err)
			resp, err := x.RoundTrip(r)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			_, err = resp.Body.Read(make([]byte, 1))
			require.ErrorIs(t, err, http.ErrBodyReadAfterClose)
		}
		require.EqualValues(t, 2, opened.Load())
	})

	t.Run("a connection that the plugin has closed is not used", func(t *testing.T) {
		x, s, opened := over(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		for range 3 {
			_, _, err := send(x, t.Context(), http.MethodPost, nil) // never sent twice
			require.NoError(t, err)
			s.CloseClientConnections()
		}
		require.EqualValues(t, 3, opened.Load())
	})

	t.Run("only what may be repeated is sent again", func(t *testing.T) {
		const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
		x, requests := raw(t, ok)
		status, _, err := send(x, t.Context(), http.MethodPost, nil)
		require.NoError(t, err)
		require.Equal(t, 200, status)
		status, text, err := send(x, t.Context(), http.MethodGet, nil) // the connection breaks after the request has been read
		require.NoError(t, err)
		require.Equal(t, 200, status)
		require.Equal(t, "ok", text)
		require.EqualValues(t, 3, requests.Load())
		_, _, err = send(x, t.Context(), http.MethodPost, nil)
		require.Error(t, err)
		require.EqualValues(t, 4, requests.Load(), "it may have been served")
		_, _, err = send(x, t.Context(), http.MethodPost, nil, "Idempotency-Key", "1")
		require.NoError(t, err)

		x, requests = raw(t, ok, "HTTP/1.1 200 OK\r\nContent-Le") // the connection breaks in the middle of the second response
		_, _, err = send(x, t.Context(), http.MethodGet, nil)
		require.NoError(t, err)
		_, _, err = send(x, t.Context(), http.MethodGet, nil)
		require.Error(t, err)
		require.EqualValues(t, 2, requests.Load(), "something was answered")
	})

	t.Run("headers may have 64 KB", func(t *testing.T) {
		require.Equal(t, 64<<10, socket.MaxHeader)
		for size, isRead := range map[int]bool{socket.MaxHeader: true, socket.MaxHeader + 1: false} {
			const head, end = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Long: ", "\r\n\r\n"
			x, _ := raw(t, head+strings.Repeat("x", size-len(head)-len(end))+end)
			_, _, err := send(x, t.Context(), http.MethodGet, nil)
			require.Equal(t, isRead, err == nil, "%d: %v", size, err)
		}
	})

	for name, answer := range map[string]string{
		"garbage":             "no HTTP at all\r\n\r\n",
		"nothing":             "",
		"half a head":         "HTTP/1.1 200 OK\r\nContent-Le",
		"a short body":        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
		"a broken chunk":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
		"headers without end": "HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Long: "+strings.Repeat("x", 1000)+"\r\n", 70),
		"hints without end":   strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 2000),
	} {
		t.Run(name+" is an error", func(t *testing.T) {
			x, _ := raw(t, answer)
			_, _, err := send(x, t.Context(), http.MethodGet, nil)
			require.Error(t, err)
		})
	}

	t.Run("bytes after a response are not the next response", func(t *testing.T) {
		const ok = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue"
		x, requests := raw(t, ok+"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfalse", ok)
		for range 3 {
			_, text, err := send(x, t.Context(), http.MethodGet, nil)
			require.NoError(t, err)
			require.Equal(t, "true", text)
		}
		require.EqualValues(t, 3, requests.Load())
	})
}

// BenchmarkSocketTransport compares calls of 2 KB with calls over net/http's own transport, one at a time:
//
//	go test -run '^$' -bench SocketTransport -benchtime 5000x -count 5 ./core/internal/plugins/pluginhost
func BenchmarkSocketTransport(b *testing.B) {
	page := []byte(strings.Repeat("0123456789abcdef", 128))
	l, path := listenUnix(b)
	s := &http.Server{ReadHeaderTimeout: 10 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(page) })}
	go func() { _ = s.Serve(l) }()
	b.Cleanup(func() { _ = s.Close() })
	direct := socket.New(path)
	b.Cleanup(direct.Close)
	standard := &http.Transport{DisableCompression: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}}
	b.Cleanup(standard.CloseIdleConnections)
	for _, c := range []struct {
		name string
		http.RoundTripper
	}{{"direct", direct}, {"net-http", standard}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
				status, text, err := send(c, ctx, http.MethodGet, nil)
				cancel()
				if err != nil || status != 200 || len(text) != len(page) {
					b.Fatal(status, len(text), err)
				}
			}
		})
	}
}
