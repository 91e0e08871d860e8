package plugin

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"
	"google.golang.org/grpc"

	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

// stored is a fake of core that stores the rows it receives.
type stored struct {
	wire.HostClient
	rows chan int
}

// Relay implements wire.HostClient.
func (s stored) Relay(_ context.Context, r *wire.RelayRequest, _ ...grpc.CallOption) (*wire.RelayResponse, error) {
	s.rows <- len(r.Rows)
	return &wire.RelayResponse{}, nil
}

// While nobody writes, the relay only checks the files. The test's clock only advances while the program is idle, so ten minutes take no
// time.
func TestIdleRelayRunsNoSQL(t *testing.T) {
	t.Run("11-plugin-idle-outbox", func(t *testing.T) {
		config := store.Config{Dir: t.TempDir(), Unsafe: true}
		synctest.Test(t, func(t *testing.T) {
			mine, err := store.Open(t.Context(), config)
			require.NoError(t, err)
			defer func() { assert.NoError(t, mine.Close()) }()
			require.NoError(t, mine.MigrateModule(t.Context(), module.Manifest{Key: "acme"}))
			age := func(by time.Duration) {
				for _, name := range []string{"wattle.db", "wattle.db-wal"} {
					at := time.Now().Add(-by)
					require.NoError(t, os.Chtimes(filepath.Join(config.Dir, name), at, at))
				}
			}
			age(time.Minute)
			time.Sleep(time.Millisecond)
			inAWhile := func() uint32 { // number of statements, including those with which the store checks whether the database responds
				synctest.Wait()
				before := mine.Read().DBStats().Queries + mine.DB().DBStats().Queries
				time.Sleep(10 * time.Minute)
				synctest.Wait()
				return mine.Read().DBStats().Queries + mine.DB().DBStats().Queries - before
			}
			own := inAWhile()
			r := newRelay(mine, "acme", stored{}, slog.New(slog.DiscardHandler))
			go r.run()
			defer r.stop()
			synctest.Wait()
			require.Equal(t, own, inAWhile(), "nobody writes")
			age(0) // as if another process had written
			require.Greater(t, inAWhile(), own, "somebody has written")
			require.Equal(t, own, inAWhile())
		})
	})
}

func TestRelay(t *testing.T) {
	t.Run("11-plugin-idle-outbox", func(t *testing.T) {
		dir := t.TempDir()
		open := func() *store.Store {
			s, err := store.Open(t.Context(), store.Config{Dir: dir, Unsafe: true})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, s.Close()) })
			return s
		}
		mine, another := open(), open()
		require.NoError(t, mine.MigrateModule(t.Context(), module.Manifest{Key: "acme"}))
		for _, name := range []string{"wattle.db", "wattle.db-wal"} { // as if nobody had written for a minute
			at := time.Now().Add(-time.Minute)
			require.NoError(t, os.Chtimes(filepath.Join(dir, name), at, at))
		}
		core := stored{rows: make(chan int, 10)}
		r := newRelay(mine, "acme", core, slog.New(slog.DiscardHandler))
		r.interval = 5 * time.Millisecond
		go r.run()
		t.Cleanup(r.stop)

		queue := func(id string) {
			row := store.Row{Label: "one", ID: id, Kind: store.RowMail, At: time.Now(), Payload: []byte("{}")}
			require.NoError(t, another.Tx(t.Context(), func(ctx context.Context, tx bun.Tx) error {
				_, err := tx.NewInsert().Model(&row).ModelTableExpr("acme_outbox").Exec(ctx)
				return err
			}))
		}
		for _, id := range []string{"first", "second"} {
			queue(id) // by another process, which does not wake the relay
			require.Equal(t, 1, <-core.rows)
			require.Eventually(t, func() bool {
				n, err := another.Read().NewSelect().Table("acme_outbox").Count(t.Context())
				return err == nil && n == 0
			}, 10*time.Second, time.Millisecond)
		}
	})
}
