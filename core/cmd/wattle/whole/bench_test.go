package whole_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules"
)

const (
	connections = 32
	round       = time.Second
)

// pace is the measured throughput and latency of a server.
type pace struct {
	perSecond float64
	p99       time.Duration
}

// load requests a page over 32 connections for one round.
func load(b *testing.B, url, host, bearer string, want []byte) pace {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var all []time.Duration
	var wg sync.WaitGroup
	end := time.Now().Add(round)
	for range connections {
		wg.Go(func() {
			var mine []time.Duration
			for time.Now().Before(end) {
				began := time.Now()
				r, _ := http.NewRequest(http.MethodGet, url, nil)
				r.Host = host
				r.Header.Set("Authorization", "Bearer "+bearer)
				res, err := client.Do(r)
				if err != nil {
					b.Error(err)
					return
				}
				body, err := io.ReadAll(res.Body)
				_ = res.Body.Close()
				if err != nil || string(body) != string(want) {
					b.Errorf("%d %s %v", res.StatusCode, body, err)
					return
				}
				mine = append(mine, time.Since(began))
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, mine...)
		})
	}
	wg.Wait()
	if len(all) == 0 {
		b.FailNow()
	}
	slices.Sort(all)
	return pace{float64(len(all)) / round.Seconds(), all[len(all)*99/100]}
}

// BenchmarkRelations compares an authenticated GET relations with a bare handler that runs the same prepared query and writes the same
// bytes, and with a handler that only writes the bytes. The result is a ratio within one run: at least half of the throughput of the
// handler with the query.
func BenchmarkRelations(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchRelations(b, storetest.SQLiteConfig(b)) })
	b.Run("postgres", func(b *testing.B) { benchRelations(b, storetest.PostgresConfig(b)) })
}

func benchRelations(b *testing.B, db store.Config) {
	s := apptest.Start(b, apptest.Options{Modules: modules.All, Labels: []apptest.Label{{Key: "alpha"}}, Store: &db})
	target, _, err := s.Importer("alpha")
	require.NoError(b, err)
	for batch := range 20 {
		var rows []record.Row
		for i := range 500 {
			n := batch*500 + i
			rows = append(rows, record.Row{Line: n, Data: json.RawMessage(fmt.Sprintf(`{"debtor_number":"D%06d","relation_since":"2020-01-15",
				"salutation":"MRS","initials":"A.","last_name":"Bakker","email":"a%d@b.example","phone_number":"0612345678",
				"bank_account_number":"NL38WATT0000001117","bank_account_name":"A. Bakker","addresses":[{"address_type":"INVOICE",
				"street":"Proeflaan","house_number":"1","house_number_extension":"","zip_code":"9700AA","city":"Groningen","connections":[]}]}`, n, n))})
		}
		refused, err := target(b.Context(), "relation", rows)
		require.NoError(b, err)
		require.Empty(b, refused)
	}
	relation := value.StableID("alpha", "relation", "D005000")
	bearer := s.Customer("alpha", relation)
	a := s.Do(apptest.Call{Path: "/relations", Bearer: bearer})
	require.Equal(b, 200, a.Status, string(a.Body))

	text := `SELECT relation_id, debtor_number, relation_since, salutation, initials, prefix, last_name,
		email, phone_number, bank_account_number, bank_account_name, company, addresses FROM account_relations WHERE label_key = $1 AND relation_id = $2`
	query, err := s.Store.Read().DB.PrepareContext(b.Context(), text)
	require.NoError(b, err)
	withQuery := chi.NewMux()
	withQuery.Get("/api/v0/relations", func(w http.ResponseWriter, r *http.Request) {
		cells := make([]any, 13)
		for i := range cells {
			cells[i] = new(sql.RawBytes)
		}
		rows, err := query.QueryContext(r.Context(), "alpha", relation)
		if err != nil || !rows.Next() || rows.Scan(cells...) != nil || rows.Close() != nil {
			http.Error(w, "query", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(a.Body)
	})
	bare := chi.NewMux()
	bare.Get("/api/v0/relations", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(a.Body)
	})
	querySrv, bareSrv := httptest.NewServer(withQuery), httptest.NewServer(bare)
	defer querySrv.Close()
	defer bareSrv.Close()

	var ours, queries, bares []pace
	for b.Loop() {
		for range 3 { // alternating, so that load on the machine affects all of them
			ours = append(ours, load(b, s.URL+"/api/v0/relations", "alpha.localhost", bearer, a.Body))
			queries = append(queries, load(b, querySrv.URL+"/api/v0/relations", "", bearer, a.Body))
			bares = append(bares, load(b, bareSrv.URL+"/api/v0/relations", "", bearer, a.Body))
		}
	}
	best := func(p []pace) pace {
		return slices.MaxFunc(p, func(a, b pace) int { return int(a.perSecond - b.perSecond) })
	}
	o, q, c := best(ours), best(queries), best(bares)
	b.ReportMetric(0, "ns/op") // a round has a fixed duration
	b.ReportMetric(o.perSecond, "req/s")
	b.ReportMetric(100*o.perSecond/q.perSecond, "%of-query(budget>=50)")
	b.ReportMetric(100*o.perSecond/c.perSecond, "%of-chi")
	b.ReportMetric(float64(o.p99.Microseconds())/1000, "p99-ms(budget<20)")
}
