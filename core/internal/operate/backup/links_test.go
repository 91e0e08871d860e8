package backup_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/backup"
)

// A backup contains the content of labels that the portal reaches through symbolic links: the labels folder itself, a label's folder, a
// folder in it and a file in it. A broken link makes the backup fail, so that no backup lacks a label.
func TestBackupOfLinkedLabels(t *testing.T) {
	t.Parallel()
	t.Run("9-backup", func(t *testing.T) {
		s, _, _ := installation(t)
		write := func(file, text string) {
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		}
		link := func(to, name string) { require.NoError(t, os.Symlink(to, name)) }
		elsewhere, labels := t.TempDir(), s.Labels
		write(filepath.Join(elsewhere, "beta", "label.cue"), "beta")
		write(filepath.Join(elsewhere, "pictures", "logo.svg"), "logo")
		write(filepath.Join(elsewhere, "more.cue"), "more")
		link(filepath.Join(elsewhere, "pictures"), filepath.Join(elsewhere, "beta", "assets"))
		link("../more.cue", filepath.Join(elsewhere, "beta", "more.cue"))
		link(filepath.Join(elsewhere, "beta"), filepath.Join(labels, "beta"))
		link("nowhere", filepath.Join(labels, ".#label.cue")) // as an editor creates
		around := filepath.Join(t.TempDir(), "labels")
		link(labels, around)
		s.Labels = around

		file := filepath.Join(t.TempDir(), "b")
		_, err := backup.Write(t.Context(), file, s)
		require.NoError(t, err)
		to := backup.Target{Data: filepath.Join(t.TempDir(), "data"), Labels: filepath.Join(t.TempDir(), "labels")}
		_, _, err = backup.Read(file, to)
		require.NoError(t, err)
		require.NoError(t, os.RemoveAll(elsewhere))
		for name, want := range map[string]string{"alpha/label.cue": "label_key: \"alpha\"\n", "beta/label.cue": "beta",
			"beta/assets/logo.svg": "logo", "beta/more.cue": "more"} {
			text, err := os.ReadFile(filepath.Join(to.Labels, filepath.FromSlash(name)))
			assert.NoError(t, err, name)
			assert.Equal(t, want, string(text), name)
		}

		refused := func(want string) {
			t.Helper()
			file := filepath.Join(t.TempDir(), "b")
			_, err := backup.Write(t.Context(), file, s)
			require.ErrorContains(t, err, want)
			require.NoFileExists(t, file)
		}
		refused(filepath.Join("labels", "beta") + " is a link to nothing")
		require.NoError(t, os.Remove(filepath.Join(labels, "beta")))
		link("..", filepath.Join(labels, "alpha", "circle"))
		refused(filepath.Join("alpha", "circle") + " is a link to a folder that it is in")
	})
}
