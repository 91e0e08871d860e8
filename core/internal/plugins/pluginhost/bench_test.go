package pluginhost_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
)

// BenchmarkNeighbours compares calls to another module, 200 per second, while a plugin misbehaves, with the same calls in time windows in
// which it does not. Each iteration has a window of every kind; the result is the median of the ratios:
//
//	go test -run '^$' -bench Neighbours -benchtime 9x ./core/internal/plugins/pluginhost
func BenchmarkNeighbours(b *testing.B) {
	const window = 2 * time.Second
	h := openPortal(b, pluginhost.Options{Limits: pluginhost.Limits{Timeout: time.Second}})
	faults := []struct {
		name string
		do   func(ctx context.Context)
	}{
		{"flood", func(ctx context.Context) { h.try(ctx, "/unruly/call?times=200&url=http://other/other/fine") }},
		{"flood-work", func(ctx context.Context) { h.try(ctx, "/unruly/call?times=200&url=http://other/other/work") }},
		{"hang", func(ctx context.Context) { h.try(ctx, "/unruly/hang") }},
		{"spin", func(ctx context.Context) { h.try(ctx, "/unruly/spin") }},
		{"restart", func(ctx context.Context) {
			h.try(ctx, "/unruly/exit")
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}},
	}
	ratios, quiet := map[string][]float64{}, []float64{}
	for b.Loop() {
		for _, f := range faults {
			base := h.percentile(window)
			ctx, cancel := context.WithCancel(b.Context())
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					for ctx.Err() == nil {
						f.do(ctx)
					}
				})
				if f.name == "restart" {
					break
				}
			}
			with := h.percentile(window)
			cancel()
			all.Wait()
			require.Eventually(b, h.plugin.Up, hang, time.Millisecond)
			time.Sleep(100 * time.Millisecond)
			quiet = append(quiet, base.Seconds()*1e6)
			ratios[f.name] = append(ratios[f.name], with.Seconds()/base.Seconds())
		}
	}
	b.ReportMetric(median(quiet), "quiet-p99-µs")
	for name, r := range ratios {
		b.ReportMetric(median(r), name+"/quiet")
	}
	b.ReportMetric(0, "ns/op")
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// try makes a call and ignores its result.
func (h *testPortal) try(ctx context.Context, path string) {
	r, err := h.call(ctx, "unruly", path)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, r.Body)
	_ = r.Body.Close()
}

func (h *testPortal) call(ctx context.Context, key, path string) (*http.Response, error) {
	ctx = h.Hub.Enter(ctx, scope.Scope{Label: moduletest.LabelOne, Role: scope.RoleCustomer, Relation: "relation-1"}, key)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+key+path, nil)
	if err != nil {
		return nil, err
	}
	return h.Hub.Client(module.Manifest{Key: registry.Core}).Do(r)
}

// percentile calls the other module, and returns the 99th percentile of the call durations.
func (h *testPortal) percentile(window time.Duration) time.Duration {
	var took []time.Duration
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for began := time.Now(); time.Since(began) < window; <-tick.C {
		at := time.Now()
		r, err := h.call(context.Background(), "other", "/other/work")
		require.NoError(h.t, err)
		_, err = io.Copy(io.Discard, r.Body)
		require.NoError(h.t, err)
		require.NoError(h.t, r.Body.Close())
		require.Equal(h.t, http.StatusNoContent, r.StatusCode)
		took = append(took, time.Since(at))
	}
	slices.Sort(took)
	return took[len(took)*99/100]
}
