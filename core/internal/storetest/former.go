package storetest

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// Unpack unpacks a .tar.zst file into a folder.
func Unpack(t testing.TB, file, into string) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer func() { _ = f.Close() }() // opened for reading only
	z, err := zstd.NewReader(f)
	require.NoError(t, err)
	defer z.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		require.True(t, filepath.IsLocal(h.Name), h.Name)
		name, mode := filepath.Join(into, h.Name), os.FileMode(h.Mode).Perm()
		if h.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(name, mode))
			continue
		}
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, content, mode))
	}
}

// RestoreDump restores a dump of pg_dump, with the role of plugin fixture if it has a schema, which belongs to the server and not to the database.
func RestoreDump(t testing.TB, database, file string) {
	t.Helper()
	dump, err := os.ReadFile(file)
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	const owner = `DO $$ DECLARE t text; BEGIN
		IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'wattle_plugin_fixture') THEN RETURN; END IF;
		BEGIN CREATE ROLE wattle_plugin_fixture LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END;
		ALTER SCHEMA wattle_plugin_fixture OWNER TO wattle_plugin_fixture;
		FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'wattle_plugin_fixture' LOOP
			EXECUTE format('ALTER TABLE wattle_plugin_fixture.%I OWNER TO wattle_plugin_fixture', t);
		END LOOP;
	END $$`
	for _, statements := range []string{string(dump), "RESET search_path", owner} {
		_, err = conn.PgConn().Exec(t.Context(), statements).ReadAll()
		require.NoError(t, err)
	}
}
