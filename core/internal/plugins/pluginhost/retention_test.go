package pluginhost

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"log/slog"

	"github.com/stretchr/testify/require"
)

func TestRetention(t *testing.T) {
	data := t.TempDir()
	l := newLogs(data)
	log := Options{Log: slog.New(slog.DiscardHandler), logs: l}.logger("acme")
	line := func(at, message string) string {
		return `{"time":"` + at + `","level":"INFO","msg":"` + message + `"}` + "\n"
	}
	write := func(name string, lines ...string) {
		require.NoError(t, os.MkdirAll(l.dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(l.dir, name), []byte(strings.Join(lines, "")), 0o600))
	}
	messages := func(key string) (out []string) {
		lines, err := ReadLog(data, key, time.Time{})
		require.NoError(t, err)
		for _, l := range lines {
			out = append(out, l.Message)
		}
		return out
	}
	t.Run("11-retention-logs,10-plugin-logs", func(t *testing.T) {
		require.NoError(t, l.purge(time.Now()), "there is no folder yet")
		write("acme.log.1", line("2026-10-01T00:00:00Z", "one"), line("2026-10-20T00:00:00Z", "two"))
		write("acme.log", line("2026-10-24T00:00:00Z", "three"), "torn\n", line("2026-10-26T00:00:00Z", "four"))
		write("gone.log", line("2026-10-01T00:00:00Z", "old"))
		write("notes.txt", "mine")
		log.Info("five")
		before := time.Date(2026, 10, 10, 0, 0, 0, 0, time.UTC)
		require.NoError(t, l.purge(before))
		require.Equal(t, []string{"two", "three", "four", "five"}, messages("acme"))
		require.NoFileExists(t, filepath.Join(l.dir, "gone.log"))
		require.NoError(t, l.purge(before.AddDate(0, 0, 15)))
		require.Equal(t, []string{"four", "five"}, messages("acme"))
		require.NoFileExists(t, filepath.Join(l.dir, "acme.log.1"))
		log.Info("six")
		require.Equal(t, []string{"four", "five", "six"}, messages("acme"), "the plugin goes on logging")
		info, err := os.Stat(filepath.Join(l.dir, "acme.log"))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		require.NoError(t, l.purge(time.Now().Add(time.Minute)))
		log.Info("seven")
		require.Equal(t, []string{"seven"}, messages("acme"))
		require.FileExists(t, filepath.Join(l.dir, "notes.txt"))
	})
}
