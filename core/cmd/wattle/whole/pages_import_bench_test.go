package whole_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/test/fixture"
)

// BenchmarkPagesDuringImport measures how `wattle import`, with the pause of decision 0008 and in another process, affects customers. Four
// customers read their dashboard and their invoices every 20 ms, while nobody writes, one customer writes every three seconds, or one
// customer writes every 20 ms. WATTLE_BENCH_INVOICES sets the number of invoices. Budget: 9,200 rows per second on SQLite while nobody
// writes, and 95 of 100 pages within 50 ms.
func BenchmarkPagesDuringImport(b *testing.B) {
	total, err := strconv.Atoi(os.Getenv("WATTLE_BENCH_INVOICES"))
	if err != nil {
		total = 100_000
	}
	agreements, invoices := invoiceFiles(b, total)
	for _, engine := range []struct {
		name   string
		config func() store.Config
	}{
		{"sqlite", func() store.Config { return storetest.SQLiteConfig(b) }},
		{"postgres", func() store.Config { return storetest.DurablePostgresConfig(b) }},
	} {
		for _, c := range []struct {
			name  string
			every time.Duration // time between two writes of a customer; 0: nobody writes
		}{{"read", 0}, {"write-seldom", 3 * time.Second}, {"write", 20 * time.Millisecond}} {
			b.Run(engine.name+"/"+c.name, func(b *testing.B) {
				var pages, writes, calmPages, calmWrites []time.Duration
				var perSecond []float64
				for b.Loop() {
					db := engine.config()
					db.Unsafe = false
					s := apptest.Start(b, apptest.Options{Modules: modules.All, Durable: true, Labels: []apptest.Label{{Key: "alpha"}}, Store: &db})
					target, order, err := s.Importer("alpha")
					require.NoError(b, err)
					_, err = imports.Run(b.Context(), imports.Options{Label: "alpha", Order: order, Files: []string{agreements}}, target)
					require.NoError(b, err)
					stop := customers(b, s, total/perRelation, c.every)
					time.Sleep(time.Second) // warm-up
					stop()
					stop = customers(b, s, total/perRelation, c.every)
					time.Sleep(3*time.Second + c.every)
					p, w := stop()
					calmPages, calmWrites = append(calmPages, p...), append(calmWrites, w...)
					stop = customers(b, s, total/perRelation, c.every)
					said := fixture.Command(b, s.Portal(), "import", "--label", "alpha", invoices)
					p, w = stop()
					pages, writes = append(pages, p...), append(writes, w...)
					rate := importRate.FindStringSubmatch(said)
					require.NotNil(b, rate, said)
					n, err := strconv.ParseFloat(rate[1], 64)
					require.NoError(b, err)
					perSecond = append(perSecond, n)
					require.NoError(b, s.Stop(b.Context()))
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(mean(perSecond), "rows/s(budget>9200)")
				b.ReportMetric(percentile(pages, 95), "page-p95-ms(budget<50)")
				b.ReportMetric(percentile(calmPages, 95), "page-p95-ms-without-import")
				if c.every > 0 {
					b.ReportMetric(percentile(writes, 95), "write-p95-ms")
					b.ReportMetric(float64(slices.Max(writes).Microseconds())/1000, "write-max-ms")
					b.ReportMetric(percentile(calmWrites, 95), "write-p95-ms-without-import")
				}
			})
		}
	}
}

// importRate matches the rate in the last sentence of the command's output, which excludes the start of the program.
var importRate = regexp.MustCompile(`records stored in \S+, (\d+) a second`)

// mean returns the harmonic mean, which is the mean rate over the total time.
func mean(rates []float64) float64 {
	sum := 0.0
	for _, r := range rates {
		sum += 1 / r
	}
	return float64(len(rates)) / sum
}

// customers starts four customers who read pages every 20 ms and, unless the interval is 0, one who writes at that interval. stop returns
// the duration of each page and of each write.
func customers(b *testing.B, s *apptest.Server, relations int, every time.Duration) (stop func() (pages, writes []time.Duration)) {
	end, at := make(chan struct{}), sync.WaitGroup{}
	repeat := func(pause time.Duration, do func(n int) error) *[]time.Duration {
		took := &[]time.Duration{}
		at.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-end:
					return
				case <-time.After(pause):
				}
				began := time.Now()
				if err := do(n); err != nil {
					b.Error(err)
					return
				}
				*took = append(*took, time.Since(began))
			}
		})
		return took
	}
	var read []*[]time.Duration
	for i := range 4 {
		debtor := fmt.Sprintf("D%06d", i*relations/4)
		bearer := s.Customer("alpha", value.StableID("alpha", "relation", debtor))
		paths := []string{"/agreements", "/latestInvoices", "/openInvoices", "/agreements/" + debtor + "-1/invoices?per_page=10&page=1",
			"/agreements/" + debtor + "-1/invoices/years"}
		read = append(read, repeat(20*time.Millisecond, func(n int) error {
			if a := s.Do(apptest.Call{Path: paths[n%len(paths)], Bearer: bearer}); a.Status != http.StatusOK {
				return fmt.Errorf("%s: %d %s", paths[n%len(paths)], a.Status, a.Body)
			}
			return nil
		}))
	}
	wrote := &[]time.Duration{}
	if every > 0 {
		db := s.Store.Module(account.Module.Manifest, s.Clock, s.Outbox.Wake)
		ctx := scope.With(b.Context(), scope.Scope{Label: "alpha", Relation: "customer", Role: scope.RoleCustomer}, nil)
		wrote = repeat(every, func(int) error {
			return db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
				if _, err := moduletest.Raw(tx).NewRaw("UPDATE account_relations SET phone_number = ? WHERE label_key = ? AND relation_id = ?",
					"0612345678", "alpha", account.RelationID("alpha", "00000001")).Exec(ctx); err != nil {
					return err
				}
				return module.Publish(ctx, tx, "account.phone_changed", module.ScopeOf(ctx).Relation, nil)
			})
		})
	}
	return func() (pages, writes []time.Duration) {
		close(end)
		at.Wait()
		for _, r := range read {
			pages = append(pages, *r...)
		}
		return pages, *wrote
	}
}
