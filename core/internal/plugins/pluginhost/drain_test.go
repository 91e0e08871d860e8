package pluginhost_test

import (
	"context"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/plugintest"
	"github.com/wattle-portal/wattle/core/moduletest"
)

// A call to a previous version that takes longer than Options.Drain is aborted, so that no previous process keeps running.
func TestDrainHasADeadline(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: plugins that hang, crash and take too much")
	}
	t.Parallel() // most of the test is waiting
	t.Run("10-plugin-drain-deadline", func(t *testing.T) {
		require.Equal(t, time.Minute, pluginhost.DrainTimeout)
		dir := t.TempDir()
		require.NoError(t, os.Chmod(dir, 0o700))
		plugintest.Write(t, dir, plugintest.Plugin{})
		w := moduletest.Open(t, moduletest.Fake("tide", func(huma.API) {}), moduletest.Options{}, false)
		const drain = time.Second
		host, err := pluginhost.Open(t.Context(), pluginhost.Options{Dir: dir, Data: t.TempDir(), Unsafe: true, Watch: true, Drain: drain,
			Registry: w.Registry, Hub: w.Hub, Clock: w.Clock})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, host.Close()) })
		p := host.Plugins()[0]
		pid := p.PID()
		aborted := make(chan int, 1)
		go func() {
			status, _ := w.Do(context.Background(), moduletest.Call{Path: "/tide/slow?ms=600000"})
			aborted <- status
		}()
		require.Eventually(t, func() bool { return p.Calls() == 1 }, hang, time.Millisecond)
		plugintest.Write(t, dir, plugintest.Plugin{Version: "2.0.0"})
		require.Eventually(t, func() bool { return host.Plugins()[0].Version() == "2.0.0" }, hang, time.Millisecond)
		began := time.Now()
		status, _ := w.Do(t.Context(), moduletest.Call{Path: "/tide"})
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, http.StatusServiceUnavailable, <-aborted)
		require.GreaterOrEqual(t, time.Since(began), drain/2, "it had the time to finish")
		require.Eventually(t, func() bool { return syscall.Kill(pid, 0) != nil }, hang, time.Millisecond)
		status, _ = w.Do(t.Context(), moduletest.Call{Path: "/tide"})
		require.Equal(t, http.StatusOK, status)
	})
}
