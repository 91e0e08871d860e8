package imports

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/record"
)

// Customers can write for as long as the import held the writer; waiting for the writer and decoding do not count, because they block
// nobody.
func TestResume(t *testing.T) {
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	ms := func(n int) time.Time { return at.Add(time.Duration(n) * time.Millisecond) }
	decoded10waited30held20 := &store.Hold{Requested: ms(10), Released: ms(60), Total: 20 * time.Millisecond}
	require.Equal(t, ms(70), resume(at, ms(61), decoded10waited30held20), "10 ms of decoding follow before the next transaction")
	require.True(t, resume(at, ms(45), &store.Hold{Requested: ms(30), Released: ms(45), Total: 15 * time.Millisecond}).Before(ms(45)),
		"decoding is pause enough")
	require.Equal(t, ms(40), resume(at, ms(20), &store.Hold{}), "a module that does not tell")
}

// written simulates writes of others at these times.
type written struct {
	at   []time.Duration
	zero time.Time
}

func (w *written) WrittenByOthers(context.Context) (any bool, _ error) {
	for len(w.at) > 0 && time.Since(w.zero) >= w.at[0] {
		w.at, any = w.at[1:], true
	}
	return any, nil
}

func TestPauseWhileAlone(t *testing.T) {
	const ms = time.Millisecond
	const gap = 27 * ms // store.PollGap of 100 ms
	t.Run("11-import-short-pause", func(t *testing.T) {
		for name, c := range map[string]struct {
			since   time.Duration // how long nobody else has written before the transaction
			writes  []time.Duration
			decode  time.Duration
			isOther bool // the module does not report how long it held the writer
			pause   time.Duration
			rows    int // rows of the next transaction
		}{
			"at the beginning":                    {pause: 100 * ms, rows: BatchRows},
			"not long enough":                     {since: quietTime - 201*ms, pause: 100 * ms, rows: BatchRows},
			"alone":                               {since: quietTime, pause: gap, rows: AloneRows},
			"alone, and decoding takes its part":  {since: quietTime, decode: 20 * ms, pause: gap - 20*ms, rows: AloneRows},
			"others wrote before it":              {since: quietTime, writes: []time.Duration{quietTime}, pause: 100 * ms, rows: BatchRows},
			"others write during the transaction": {since: quietTime, writes: []time.Duration{quietTime + 50*ms}, pause: 100 * ms, rows: BatchRows},
			"others write during the short pause": {since: quietTime, writes: []time.Duration{quietTime + 110*ms}, pause: 100 * ms, rows: BatchRows},
			"a module that does not tell":         {since: quietTime, isOther: true, pause: 100 * ms, rows: BatchRows},
		} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					b := &batch{o: Options{Pause: true}, pace: newPace(&written{at: c.writes, zero: time.Now()})}
					time.Sleep(c.since)
					start, hold := time.Now(), &store.Hold{}
					time.Sleep(c.decode)
					if !c.isOther {
						hold.Requested = time.Now()
					}
					time.Sleep(100 * ms)
					released := time.Now()
					if !c.isOther {
						hold.Released, hold.Total = released, 100*ms
					}
					require.NoError(t, b.pace.setPause(t.Context(), start, hold))
					require.NoError(t, b.pace.pause(t.Context()))
					require.Equal(t, c.pause, time.Since(released))
					require.Equal(t, c.rows, b.limit())
				})
			})
		}
	})
}

func TestPausesOfAnImport(t *testing.T) {
	t.Run("11-import-alone", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "note.ndjson")
		require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("{}\n", 40_000)), 0o600))
		config := storetest.SQLiteConfig(t)
		synctest.Test(t, func(t *testing.T) { // uses a clock that advances only while the program waits
			open := func() *store.Store {
				s, err := store.Open(t.Context(), config)
				require.NoError(t, err)
				return s
			}
			mine, other := open(), open()
			insert := func(ctx context.Context, s *store.Store) {
				require.NoError(t, s.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
					_, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS notes (text TEXT); INSERT INTO notes VALUES ('a')")
					time.Sleep(50 * time.Millisecond)
					return err
				}))
			}
			db, err := mine.Importing(t.Context(), false)
			require.NoError(t, err)
			var sizes []int
			var pauses []time.Duration
			var ended time.Time
			o := Options{Kind: "x", Order: []string{"x"}, Files: []string{path}, Pause: true, Database: db}
			_, err = Run(t.Context(), o, func(ctx context.Context, _ string, rows []record.Row) ([]record.Refusal, error) {
				if len(sizes) > 0 {
					pauses = append(pauses, time.Since(ended))
				}
				insert(ctx, mine)
				ended = time.Now()
				if sizes = append(sizes, len(rows)); len(sizes) == 15 { // the import has 1,000 pending rows
					insert(t.Context(), other)
				}
				return nil, nil
			})
			require.NoError(t, err)
			const full, short = 50 * time.Millisecond, 22 * time.Millisecond  // store.PollGap of 50 ms
			isAlone := func(n int) bool { return n > 10 && n < 15 || n > 25 } // a second consists of ten transactions with their pauses
			for n, pause := range pauses {
				require.Equal(t, map[bool]int{false: BatchRows, true: AloneRows}[isAlone(n)], sizes[n], "transaction %d of %v", n, sizes)
				require.Equal(t, map[bool]time.Duration{false: full, true: short}[isAlone(n+1)], pause, "after transaction %d of %v", n, pauses)
			}
			require.NoError(t, mine.Close())
			require.NoError(t, other.Close())
		})
	})
}
