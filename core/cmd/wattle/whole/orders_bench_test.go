package whole_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/marketplace"
)

const (
	concurrentBuyers = 64
	ordersInRound    = 24 * concurrentBuyers
	baresInRound     = 2 * ordersInRound // take about as long as the orders may take
	orderRounds      = 6                 // including a warm-up round that is not counted
)

// BenchmarkOrders compares placing an order over HTTP (a basket with shares of one popular offer, 64 buyers at once) with a bare
// transaction on the same database (a conditional update, an insert and a commit, 64 at once). They alternate within one run, so that load
// on the machine affects both. The result is the median ratio, which must be at least half, and no buyer may wait longer than 2 s. Both
// databases write as in production: SQLite with synchronous=FULL, PostgreSQL with fsync and synchronous_commit.
//
// Payments and emails of the orders are processed at the same time as far as possible; all-done/s includes the time until the last one is
// processed.
func BenchmarkOrders(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchOrders(b, storetest.SQLiteConfig(b)) })
	b.Run("postgres", func(b *testing.B) { benchOrders(b, storetest.DurablePostgresConfig(b)) })
}

func benchOrders(b *testing.B, db store.Config) {
	s := apptest.Start(b, apptest.Options{Modules: []module.Module{account.Module, marketplace.Module}, Store: &db,
		Labels: []apptest.Label{{Key: "alpha", CUE: `modules: marketplace: payment: provider: "sandbox"`}}})
	target, _, err := s.Importer("alpha")
	require.NoError(b, err)
	take := func(kind, data string) {
		refused, err := target(b.Context(), kind, []record.Row{{Line: 1, Data: json.RawMessage(data)}})
		require.NoError(b, err)
		require.Empty(b, refused)
	}
	take("project", `{"project_code":"HOT","project_name":"Windpark","project_type":"WIND","member_offer_settings":[{"from_date":"2024-01-01","min_price":1,"max_price":60,"allow_selling":true}]}`)
	take("participation", `{"debtor_number":"SELLER","participation_identifier":"P1","project_code":"HOT","share":1000000,"address":{"street_name":"Dam","house_number":"1","postal_code":"1012JS","city":"Amsterdam"}}`)
	take("market_offer", `{"identifier":"HOT1","debtor_number":"SELLER","participation_identifier":"P1","status":"ACTIVE","date":"2026-11-01","price_per_share":40,"shares":1000000}`)
	offer := value.StableID("alpha", "imported offer", "HOT1")
	var tokens []string
	for n := range ordersInRound {
		tokens = append(tokens, s.Customer("alpha", fmt.Sprintf("buyer%05d", n)))
	}
	write := s.Store.DB()
	exec := func(query string) {
		_, err := write.ExecContext(b.Context(), query)
		require.NoError(b, err)
	}
	if s.Store.Engine() == store.SQLite {
		exec("PRAGMA synchronous=FULL") // on the only write connection
		var is int
		require.NoError(b, write.NewRaw("PRAGMA synchronous").Scan(b.Context(), &is))
		require.Equal(b, 2, is)
	}
	exec("CREATE TABLE bench_offers (label_key text NOT NULL, id text NOT NULL, left_shares bigint NOT NULL, PRIMARY KEY (label_key, id))")
	exec("CREATE TABLE bench_orders (label_key text NOT NULL, id text NOT NULL, offer_id text NOT NULL, relation_id text NOT NULL, shares bigint NOT NULL, amount bigint NOT NULL, placed_at timestamp NOT NULL, PRIMARY KEY (label_key, id))")
	exec("INSERT INTO bench_offers VALUES ('alpha', 'hot', 1000000000)")

	buyers := make([]*buyer, concurrentBuyers)
	for i := range buyers {
		buyers[i] = newBuyer(b, s.Addr().String())
	}
	var ours, bares, shares, all, allShares []float64
	var slowest time.Duration
	for b.Loop() {
		for n := range 1 + orderRounds {
			var fill strings.Builder
			for n := range ordersInRound {
				fmt.Fprintf(&fill, ",('alpha','buyer%05d','%s',1,'{\"street_name\":\"Dam\",\"house_number\":\"1\",\"postal_code\":\"1012JS\",\"city\":\"Amsterdam\"}','2026-11-20 10:00:00+00:00')", n, offer)
			}
			exec("INSERT INTO marketplace_baskets VALUES " + fill.String()[1:])
			together(b, ordersInRound, func(_ context.Context, i, n int) error { // a buyer has the basket on screen before ordering
				return buyers[i].call("GET /api/v0/sustainable/basket", tokens[n], "", `"HOT"`)
			})
			bare := together(b, baresInRound, func(ctx context.Context, _, n int) error { return bareOrder(ctx, write.DB, s.Store.Engine(), n) })
			began := time.Now()
			own := together(b, ordersInRound, func(_ context.Context, i, n int) error {
				return buyers[i].call("POST /api/v0/sustainable/basket/order", tokens[n], `{"waiveWithdrawalPeriod":true,"start_date":"2026-12-21"}`,
					`"SUCCESS"`)
			})
			require.NoError(b, s.Outbox.DeliverDue(b.Context())) // processes payments and emails, which would slow down the next bare round
			done := ordersInRound / time.Since(began).Seconds()
			slowest = max(slowest, own.p99)
			b.Logf("%.0f orders/s of %.0f bare/s: %.0f%%; slowest %s; with all payments and mails %.0f/s", own.perSecond, bare.perSecond,
				100*own.perSecond/bare.perSecond, own.p99.Round(time.Millisecond), done)
			if n > 0 {
				ours, bares, shares = append(ours, own.perSecond), append(bares, bare.perSecond), append(shares, 100*own.perSecond/bare.perSecond)
				all, allShares = append(all, done), append(allShares, 100*done/bare.perSecond)
			}
		}
	}
	if s.Store.Engine() == store.SQLite {
		var is int
		require.NoError(b, write.NewRaw("PRAGMA synchronous").Scan(b.Context(), &is))
		require.Equal(b, 2, is, "the connection was another one")
	}
	median := func(of []float64) float64 {
		slices.Sort(of)
		return of[len(of)/2]
	}
	b.ReportMetric(0, "ns/op") // a round has a fixed number of orders
	b.ReportMetric(median(ours), "orders/s")
	b.ReportMetric(median(bares), "bare/s")
	b.ReportMetric(median(shares), "%of-bare(budget>=50)")
	b.ReportMetric(float64(slowest.Microseconds())/1000, "slowest-ms(budget<2000)")
	b.ReportMetric(median(all), "all-done/s")
	b.ReportMetric(median(allShares), "%all-done")
}

// together runs do in 64 goroutines, once for every i below count; n is the number of the goroutine. The p99 in the result is the maximum
// duration.
func together(b *testing.B, count int, do func(ctx context.Context, i, n int) error) (p pace) {
	b.Helper()
	var next, slowest atomic.Int64
	var wg sync.WaitGroup
	began := time.Now()
	for i := range concurrentBuyers {
		wg.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= count {
					return
				}
				from := time.Now()
				if err := do(b.Context(), i, n); err != nil {
					b.Error(err)
					return
				}
				took := int64(time.Since(from))
				for was := slowest.Load(); took > was && !slowest.CompareAndSwap(was, took); was = slowest.Load() {
				}
			}
		})
	}
	wg.Wait()
	return pace{float64(count) / time.Since(began).Seconds(), time.Duration(slowest.Load())}
}

// bareOrder is the minimum work of an order.
func bareOrder(ctx context.Context, db *sql.DB, engine store.Engine, n int) error {
	update, insert := "UPDATE bench_offers SET left_shares = left_shares - 1 WHERE label_key = ? AND id = ? AND left_shares >= 1",
		"INSERT INTO bench_orders VALUES (?, ?, ?, ?, ?, ?, ?)"
	if engine == store.Postgres {
		update, insert = "UPDATE bench_offers SET left_shares = left_shares - 1 WHERE label_key = $1 AND id = $2 AND left_shares >= 1",
			"INSERT INTO bench_orders VALUES ($1, $2, $3, $4, $5, $6, $7)"
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // has no effect after a commit
	done, err := tx.ExecContext(ctx, update, "alpha", "hot")
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return fmt.Errorf("%d offers: %w", n, err)
	}
	if _, err := tx.ExecContext(ctx, insert, "alpha", value.NewID(), "hot", fmt.Sprintf("buyer%05d", n), 1, 4000, apptest.Now); err != nil {
		return err
	}
	return tx.Commit()
}

// buyer is one connection that sends the requests of a browser. The client of net/http would use too much of the CPU time that the
// benchmark measures.
type buyer struct {
	to net.Conn
	in *bufio.Reader
}

func newBuyer(b *testing.B, addr string) *buyer {
	to, err := net.Dial("tcp", addr)
	require.NoError(b, err)
	b.Cleanup(func() { _ = to.Close() })
	return &buyer{to, bufio.NewReader(to)}
}

// call sends a request and returns an error unless the response contains want.
func (u *buyer) call(line, token, body, want string) error {
	_, err := fmt.Fprintf(u.to, "%s HTTP/1.1\r\nHost: alpha.localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		line, token, len(body), body)
	if err != nil {
		return err
	}
	res, err := http.ReadResponse(u.in, nil)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err == nil && !bytes.Contains(answer, []byte(want)) {
		err = fmt.Errorf("%s: %d %s", line, res.StatusCode, answer)
	}
	return err
}
