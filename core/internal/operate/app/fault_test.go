package app_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

// recovery is the maximum time until an outage, or the end of it, is detected.
const recovery = 5 * time.Second

// readiness requests /readyz. It fails the test if the response takes longer than a load balancer would wait.
func readiness(t *testing.T, s *apptest.Server) (status int, a app.Readiness) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), recovery)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/readyz", nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &a), string(raw))
	return res.StatusCode, a
}

// stateOf returns the state of a check in /readyz, or an empty string if there is no such check.
func stateOf(a app.Readiness, name string) health.Check {
	for _, c := range a.Checks {
		if c.Name == name {
			return c
		}
	}
	return health.Check{}
}

// until polls until ok returns true, and returns how long that took.
func until(t *testing.T, what string, ok func() bool) time.Duration {
	t.Helper()
	from := time.Now()
	require.Eventually(t, ok, 6*recovery, 20*time.Millisecond, what)
	return time.Since(from)
}

// The network between the portal and PostgreSQL fails while customers read and write and jobs run.
func TestBlackHole(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: outages and versions under load")
	}
	c, proxy := storetest.FaultyPostgres(t)
	s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Store: &c})
	anna := s.Customer("alpha", "anna")
	add := func() (status int, err error) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*recovery)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/api/v0/probe/items", strings.NewReader(`{"name":"mine"}`))
		require.NoError(t, err)
		r.Host = "alpha.localhost"
		r.Header.Set("Authorization", "Bearer "+anna)
		r.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, err
		}
		defer res.Body.Close()
		_, err = io.Copy(io.Discard, res.Body)
		return res.StatusCode, err
	}
	served := func() bool { status, err := add(); return err == nil && status == http.StatusOK }
	require.True(t, served())

	t.Run("served again/9-dead-connections", func(t *testing.T) {
		stop := make(chan struct{})
		load := make(chan map[int]int)
		for range 20 {
			go func() {
				seen := map[int]int{}
				for {
					select {
					case <-stop:
						load <- seen
						return
					default:
						status, _ := add()
						seen[status]++
					}
				}
			}()
		}
		until(t, "connections are in use", func() bool { return proxy.Open() > 5 })
		proxy.Freeze()
		from := time.Now()
		took := until(t, "served again", served)
		t.Logf("established connections dead, under load: served again after %v", took)
		require.Less(t, took, recovery)
		for time.Since(from) < recovery {
			require.True(t, served())
		}
		close(stop)
		all := map[int]int{}
		for range 20 {
			for status, n := range <-load {
				all[status] += n
			}
		}
		t.Logf("answers: %v", all)
		for status := range all {
			require.Contains(t, []int{200, 503}, status)
		}
		status, a := readiness(t, s)
		require.Equal(t, 200, status, "%+v", a)
	})

	t.Run("9-readiness-database", func(t *testing.T) {
		proxy.Blackhole(true)
		noticed := until(t, "not ready", func() bool { status, _ := readiness(t, s); return status == http.StatusServiceUnavailable })
		_, a := readiness(t, s)
		require.Equal(t, []string{"down", "down"}, []string{a.Database, stateOf(a, "database").State})
		from := time.Now()
		status, err := add()
		require.NoError(t, err)
		require.Equal(t, http.StatusServiceUnavailable, status)
		t.Logf("black hole: /readyz red after %v, a write is answered 503 after %v", noticed, time.Since(from))
		proxy.Blackhole(false)
		back := until(t, "ready again", func() bool { status, _ := readiness(t, s); return status == http.StatusOK })
		recovered := until(t, "served again", served)
		t.Logf("black hole over: /readyz green after %v, a write is served %v later", back, recovered)
		require.Less(t, noticed, recovery)
		require.Less(t, back, recovery)
		require.Less(t, recovered, recovery)
	})

	t.Run("stop/9-dead-connections", func(t *testing.T) {
		until(t, "served again", served)
		proxy.Blackhole(true)
		from := time.Now()
		err := s.Stop(context.Background())
		t.Logf("stopped in a black hole after %v: %v", time.Since(from), err)
		require.NoError(t, err)
		require.Less(t, time.Since(from), 15*time.Second, "half of the time after which a supervisor kills")
	})
}
