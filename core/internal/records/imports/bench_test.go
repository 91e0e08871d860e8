package imports_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// BenchmarkImport imports 100,000 records while customers write, and reports records per second and the 95th percentile of the customers'
// writes. `go test -run xxx -bench Import -benchtime 1x ./core/internal/records/imports`
func BenchmarkImport(b *testing.B) {
	const total, customers = 100_000, 4
	for _, c := range []struct {
		name           string
		paused, plugin bool
	}{{"paused", true, false}, {"unpaused", false, false}, {"plugin", true, true}} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				w := moduletest.Open(b, fixture.Module, moduletest.Options{Durable: true,
					Main: "github.com/wattle-portal/wattle/test/plugin/fixture/plugin"}, c.plugin)
				path := filepath.Join(b.TempDir(), "note.ndjson")
				require.NoError(b, os.WriteFile(path, []byte(unique(total)), 0o600))
				target, order := imports.Find(w.Registry.Snapshot(), moduletest.LabelOne, w.Hub.ScopeFor)
				stop, took := make(chan struct{}), [customers][]time.Duration{}
				var at sync.WaitGroup
				for i := range customers {
					at.Go(func() {
						for n := 0; ; n++ {
							select {
							case <-stop:
								return
							case <-time.After(20 * time.Millisecond):
							}
							begin := time.Now()
							status, _ := w.Do(b.Context(), moduletest.Call{Method: http.MethodPut, Path: fmt.Sprintf("/fixture/notes/n%d", n),
								Body: `{"text":"of a customer"}`, As: module.Scope{Relation: fmt.Sprintf("customer-%d", i), Subject: "a"}})
							took[i] = append(took[i], time.Since(begin))
							if status != http.StatusOK {
								b.Errorf("a customer's write: %d", status)
							}
						}
					})
				}
				b.StartTimer()
				begin := time.Now()
				_, err := imports.Run(b.Context(), imports.Options{Label: moduletest.LabelOne, Order: order, Files: []string{path}, Pause: c.paused},
					target)
				require.NoError(b, err)
				b.ReportMetric(total/time.Since(begin).Seconds(), "rows/s(budget>10000)")
				b.StopTimer()
				close(stop)
				at.Wait()
				all := slices.Concat(took[:]...)
				slices.Sort(all)
				b.ReportMetric(float64(all[len(all)*95/100].Microseconds())/1000, "p95-ms(budget<50)")
			}
		})
	}
}
