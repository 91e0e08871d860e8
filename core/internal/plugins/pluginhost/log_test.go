package pluginhost_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
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

// The first line after a full second starts a new second. Of the lines that a plugin logs within it, those after the first 200 are dropped.
func TestMostLinesOfAPlugin(t *testing.T) {
	t.Run("10-contain-log", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			log := pluginhost.NewLogger(slog.New(slog.NewJSONHandler(&out, nil)))
			type line struct {
				Level, Msg string
				Lines      int
			}
			// written returns the lines that were written since the last call. Of a line by the plugin itself, only the message matters.
			written := func() (all []line) {
				for d := json.NewDecoder(&out); d.More(); {
					var l line
					require.NoError(t, d.Decode(&l))
					all = append(all, l)
				}
				return all
			}
			own := func(n int) []line { return slices.Repeat([]line{{Level: "INFO", Msg: "a line"}}, n) }
			lost := func(n int) line {
				return line{"WARN", "plugin is contained: it logs too much; lines are left out", n}
			}
			flood := func(n int) {
				for range n {
					log.Info("a line")
				}
			}
			flood(200)
			require.Equal(t, own(200), written(), "as many as it may")
			flood(1)
			require.Empty(t, written(), "one more")
			flood(799)
			time.Sleep(time.Second - time.Nanosecond)
			flood(1)
			require.Empty(t, written(), "the second is not over")
			time.Sleep(time.Nanosecond)
			flood(1000)
			require.Equal(t, append([]line{lost(801)}, own(200)...), written(), "all that were left out are counted")
			time.Sleep(time.Second)
			flood(1)
			require.Equal(t, append([]line{lost(800)}, own(1)...), written())
			time.Sleep(time.Second)
			flood(200)
			require.Equal(t, own(200), written(), "nothing was left out since")
		})
	})
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
