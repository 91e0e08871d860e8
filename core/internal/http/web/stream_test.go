package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// serveStream serves one streamed response with the fixed write timeout of the portal.
func serveStream(t *testing.T, writeTimeout, timeout time.Duration, body func(ctx context.Context,
	w http.ResponseWriter)) *httptest.Server {
	t.Helper()
	s := &Server{Deps: Deps{Timeout: timeout}}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, out, cancel := s.openStream(r.Context(), w)
		defer cancel()
		body(ctx, out)
	}))
	server.Config.WriteTimeout = writeTimeout
	server.Start()
	t.Cleanup(server.Close)
	return server
}

func TestADownloadMayTakeLongerThanOtherResponses(t *testing.T) {
	server := serveStream(t, 100*time.Millisecond, 2*time.Second, func(_ context.Context, w http.ResponseWriter) {
		for range 10 {
			_, _ = io.WriteString(w, strings.Repeat("x", 100_000))
			time.Sleep(30 * time.Millisecond) // a slow disk
		}
	})
	res, err := http.Get(server.URL)
	require.NoError(t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Len(t, b, 1_000_000)
	require.Equal(t, "no-referrer", res.Header.Get("Referrer-Policy"))
	require.Contains(t, res.Header.Get("Content-Security-Policy"), "sandbox")
}

func TestACallerThatReadsNothingIsCutOff(t *testing.T) {
	failed := make(chan error, 1)
	server := serveStream(t, time.Minute, 100*time.Millisecond, func(_ context.Context, w http.ResponseWriter) {
		for {
			if _, err := io.WriteString(w, strings.Repeat("x", 1<<20)); err != nil {
				failed <- err
				return
			}
		}
	})
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer c.Close()
	_, err = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n") // and never reads the response
	require.NoError(t, err)
	select {
	case err := <-failed:
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	case <-time.After(10 * time.Second):
		t.Fatal("the response waits for a caller that reads nothing")
	}
}

func TestAModuleThatWritesNothingIsStopped(t *testing.T) {
	stopped := make(chan struct{})
	server := serveStream(t, time.Minute, 50*time.Millisecond, func(ctx context.Context, w http.ResponseWriter) {
		_, _ = io.WriteString(w, "begun")
		<-ctx.Done()
		close(stopped)
	})
	res, err := http.Get(server.URL)
	require.NoError(t, err)
	defer res.Body.Close()
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Fatal("the module still runs")
	}
}

func TestADisconnectStopsTheWork(t *testing.T) {
	stopped := make(chan struct{})
	server := serveStream(t, time.Minute, time.Minute, func(ctx context.Context, w http.ResponseWriter) {
		_, _ = io.WriteString(w, "begun")
		<-ctx.Done()
		close(stopped)
	})
	ctx, leave := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	leave()
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Fatal("the work continues without a caller")
	}
}
