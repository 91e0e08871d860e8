// Package partition_test contains tests that run with tables partitioned by label_key, as docs/partitioning.md describes.
package partition_test

import (
	"log/slog"
	"regexp"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/cluster"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules"
)

// The database of a portal in use is partitioned, migrated by a program with an additional module, and partitioned again.
func TestUsedDatabaseIsPartitioned(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: every table partitioned")
	}
	t.Parallel()
	pg := server(t, cluster.Start)
	database := create(t, pg, "used", "template0")
	c := config.Default()
	c.Addr, c.Labels, c.Data, c.Demo, c.Unsafe = "127.0.0.1:0", "../../../../labels", t.TempDir(), true, true
	serve := func(database string, all []module.Module) {
		c := c
		c.Database = database
		a, err := app.New(c, all, fx.Replace(slog.New(slog.DiscardHandler)))
		require.NoError(t, err)
		require.NoError(t, a.Serve(t.Context()))
		require.NoError(t, a.Jobs.RunDue(t.Context()))
		require.Empty(t, storetest.ConstraintsWithoutLabelKey(t, a.Store))
		require.NoError(t, a.Stop(t.Context()))
	}
	const added = "usage" // which creates tables of months itself
	serve(database, slices.DeleteFunc(slices.Clone(modules.All), func(m module.Module) bool { return m.Key == added }))
	plain := create(t, pg, "plain", "used") // remains unpartitioned

	t.Run("11-partition-script", func(t *testing.T) {
		had, schema := rows(t, database), column(t, database, definitions)
		byLabel(t, database, 4)
		require.Equal(t, had, rows(t, database), "no row is lost or changed")
		require.Equal(t, schema, column(t, database, definitions), "columns, keys, indexes and triggers are those of before")
		for _, table := range column(t, database, local) {
			require.Regexp(t, `^goose_`, table)
		}
		require.Contains(t, column(t, database, distributed), "marketplace_entries")
	})
	t.Run("11-partition-append-only", func(t *testing.T) {
		for _, table := range []string{"audit", "audit_p0", "marketplace_entries", "marketplace_entries_p3"} {
			require.ErrorContains(t, try(t, database, "TRUNCATE "+table), "append-only", table)
		}
	})
	t.Run("11-partition-migrate", func(t *testing.T) {
		before := column(t, database, distributed)
		serve(plain, modules.All)
		serve(database, modules.All)
		require.Equal(t, column(t, plain, definitions), column(t, database, definitions), "as in a database that is not partitioned")
		require.Equal(t, before, column(t, database, distributed), "tables of the added module are not partitioned yet")
		byLabel(t, database, 4)
		require.Contains(t, column(t, database, distributed), "usage_days")
		require.Equal(t, column(t, plain, definitions), column(t, database, definitions))
		serve(database, modules.All)
	})
}

// If the script cannot rebuild some tables, it names all of them and changes nothing.
func TestTablesThatCannotBePartitioned(t *testing.T) {
	t.Parallel()
	t.Run("11-partition-refused", func(t *testing.T) {
		pg := server(t, cluster.Start)
		database := create(t, pg, "odd", "template0")
		execute(t, database, "CREATE TABLE a_good (label_key text NOT NULL, id text, PRIMARY KEY (label_key, id))",
			"CREATE TABLE a_unique (label_key text NOT NULL, id text UNIQUE)",
			"CREATE TABLE an_identity (label_key text NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY)",
			"CREATE TABLE generated (label_key text, twice text GENERATED ALWAYS AS (label_key || label_key) STORED)",
			"CREATE TABLE secured (label_key text)", "ALTER TABLE secured ENABLE ROW LEVEL SECURITY",
			"CREATE TABLE watched (label_key text PRIMARY KEY)")
		before := column(t, database, definitions)
		err := try(t, database, scriptFor(t, 4))
		require.ErrorContains(t, err, "a_unique: unique index a_unique_id_key does not contain label_key")
		for _, name := range []string{"an_identity: column id", "generated: column twice", "secured: has row level security"} {
			require.ErrorContains(t, err, name)
		}
		for _, name := range []string{"a_good: ", "watched: "} {
			require.NotContains(t, err.Error(), name, "it could rebuild these")
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
		dropped := regexp.MustCompile(`\b(a_unique|an_identity|generated|secured)`)
		require.Equal(t, slices.DeleteFunc(before, dropped.MatchString), column(t, database, definitions), "nothing was changed")
		byLabel(t, database, 4)
		require.Equal(t, []string{"a_good", "watched"}, column(t, database, distributed))
	})
}
