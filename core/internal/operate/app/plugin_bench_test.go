package app_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// BenchmarkPlugin compares calls to a module that runs as a plugin with calls to the same module in the program: an authenticated page of 2
// KB from its SQLite database, over HTTP. Each iteration measures both in turn; the results are the medians of the iterations:
//
//	go test -run '^$' -bench 'BenchmarkPlugin$' -benchtime 9x ./core/internal/operate/app
func BenchmarkPlugin(b *testing.B) {
	const window = time.Second
	open := func(o apptest.Options) func(connections int) (p50 time.Duration, perSecond float64) {
		o.Labels = []apptest.Label{{Key: "alpha", CUE: "modules: fixture: {}"}}
		s := apptest.Start(b, o)
		anna := s.Customer("alpha", "anna")
		for i := range 12 {
			a := s.Do(apptest.Call{Method: http.MethodPut, Path: fmt.Sprintf("/fixture/notes/%02d", i), Bearer: anna,
				Body: map[string]string{"text": strings.Repeat("note ", 20)}})
			require.Equal(b, 200, a.Status, string(a.Body))
		}
		size := len(s.Do(apptest.Call{Path: "/fixture/notes", Bearer: anna}).Body)
		require.InDelta(b, 2048, size, 512)
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}
		b.Cleanup(client.CloseIdleConnections)
		return func(connections int) (time.Duration, float64) {
			return calls50(b, client, s.URL, anna, size, connections, window)
		}
	}
	inside := open(apptest.Options{Modules: []module.Module{fixture.Module}})
	plugin := open(apptest.Options{Config: config.Config{Plugins: moduletest.PluginsDir(b, "fixture",
		"github.com/wattle-portal/wattle/test/plugin/fixture/plugin")}})
	var latency, throughput, micros, perSecond []float64
	for b.Loop() {
		in, _ := inside(1)
		out, _ := plugin(1)
		_, inRate := inside(32)
		_, outRate := plugin(32)
		latency, throughput = append(latency, out.Seconds()/in.Seconds()), append(throughput, outRate/inRate)
		micros, perSecond = append(micros, out.Seconds()*1e6), append(perSecond, outRate)
	}
	median := func(x []float64) float64 { slices.Sort(x); return x[len(x)/2] }
	b.ReportMetric(median(latency), "p50/inside")
	b.ReportMetric(median(throughput), "calls/inside")
	b.ReportMetric(median(micros), "p50-µs")
	b.ReportMetric(median(perSecond), "calls/s")
	b.ReportMetric(0, "ns/op")
}

// calls50 requests the page over several connections during a time window. It returns the median latency and the number of responses per
// second.
func calls50(b *testing.B, client *http.Client, url, bearer string, size, connections int, window time.Duration) (p50 time.Duration,
	perSecond float64) {
	b.Helper()
	var mu sync.Mutex
	var took []time.Duration
	var all sync.WaitGroup
	end := time.Now().Add(window)
	for range connections {
		all.Go(func() {
			var mine []time.Duration
			for began := time.Now(); began.Before(end); began = time.Now() {
				r, _ := http.NewRequest(http.MethodGet, url+"/api/v0/fixture/notes", nil)
				r.Host = "alpha.localhost"
				r.Header.Set("Authorization", "Bearer "+bearer)
				res, err := client.Do(r)
				if err != nil {
					b.Error(err)
					return
				}
				n, err := io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
				if err != nil || int(n) != size {
					b.Errorf("%d: %d bytes, %v", res.StatusCode, n, err)
					return
				}
				mine = append(mine, time.Since(began))
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, mine...)
		})
	}
	all.Wait()
	if len(took) == 0 {
		b.FailNow()
	}
	slices.Sort(took)
	return took[len(took)/2], float64(len(took)) / window.Seconds()
}
