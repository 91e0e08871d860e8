package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/backup"
	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storetest"
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
	c, left := unpackFormer(t, "sqlite")
	s := serveFormer(t, c, left)
	_, err := s.Identity.Upsert(t.Context(), identity.Account{Label: "1042", Username: "newest", Name: "Newest", Role: identity.Staff}, "Wattle2026", false)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "backup.tar.zst")
	plugins := []string(nil)
	if c.Plugins != "" {
		plugins = []string{"--plugins", c.Plugins}
	}
	out := must(t, append(flagsOf(c, "backup", file), plugins...)...)
	assert.Regexp(t, "(?s)files in the file store listed.*The identity key is not in it", out)
	assert.FileExists(t, filepath.Join(c.Data, "backup.json"), "it was verified, and wattle doctor knows")
	back := c
	back.Data, back.Labels = filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "labels")
	t.Run("9-restore-refuses", func(t *testing.T) {
		_, err := run(t, flagsOf(c, "restore", file)...)
		require.ErrorIs(t, err, backup.ErrRunning)
		_, err = run(t, flagsOf(back, "restore")...)
		require.ErrorContains(t, err, "name the FILE")
		other := back
		other.Data, other.Labels = filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "labels")
		_, err = run(t, flagsOf(other, "restore", file)...)
		require.ErrorIs(t, err, masterkey.ErrLost, "a backup without its key")
		require.NoFileExists(t, filepath.Join(other.Data, masterkey.File))
	})
	t.Run("9-restore", func(t *testing.T) {
		out := must(t, append(flagsOf(back, "restore", file, "--identity-key", filepath.Join(c.Data, masterkey.File)), plugins...)...)
		assert.Contains(t, out, "0 findings", "the ledger of shares")
		assert.Contains(t, out, "each as it was written", "the log of staff")
		assert.Contains(t, out, "files are missing", "the file store is backed up apart")
		again := serveFormer(t, back, left)
		left.Accounts["newest"] = left.Accounts["household"]
		newest := left.Accounts["newest"]
		newest.Username = "newest"
		left.Accounts["newest"] = newest
		require.NotEmpty(t, again.signIn(t, "newest", "Wattle2026"), "the account that was made last")
		status, _, _ := again.refreshed(t, "1042", left.Cookies["1042"])
		require.Equal(t, 200, status, "sessions go on")
		t.Run("plugin", again.plugin)
	})
	t.Run("9-backup", func(t *testing.T) {
		with := filepath.Join(t.TempDir(), "with-key")
		must(t, flagsOf(c, "backup", with, "--with-key")...)
		third := back
		third.Data, third.Labels = filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "labels")
		third.Plugins = ""
		must(t, flagsOf(third, "restore", with)...)
		info, err := os.Stat(filepath.Join(third.Data, masterkey.File))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		_, err = run(t, flagsOf(withKey(t, third, "a secret that stands in a file of secrets"), "backup", filepath.Join(t.TempDir(), "x"), "--with-key")...)
		require.ErrorContains(t, err, masterkey.SecretName)
	})
}

func backupOfPostgres(t *testing.T) {
	c, left := unpackFormer(t, "postgres")
	c.Plugins = ""
	t.Run("9-backup-postgres", func(t *testing.T) {
		out, err := run(t, flagsOf(c, "backup", "/backups/wattle.tar.zst")...)
		require.Equal(t, exitStatus(2), err, "no script may take it for a backup")
		for _, want := range []string{"pg_dump --format=custom", "pg_restore", "wattle restore", masterkey.SecretName} {
			assert.Contains(t, out, want)
		}
		assert.NotContains(t, out, c.Database, "an address has a password in it")
		s := serveFormer(t, c, left)
		_, err = run(t, flagsOf(c, "restore")...)
		require.ErrorContains(t, err, "a portal is running")
		require.NoError(t, s.Stop(t.Context()))
		out = must(t, flagsOf(c, "restore")...)
		assert.Contains(t, out, "0 findings")
		assert.Contains(t, out, "each as it was written")
		_, err = run(t, flagsOf(c, "restore", "file")...)
		require.ErrorContains(t, err, "pg_dump")
		c.Database = storetest.PostgresConfig(t).URL
		_, err = run(t, flagsOf(c, "restore")...)
		require.ErrorIs(t, err, backup.ErrEmpty, "an audit of nothing finds nothing wrong")
	})
}
