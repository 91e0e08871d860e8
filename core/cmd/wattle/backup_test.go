package main

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/stored"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/modules"
)

func TestBackupAndRestore(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole data folders")
	}
	t.Parallel()
	t.Run("sqlite", backupOfSQLite)
	t.Run("postgres", backupOfPostgres)
}

// A portal with orders, files and a plugin is backed up while it serves.
func backupOfSQLite(t *testing.T) {
	c, left := unpackToday(t, stored.SQLite)
	labels := t.TempDir()
	require.NoError(t, os.CopyFS(labels, os.DirFS(c.Labels)))
	apptest.WriteLabel(t, labels, apptest.Label{Key: "9001", CUE: "modules: fixture: {}"}, modules.All)
	c.Labels, c.Plugins = labels, moduletest.PluginsDir(t, "fixture", "github.com/wattle-portal/wattle/test/plugin/fixture/plugin")
	s := serveStored(t, c, left)
	notes := func(s *storedPortal, method, path string, body any) string {
		a := s.in(t, "9001", method, "/fixture/notes"+path, s.For(t).Portal().Customer("9001", "noted").Bearer, body)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		return string(a.Body)
	}
	notes(s, http.MethodPut, "/one", map[string]string{"text": "before the backup"})
	_, err := s.Identity.Upsert(t.Context(), identity.Account{Label: "1042", Username: "newest", Name: "Newest", Role: identity.Staff},
		"Wattle2026", false)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "backup.tar.zst")
	out := must(t, flagsOf(c, "backup", file, "--plugins", c.Plugins)...)
	assert.Regexp(t, "(?s)files in the file store listed.*The identity key is not in it", out)
	assert.FileExists(t, filepath.Join(c.Data, "backup.json"), "it was verified, and wattle doctor knows")
	back := c
	back.Data, back.Labels = filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "labels")
	t.Run("9-restore-refuses,9-module-audits", func(t *testing.T) {
		_, err := run(t, flagsOf(c, "restore", file)...)
		require.ErrorIs(t, err, backup.ErrRunning)
		_, err = run(t, flagsOf(back, "restore")...)
		require.ErrorContains(t, err, "missing FILE")
		other := back
		other.Data, other.Labels = filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "labels")
		var r restoreReport
		err = jsonOf(t, &r, flagsOf(other, "restore", file)...)
		require.ErrorIs(t, err, masterkey.ErrLost, "a backup without its key")
		assert.True(t, r.File == file && r.AuditLog == nil && r.Audits == nil, "11-command-json: it is restored, but not audited")
		require.NoFileExists(t, filepath.Join(other.Data, masterkey.File))
		const left = "Then run `wattle audit verify` and `wattle marketplace audit`"
		require.ErrorContains(t, err, left, "9-module-audits")
		other.Data, other.Labels = filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "labels")
		_, err = run(t, flagsOf(other, "restore", file, "--identity-key", filepath.Join(c.Data, masterkey.File), "--files", file)...)
		require.ErrorContains(t, err, left, "9-module-audits: for any other reason too, here a file store that is not a folder")
	})
	t.Run("9-restore", func(t *testing.T) {
		out := must(t, flagsOf(back, "restore", file, "--identity-key", filepath.Join(c.Data, masterkey.File), "--plugins", c.Plugins)...)
		assert.Contains(t, out, "0 findings", "the ledger of shares")
		assert.Contains(t, out, "unchanged", "the log of staff")
		assert.Contains(t, out, "files are missing", "the file store is backed up apart")
		second := serveStored(t, back, left)
		left.Accounts["newest"] = left.Accounts["household"]
		newest := left.Accounts["newest"]
		newest.Username = "newest"
		left.Accounts["newest"] = newest
		require.NotEmpty(t, second.signIn(t, "newest", "Wattle2026"), "the account that was made last")
		status, _, _ := second.refreshed(t, "1042", left.Cookies["1042"])
		require.Equal(t, 200, status, "sessions go on")
		require.Contains(t, notes(second, http.MethodGet, "", nil), "before the backup", "in the database of the plugin")
	})
	t.Run("9-backup", func(t *testing.T) {
		with := filepath.Join(t.TempDir(), "with-key")
		must(t, flagsOf(c, "backup", with, "--with-key")...)
		third := back
		third.Data, third.Labels = filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "labels")
		var r restoreReport
		require.NoError(t, jsonOf(t, &r, flagsOf(third, "restore", with)...))
		assert.NotEmpty(t, r.Missing, "11-command-json: the file store is backed up apart")
		assert.Regexp(t, "0 findings$", r.Audits[0].Labels[0].Output[0], "11-command-json")
		info, err := os.Stat(filepath.Join(third.Data, masterkey.File))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		_, err = run(t, flagsOf(withKey(t, third, "a secret that stands in a file of secrets"), "backup", filepath.Join(t.TempDir(), "x"),
			"--with-key")...)
		require.ErrorContains(t, err, masterkey.SecretName)
	})
}

func backupOfPostgres(t *testing.T) {
	c, left := unpackToday(t, stored.Postgres)
	t.Run("9-backup-postgres", func(t *testing.T) {
		out, err := run(t, flagsOf(c, "backup", "/backups/wattle.tar.zst")...)
		require.Equal(t, exitStatus(2), err, "no script may take it for a backup")
		for _, want := range []string{"pg_dump --format=custom", "pg_restore", "wattle restore", masterkey.SecretName} {
			assert.Contains(t, out, want)
		}
		assert.NotContains(t, out, c.Database, "an address has a password in it")
		s := serveStored(t, c, left)
		_, err = run(t, flagsOf(c, "restore")...)
		require.ErrorContains(t, err, "a portal is running")
		require.NoError(t, s.Stop(t.Context()))
		out = must(t, flagsOf(c, "restore")...)
		assert.Contains(t, out, "0 findings")
		assert.Contains(t, out, "unchanged")
		_, err = run(t, flagsOf(c, "restore", "file")...)
		require.ErrorContains(t, err, "pg_dump")
		c.Database = storetest.PostgresConfig(t).URL
		_, err = run(t, flagsOf(c, "restore")...)
		require.ErrorIs(t, err, backup.ErrEmpty, "an audit of nothing finds nothing wrong")
	})
}
