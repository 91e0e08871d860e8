package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/internal/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/marketplace"
)

const (
	concurrentBuyers = 64
	ordersEach       = 16
	ordersInRound    = concurrentBuyers * ordersEach
)

// BenchmarkOrders compares placing an order through HTTP (a basket with shares of one hot offer, 64 buyers at once) with a bare
// transaction on the same database: a conditional update, an insert and a commit, by 64 at once. What counts is the share, taken in
// one run: at least half; and that nobody waits for 2 s. SQLite writes with synchronous=FULL.
func BenchmarkOrders(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchOrders(b, storetest.SQLiteConfig(b)) })
	b.Run("postgres", func(b *testing.B) { benchOrders(b, storetest.PostgresConfig(b)) })
}

func benchOrders(b *testing.B, db store.Config) {
	s := apptest.Start(b, apptest.Options{Modules: []module.Module{account.Module, marketplace.Module}, Store: &db,
		Labels: []apptest.Label{{Key: "alpha", CUE: `modules: marketplace: payment: provider: "sandbox"`}}})
	target, _, err := s.Importer("alpha")
	require.NoError(b, err)
	take := func(kind, record string) {
		refused, err := target(b.Context(), kind, []module.Row{{Line: 1, Data: json.RawMessage(record)}})
		require.NoError(b, err)
		require.Empty(b, refused)
	}
	take("project", `{"project_code":"HOT","project_name":"Windpark","project_type":"WIND","member_offer_settings":[{"from_date":"2024-01-01","min_price":1,"max_price":60,"allow_selling":true}]}`)
	take("participation", `{"debtor_number":"SELLER","participation_identifier":"P1","project_code":"HOT","share":1000000,"address":{"street_name":"Dam","house_number":"1","postal_code":"1012JS","city":"Amsterdam"}}`)
	take("market_offer", `{"identifier":"HOT1","debtor_number":"SELLER","participation_identifier":"P1","status":"ACTIVE","date":"2026-11-01","price_per_share":40,"shares":1000000}`)
	offer := module.StableID("alpha", "imported offer", "HOT1")
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
		exec("PRAGMA synchronous=FULL") // of the one connection that writes
		var is int
		require.NoError(b, write.NewRaw("PRAGMA synchronous").Scan(b.Context(), &is))
		require.Equal(b, 2, is)
	}
	exec("CREATE TABLE bench_offers (label_key text NOT NULL, id text NOT NULL, left_shares bigint NOT NULL, PRIMARY KEY (label_key, id))")
	exec("CREATE TABLE bench_orders (label_key text NOT NULL, id text NOT NULL, offer_id text NOT NULL, relation_id text NOT NULL, shares bigint NOT NULL, amount bigint NOT NULL, placed_at timestamp NOT NULL, PRIMARY KEY (label_key, id))")
	exec("INSERT INTO bench_offers VALUES ('alpha', 'hot', 1000000000)")

	var ours, bares []pace
	for b.Loop() {
		for range 2 { // in turns, so that a busy machine is busy for both
			bares = append(bares, together(b, func(ctx context.Context, n int) error { return bareOrder(ctx, write.DB, s.Store.Engine(), n) }))
			var fill strings.Builder
			for n := range ordersInRound {
				fmt.Fprintf(&fill, ",('alpha','buyer%05d','%s',1,'{\"street_name\":\"Dam\",\"house_number\":\"1\",\"postal_code\":\"1012JS\",\"city\":\"Amsterdam\"}','2026-11-20 10:00:00+00:00')", n, offer)
			}
			exec("INSERT INTO marketplace_baskets VALUES " + fill.String()[1:])
			for _, token := range tokens { // whoever orders has just looked at the basket
				require.Equal(b, http.StatusOK, s.Do(apptest.Call{Path: "/sustainable/basket", Bearer: token}).Status)
			}
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: concurrentBuyers, DisableCompression: true}}
			ours = append(ours, together(b, func(ctx context.Context, n int) error { return httpOrder(ctx, client, s.URL, tokens[n]) }))
			client.CloseIdleConnections()
			require.NoError(b, s.Outbox.Work(b.Context())) // payments and mails, which would be in the way of the next bare round
		}
	}
	best := func(p []pace) pace {
		return slices.MaxFunc(p, func(a, b pace) int { return int(a.perSecond - b.perSecond) })
	}
	o, c := best(ours), best(bares)
	slowest := slices.MaxFunc(ours, func(a, b pace) int { return int(a.p99 - b.p99) })
	b.ReportMetric(0, "ns/op") // a round has a fixed number of orders
	b.ReportMetric(o.perSecond, "orders/s")
	b.ReportMetric(c.perSecond, "bare/s")
	b.ReportMetric(100*o.perSecond/c.perSecond, "%of-bare(budget>=50)")
	b.ReportMetric(float64(slowest.p99.Microseconds())/1000, "slowest-ms(budget<2000)")
}

// together has 64 goroutines do something once for every number, and measures. p99 is the slowest of all.
func together(b *testing.B, do func(context.Context, int) error) (p pace) {
	b.Helper()
	var next, slowest atomic.Int64
	var wg sync.WaitGroup
	began := time.Now()
	for range concurrentBuyers {
		wg.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= ordersInRound {
					return
				}
				from := time.Now()
				if err := do(b.Context(), n); err != nil {
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
	return pace{float64(ordersInRound) / time.Since(began).Seconds(), time.Duration(slowest.Load())}
}

// bareOrder is the least that an order can be.
func bareOrder(ctx context.Context, db *sql.DB, engine store.Engine, n int) error {
	update, insert := "UPDATE bench_offers SET left_shares = left_shares - 1 WHERE label_key = ? AND id = ? AND left_shares >= 1", "INSERT INTO bench_orders VALUES (?, ?, ?, ?, ?, ?, ?)"
	if engine == store.Postgres {
		update, insert = "UPDATE bench_offers SET left_shares = left_shares - 1 WHERE label_key = $1 AND id = $2 AND left_shares >= 1", "INSERT INTO bench_orders VALUES ($1, $2, $3, $4, $5, $6, $7)"
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // done, when it was committed
	done, err := tx.ExecContext(ctx, update, "alpha", "hot")
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return fmt.Errorf("%d offers: %w", n, err)
	}
	if _, err := tx.ExecContext(ctx, insert, "alpha", module.NewID(), "hot", fmt.Sprintf("buyer%05d", n), 1, 4000, apptest.Now); err != nil {
		return err
	}
	return tx.Commit()
}

func httpOrder(ctx context.Context, client *http.Client, url, token string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/api/v0/sustainable/basket/order",
		bytes.NewReader([]byte(`{"waiveWithdrawalPeriod":true,"start_date":"2026-12-21"}`)))
	if err != nil {
		return err
	}
	r.Host = "alpha.localhost"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err == nil && !bytes.Contains(body, []byte(`"SUCCESS"`)) {
		err = fmt.Errorf("%d %s", res.StatusCode, body)
	}
	return err
}
