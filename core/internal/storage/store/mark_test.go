package store_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

func TestMark(t *testing.T) {
	t.Run("11-plugin-idle-outbox", func(t *testing.T) {
		dir := t.TempDir()
		open := func() *store.Store {
			s, err := store.Open(t.Context(), store.Config{Dir: dir, Unsafe: true})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, s.Close()) })
			return s
		}
		write := func(s *store.Store, text string) {
			require.NoError(t, s.Tx(t.Context(), func(ctx context.Context, tx bun.Tx) error {
				_, err := tx.ExecContext(ctx, text)
				return err
			}))
		}
		age := func() { // as if the last change were a minute ago
			for _, name := range []string{"wattle.db", "wattle.db-wal"} {
				at := time.Now().Add(-time.Minute)
				require.NoError(t, os.Chtimes(filepath.Join(dir, name), at, at))
			}
		}
		mine, another := open(), open()
		write(mine, "CREATE TABLE notes (text TEXT)")

		require.True(t, mine.MayHaveChanged(mine.Mark()), "a change in the same instant would have the same time")
		age()
		seen := mine.Mark()
		require.False(t, mine.MayHaveChanged(seen))
		var n int
		require.NoError(t, another.Read().NewSelect().Table("notes").ColumnExpr("count(*)").Scan(t.Context(), &n))
		require.False(t, mine.MayHaveChanged(seen), "reading changes nothing")

		for range 3 { // writes by another process
			write(another, "INSERT INTO notes VALUES ('new')")
			require.True(t, mine.MayHaveChanged(seen))
			age()
			seen = mine.Mark()
			require.False(t, mine.MayHaveChanged(seen))
		}
	})
}
