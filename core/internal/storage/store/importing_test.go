package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

func TestWrittenByOthers(t *testing.T) {
	t.Run("11-import-alone", func(t *testing.T) {
		config := storetest.SQLiteConfig(t)
		mine, other := storetest.Open(t, config), storetest.Open(t, config)
		write := func(ctx context.Context, s *store.Store, text string) {
			require.NoError(t, s.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
				_, err := tx.ExecContext(ctx, text)
				return err
			}))
		}
		write(t.Context(), mine, "CREATE TABLE notes (text TEXT)")
		importing, err := mine.Importing(t.Context(), false)
		require.NoError(t, err)
		writtenByOthers := func() bool {
			written, err := importing.WrittenByOthers(t.Context())
			require.NoError(t, err)
			return written
		}
		require.True(t, writtenByOthers(), "the first time")
		require.False(t, writtenByOthers())
		imported, _ := store.WithHold(t.Context())
		write(imported, mine, "INSERT INTO notes VALUES ('a')")
		require.False(t, writtenByOthers(), "the import")
		var count int
		require.NoError(t, other.Read().NewRaw("SELECT count(*) FROM notes").Scan(t.Context(), &count))
		write(t.Context(), other, "UPDATE notes SET text = 'b' WHERE text = 'c'")
		require.False(t, writtenByOthers(), "others who read, or changed nothing")
		write(t.Context(), other, "INSERT INTO notes VALUES ('b')")
		write(imported, mine, "INSERT INTO notes VALUES ('c')")
		require.True(t, writtenByOthers(), "another process")
		require.False(t, writtenByOthers())
		write(t.Context(), mine, "INSERT INTO notes VALUES ('d')")
		require.True(t, writtenByOthers(), "others in the process of the import")
		require.False(t, writtenByOthers())

		importing, err = storetest.Postgres(t).Importing(t.Context(), false)
		require.NoError(t, err)
		for range 3 {
			require.True(t, writtenByOthers(), "PostgreSQL does not say")
		}
	})
}

// A process that starts to wait while an import holds the writer polls within the gap after the import.
func TestPollGap(t *testing.T) {
	t.Run("11-import-short-pause", func(t *testing.T) {
		require.Equal(t, 27*time.Millisecond, store.PollGap(100*time.Millisecond))
		polls := []int{1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100, 100, 100} // sqliteDefaultBusyCallback in SQLite's main.c
		for held := range 400 {
			gap := int(store.PollGap(time.Duration(held) * time.Millisecond).Milliseconds())
			for came := range held + 1 {
				at := came
				for _, p := range polls {
					if at >= held {
						break
					}
					at += p
				}
				require.True(t, at >= held && at < held+gap, "held for %d ms, came after %d ms, looks after %d ms", held, came, at)
			}
		}
	})
}
