package backup_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/storage/files"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

var began = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// installation creates a data folder with the databases of core and of a plugin, and a labels folder.
func installation(t *testing.T) (s backup.Source, core, plugin *store.Store) {
	t.Helper()
	s = backup.Source{Data: t.TempDir(), Labels: t.TempDir(), Version: "1", Now: began}
	core = storetest.Open(t, store.Config{Dir: s.Data, Unsafe: true})
	plugin = storetest.Open(t, store.Config{Dir: filepath.Join(s.Data, "plugins", "acme"), Unsafe: true})
	require.NoError(t, core.Migrate(t.Context(), outbox.Migrations))
	for _, db := range []*store.Store{core, plugin} {
		_, err := db.DB().ExecContext(t.Context(), "CREATE TABLE items (n integer PRIMARY KEY)")
		require.NoError(t, err)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(s.Labels, "alpha", "assets"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(s.Labels, "alpha", "label.cue"), []byte("label_key: \"alpha\"\n"), 0o644))
	var err error
	s.Files, err = files.Open(t.Context(), files.Config{Data: s.Data})
	require.NoError(t, err)
	require.NoError(t, s.Files.Put(t.Context(), "alpha", "a.pdf", bytes.NewReader([]byte("%PDF-1.7\n"))))
	t.Cleanup(func() { require.NoError(t, s.Files.Close()) })
	return s, core, plugin
}

func count(t *testing.T, dir, query string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "wattle.db"))
	require.NoError(t, err)
	require.NoError(t, db.QueryRow(query).Scan(&n))
	require.NoError(t, db.Close())
	return n
}

// A plugin publishes events that core then stores: in a backup, the plugin's database may lack events that core has, but not the reverse.
func TestBackupWhileServing(t *testing.T) {
	t.Run("9-backup,11-restore-root", func(t *testing.T) {
		s, core, plugin := installation(t)
		key := filepath.Join(s.Data, "identity.key")
		require.NoError(t, os.WriteFile(key, []byte("the identity key"), 0o600))
		var written atomic.Int64
		ctx, stop := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			for n := 1; ctx.Err() == nil; n++ {
				for _, db := range []*store.Store{plugin, core} {
					if _, err := db.DB().Exec(fmt.Sprintf("INSERT INTO items VALUES (%d)", n)); err != nil {
						failed <- err
						return
					}
				}
				written.Store(int64(n))
			}
			failed <- nil
		}()
		require.Eventually(t, func() bool { return written.Load() > 100 }, 20*time.Second, time.Millisecond)
		before := int(written.Load())
		file := filepath.Join(t.TempDir(), "b")
		m, err := backup.Write(t.Context(), file, s)
		require.NoError(t, err)
		stop()
		require.NoError(t, <-failed)
		info, err := os.Stat(file)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		assert.Equal(t, []string{"acme"}, m.Plugins)
		_, err = backup.Write(t.Context(), file, s)
		assert.ErrorContains(t, err, "exists already")

		to := backup.Target{Data: filepath.Join(t.TempDir(), "data"), Labels: filepath.Join(t.TempDir(), "labels")}
		_, listed, err := backup.Read(file, to)
		require.NoError(t, err)
		ofPlugin, ofCore := count(t, filepath.Join(to.Data, "plugins", "acme"), "SELECT max(n) FROM items"),
			count(t, to.Data, "SELECT max(n) FROM items")
		assert.GreaterOrEqual(t, ofPlugin, before, "what was there when the backup began is in it")
		assert.GreaterOrEqual(t, ofCore+1, ofPlugin, "plugins before core")
		assert.Equal(t, count(t, to.Data, "SELECT count(*) FROM items"), ofCore, "a moment, without gaps")
		require.Len(t, listed, 1)
		assert.Equal(t, "alpha/a.pdf", listed[0].Name)
		for name, mode := range map[string]os.FileMode{".": 0o700, "wattle.db": 0o600, "plugins/acme/wattle.db": 0o600} {
			info, err := os.Stat(filepath.Join(to.Data, name))
			require.NoError(t, err)
			assert.Equal(t, mode, info.Mode().Perm(), name)
		}
		for name, mode := range map[string]os.FileMode{".": 0o755, "alpha": 0o755, "alpha/label.cue": 0o644} {
			info, err := os.Stat(filepath.Join(to.Labels, name))
			require.NoError(t, err)
			assert.Equal(t, mode, info.Mode().Perm(), name)
		}
		assert.NoFileExists(t, filepath.Join(to.Data, "identity.key"), "it is included on request only")

		s.Key = true
		with := filepath.Join(t.TempDir(), "with-key")
		_, err = backup.Write(t.Context(), with, s)
		require.NoError(t, err)
		to = backup.Target{Data: filepath.Join(t.TempDir(), "data")}
		_, _, err = backup.Read(with, to)
		require.NoError(t, err)
		text, err := os.ReadFile(filepath.Join(to.Data, "identity.key"))
		require.NoError(t, err)
		assert.Equal(t, "the identity key", string(text))
		require.NoError(t, os.Remove(key))
		without := filepath.Join(t.TempDir(), "without")
		_, err = backup.Write(t.Context(), without, s)
		assert.ErrorContains(t, err, "the identity key is not in the data folder")
		assert.NoFileExists(t, without)
	})
}

// Events that core delivered to a plugin during the backup are delivered again, because the plugin's database may be older.
func TestDeliveriesToPluginsRepeat(t *testing.T) {
	t.Run("9-backup-events", func(t *testing.T) {
		s, core, _ := installation(t)
		for id, d := range map[string][3]string{
			"after": {"acme", "DONE", "2026-11-20 10:00:01+00:00"}, "before": {"acme", "DONE", "2026-11-20 09:30:00+00:00"},
			"dead": {"acme", "DEAD", "2026-11-20 10:00:01+00:00"}, "own": {"account", "DONE", "2026-11-20 10:00:01+00:00"},
		} {
			_, err := core.DB().Exec(`INSERT INTO outbox_messages (label_key, module, id, kind, type, payload, at)
				VALUES ('alpha', 'billing', ?, 'event', 'billing.x', '{}', '2026-11-20 09:00:00+00:00')`, id)
			require.NoError(t, err)
			_, err = core.DB().Exec(`INSERT INTO outbox_deliveries (label_key, id, module, message_id, subscriber, state, due_at, attempts, created_at, ended_at)
				VALUES ('alpha', ?, 'billing', ?, ?, ?, '2026-11-20 09:00:00+00:00', 3, '2026-11-20 09:00:00+00:00', ?)`, id, id, d[0], d[1], d[2])
			require.NoError(t, err)
		}
		file := filepath.Join(t.TempDir(), "b")
		_, err := backup.Write(t.Context(), file, s)
		require.NoError(t, err)
		to := backup.Target{Data: filepath.Join(t.TempDir(), "data")}
		_, _, err = backup.Read(file, to)
		require.NoError(t, err)
		assert.Equal(t, 1, count(t, to.Data, "SELECT count(*) FROM outbox_deliveries WHERE state = 'WAITING'"))
		assert.Equal(t, 1, count(t, to.Data, "SELECT count(*) FROM outbox_deliveries WHERE id = 'after' AND state = 'WAITING' AND attempts = 0 AND ended_at IS NULL"))
	})
}

func TestRestoreRefuses(t *testing.T) {
	t.Run("9-restore-refuses", func(t *testing.T) {
		s, _, _ := installation(t)
		file := filepath.Join(t.TempDir(), "b")
		_, err := backup.Write(t.Context(), file, s)
		require.NoError(t, err)
		_, _, err = backup.Read(file, backup.Target{Data: s.Data})
		assert.ErrorIs(t, err, backup.ErrRunning)
		full := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(full, "x"), nil, 0o600))
		empty := func() string { return filepath.Join(t.TempDir(), "new") }
		_, _, err = backup.Read(file, backup.Target{Data: full})
		assert.ErrorIs(t, err, backup.ErrNotEmpty)
		entries, err := os.ReadDir(full)
		require.NoError(t, err)
		assert.Len(t, entries, 1, "only the file that was there")
		data := empty()
		_, _, err = backup.Read(file, backup.Target{Data: data, Labels: s.Labels})
		assert.ErrorIs(t, err, backup.ErrNotEmpty, "labels")
		assert.NoDirExists(t, data)

		text, err := os.ReadFile(file)
		require.NoError(t, err)
		changed := bytes.Clone(text)
		changed[len(changed)/2] ^= 1
		for name, content := range map[string][]byte{"changed": changed, "cut off": text[:len(text)-20], "half": text[:len(text)/2], "empty": {},
			"another": []byte("hello")} {
			bad, to := filepath.Join(t.TempDir(), "bad"), empty()
			require.NoError(t, os.WriteFile(bad, content, 0o600))
			_, _, err := backup.Read(bad, backup.Target{Data: to})
			assert.ErrorIs(t, err, backup.ErrDamaged, name)
			assert.NoDirExists(t, to, "nothing of it is put back")
		}
		_, _, err = backup.Read(file, backup.Target{Data: empty()})
		assert.NoError(t, err, "the file itself is good")
	})
}
