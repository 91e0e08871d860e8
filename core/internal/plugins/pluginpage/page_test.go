package pluginpage_test

import (
	"context"
	"encoding/json"
	"errors"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginpage"
	"github.com/wattle-portal/wattle/core/module"
)

var now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// source contains plugin tide in two versions, a plugin that is refused and a plugin that is disabled.
func source() pluginpage.Source {
	tide := func(version string) pluginhost.Detail {
		return pluginhost.Detail{
			Status: pluginhost.Status{Folder: "tide@" + version, Key: "tide", Version: version, Serving: version, State: pluginhost.StateUp,
				Contract:  1,
				Requested: pluginhost.Permissions{Modules: []string{"account"}, Core: []string{"files", "accounts"}, Hosts: []string{"api.example.nl"}},
				Granted:   pluginhost.Permissions{Modules: []string{"account"}, Core: []string{"files"}, Hosts: []string{"api.example.nl"}}},
			Limits: pluginhost.Limits{Timeout: 10 * time.Second, Calls: 32, Rate: 200, Memory: 256 << 20, Cores: 2},
			Process: &pluginhost.Process{PID: 4711, Since: now.Add(-3 * time.Hour), Restarts: 2, Calls: 5, Memory: 31 << 20, User: "wattle-tide",
				NoNetwork: true},
			Manifest: &module.Manifest{Settings: `#Settings: {
	// How high the water may rise.
	height: int & >=1 & <=20 | *2 // v` + version + `
	station?: string
}`},
		}
	}
	older := tide("1.9.0")
	older.Requested = pluginhost.Permissions{Modules: []string{"billing"}, Core: []string{"limits"}, Hosts: []string{"old.example.nl"}}
	older.Granted = pluginhost.Permissions{Hosts: []string{"old.example.nl"}}
	modules := func(key string) map[string]json.RawMessage {
		return map[string]json.RawMessage{key: json.RawMessage(`{}`)}
	}
	return pluginpage.Source{Dir: "/srv/plugins", Version: "1.2.3", Now: func() time.Time { return now },
		Details: func(context.Context) []pluginhost.Detail {
			return []pluginhost.Detail{
				{Status: pluginhost.Status{State: pluginhost.StateRefused, Detail: "File grants.json is not valid."}},
				older, tide("1.10.0"),
				{Status: pluginhost.Status{Folder: "ebb", Key: "ebb", Version: "1.0.0", State: pluginhost.StateRefused,
					Detail: "The checksum of <ebb> is another one."}},
				{Status: pluginhost.Status{Folder: "gust", Key: "gust", Version: "1.0.0", State: pluginhost.StateDisabled,
					Detail: "It is disabled; wattle plugins enable gust brings it back."}},
			}
		},
		Labels: func() []*label.Label {
			return []*label.Label{
				{Key: "1024", Modules: modules("tide")},
				{Key: "1042", Modules: modules("tide"), Plugins: map[string]label.Plugin{"tide": {Version: "1.9.0",
					Canary: &label.Canary{Version: "1.10.0", Percent: 10}}}},
				{Key: "1060", Missing: []string{"ebb"}},
				{Key: "2001", Modules: modules("billing")},
			}
		},
		Log: func(key string, since time.Time) ([]pluginhost.LogLine, error) {
			if key != "tide" || !since.Equal(now.Add(-time.Hour)) {
				return nil, errors.New("there is no log")
			}
			return []pluginhost.LogLine{
				{Time: now.Add(-2 * time.Minute), Level: slog.LevelInfo, Message: "first",
					Fields: map[string]any{"plugin": "tide", "version": "1.9.0"}},
				{Time: now.Add(-90 * time.Second), Level: slog.LevelError, Message: "broken"},
				{Time: now.Add(-time.Minute), Level: slog.LevelWarn, Message: "<script>alert(1)</script>", Fields: map[string]any{"path": "/tide"}},
			}, nil
		}}
}

// get returns a page, and its text without HTML elements.
func get(t *testing.T, s pluginpage.Source, path string) (status int, header http.Header, page, text string) {
	t.Helper()
	w := httptest.NewRecorder()
	pluginpage.Handler(s).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	page = w.Body.String()
	text = regexp.MustCompile(`(?s)<style>.*</style>|<[^>]*>`).ReplaceAllString(page, " ")
	return w.Code, w.Header(), page, strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}

func TestPagesOfPlugins(t *testing.T) {
	t.Run("10-page-plugins", func(t *testing.T) {
		status, header, page, text := get(t, source(), "/plugins")
		require.Equal(t, 200, status)
		require.Contains(t, text, "3 in /srv/plugins · 1 needs attention", "a disabled plugin is as the operator wants it")
		require.Contains(t, text, "File grants.json is not valid.")
		require.Contains(t, text, "ebb refused Version 1.0.0 in folder ebb The checksum of <ebb> is another one. Labels: 1060 served without it")
		require.Contains(t, text, "gust disabled Version 1.0.0 in folder gust It is disabled; wattle plugins enable gust brings it back. No label uses it.")
		require.Contains(t, text, "tide serves Version 1.10.0 serves for 3 hours Version 1.9.0 serves for 3 hours Labels: 1024 1.10.0 , 1042 1.9.0; 10% of its customers 1.10.0")
		require.NotContains(t, text, "2001")
		require.NotContains(t, page, "<script")
		require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'")
		require.NotContains(t, header.Get("Content-Security-Policy"), "script-src")
		require.Equal(t, "no-store", header.Get("Cache-Control"))

		_, _, _, text = get(t, source(), "/plugins/tide")
		require.Contains(t, text, "Version 1.10.0 serves Serves 1.10.0 Folder tide@1.10.0 Contract 1 Runs for 3 hours Started again 2 times Process 4711 User wattle-tide Network none of its own Running calls 5 Memory 31 MiB of 256 MiB Cores 2")
		require.Contains(t, text, "Labels 1024 1.10.0 1042 1.9.0; 10% of its customers 1.10.0")
		_, _, _, text = get(t, source(), "/plugins/ebb")
		require.Contains(t, text, "The checksum of <ebb> is another one. Serves nothing")
		status, _, _, text = get(t, source(), "/plugins/none")
		require.Equal(t, 404, status)
		require.Contains(t, text, "There is no such plugin")

		s := source()
		for state, want := range map[string]string{pluginhost.StateHung: "does not answer", pluginhost.StateDown: "does not run"} {
			s.Details = func(context.Context) []pluginhost.Detail {
				return []pluginhost.Detail{{Status: pluginhost.Status{Folder: "tide", Key: "tide", Version: "1.9.0", State: state,
					Detail: "Nobody knows why."}}}
			}
			_, _, _, text = get(t, s, "/plugins")
			require.Contains(t, text, "1 in /srv/plugins · 1 needs attention", state)
			require.Contains(t, text, "tide "+want+" Version 1.9.0 in folder tide Nobody knows why.", state)
		}
		s.Details = func(context.Context) []pluginhost.Detail { return nil }
		_, _, _, text = get(t, s, "/plugins")
		require.Contains(t, text, "The folder has no plugins yet.")
		s.Details = nil
		_, _, _, text = get(t, s, "/plugins")
		require.Contains(t, text, "This portal runs without plugins.")
		w := httptest.NewRecorder()
		pluginpage.Handler(s).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/plugins", nil))
		require.Equal(t, http.StatusMethodNotAllowed, w.Code)
	})
	t.Run("10-page-permissions", func(t *testing.T) {
		_, _, _, text := get(t, source(), "/plugins/tide")
		require.Contains(t, text, "It may call Asks for Granted Refused Modules account account nothing Services of core files, accounts files accounts Hosts api.example.nl api.example.nl nothing")
		require.Contains(t, text, "It may call Asks for Granted Refused Modules billing nothing billing Services of core limits nothing limits Hosts old.example.nl old.example.nl nothing",
			"each version has its own")
		require.Contains(t, text, "Deadline 10s Calls at once 32 Calls to others 200 a second")
		_, _, _, text = get(t, source(), "/plugins/ebb")
		require.Contains(t, text, "Services of core does not say")
	})
	t.Run("10-page-settings", func(t *testing.T) {
		_, _, _, text := get(t, source(), "/plugins/tide")
		require.Contains(t, text, "height a whole number, at least 1 and at most 20 How high the water may rise. 2 station a text nothing")
		require.Contains(t, text, "// v1.10.0", "those of the highest version")
		_, _, _, text = get(t, source(), "/plugins/ebb")
		require.Contains(t, text, "Its settings are known once it has run.")
	})
	t.Run("10-page-log", func(t *testing.T) {
		_, _, page, text := get(t, source(), "/plugins/tide")
		require.Contains(t, text, "2026-11-23 11:59:00 WARN <script>alert(1)</script> path=/tide 2026-11-23 11:58:30 ERROR broken "+
			"2026-11-23 11:58:00 INFO first version=1.9.0", "newest first")
		require.NotContains(t, page, "<script")
		_, _, _, text = get(t, source(), "/plugins/tide?level=warn")
		require.Contains(t, text, "2026-11-23 11:59:00 WARN <script>alert(1)</script> path=/tide 2026-11-23 11:58:30 ERROR broken")
		require.NotContains(t, text, "INFO")
		_, _, _, text = get(t, source(), "/plugins/gust")
		require.Contains(t, text, "Nothing has been logged yet.")
	})
}
