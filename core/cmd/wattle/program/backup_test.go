package program_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest/cluster"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/installed"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/stored"
)

// newServer starts a separate PostgreSQL server, creates the role and the database that docs/operations.md describes, and runs more
// statements. It returns the database URLs of that role and of a superuser.
func newServer(t *testing.T, more ...string) (database, super string) {
	t.Helper()
	c, err := cluster.Start()
	if errors.Is(err, cluster.ErrMissing) && os.Getenv("WATTLE_REQUIRE_POSTGRES") != "1" {
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	ask(t, c.URL, append([]string{"CREATE ROLE wattle LOGIN CREATEROLE", "CREATE DATABASE wattle OWNER wattle"}, more...)...)
	super = strings.Replace(c.URL, "/postgres?", "/wattle?", 1)
	return strings.Replace(super, "user=postgres", "user=wattle", 1), super
}

// ask runs statements and returns the single value of the last statement, if it has one.
func ask(t *testing.T, database string, statements ...string) (answer string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	for _, s := range statements {
		r, err := conn.PgConn().Exec(t.Context(), s).ReadAll()
		require.NoError(t, err, s)
		if rows := r[len(r)-1].Rows; len(rows) > 0 {
			answer = string(rows[0][0])
		}
	}
	return answer
}

// The commands that `wattle backup` prints for PostgreSQL are run: the backup on one server, which contains a plugin with data, and the
// restore on another server. Restoring an empty backup is an error.
func TestPrintedBackup(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs the program")
	}
	t.Parallel()
	program := wattle(t, "0.1.0")
	t.Run("9-backup-postgres", func(t *testing.T) {
		dir := t.TempDir()
		unpacked, data, labels := t.TempDir(), filepath.Join(dir, "its data"), filepath.Join(dir, "its labels")
		folder := releases.Today(t, stored.Postgres)
		stored.Unpack(t, folder, stored.Postgres, unpacked)
		require.NoError(t, os.CopyFS(labels, os.DirFS(filepath.Join(folder, "labels"))))
		first, _ := newServer(t, "CREATE ROLE wattle_plugin_fixture LOGIN", "GRANT wattle_plugin_fixture TO wattle")
		stored.Restore(t, first, unpacked)
		ask(t, first, "CREATE SCHEMA wattle_plugin_fixture AUTHORIZATION wattle_plugin_fixture", "SET ROLE wattle_plugin_fixture",
			"CREATE TABLE wattle_plugin_fixture.fixture_notes (label_key text, id text, PRIMARY KEY (label_key, id))",
			"INSERT INTO wattle_plugin_fixture.fixture_notes VALUES ('1024', 'one')")
		bin, err := installed.Binaries()
		require.NoError(t, err)
		path := filepath.Join(dir, "bin")
		require.NoError(t, os.Mkdir(path, 0o700))
		require.NoError(t, os.Symlink(program, filepath.Join(path, "wattle")))
		inShell := func(database, commands string) (string, error) {
			cmd := exec.CommandContext(t.Context(), "/bin/sh", "-eu", "-c", commands)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+path+":"+bin+":"+os.Getenv("PATH"), "WATTLE_DATABASE="+database, "WATTLE_SECRET_FILE="+
				filepath.Join(unpacked, "secrets"))
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		const file = "it's a backup.tar.zst"
		printed, err := inShell(first, fmt.Sprintf(`wattle backup --data '%s' --labels '%s' "%s"`, data, labels, file))
		status, ok := errors.AsType[*exec.ExitError](err)
		require.True(t, ok, printed)
		require.Equal(t, 2, status.ExitCode(), printed)
		require.NoFileExists(t, filepath.Join(dir, file))
		require.NoDirExists(t, data, "nothing is written")
		backup, restore, ok := strings.Cut(printed, "\n# These commands restore")
		require.True(t, ok, printed)
		restore = "#" + restore

		out, err := inShell(first, backup)
		require.NoError(t, err, "%s\n%s", backup, out)
		require.FileExists(t, filepath.Join(data, "backup.json"))
		require.NoError(t, os.Rename(labels, labels+".old"))

		// A database without a portal, and one in which a portal has only created its tables.
		second, super := newServer(t)
		audits := fmt.Sprintf("wattle restore --data='%s' --labels='%s'", data, labels+".old")
		for _, made := range []string{"", fmt.Sprintf("wattle migrate --data='%s' --labels='%s'", data, labels+".old")} {
			out, err = inShell(second, made)
			require.NoError(t, err, out)
			out, err = inShell(second, audits)
			require.Error(t, err, out)
			require.Contains(t, out, "nothing was restored")
		}
		ask(t, strings.Replace(super, "/wattle?", "/postgres?", 1), "DROP DATABASE wattle", "CREATE DATABASE wattle OWNER wattle")

		// A restore that fails, here without the role of the plugin, leaves the database empty.
		out, err = inShell(second, regexp.MustCompile(`(?m)^psql .*$`).ReplaceAllString(restore, ""))
		require.Error(t, err, out)
		require.Contains(t, out, "wattle_plugin_fixture")
		out, err = inShell(second, audits)
		require.Error(t, err, out)
		require.Contains(t, out, "nothing was restored")
		require.NoDirExists(t, labels)

		out, err = inShell(second, restore)
		require.NoError(t, err, "%s\n%s", restore, out)
		assert.Contains(t, out, "0 findings")
		assert.Regexp(t, "[1-9][0-9]* entries, unchanged", out)
		for _, query := range []string{"SELECT count(*) FROM identity_accounts", "SELECT count(*) FROM audit",
			"SELECT string_agg(tablename || ' ' || tableowner, ',' ORDER BY tablename) FROM pg_tables WHERE schemaname = 'wattle_plugin_fixture'",
			"SELECT string_agg(id, ',') FROM wattle_plugin_fixture.fixture_notes"} {
			assert.Equal(t, ask(t, first, query), ask(t, second, query), query)
		}
		text, err := os.ReadFile(filepath.Join(labels, "1024", "label.cue"))
		require.NoError(t, err)
		assert.NotEmpty(t, text)

		out, err = inShell(second, strings.Split(restore, "pg_restore")[0])
		require.NoError(t, err, "the role may be there: %s", out)
	})
}
