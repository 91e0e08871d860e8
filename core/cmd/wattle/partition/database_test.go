package partition_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest/cluster"
)

// script is the SQL script that operators run.
const script = "../../../../deploy/postgres/partition-by-label.sql"

// server starts a separate PostgreSQL server, because its log contains the plan of every statement after explain is called.
func server(t *testing.T, start func() (*cluster.Cluster, error)) *cluster.Cluster {
	t.Helper()
	c, err := start()
	if os.Getenv("WATTLE_REQUIRE_POSTGRES") != "1" && err == cluster.ErrMissing { //nolint:errorlint // start returns this error unchanged
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Stop() }) // the server may have been killed
	return c
}

// execute runs statements in a database.
func execute(t *testing.T, database string, statements ...string) {
	t.Helper()
	require.NoError(t, try(t, database, statements...))
}

func try(t *testing.T, database string, statements ...string) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	for _, s := range statements {
		if _, err := conn.PgConn().Exec(t.Context(), s).ReadAll(); err != nil {
			return err
		}
	}
	return nil
}

// column returns the strings that a query selects.
func column(t *testing.T, database, query string) []string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	rows, err := conn.Query(t.Context(), query)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err, query)
	return found
}

// create creates a database as a copy of another, and returns its URL.
func create(t *testing.T, c *cluster.Cluster, name, template string) string {
	t.Helper()
	execute(t, c.URL, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s STRATEGY file_copy", name, template))
	u, err := url.Parse(c.URL)
	require.NoError(t, err)
	u.Path = "/" + name
	return u.String()
}

// byLabel partitions the tables of a database by label_key.
func byLabel(t *testing.T, database string, parts int) {
	t.Helper()
	execute(t, database, scriptFor(t, parts))
}

func scriptFor(t *testing.T, parts int) string {
	t.Helper()
	text, err := os.ReadFile(script)
	require.NoError(t, err)
	return fmt.Sprintf("SET wattle.partitions = %d;", parts) + string(text)
}

// Tables of the public schema that have no label and are not partitions.
const local = `SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition ORDER BY 1`

// Tables that are partitioned by label_key.
const distributed = `SELECT c.relname::text FROM pg_class c JOIN pg_partitioned_table p ON p.partrelid = c.oid
	WHERE c.relnamespace = 'public'::regnamespace AND p.partstrat = 'h' AND NOT c.relispartition ORDER BY 1`

// The definition of a table, in a form that does not depend on whether it is partitioned.
const definitions = `SELECT x FROM (
	SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
		|| ' ' || a.attcollation AS x
	FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
	WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
	UNION ALL SELECT c.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid) FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
	WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND (k.contype <> 'f' OR k.conparentid = 0)
		AND NOT EXISTS (SELECT FROM pg_class f WHERE f.oid = k.confrelid AND f.relispartition)
	UNION ALL SELECT replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
	WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
	UNION ALL SELECT pg_get_triggerdef(g.oid) FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
	WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND NOT g.tgisinternal) AS all_of_them ORDER BY 1`

// rows returns every table with the number of its rows and a checksum of them.
func rows(t *testing.T, database string) []string {
	t.Helper()
	var each []string
	for _, table := range column(t, database,
		`SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`) {
		each = append(each, fmt.Sprintf(`SELECT '%[1]s ' || count(*) || ' ' || coalesce(md5(string_agg(md5(x::text), '' ORDER BY md5(x::text))), '') FROM %[1]s AS x`, table))
	}
	return column(t, database, strings.Join(each, " UNION ALL ")+" ORDER BY 1")
}
