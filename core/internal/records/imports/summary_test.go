package imports

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/record"
)

func TestSummary(t *testing.T) {
	t.Run("11-import-summary", func(t *testing.T) {
		for want, c := range map[string]struct {
			r     Report
			took  time.Duration
			isDry bool
		}{
			"999990 of 1000000 records stored in 1m52s, 8928 a second": {Report{Rows: 1_000_000, Refused: 10}, 112*time.Second +
				time.Millisecond, false},
			"500 of 500 records stored in 250ms, 2000 a second":                           {Report{Rows: 500}, 250 * time.Millisecond, false},
			"1 of 1 record stored in 1s, 1 a second":                                      {Report{Rows: 1}, time.Second, false},
			"9 of 10 records could be stored in 1s, 10 a second":                          {Report{Rows: 10, Refused: 1}, time.Second, true},
			"0 of 0 records stored in 0s, 0 a second":                                     {},
			"10 of 10 records stored in 1s, 10 a second; 3 with a value that looks wrong": {Report{Rows: 10, Warned: 3}, time.Second, false},
		} {
			require.Equal(t, want, c.r.Summary(c.took, c.isDry))
		}
	})
}

func TestProgressOfALog(t *testing.T) {
	t.Run("11-import-progress-log", func(t *testing.T) {
		var out strings.Builder
		p := newProgress(&out, "note.ndjson", 400<<10)
		p.at(100<<10, 1000, 0)
		require.Empty(t, out.String(), "a short import has no lines")
		p.logged, p.began = p.logged.Add(-14*time.Second), p.began.Add(-14*time.Second)
		p.at(150<<10, 20_000, 3)
		require.Empty(t, out.String(), "not after 14 seconds")
		p.logged, p.began = p.logged.Add(-time.Second), p.began.Add(-time.Second)
		p.at(200<<10, 30_000, 3)
		require.Regexp(t, `^note.ndjson: 50%, 30000 records, 3 refused, (2000|199\d) a second\n$`, out.String())
		p.at(300<<10, 31_000, 3)
		require.Equal(t, 1, strings.Count(out.String(), "\n"), "one line every 15 seconds")
	})
}

// fullDisk returns the error of SQLite when a database cannot grow.
func fullDisk(t *testing.T) error {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Dir: t.TempDir(), Unsafe: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s.Tx(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, "PRAGMA max_page_count = 10; CREATE TABLE notes (text BLOB); INSERT INTO notes VALUES (zeroblob(1000000))")
		return err
	})
}

func TestFullDisk(t *testing.T) {
	for engine, full := range map[string]error{"PostgreSQL": &pgconn.PgError{Code: "53100", Message: "could not extend file"},
		"SQLite": fullDisk(t)} {
		t.Run("11-import-disk-full", func(t *testing.T) {
			stored, hasRoom := 0, false
			path := temporary(t, "note.ndjson", strings.Repeat("{}\n", 3*BatchRows))
			run := func() (Report, error) {
				return Run(t.Context(), Options{Order: []string{"note"}, Files: []string{path}}, func(_ context.Context, _ string,
					rows []record.Row) ([]record.Refusal, error) {
					if last := rows[len(rows)-1].Line; last <= 2*BatchRows || hasRoom {
						stored = max(stored, last)
						return nil, nil
					}
					return nil, fmt.Errorf("billing: %w", full)
				})
			}
			_, err := run()
			require.ErrorContains(t, err,
				"a disk is full; all up to line 1000 is stored and nothing is lost. Make room, then give the same command again", engine)
			require.Equal(t, 1000, stored, "what was stored before stays")
			hasRoom = true
			report, err := run()
			require.NoError(t, err)
			require.Equal(t, []int{3 * BatchRows, 3 * BatchRows, 0}, []int{stored, report.Rows, report.Refused}, "the same command completes it")
		})
	}
}
