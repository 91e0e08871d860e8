package storetest

import (
	"context"
	"sort"
	"strings"
	"testing"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// RequireLabelKeys fails for every primary key, unique constraint, unique index and foreign key that does not contain label_key, and for
// every table without a primary key. It ignores goose's own tables.
func RequireLabelKeys(t testing.TB, s *store.Store) {
	t.Helper()
	for _, what := range ConstraintsWithoutLabelKey(t, s) {
		t.Errorf("%s does not contain label_key", what)
	}
}

// ConstraintsWithoutLabelKey returns the constraints for which RequireLabelKeys fails, read from the catalog of the open database.
func ConstraintsWithoutLabelKey(t testing.TB, s *store.Store) []string {
	t.Helper()
	query := postgresKeys
	if s.Engine() == store.SQLite {
		query = sqliteKeys
	}
	rows, err := s.Read().QueryContext(context.Background(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var table, what string
		if err := rows.Scan(&table, &what); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(table, "goose_") {
			out = append(out, table+": "+what)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	sort.Strings(out)
	return out
}

const sqliteKeys = `
SELECT t.name, 'primary key' FROM pragma_table_list t
WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
  AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) c WHERE c.pk > 0 AND c.name = 'label_key')
UNION ALL
SELECT t.name, 'unique ' || i.name FROM pragma_table_list t, pragma_index_list(t.name) i
WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND i."unique" AND i.origin <> 'pk'
  AND NOT EXISTS (SELECT 1 FROM pragma_index_info(i.name) c WHERE c.name = 'label_key')
UNION ALL
SELECT DISTINCT t.name, 'foreign key to ' || f."table" FROM pragma_table_list t, pragma_foreign_key_list(t.name) f
WHERE t.schema = 'main' AND t.type = 'table'
  AND NOT EXISTS (SELECT 1 FROM pragma_foreign_key_list(t.name) g WHERE g.id = f.id AND g."from" = 'label_key' AND coalesce(g."to", 'label_key') = 'label_key')`

const postgresKeys = `
SELECT c.relname, 'primary key' FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
  AND NOT EXISTS (SELECT 1 FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
                  WHERE k.conrelid = c.oid AND k.contype = 'p' AND a.attname = 'label_key')
UNION ALL
SELECT c.relname, 'unique ' || i.indexrelid::regclass FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND i.indisunique AND NOT i.indisprimary
  AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey) AND a.attname = 'label_key')
UNION ALL
SELECT c.relname, 'foreign key ' || k.conname FROM pg_class c JOIN pg_constraint k ON k.conrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND k.contype = 'f'
  AND NOT EXISTS (SELECT 1 FROM unnest(k.conkey, k.confkey) AS p(mine, theirs)
                  JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = p.mine AND a.attname = 'label_key'
                  JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = p.theirs AND b.attname = 'label_key')`
