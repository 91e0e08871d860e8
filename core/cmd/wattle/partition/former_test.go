// Package partition_test contains tests with the tables partitioned by label_key, as docs/partitioning.md describes.
package partition_test

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/app"
	"github.com/wattle-portal/wattle/core/internal/config"
	"github.com/wattle-portal/wattle/core/internal/storetest"
	"github.com/wattle-portal/wattle/core/internal/storetest/cluster"
	"github.com/wattle-portal/wattle/modules"
)

// The database of a former release is partitioned, migrated by this release, and partitioned again.
func TestFormerReleaseIsPartitioned(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: every table partitioned")
	}
	t.Parallel()
	pg := server(t, cluster.Start)
	database := create(t, pg, "former", "template0")
	const folder = "../testdata/former"
	c := config.Default()
	c.Addr, c.Labels, c.Data, c.Demo, c.Unsafe, c.Database = "127.0.0.1:0", filepath.Join(folder, "labels"), t.TempDir(), true, true, database
	storetest.Unpack(t, filepath.Join(folder, "postgres.tar.zst"), c.Data)
	c.SecretFile = filepath.Join(c.Data, "secrets")
	storetest.RestoreDump(t, database, filepath.Join(c.Data, "dump.sql"))
	require.NoError(t, c.Check())
	plain := create(t, pg, "plain", "former") // stays as it is

	t.Run("11-partition-script", func(t *testing.T) {
		had, schema := rows(t, database), column(t, database, definitions)
		byLabel(t, database, 4)
		require.Equal(t, had, rows(t, database), "no row is lost or changed")
		require.Equal(t, schema, column(t, database, definitions), "columns, keys, indexes and triggers are those of before")
		for _, table := range column(t, database, local) {
			require.Regexp(t, `^(goose|river)_`, table) // River is no longer used
		}
		require.Contains(t, column(t, database, distributed), "usage_days")
	})
	t.Run("11-partition-append-only", func(t *testing.T) {
		for _, table := range []string{"audit", "audit_p0", "marketplace_entries", "marketplace_entries_p3"} {
			require.ErrorContains(t, try(t, database, "TRUNCATE "+table), "append-only", table)
		}
	})
	t.Run("11-partition-migrate", func(t *testing.T) {
		var left struct{ Clock time.Time }
		text, err := os.ReadFile(filepath.Join(folder, "postgres.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &left))
		before := column(t, database, distributed)
		serve := func(database string) {
			c := c
			c.Database = database
			a, err := app.New(c, modules.All, fx.Replace(slog.New(slog.DiscardHandler)))
			require.NoError(t, err)
			a.Clock.Set(left.Clock)
			require.NoError(t, a.Serve(t.Context()))
			require.NoError(t, a.Jobs.Pass(t.Context()))
			require.Empty(t, storetest.WithoutLabelKey(t, a.Store))
			require.NoError(t, a.Stop(t.Context()))
		}
		serve(plain)
		serve(database)
		require.Equal(t, column(t, plain, definitions), column(t, database, definitions), "as in a database that is not partitioned")
		require.Equal(t, before, column(t, database, distributed), "tables of this release are not partitioned yet")
		byLabel(t, database, 4)
		require.Greater(t, len(column(t, database, distributed)), len(before))
		require.Equal(t, column(t, plain, definitions), column(t, database, definitions))
		serve(database)
	})
}

// Tables that the script cannot rebuild are all named, and nothing changes.
func TestTablesThatCannotBePartitioned(t *testing.T) {
	t.Parallel()
	t.Run("11-partition-refused", func(t *testing.T) {
		pg := server(t, cluster.Start)
		database := create(t, pg, "odd", "template0")
		execute(t, database, "CREATE TABLE a_good (label_key text NOT NULL, id text, PRIMARY KEY (label_key, id))", "CREATE TABLE a_unique (label_key text NOT NULL, id text UNIQUE)",
			"CREATE TABLE an_identity (label_key text NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY)", "CREATE TABLE generated (label_key text, twice text GENERATED ALWAYS AS (label_key || label_key) STORED)",
			"CREATE TABLE secured (label_key text)", "ALTER TABLE secured ENABLE ROW LEVEL SECURITY", "CREATE TABLE watched (label_key text PRIMARY KEY)")
		before := column(t, database, definitions)
		err := try(t, database, scriptFor(t, 4))
		require.ErrorContains(t, err, "a_unique: unique index a_unique_id_key does not contain label_key")
		for _, name := range []string{"an_identity: column id", "generated: column twice", "secured: has row level security"} {
			require.ErrorContains(t, err, name)
		}
		execute(t, database, "DROP TABLE a_unique, an_identity, generated, secured", "CREATE VIEW seen AS SELECT * FROM watched")
		require.ErrorContains(t, try(t, database, scriptFor(t, 4)), "other objects depend on it")
		require.Empty(t, column(t, database, distributed), "a_good was not partitioned either")
		require.ErrorContains(t, try(t, database, scriptFor(t, 1)), "between 2 and 1024")
		execute(t, database, "DROP VIEW seen")
		conn, err := pgx.Connect(t.Context(), database+"&application_name=wattle")
		require.NoError(t, err)
		require.ErrorContains(t, try(t, database, scriptFor(t, 4)), "stop all processes")
		require.NoError(t, conn.Close(t.Context()))
		require.Subset(t, before, column(t, database, definitions))
		byLabel(t, database, 4)
		require.Equal(t, []string{"a_good", "watched"}, column(t, database, distributed))
	})
}
