package pluginhost_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/moduletest"
)

// loopback contains the addresses of test servers.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// grant writes grants.json, the operator's file.
func grant(t testing.TB, dir, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".grants"), []byte(text), 0o600))
	require.NoError(t, os.Rename(filepath.Join(dir, ".grants"), filepath.Join(dir, "grants.json")))
}

// makeCall makes the plugin call a URL, and returns the status, or the error.
func (h *testPortal) makeCall(of string, web bool) string {
	h.t.Helper()
	status, _, body, err := h.get(fmt.Sprintf("/unruly/call?web=%t&url=%s", web, url.QueryEscape(of)))
	require.NoError(h.t, err)
	require.Equal(h.t, http.StatusOK, status, body)
	var out struct{ Status, Codes map[string]int }
	require.NoError(h.t, json.Unmarshal([]byte(body), &out))
	for s := range out.Status {
		for code := range out.Codes {
			return strings.TrimSpace(s + " " + code)
		}
	}
	for text := range out.Codes {
		return text
	}
	return ""
}

func TestGrants(t *testing.T) {
	t.Parallel() // most of the test is waiting
	var reached atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		if r.Header.Get("X-Wattle-Token") == "" {
			reached.Add(1)
		}
	}))
	t.Cleanup(server.Close)
	elsewhere := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)

	dir := moduletest.PluginsDir(t, "unruly", unruly)
	_, err := pluginhost.Pack(t.Context(), filepath.Join(dir, "unruly"), "module", "", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	const granted = `{"unruly": {"modules": [], "core": ["files"], "hosts": ["127.0.0.1"], "calls": 8, "memory_mib": 512, "timeout": "5s"}}`
	grant(t, dir, granted)
	h := openPortal(t, pluginhost.Options{Dir: dir, Allow: loopback})
	pid := h.plugin.PID()
	const refused = "403 forbidden"
	becomes := func(t *testing.T, want, of string, web bool) {
		t.Helper()
		h := h.on(t)
		require.Eventually(t, func() bool { return h.makeCall(of, web) == want }, hang, 20*time.Millisecond)
	}

	t.Run("10-grant-modules", func(t *testing.T) {
		h := h.on(t)
		require.Equal(t, refused, h.makeCall("http://other/other/fine", false))
		require.Equal(t, refused, h.makeCall("http://other/other/fine", false))
		require.Equal(t, 1, h.lines.count("it calls a module that it does not ask for or was not granted, and is refused"), "one sentence")
		require.Equal(t, refused, h.makeCall("http://stranger/x", false), "the module is not in its Uses")
		h.fine("after calls that were refused")
	})
	t.Run("10-grant-core", func(t *testing.T) {
		h := h.on(t)
		require.NotEqual(t, refused, h.makeCall("http://core/files/x", false))
		require.Equal(t, refused, h.makeCall("http://core/limits", false))
		require.Equal(t, 1, h.lines.count("it calls a service of core that it does not ask for or was not granted, and is refused"))
		grant(t, dir, strings.Replace(granted, `["files"]`, "[]", 1))
		becomes(t, refused, "http://core/files/x", false) // it asks for that
		grant(t, dir, granted)
		require.Eventually(t, func() bool { return h.makeCall("http://core/files/x", false) != refused }, hang, 20*time.Millisecond)
	})
	t.Run("10-grant-hosts", func(t *testing.T) {
		h := h.on(t)
		require.Equal(t, "200", h.makeCall(server.URL, true))
		require.EqualValues(t, 1, reached.Load(), "without the headers of core")
		require.Contains(t, h.makeCall(elsewhere, true), "it does not ask for host localhost, or was not granted it: "+refused)
		require.Contains(t, h.makeCall("http://api.example.nl", true), "was not granted it: "+refused, "it asks for *.example.nl")
		redirecting := server.URL + "?to=" + url.QueryEscape(elsewhere)
		require.Contains(t, h.makeCall(redirecting, true), "it does not ask for host localhost", "nor by a redirect")
		require.EqualValues(t, 1, reached.Load())
		require.Equal(t, 1, h.lines.count("it calls a host that it does not ask for or was not granted, and is refused"))
	})
	t.Run("10-grant-live", func(t *testing.T) {
		grant(t, dir, `{"*": {"hosts": ["*"], "core": ["*"]}}`)
		becomes(t, "204", "http://other/other/fine", false)
		require.Equal(t, pid, h.plugin.PID(), "without a restart")
	})
	t.Run("10-grant-asked", func(t *testing.T) {
		h := h.on(t)
		require.Equal(t, refused, h.makeCall("http://core/limits", false), "plugin.json does not ask for it")
		require.Contains(t, h.makeCall(elsewhere, true), "it does not ask for host localhost")
		require.Equal(t, "200", h.makeCall(server.URL, true))
		s := h.host.Status()[0]
		require.Equal(t, pluginhost.Permissions{Modules: []string{"other"}, Core: []string{"files"},
			Hosts: []string{"127.0.0.1", "*.example.nl"}},
			s.Requested)
		require.Equal(t, s.Requested, s.Granted)
	})
	t.Run("10-grant-invalid", func(t *testing.T) {
		grant(t, dir, `{"*": {"hsots": []}}`)
		require.Eventually(t, func() bool { return len(h.host.Status()) == 2 }, hang, 20*time.Millisecond)
		require.Equal(t, `Grants.json is not valid: unknown field "hsots"; what it said before goes on.`, h.host.Status()[0].Detail)
		h.on(t).fine("while the file is not valid")
		require.Equal(t, "200", h.on(t).makeCall(server.URL, true))
		_, err := pluginhost.Open(t.Context(), pluginhost.Options{Dir: dir, Data: t.TempDir(), Registry: registry.New(), Hub: h.Hub,
			Clock: &clock.Clock{}})
		require.ErrorContains(t, err, "grants.json is not valid", "nothing starts before it is known what it may do")
		for _, text := range []string{`{"unruly": {"timeout": "soon"}}`, `{"unruly": {"memory_mib": 3}}`, `{"unruly": {"calls_per_second": -1}}`,
			`{"unruly": {"cores": -1}}`, `{"Unruly": {}}`, `[`} {
			grant(t, dir, text)
			_, err := pluginhost.Open(t.Context(), pluginhost.Options{Dir: dir, Data: t.TempDir(), Registry: registry.New(), Hub: h.Hub,
				Clock: &clock.Clock{}})
			require.ErrorContains(t, err, "grants.json is not valid", text)
		}
	})
	t.Run("10-grant-limits", func(t *testing.T) {
		grant(t, dir, `{"unruly": {"timeout": "3s", "calls": 7, "calls_per_second": 20, "memory_mib": 99, "cores": 3}}`)
		was := pluginhost.DefaultLimits
		was.Calls, was.Memory, was.Timeout = 8, 512<<20, 5*time.Second
		require.Equal(t, was, h.plugin.Limits(), "a process that runs keeps its limits")
		h := openPortal(t, pluginhost.Options{Dir: dir})
		require.Equal(t, pluginhost.Limits{Timeout: 3 * time.Second, Calls: 7, Rate: 20, Memory: 99 << 20, Cores: 3,
			Answer: pluginhost.DefaultLimits.Answer}, h.plugin.Limits())
		require.Equal(t, 3, h.on(t).sees("", "").Cores)
		began := time.Now()
		h.unavailable("/unruly/hang")
		require.Less(t, time.Since(began), pluginhost.DefaultLimits.Timeout)
		require.Equal(t, max(1, runtime.NumCPU()/2), openPortal(t, pluginhost.Options{}).on(t).sees("", "").Cores, "without grants.json")
	})
}
