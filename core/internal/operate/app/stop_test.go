package app_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

// Clients with keep-alive connections read and write continuously while the portal stops. A refused connection is correct, because the
// client can use another process. A connection that breaks after a request was sent is an error, because the result of the call is unknown.
func TestStopUnderLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: outages and versions under load")
	}
	t.Run("9-stop-under-load", func(t *testing.T) {
		rounds := 1
		if os.Getenv("WATTLE_FAULTS") == "long" { // make faults
			rounds = 10
		}
		for range rounds {
			stopUnderLoad(t)
		}
	})
}

// Until the drain period of a stop is over, the portal serves as before, except that load balancers and clients are told to leave.
func TestDrain(t *testing.T) {
	t.Run("9-stop-under-load", func(t *testing.T) {
		const says = "still serving until clients use another process"
		for name, c := range map[string]struct {
			drain, signal, want time.Duration
			isLogged            bool
		}{
			"to the end":      {drain: 5 * time.Second, want: 5 * time.Second, isLogged: true},
			"a second signal": {drain: 5 * time.Second, signal: 2 * time.Second, want: 2 * time.Second, isLogged: true},
			"the demo":        {},
		} {
			out := &log{}
			s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Config: config.Config{Drain: c.drain}, Log: out})
			answers := func() (ready, call int, leaves bool) {
				res, err := http.Get(s.URL + "/api/v0/labels/alpha/style")
				require.NoError(t, err)
				require.NoError(t, res.Body.Close())
				return s.Do(apptest.Call{Path: "//readyz"}).Status, res.StatusCode, res.Close
			}
			ready, call, leaves := answers()
			require.Equal(t, []any{200, 200, false}, []any{ready, call, leaves}, name)
			synctest.Test(t, func(t *testing.T) {
				ctx, secondSignal := context.WithCancel(t.Context())
				defer secondSignal()
				if c.signal > 0 {
					time.AfterFunc(c.signal, secondSignal)
				}
				began := time.Now()
				s.Drain(ctx)
				require.Equal(t, c.want, time.Since(began), name)
			})
			ready, call, leaves = answers()
			require.Equal(t, []any{503, 200, true}, []any{ready, call, leaves}, name)
			require.Equal(t, c.isLogged, strings.Contains(out.String(), says), name)
		}
	})
}

func stopUnderLoad(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Config: config.Config{Drain: time.Second}})
	anna := s.Customer("alpha", "anna")
	var (
		clients             sync.WaitGroup
		served, red         atomic.Int64
		closed, closedLater atomic.Int64
		draining            atomic.Bool
		broken              = make(chan error, 1000)
	)
	call := func(c *http.Client, i int) (refused bool) {
		method, path, body := http.MethodGet, "/api/v0/probe/mine", io.Reader(nil)
		switch i % 3 {
		case 1:
			method, path, body = http.MethodPost, "/api/v0/probe/items", strings.NewReader(`{"name":"mine"}`)
		case 2:
			path = "/readyz"
		}
		r, err := http.NewRequestWithContext(context.Background(), method, s.URL+path, body)
		if err != nil {
			broken <- err
			return true
		}
		r.GetBody = nil // prevents the client from retrying automatically
		r.Host = "alpha.localhost"
		r.Header.Set("Authorization", "Bearer "+anna)
		r.Header.Set("Content-Type", "application/json")
		before := draining.Load()
		res, err := c.Do(r)
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
		if err != nil {
			var dial *net.OpError
			if errors.As(err, &dial) && dial.Op == "dial" { // nothing was sent
				return true
			}
			broken <- fmt.Errorf("%s %s: %w", method, path, err)
			return false
		}
		served.Add(1)
		if path == "/readyz" && res.StatusCode == http.StatusServiceUnavailable {
			red.Add(1)
		} else if res.StatusCode != http.StatusOK {
			broken <- fmt.Errorf("%s %s: status %d", method, path, res.StatusCode)
		}
		if before {
			closedLater.Add(1)
			if res.Close {
				closed.Add(1)
			}
		}
		return false
	}
	for range 24 {
		clients.Go(func() {
			c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext}}
			for i := 0; !call(c, i); i++ {
			}
		})
	}
	until(t, "under load", func() bool { return served.Load() > 500 })
	from := time.Now()
	draining.Store(true)
	s.Drain(t.Context())
	require.Positive(t, red.Load(), "/readyz is red while everything is still served")
	during := served.Load()
	require.NoError(t, s.Stop(t.Context()))
	clients.Wait()
	close(broken)
	n := 0
	for err := range broken {
		if n++; n <= 5 {
			t.Error(err)
		}
	}
	t.Logf("stopped after %v: %d calls served (%d before the listener closed), %d broken; %d of %d answers during the stop closed their connection",
		time.Since(from).Round(time.Millisecond), served.Load(), during, n, closed.Load(), closedLater.Load())
	require.Zero(t, n)
	require.GreaterOrEqual(t, closed.Load(), closedLater.Load()-24, "each client's next answer ends its connection")
}

// beginCall begins a call that waits for its body, {"name":"mine"}.
func beginCall(t *testing.T, a *app.App) net.Conn {
	t.Helper()
	anna := apptest.Serve(t, a).Customer("alpha", "anna")
	call, err := net.Dial("tcp", a.Addr().String())
	require.NoError(t, err)
	_, err = fmt.Fprintf(call, "POST /api/v0/probe/items HTTP/1.1\r\nHost: alpha.localhost\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: 15\r\nExpect: 100-continue\r\n\r\n", anna)
	require.NoError(t, err)
	_, err = call.Read(make([]byte, 100)) // 100 Continue
	require.NoError(t, err)
	return call
}

// Jobs end while a call is still running during a stop, so that deliveries get the remaining time.
func TestJobsEndWhileCallsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: waits until a job is canceled")
	}
	t.Run("9-stop-under-load", func(t *testing.T) {
		a := apptest.New(t, apptest.Options{Modules: []module.Module{apptest.Probe}})
		began, canceled := make(chan struct{}), make(chan struct{})
		a.Jobs.Sweepers = append(a.Jobs.Sweepers, func(ctx context.Context) error {
			close(began)
			<-ctx.Done()
			close(canceled)
			return nil
		})
		call := beginCall(t, a)
		<-began
		ended, stopped := make(chan struct{}), make(chan error, 1)
		go func() {
			_, _ = call.Read(make([]byte, 1))
			close(ended)
		}()
		go func() { stopped <- a.Stop(t.Context()) }()
		select {
		case <-canceled:
		case <-ended:
			t.Error("the call was aborted first")
		}
		require.NoError(t, call.Close())
		require.NoError(t, <-stopped)
	})
}

// A call that ends after the listener has closed is answered, and what it published is delivered before the stop is over.
func TestStopDelivers(t *testing.T) {
	t.Run("9-stop-under-load", func(t *testing.T) {
		a := apptest.New(t, apptest.Options{Modules: []module.Module{apptest.Probe}})
		call := beginCall(t, a)
		stopped := make(chan error, 1)
		go func() { stopped <- a.Stop(t.Context()) }()
		until(t, "the listener is closed", func() bool {
			other, err := net.Dial("tcp", a.Addr().String())
			if err == nil {
				_ = other.Close()
			}
			return err != nil
		})
		_, err := io.WriteString(call, `{"name":"mine"}`)
		require.NoError(t, err)
		answer, err := http.ReadResponse(bufio.NewReader(call), nil)
		require.NoError(t, err)
		require.Equal(t, 200, answer.StatusCode)
		require.NoError(t, call.Close())
		require.NoError(t, <-stopped)
		opened, err := store.Open(t.Context(), store.Config{Dir: a.Config.Data})
		require.NoError(t, err)
		var names []string
		require.NoError(t, opened.Read().NewRaw("SELECT name FROM probe_items").Scan(t.Context(), &names))
		require.NoError(t, opened.Close())
		require.Equal(t, []string{"mine (seen)"}, names, "its event was handled")
	})
}
