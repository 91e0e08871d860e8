package pluginhost_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/moduletest"
)

// view describes the user of a plugin's process, and what the process can access by itself. An empty error means that access succeeded.
type view struct {
	UID, GID int
	Groups   []int
	Cores    int
	Read     string
	Dial     string
}

func (h *testPortal) sees(file, address string) (v view) {
	h.t.Helper()
	status, _, body, err := h.get(fmt.Sprintf("/unruly/see?read=%s&dial=%s", url.QueryEscape(file), url.QueryEscape(address)))
	require.NoError(h.t, err)
	require.Equal(h.t, http.StatusOK, status, body)
	require.NoError(h.t, json.Unmarshal([]byte(body), &v))
	return v
}

// sandboxed returns a folder with the plugin unruly and the given grants of the operator.
func sandboxed(t *testing.T, grants string) string {
	t.Helper()
	dir := moduletest.PluginsDir(t, "unruly", unruly)
	_, err := pluginhost.Pack(t.Context(), filepath.Join(dir, "unruly"), "module", "", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	grant(t, dir, grants)
	return dir
}

// refused returns the sentence that explains why a plugin does not start.
func refused(t *testing.T, o pluginhost.Options) string {
	t.Helper()
	hub := moduletest.Open(t, moduletest.Fake("other", func(huma.API) {}), moduletest.Options{}, false).Hub
	if o.Data == "" {
		o.Data = t.TempDir()
	}
	o.Registry, o.Hub, o.Clock, o.Unsafe = registry.New(), hub, &clock.Clock{}, true
	host, err := pluginhost.Open(t.Context(), o)
	require.Error(t, err)
	s := host.Status()
	require.NoError(t, host.Close())
	require.Len(t, s, 1)
	return s[0].Detail
}

// passable returns a folder that every user may pass through.
func passable(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "wattle-sandbox-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o711))
	return dir
}

func TestUser(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: plugins that hang, crash and take too much")
	}
	if runtime.GOOS != "linux" {
		t.Skip("a plugin gets a user of its own on Linux only")
	}
	t.Parallel()
	t.Run("10-contain-user", func(t *testing.T) {
		for user, want := range map[string]string{
			"nobody-at-all": "It does not start: grants.json gives it user nobody-at-all, which this system does not have.",
			"0:1000":        "It does not start: grants.json gives it user 0:1000, which is root or in its group.",
			"1000:0":        "It does not start: grants.json gives it user 1000:0, which is root or in its group.",
			"root":          "It does not start: grants.json gives it user root, which is root or in its group.",
			"a:b":           `It does not start: grants.json gives it user "a:b", which is neither a name nor UID:GID.`,
		} {
			require.Equal(t, want, refused(t, pluginhost.Options{Dir: sandboxed(t, fmt.Sprintf(`{"unruly": {"user": %q}}`, user))}))
		}
		dir := sandboxed(t, `{"*": {"user": "47114:47115"}}`)
		if os.Geteuid() != 0 {
			require.Equal(t, "It does not start: grants.json gives it user 47114:47115, and only a portal that runs as root can start a process of another user.",
				refused(t, pluginhost.Options{Dir: dir}))
			t.Skip("only root can start a process of another user; the rest of the test needs it")
		}
		closed := filepath.Join(passable(t), "closed")
		require.NoError(t, os.Mkdir(closed, 0o700))
		require.Equal(t, "It does not start: user 47114:47115, which grants.json gives it, may not pass through "+closed+": chmod o+x.",
			refused(t, pluginhost.Options{Dir: dir, Data: filepath.Join(closed, "data")}))

		fresh := openPortal(t, pluginhost.Options{Dir: dir, Data: filepath.Join(passable(t), "data")})
		require.Equal(t, 47114, fresh.sees("", "").UID, "at the first start, in a data folder that is new")
		require.Zero(t, fresh.lines.count("plugin is refused"))

		data := filepath.Join(passable(t), "data")
		require.NoError(t, os.MkdirAll(filepath.Join(data, "plugins", "another"), 0o700))
		require.NoError(t, os.MkdirAll(filepath.Join(data, "plugins", "unruly"), 0o700))
		secrets := []string{filepath.Join(data, "wattle.db"), filepath.Join(data, "later"),
			filepath.Join(data, "plugins", "another", "another.db"), filepath.Join(dir, "grants.json")}
		for _, file := range append(secrets, filepath.Join(data, "plugins", "unruly", "of-before")) {
			if filepath.Base(file) != "grants.json" {
				require.NoError(t, os.WriteFile(file, []byte("secret"), 0o644))
			}
		}
		h := openPortal(t, pluginhost.Options{Dir: dir, Data: data, Allow: loopback})
		v := h.sees(secrets[0], "")
		require.Equal(t, []any{47114, 47115}, []any{v.UID, v.GID})
		require.Empty(t, v.Groups)
		for _, file := range secrets {
			require.Contains(t, h.sees(file, "").Read, "permission denied", file)
		}
		for _, own := range []string{"of-before", "wattle.db"} { // an existing file, and one that the plugin has created
			require.Empty(t, h.sees(filepath.Join(data, "plugins", "unruly", own), "").Read)
		}
		require.Equal(t, "204", h.makeCall("http://other/other/fine", false), "it reaches the socket of the portal")
		h.fine("as a user of its own")

		before := h.plugin.PID()
		_, _, _, _ = h.get("/unruly/exit")
		require.Eventually(t, func() bool { return h.plugin.Up() && h.plugin.PID() != before }, hang, 20*time.Millisecond)
		require.Equal(t, 47114, h.sees("", "").UID, "also after it was started again")
	})
}

func TestNetwork(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a plugin can be without a network on Linux only")
	}
	t.Parallel()
	t.Run("10-contain-network", func(t *testing.T) {
		require.Equal(t, "It does not start: grants.json gives it no network, and its database is reached over one: name the folder of PostgreSQL's socket in --database, or use SQLite.",
			refused(t, pluginhost.Options{Dir: sandboxed(t, `{"unruly": {"network": false}}`), Database: "postgres://wattle@db.example.nl/wattle"}))

		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		t.Cleanup(server.Close)
		outside, err := net.Listen("tcp", "0.0.0.0:0")
		require.NoError(t, err)
		t.Cleanup(func() { _ = outside.Close() })
		addresses := map[string]string{"this machine": server.Listener.Addr().String()}
		if own := ownAddress(t); own != "" {
			_, port, err := net.SplitHostPort(outside.Addr().String())
			require.NoError(t, err)
			addresses["its network"] = net.JoinHostPort(own, port)
		}
		open := openPortal(t, pluginhost.Options{Dir: sandboxed(t, `{"unruly": {"network": true}}`), Allow: loopback})
		for name, address := range addresses {
			require.Empty(t, open.sees("", address).Dial, "with a network it reaches "+name)
		}
		dir := sandboxed(t, `{"unruly": {"network": false}}`)
		host, err := pluginhost.Open(t.Context(), pluginhost.Options{Dir: dir, Data: t.TempDir(), Registry: registry.New(), Hub: open.Hub,
			Clock: &clock.Clock{}, Unsafe: true})
		said := ""
		for _, s := range host.Status() {
			said = s.Detail
		}
		require.NoError(t, host.Close())
		if err != nil && os.Geteuid() != 0 {
			require.Contains(t, said, "this system does not let the portal start a process without one")
			t.Skip("this system gives other users than root no network namespace; the rest of the test needs it")
		}
		h := openPortal(t, pluginhost.Options{Dir: dir, Allow: loopback})
		for name, address := range addresses {
			require.Contains(t, h.sees("", address).Dial, "network is unreachable", name)
		}
		require.Contains(t, h.sees("", "192.0.2.1:443").Dial, "network is unreachable", "an address elsewhere")
		require.Equal(t, "200", h.makeCall(server.URL, true), "Host.Web goes through the portal")
		require.Equal(t, "204", h.makeCall("http://other/other/fine", false))
		h.fine("without a network")
	})
}

// ownAddress returns an address of this machine other than loopback, or "" if there is none.
func ownAddress(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() {
			return ip.IP.String()
		}
	}
	return ""
}
