package pluginhost_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

const main = "github.com/wattle-portal/wattle/test/plugin/fixture/plugin"

func open(t *testing.T) (*moduletest.World, *pluginhost.Plugin) {
	t.Helper()
	w := moduletest.Open(t, fixture.Module, moduletest.Options{Main: main, Settings: fixture.Settings{Greeting: "Hallo"},
		Siblings: []module.Module{moduletest.Fake("other", func(api huma.API) {
			module.Route(api, huma.Operation{OperationID: "get", Method: http.MethodGet, Path: "/other"}, module.Public, module.Read,
				func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
		})}}, true)
	require.Len(t, w.Plugins.Plugins(), 1)
	return w, w.Plugins.Plugins()[0]
}

// request makes a call to the fixture in the background, as a customer.
func request(t *testing.T, w *moduletest.World, ctx context.Context, path string) *http.Response {
	t.Helper()
	ctx = w.Hub.Enter(ctx, scope.Scope{Label: moduletest.LabelOne, Role: scope.RoleCustomer, Relation: "relation-1"}, "fixture")
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://fixture"+path, nil)
	require.NoError(t, err)
	resp, err := w.Hub.Client(module.Manifest{Key: registry.Core}).Do(r)
	require.NoError(t, err)
	return resp
}

func TestKilledInTheMiddle(t *testing.T) {
	w, p := open(t)
	status, _ := w.Do(t.Context(), moduletest.Call{Method: http.MethodPut, Path: "/fixture/notes/kept", Body: `{"text":"before"}`})
	require.Equal(t, http.StatusOK, status)

	hanging := make(chan int)
	go func() {
		resp := request(t, w, context.Background(), "/fixture/hang")
		_ = resp.Body.Close()
		hanging <- resp.StatusCode
	}()
	streaming := request(t, w, t.Context(), "/fixture/stream?lines=3&then=hang")
	require.Equal(t, http.StatusOK, streaming.StatusCode)
	begun := make([]byte, 2)
	_, err := io.ReadFull(streaming.Body, begun)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return p.Handles() == 2 }, 5*time.Second, time.Millisecond)

	before := p.PID()
	require.NoError(t, syscall.Kill(before, syscall.SIGKILL))
	require.Equal(t, http.StatusServiceUnavailable, <-hanging)
	_, err = io.ReadAll(streaming.Body)
	require.Error(t, err, "a partial response looks complete")
	require.NoError(t, streaming.Body.Close())

	// It may be up again by now. While it was down, its own paths returned 503, an event was kept, and other modules were not affected.
	ctx, _ := w.Hub.ScopeFor(moduletest.LabelOne, "fixture")
	if !p.Up() {
		status, body := w.Do(t.Context(), moduletest.Call{Path: "/fixture/hello"})
		if status != http.StatusOK {
			require.Equal(t, http.StatusServiceUnavailable, status)
			require.Contains(t, string(body), problem.CodeUnavailable)
			require.NotContains(t, string(body), "sock")
		}
		if err := w.Registry.Snapshot().Modules["fixture"].Handle(ctx, module.Event{ID: "1", Type: "fixture.note_saved"}); err != nil {
			require.ErrorIs(t, err, problem.ErrRetry)
		}
	}
	r, err := http.NewRequestWithContext(w.Hub.Enter(t.Context(), scope.Scope{Label: moduletest.LabelOne}, "other"), http.MethodGet,
		"http://other/other", nil)
	require.NoError(t, err)
	resp, err := w.Hub.Client(module.Manifest{Key: registry.Core}).Do(r)
	require.NoError(t, err)
	require.Equal(t, http.StatusNoContent, resp.StatusCode)

	require.Eventually(t, func() bool { return p.Up() && p.PID() != before }, 20*time.Second, 5*time.Millisecond)
	status, body := w.Do(t.Context(), moduletest.Call{Path: "/fixture/notes"})
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, string(body), "before")
	require.Zero(t, p.Handles(), "a handle outlived its call")
	require.EqualValues(t, 1, p.Restarts())
}

func TestPluginExitsWhenCoreHasExited(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: plugins that hang, crash and take too much")
	}
	_, p := open(t)
	pid := p.PID()
	socket, _ := p.Tokens()
	require.NoError(t, p.CutLifeline())
	require.Eventually(t, func() bool { return p.PID() != pid && p.Up() }, 20*time.Second, 10*time.Millisecond)
	require.Error(t, syscall.Kill(pid, 0))
	require.NoDirExists(t, filepath.Dir(socket))
}

func TestSocketsAreGuarded(t *testing.T) {
	w, p := open(t)
	socket, token := p.Tokens()
	info, err := os.Stat(filepath.Dir(socket))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())

	dial := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}}
	resp, err := dial.Get("http://plugin/fixture/hello")
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, resp.StatusCode, "the plugin answers without the token")

	back := func(token, handle string) int {
		answer, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "http://fixture/fixture/hello", nil)
		r.Header.Set(wire.HeaderToken, token)
		r.Header.Set(wire.HeaderHandle, handle)
		p.Back(answer, r)
		return answer.Code
	}
	require.Equal(t, http.StatusUnauthorized, back("wrong", "wrong"))
	require.Equal(t, http.StatusUnauthorized, back(token, ""))
	require.Equal(t, http.StatusUnauthorized, back(token, "minted"))

	// X-Wattle headers of a client never reach the plugin.
	ctx := w.Hub.Enter(t.Context(), scope.Scope{Label: moduletest.LabelOne, Role: scope.RoleCustomer, Relation: "relation-1"}, "fixture")
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://fixture/fixture/notes", nil)
	require.NoError(t, err)
	r.Header.Set(wire.HeaderCall, string(wire.Call{Scope: scope.Scope{Label: moduletest.LabelTwo, Relation: "relation-9"}}.Encode()))
	resp, err = w.Hub.Client(module.Manifest{Key: registry.Core}).Do(r)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

func TestFolder(t *testing.T) {
	start := func(dir string, digests ...string) error {
		host, err := pluginhost.Open(t.Context(), pluginhost.Options{Dir: dir, Digests: digests, Data: t.TempDir(), Unsafe: true,
			Registry: registry.New(), Hub: moduletest.Open(t, fixture.Module, moduletest.Options{}, false).Hub, Clock: &clock.Clock{}})
		require.NoError(t, host.Close())
		return err
	}
	edit := func(t *testing.T, change func(spec map[string]any, folder string)) string {
		dir := moduletest.PluginsDir(t, "fixture", main)
		folder := filepath.Join(dir, "fixture")
		b, err := os.ReadFile(filepath.Join(folder, "plugin.json"))
		require.NoError(t, err)
		spec := map[string]any{}
		require.NoError(t, json.Unmarshal(b, &spec))
		change(spec, folder)
		b, err = json.Marshal(spec)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, "plugin.json"), b, 0o600))
		return dir
	}
	_, sum := moduletest.Build(t, main)
	t.Run("right", func(t *testing.T) {
		require.NoError(t, start(moduletest.PluginsDir(t, "fixture", main), "SHA256:x", "sha256:"+strings.ToUpper(sum)))
	})
	t.Run("digest not allowed", func(t *testing.T) {
		require.ErrorIs(t, start(moduletest.PluginsDir(t, "fixture", main), strings.Repeat("0", 64)), pluginhost.ErrDigest)
	})
	for name, c := range map[string]struct {
		change func(spec map[string]any, folder string)
		want   error
	}{
		"wrong checksum":  {func(s map[string]any, _ string) { s["sha256"] = strings.Repeat("0", 64) }, pluginhost.ErrChecksum},
		"no checksum":     {func(s map[string]any, _ string) { delete(s, "sha256") }, pluginhost.ErrSpec},
		"another key":     {func(s map[string]any, _ string) { s["key"] = "billing" }, pluginhost.ErrSpec},
		"another version": {func(s map[string]any, _ string) { s["version"] = "9.9.9" }, pluginhost.ErrManifest},
		"core's key":      {func(s map[string]any, _ string) { s["key"] = "core" }, pluginhost.ErrSpec},
		"binary outside":  {func(s map[string]any, _ string) { s["binary"] = "../fixture/module" }, pluginhost.ErrSpec},
		"remote outside":  {func(s map[string]any, _ string) { s["remote"] = "../../x" }, pluginhost.ErrSpec},
		"folder writable": {func(_ map[string]any, f string) { require.NoError(t, os.Chmod(f, 0o777)) }, pluginhost.ErrWritable},
		"binary writable": {func(_ map[string]any, f string) {
			raw, err := os.ReadFile(filepath.Join(f, "module"))
			require.NoError(t, err)
			require.NoError(t, os.Remove(filepath.Join(f, "module"))) // a link to the binary of other tests
			require.NoError(t, os.WriteFile(filepath.Join(f, "module"), raw, 0o700))
			require.NoError(t, os.Chmod(filepath.Join(f, "module"), 0o775))
		}, pluginhost.ErrWritable},
	} {
		t.Run(name, func(t *testing.T) { require.ErrorIs(t, start(edit(t, c.change)), c.want) })
	}
	t.Run("none", func(t *testing.T) { require.NoError(t, start(t.TempDir())) })
}
