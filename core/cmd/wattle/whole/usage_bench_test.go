package whole_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
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
	meters     = 200 // half electricity, half gas
	meterDays  = 730
	hoursInAll = meters * meterDays * 24
)

// BenchmarkUsage measures the storage of two years of hourly readings of 200 connections (3.5 million intervals). It also measures the
// throughput of a year chart of one connection, compared with a bare handler that runs the same prepared query and writes the same bytes.
func BenchmarkUsage(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchUsage(b, storetest.SQLiteConfig(b)) })
	b.Run("postgres", func(b *testing.B) { benchUsage(b, storetest.PostgresConfig(b)) })
}

// meterDay returns an interval_day record of a household that uses most energy in the evening. The household has solar panels if n is a
// multiple of four.
func meterDay(ean string, gas bool, n int, d value.Day, hours int) string {
	noise := func(hour int) float64 { // always the same for the same hour
		x := math.Sin(float64(n*7919+hour*104729+d.DaysSince(value.Day{Year: 2024, Month: 1, Day: 1})*15485863)) * 43758.5453
		return x - math.Floor(x)
	}
	season := 1 + .5*math.Cos(2*math.Pi*float64(d.In(time.UTC).YearDay())/365)
	var normal, low, feedNormal, feedLow, taken []string
	for hour := range hours {
		use := .12 + .3*noise(hour)
		if hour >= 17 && hour < 23 {
			use += .6 * noise(hour+100)
		}
		sun := math.Max(0, math.Sin(math.Pi*float64(hour-6)/14)) * (2 - season) * 2.5 * noise(hour+200)
		if n%4 != 0 || hour < 6 || hour > 20 {
			sun = 0
		}
		weekday := d.In(time.UTC).Weekday()
		cheap := hour < 7 || hour >= 23 || weekday == time.Saturday || weekday == time.Sunday
		text := func(v float64) string { return fmt.Sprintf("%.3f", v) }
		if cheap {
			normal, low, feedNormal, feedLow = append(normal, "0"), append(low, text(use)), append(feedNormal, "0"), append(feedLow, text(sun))
		} else {
			normal, low, feedNormal, feedLow = append(normal, text(use)), append(low, "0"), append(feedNormal, text(sun)), append(feedLow, "0")
		}
		taken = append(taken, text(math.Max(0, season-.6)*.4*noise(hour)))
	}
	if gas {
		return fmt.Sprintf(`{"ean_code":%q,"day":%q,"consumption":[%s]}`, ean, d, strings.Join(taken, ","))
	}
	return fmt.Sprintf(`{"ean_code":%q,"day":%q,"normal":[%s],"low":[%s],"feedin_normal":[%s],"feedin_low":[%s]}`, ean, d,
		strings.Join(normal, ","),
		strings.Join(low, ","), strings.Join(feedNormal, ","), strings.Join(feedLow, ","))
}

func benchUsage(b *testing.B, db store.Config) {
	s := apptest.Start(b, apptest.Options{Modules: modules.All, Labels: []apptest.Label{{Key: "alpha"}}, Store: &db})
	target, _, err := s.Importer("alpha")
	require.NoError(b, err)
	take := func(kind string, records []string) {
		for batch := range slices.Chunk(records, 500) {
			rows := make([]record.Row, len(batch))
			for i, r := range batch {
				rows[i] = record.Row{Line: i + 1, Data: json.RawMessage(r)}
			}
			refused, err := target(b.Context(), kind, rows)
			require.NoError(b, err)
			require.Empty(b, refused)
		}
	}
	ean := func(n int) string { return fmt.Sprintf("8716000%011d", n) }
	debtor := func(n int) string { return fmt.Sprintf("D%04d", n/2) }
	var relations, agreements, connections []string
	for n := range meters {
		if n%2 == 0 {
			relations = append(relations, fmt.Sprintf(`{"debtor_number":%q,"last_name":"Bakker"}`, debtor(n)))
			agreements = append(agreements, fmt.Sprintf(`{"debtor_number":%q,"agreement_identifier":"A%[1]s","agreement_identifier_with_sequence":"A%[1]s-1",
				"name":"Groen","period":{"from":"2020-01-01","to":null},"product_category":"ENERGY","status":"ACTIVE"}`, debtor(n)))
		}
		commodity := "ELECTRICITY"
		if n%2 == 1 {
			commodity = "GAS"
		}
		connections = append(connections, fmt.Sprintf(`{"debtor_number":%q,"ean_code":%q,"commodity":%q,"meter_type":"SMART","agreement_identifier":"A%s"}`,
			debtor(n), ean(n), commodity, debtor(n)))
	}
	take("relation", relations)
	take("agreement", agreements)
	take("connection", connections)
	amsterdam, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(b, err)
	last := value.DayOf(apptest.Now)
	began := time.Now()
	for n := range meters {
		var records []string
		for i := meterDays; i > 0; i-- {
			d := last.AddDays(-i)
			hours := int(d.AddDays(1).In(amsterdam).Sub(d.In(amsterdam)).Hours())
			records = append(records, meterDay(ean(n), n%2 == 1, n, d, hours))
		}
		take("interval_day", records)
	}
	took := time.Since(began)

	var bytes int64
	if s.Store.Engine() == store.SQLite {
		_, err := s.Store.DB().ExecContext(b.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
		require.NoError(b, err)
		err = s.Store.Read().NewRaw("SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'usage_days%' OR name LIKE 'sqlite_autoindex_usage_days%'").Scan(b.Context(), &bytes)
		require.NoError(b, err)
	} else {
		err = s.Store.Read().NewRaw("SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'usage_days'::regclass").Scan(b.Context(), &bytes)
		require.NoError(b, err)
		_, err := s.Store.DB().ExecContext(b.Context(), "ANALYZE usage_days")
		require.NoError(b, err)
	}

	path := "/usage/" + ean(100) + "/series?unit=day&from=2025-11-01&to=2026-11-01"
	bearer := s.Customer("alpha", value.StableID("alpha", "relation", debtor(100)))
	require.Equal(b, http.StatusOK, s.Do(apptest.Call{Path: "/smartmeterreadings/historicaldata?consentGiven=true", Bearer: bearer}).Status)
	var alone []time.Duration
	var answer apptest.Answer
	for range 100 { // one at a time, to measure the time of the server and of a local HTTP connection
		from := time.Now()
		answer = s.Do(apptest.Call{Path: path, Bearer: bearer})
		alone = append(alone, time.Since(from))
		require.Equal(b, http.StatusOK, answer.Status, string(answer.Body))
	}
	slices.Sort(alone)
	require.Equal(b, 365, strings.Count(string(answer.Body), `"start"`))
	require.Contains(b, string(answer.Body), `"complete":true`)

	text := "SELECT day, missing, normal, low, feedin_normal, feedin_low, gas FROM usage_days WHERE label_key = $1 AND ean_code = $2 AND day >= $3 AND day < $4 ORDER BY day"
	query, err := s.Store.Read().DB.PrepareContext(b.Context(), text)
	require.NoError(b, err)
	bare := chi.NewMux()
	bare.Get("/api/v0/usage/{ean}/series", func(w http.ResponseWriter, r *http.Request) {
		rows, err := query.QueryContext(r.Context(), "alpha", ean(100), "2025-11-01", "2026-11-01")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer func() { _ = rows.Close() }()
		n := 0
		for cells := make([]any, 7); rows.Next(); n++ {
			for i := range cells {
				cells[i] = new(any)
			}
			if rows.Scan(cells...) != nil {
				break
			}
		}
		if n != 365 {
			http.Error(w, "rows", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer.Body)
	})
	bareSrv := httptest.NewServer(bare)
	defer bareSrv.Close()
	var ours, bares []pace
	for b.Loop() {
		for range 3 { // alternating, so that load on the machine affects both
			ours = append(ours, load(b, s.URL+"/api/v0"+path, "alpha.localhost", bearer, answer.Body))
			bares = append(bares, load(b, bareSrv.URL+"/api/v0"+path, "", bearer, answer.Body))
		}
	}
	best := func(p []pace) pace {
		return slices.MaxFunc(p, func(a, b pace) int { return int(a.perSecond - b.perSecond) })
	}
	o, q := best(ours), best(bares)
	b.ReportMetric(0, "ns/op") // a round has a fixed duration
	b.ReportMetric(float64(bytes)/hoursInAll, "bytes/interval")
	b.ReportMetric(hoursInAll/took.Seconds(), "intervals/s-imported")
	b.ReportMetric(float64(alone[len(alone)/2].Microseconds())/1000, "ms-year(budget<50)")
	b.ReportMetric(o.perSecond, "req/s")
	b.ReportMetric(100*o.perSecond/q.perSecond, "%of-query")
	b.ReportMetric(float64(o.p99.Microseconds())/1000, "p99-ms-of-32")
}
