package web_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/module"
)

// discard is a response writer that discards everything.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}

// BenchmarkEntry measures the cost of core per call, without the network and without a query: with a token, without one, and, for
// comparison, the module alone.
func BenchmarkEntry(b *testing.B) {
	s := apptest.Start(b, apptest.Options{Modules: []module.Module{apptest.Probe}})
	bearer := "Bearer " + s.Customer("alpha", "r1")
	for _, c := range []struct {
		name, path, bearer string
		handler            http.Handler
	}{
		{"authenticated", "/api/v0/probe/mine", bearer, s.Handler},
		{"public", "/api/v0/probe/open", "", s.Handler},
		{"module alone", "/probe/open", "", s.Registry.Snapshot().Modules["probe"]},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, c.path, nil)
			r.Host = "alpha.localhost"
			r.Header.Set("Authorization", c.bearer)
			b.ReportAllocs()
			for b.Loop() {
				c.handler.ServeHTTP(discard{http.Header{}}, r)
			}
		})
	}
}
