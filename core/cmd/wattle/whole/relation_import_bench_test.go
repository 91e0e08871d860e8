package whole_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/test/fixture"
)

// BenchmarkImportRelations imports 100,000 relations, each with a company and two addresses, while four customers write. Budget: at least
// 10,000 rows per second, and 95 of 100 customer writes within 50 ms.
func BenchmarkImportRelations(b *testing.B) {
	file := relations(b, 100_000)
	for _, c := range []struct {
		name string
		run  func(b *testing.B, s *apptest.Server)
	}{
		{"command", func(b *testing.B, s *apptest.Server) { // as an operator does, while the portal runs
			fixture.Command(b, s.Portal(), "import", "--label", "alpha", file)
		}},
		{"inside", func(b *testing.B, s *apptest.Server) {
			target, order, err := s.Importer("alpha")
			require.NoError(b, err)
			report, err := imports.Run(b.Context(), imports.Options{Label: "alpha", Order: order, Files: []string{file}, Pause: true}, target)
			require.NoError(b, err)
			require.Zero(b, report.Refused)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := apptest.Start(b, apptest.Options{Modules: modules.All, Durable: true, Labels: []apptest.Label{{Key: "alpha"}}})
			stop := writers(b, s, 4)
			time.Sleep(time.Second)
			stop() // warm-up
			rows := 0
			var calm, busy []time.Duration
			stop = writers(b, s, 4)
			time.Sleep(2 * time.Second)
			calm = stop()
			for b.Loop() {
				stop := writers(b, s, 4)
				c.run(b, s)
				busy = append(busy, stop()...)
				rows += 100_000
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s(budget>10000)")
			b.ReportMetric(percentile(busy, 95), "p95-ms(budget<50)")
			b.ReportMetric(percentile(busy, 50), "p50-ms")
			b.ReportMetric(percentile(calm, 95), "p95-ms-without-import")
		})
	}
}

func percentile(all []time.Duration, p int) float64 {
	slices.Sort(all)
	return float64(all[len(all)*p/100].Microseconds()) / 1000
}

// writers starts n customers who each make a change every 20 ms, like a change of an account. stop returns the duration of each write.
func writers(b *testing.B, s *apptest.Server, n int) (stop func() []time.Duration) {
	db := s.Store.Module(account.Module.Manifest, s.Clock, s.Outbox.Wake)
	end, at, took := make(chan struct{}), sync.WaitGroup{}, make([][]time.Duration, n)
	for i := range n {
		ctx := scope.With(b.Context(), scope.Scope{Label: "alpha", Relation: fmt.Sprintf("customer-%d", i), Role: scope.RoleCustomer}, nil)
		at.Go(func() {
			for {
				select {
				case <-end:
					return
				case <-time.After(20 * time.Millisecond):
				}
				began := time.Now()
				err := db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
					if _, err := moduletest.Raw(tx).NewRaw("UPDATE account_relations SET phone_number = ? WHERE label_key = ? AND relation_id = ?",
						"0612345678", "alpha", account.RelationID("alpha", "00000001")).Exec(ctx); err != nil {
						return err
					}
					return module.Publish(ctx, tx, "account.phone_changed", module.ScopeOf(ctx).Relation, nil)
				})
				took[i] = append(took[i], time.Since(began))
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	return func() []time.Duration {
		close(end)
		at.Wait()
		return slices.Concat(took...)
	}
}

// relations writes a file with n relation records and returns its path.
func relations(t testing.TB, n int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "relation.ndjson")
	f, err := os.Create(name)
	require.NoError(t, err)
	w := bufio.NewWriter(f)
	for i := range n {
		_, err = fmt.Fprintf(w, oneLine(fixture.RelationRecord)+"\n", fmt.Sprintf("%08d", i))
		require.NoError(t, err)
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
	return name
}

func oneLine(s string) string {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if r != '\n' && r != '\t' {
			out = append(out, r)
		}
	}
	return string(out)
}
