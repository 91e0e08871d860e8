package store_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// The write-ahead log is copied into the database when it has 4 MB, or 40 MB during a bulk import (docs/decisions/0057).
func TestCheckpoint(t *testing.T) {
	for name, c := range map[string]struct {
		isImport, isBulk bool
		pages            int
		isCopied         bool // whether the write-ahead log is copied into the database
	}{
		"a portal, little":      {false, false, 900, false},
		"a portal, enough":      {false, false, 1_500, true},
		"an import, little":     {true, false, 900, false},
		"an import, enough":     {true, false, 1_500, true},
		"a bulk import, little": {true, true, 9_000, false},
		"a bulk import, enough": {true, true, 10_500, true},
	} {
		t.Run(name, func(t *testing.T) {
			config := storetest.SQLiteConfig(t)
			s, ctx := storetest.Open(t, config), t.Context()
			for _, statement := range []string{"CREATE TABLE pages (text text)", "PRAGMA wal_checkpoint(TRUNCATE)"} {
				_, err := s.DB().ExecContext(ctx, statement)
				require.NoError(t, err)
			}
			size := func() int64 {
				info, err := os.Stat(filepath.Join(config.Dir, "wattle.db"))
				require.NoError(t, err)
				return info.Size()
			}
			if c.isImport {
				_, err := s.Importing(ctx, c.isBulk)
				require.NoError(t, err)
			}
			before := size()
			require.NoError(t, s.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
				for range c.pages {
					if _, err := tx.ExecContext(ctx, "INSERT INTO pages VALUES (?)", strings.Repeat("x", 4000)); err != nil {
						return err
					}
				}
				return nil
			}))
			require.Equal(t, c.isCopied, size() > before)
			other, err := store.Open(ctx, config) // reads the log, like after a kill
			require.NoError(t, err)
			var count int
			require.NoError(t, other.Read().NewRaw("SELECT count(*) FROM pages").Scan(ctx, &count))
			require.Equal(t, c.pages, count)
			require.NoError(t, other.Close())
		})
	}
}
