package pluginhost_test

import (
	"context"
	"encoding/json"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
)

const hang = time.Minute // timeout of a test that hangs

func stop(t *testing.T, p *pluginhost.Plugin) (pid int) {
	t.Helper()
	pid = p.PID()
	require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) }) // fails if the process has already exited
	return pid
}

// A process that exists but does not respond, like after SIGSTOP.
func TestHung(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: plugins that hang, crash and take too much")
	}
	t.Parallel() // most of the test is waiting
	t.Run("9-plugin-hung", func(t *testing.T) {
		require.LessOrEqual(t, pluginhost.NoticedWithin, 5*time.Second)
		w, p := open(t)
		status, _ := w.Do(t.Context(), moduletest.Call{Method: http.MethodPut, Path: "/fixture/notes/kept", Body: `{"text":"before"}`})
		require.Equal(t, http.StatusOK, status)
		known, err := p.Running().Browser(json.RawMessage(`{"greeting":"Hallo"}`))
		require.NoError(t, err)
		require.Equal(t, pluginhost.StateUp, p.State())

		underWay := make(chan int)
		go func() {
			status, _ := w.Do(context.Background(), moduletest.Call{Path: "/fixture/hang"})
			underWay <- status
		}()
		require.Eventually(t, func() bool { return p.Handles() == 1 }, hang, time.Millisecond)
		pid, began := stop(t, p), time.Now()
		require.Eventually(t, func() bool { return p.State() == pluginhost.StateHung }, hang, time.Millisecond)
		t.Logf("noticed after %v", time.Since(began))
		require.Equal(t, http.StatusServiceUnavailable, <-underWay, "a running call is aborted")
		t.Logf("a running call was answered after %v", time.Since(began))

		// From now on, calls fail without waiting.
		require.False(t, p.Up())
		status, body := w.Do(t.Context(), moduletest.Call{Path: "/fixture/hello"})
		require.Equal(t, http.StatusServiceUnavailable, status)
		require.Contains(t, string(body), problem.CodeUnavailable)
		second, err := p.Running().Browser(json.RawMessage(`{"greeting":"Hallo"}`))
		require.NoError(t, err, "pages use the cached settings")
		require.JSONEq(t, string(known), string(second))
		_, err = p.Running().Browser(json.RawMessage(`{"greeting":"Moi"}`))
		require.Error(t, err)
		ctx, _ := w.Hub.ScopeFor(moduletest.LabelOne, "fixture")
		require.ErrorIs(t, w.Registry.Snapshot().Modules["fixture"].Handle(ctx, module.Event{ID: "1", Type: "fixture.note_saved"}),
			problem.ErrRetry, "events wait")

		// Other modules are not affected.
		r, err := http.NewRequestWithContext(w.Hub.Enter(t.Context(), scope.Scope{Label: moduletest.LabelOne}, "other"), http.MethodGet,
			"http://other/other", nil)
		require.NoError(t, err)
		resp, err := w.Hub.Client(module.Manifest{Key: registry.Core}).Do(r)
		require.NoError(t, err)
		require.Equal(t, http.StatusNoContent, resp.StatusCode)

		require.Eventually(t, func() bool { return p.Up() && p.PID() != pid }, hang, 5*time.Millisecond, "it is killed and started again")
		t.Logf("back after %v", time.Since(began))
		require.Error(t, syscall.Kill(pid, 0), "the hung process has exited")
		status, body = w.Do(t.Context(), moduletest.Call{Path: "/fixture/notes"})
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, string(body), "before")
		require.Zero(t, p.Handles(), "a handle outlived its call")
		require.EqualValues(t, 1, p.Restarts())
	})
}

// A process that was only slow is used again.
func TestAPluginThatAnswersAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: plugins that hang, crash and take too much")
	}
	t.Parallel() // most of the test is waiting
	w, p := open(t)
	pid := stop(t, p)
	require.Eventually(t, func() bool { return !p.Up() }, hang, time.Millisecond)
	require.NoError(t, syscall.Kill(pid, syscall.SIGCONT))
	require.Eventually(t, p.Up, hang, time.Millisecond)
	require.Equal(t, pid, p.PID())
	require.Zero(t, p.Restarts())
	status, _ := w.Do(t.Context(), moduletest.Call{Path: "/fixture/hello"})
	require.Equal(t, http.StatusOK, status)
}

// A hanging plugin does not delay the shutdown of the portal, regardless of whether the hang was detected.
func TestHungPluginDoesNotDelayAShutdown(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: plugins that hang, crash and take too much")
	}
	t.Parallel() // most of the test is waiting
	w, p := open(t)
	pid := stop(t, p)
	closed := make(chan error, 1)
	go func() { closed <- w.Plugins.Close() }()
	select {
	case err := <-closed:
		require.NoError(t, err)
	case <-time.After(hang):
		t.Fatal("the shutdown waits for a process that does not answer")
	}
	require.Error(t, syscall.Kill(pid, 0))
}
