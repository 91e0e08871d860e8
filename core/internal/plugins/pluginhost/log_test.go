package pluginhost_test

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

// Stopping a plugin may break its connection during a write, which is not an error of the portal.
func TestConnectionErrorsHaveLevelDebug(t *testing.T) {
	var out bytes.Buffer
	log := pluginhost.NewLogger(slog.New(slog.NewTextHandler(&out, nil)))
	log.Named("yamux").StandardLogger(&hclog.StandardLoggerOptions{InferLevels: true}).
		Print("[ERR] yamux: Failed to write body: broken pipe")
	log.Named("fixture").Error("yamux: Failed to write header: broken pipe", "timestamp", "now", "@module", "yamux") // logged by the process
	require.Empty(t, out.String())
	log.Error("error of the module")
	require.Contains(t, out.String(), "level=ERROR msg=\"error of the module\"")
}

func TestLogOfAPlugin(t *testing.T) {
	t.Run("10-plugin-logs", func(t *testing.T) {
		data := t.TempDir()
		l := pluginhost.NewPluginLog(data, "tide")
		for line, want := range map[string]string{
			"postgres://tide:geheim@db/tide":              "postgres://tide:…@db/tide",
			"Authorization: Bearer abcdefgh":              "Authorization: Bearer …",
			"got eyJhbGciOi.eyJzdWIiOiI.c2lnbmF0dXJl now": "got … now",
			"key wk_live_123 used":                        "key … used",
			"password=geheim&user=a":                      "password=…&user=a",
			`{"client_secret": "geheim", "a": 1}`:         `{"client_secret": "…", "a": 1}`,
			"nothing to hide":                             "nothing to hide",
		} {
			l.Info(line, "password", "geheim")
			all, err := pluginhost.ReadLog(data, "tide", time.Now().Add(-time.Minute))
			require.NoError(t, err)
			last := all[len(all)-1]
			require.Equal(t, want, last.Message)
			require.Equal(t, "…", last.Fields["password"])
		}
		l.Info(strings.Repeat("long ", 100_000))
		all, err := pluginhost.ReadLog(data, "tide", time.Now().Add(-time.Minute))
		require.NoError(t, err)
		require.Less(t, len(all[len(all)-1].Message), 2100, "a long text is cut")
		for range 2500 {
			l.Info(strings.Repeat("x", 1000))
		}
		entries, err := os.ReadDir(filepath.Join(data, "plugin-logs"))
		require.NoError(t, err)
		require.Len(t, entries, 2)
		for _, e := range entries {
			info, err := e.Info()
			require.NoError(t, err)
			require.LessOrEqual(t, info.Size(), int64(1<<20), "its size is bounded")
			require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
		}
		all, err = pluginhost.ReadLog(data, "tide", time.Now().Add(-time.Minute))
		require.NoError(t, err)
		require.Greater(t, len(all), 900)
		all, err = pluginhost.ReadLog(data, "tide", time.Now().Add(time.Minute))
		require.NoError(t, err)
		require.Empty(t, all)
	})
}
