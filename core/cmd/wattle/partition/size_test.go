package partition_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/cluster"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules"
)

// A customer has quarter-hourly electricity data and hourly gas data. One customer in four has solar panels.
const (
	perDay    = 96 + 24
	customers = 400 + 2*150 + 4*60 + 8*25 // in 15 labels
)

var sizes = []struct{ labels, customers int }{{1, 400}, {2, 150}, {4, 60}, {8, 25}}

// brand is a label of the test.
type brand struct {
	key       string
	like      string // the label whose rows it copies; empty: its rows are imported
	customers int
}

// TestSize fills 15 labels, some through the import and the rest with copies of these rows. It measures table sizes, partitions a copy of
// the database by label_key, and requests the heaviest pages from both databases in turn. WATTLE_SIZE_INTERVALS is the number of intervals:
// 100 million in `make partition-size`.
func TestSize(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: every table partitioned")
	}
	intervals, err := strconv.Atoi(os.Getenv("WATTLE_SIZE_INTERVALS"))
	long := err == nil
	days, parts, rounds := 730, 16, 120
	if !long {
		intervals, days, parts, rounds = 60_000, 40, 4, 2
	}
	var brands []brand
	for size, of := range sizes {
		n := max(1, of.customers*intervals/(customers*perDay*days))
		for i := range of.labels {
			b := brand{key: fmt.Sprintf("brand%d%c", size, 'a'+i), customers: n}
			if i > 0 {
				b.like = fmt.Sprintf("brand%da", size)
			}
			brands = append(brands, b)
		}
	}
	start := cluster.Start
	if long {
		start = cluster.StartDurable
	}
	pg := server(t, start)
	plain := create(t, pg, "plain", "template0")
	var labels []apptest.Label
	for _, b := range brands {
		labels = append(labels, apptest.Label{Key: b.key})
	}
	serve := func(database string) *apptest.Server {
		return apptest.Start(t, apptest.Options{Modules: modules.All, Labels: labels, Store: &store.Config{URL: database}})
	}

	began := time.Now()
	s := serve(plain)
	var work errgroup.Group
	work.SetLimit(2)
	for _, b := range brands {
		if b.like == "" {
			work.Go(func() error { return fill(t, s, b, days) })
		}
	}
	require.NoError(t, work.Wait())
	require.NoError(t, s.Stop(t.Context()))
	t.Logf("imported in %s", time.Since(began).Round(time.Second))
	began = time.Now()
	for _, b := range brands {
		if b.like == "" {
			copyDays(t, plain, b)
		} else {
			copyLabel(t, plain, b)
		}
	}
	execute(t, plain, "VACUUM ANALYZE")
	t.Logf("copied labels and analyzed in %s", time.Since(began).Round(time.Second))
	people := 0
	for _, b := range brands {
		people += b.customers
	}
	t.Logf("%d intervals of %d customers in %d labels, %d days", people*perDay*days, people, len(brands), days)

	began = time.Now()
	parted := create(t, pg, "parted", "plain")
	t.Logf("database copied in %s", time.Since(began).Round(100*time.Millisecond))
	began = time.Now()
	byLabel(t, parted, parts)
	t.Logf("partitioned in %s", time.Since(began).Round(100*time.Millisecond))
	execute(t, parted, "VACUUM ANALYZE")

	t.Run("11-partition-sizes", func(t *testing.T) {
		years := float64(people) * float64(days) / 365
		before, after := measure(t, plain), measure(t, parted)
		t.Logf("%-28s %12s %10s %10s %10s %10s %12s", "per customer and year", "rows", "table", "TOAST", "indexes", "bytes", "partitioned")
		for _, table := range before {
			i := slices.IndexFunc(after, func(x tableSize) bool { return x.name == table.name })
			require.GreaterOrEqual(t, i, 0, table.name)
			require.Equal(t, table.rows, after[i].rows, table.name)
			if table.rows > 0 {
				t.Logf("%-28s %12.1f %10.0f %10.0f %10.0f %10.0f %12.0f", table.name, float64(table.rows)/years, float64(table.heap)/years,
					float64(table.toast)/years,
					float64(table.indexes)/years, float64(table.heap+table.toast+table.indexes)/years,
					float64(after[i].heap+after[i].toast+after[i].indexes)/years)
			}
		}
		i := slices.IndexFunc(before, func(x tableSize) bool { return x.name == "usage_days" })
		require.Equal(t, int64(people*2*days), before[i].rows)
		t.Logf("usage_days: %.2f bytes an interval", float64(before[i].heap+before[i].toast+before[i].indexes)/float64(people*perDay*days))
		for _, database := range []string{plain, parted} {
			t.Log(column(t, database, "SELECT pg_size_pretty(pg_database_size(current_database())) || ' in ' || count(*) || ' tables and indexes' FROM pg_class WHERE relnamespace = 'public'::regnamespace"))
		}
	})

	explainable(t, pg)
	servers := []*apptest.Server{serve(plain), serve(parted)}
	var pages [][]page
	for _, s := range servers {
		pages = append(pages, append(pagesOf(t, s, brands[0], days), pagesOf(t, s, brands[len(brands)-1], days)...))
	}
	t.Logf("%-44s %21s %21s", "ms", "one table", "partitioned")
	for n := range pages[0] {
		times := make([][]time.Duration, len(servers))
		for range rounds { // in turns, so that load on the machine affects both
			for i := range servers {
				began := time.Now()
				pages[i][n].do(t)
				times[i] = append(times[i], time.Since(began))
			}
		}
		var out []any
		for _, all := range times {
			slices.Sort(all)
			out = append(out, ms(all[len(all)/2]), ms(all[len(all)*99/100]))
		}
		t.Logf("%-44s p50 %6.1f p99 %6.1f | p50 %6.1f p99 %6.1f", append([]any{pages[0][n].name}, out...)...)
	}

	t.Run("11-partition-months", func(t *testing.T) {
		const months = `SELECT relname::text FROM pg_class WHERE relname LIKE 'usage\_days%2019\_05' ORDER BY 1`
		require.Empty(t, column(t, parted, months))
		target, _, err := servers[1].Importer(brands[0].key)
		require.NoError(t, err)
		old := intervalDay(value.Day{Year: 2019, Month: 5, Day: 31}, time.UTC, 0, false)
		refused, err := target(t.Context(), "interval_day",
			[]record.Row{{Line: 1, Data: json.RawMessage(fmt.Sprintf(`{"ean_code":%q,%s`, ean(0), old))}})
		require.NoError(t, err)
		require.Empty(t, refused)
		require.Len(t, column(t, parted, months), parts)
	})
	t.Run("11-partition-pruned", func(t *testing.T) {
		log := pg.Log()
		explain(t, pg, true)
		for range 8 { // more executions than the server needs to choose a generic plan for a prepared statement
			for i := range servers {
				for _, p := range pages[i] {
					p.do(t)
				}
			}
		}
		require.NoError(t, servers[1].Jobs.RunDue(t.Context()))
		explain(t, pg, false)
		type heavy struct {
			n         int
			ms, most  float64
			hit, read int
		}
		all := map[string]map[string]*heavy{}
		statements(t, log, func(s statement) {
			if s.Database != "plain" && s.Database != "parted" {
				return
			}
			text := shortened(s.Query)
			if all[text] == nil {
				all[text] = map[string]*heavy{"plain": {}, "parted": {}}
			}
			h := all[text][s.Database]
			h.n, h.ms, h.most, h.hit, h.read = h.n+1, h.ms+s.Duration, max(h.most, s.Duration), h.hit+s.Plan.Hit, h.read+s.Plan.Read
		})
		var texts []string
		for text := range all {
			if all[text]["plain"].n > 0 && all[text]["parted"].n > 0 {
				texts = append(texts, text)
			}
		}
		slices.SortFunc(texts, func(a, b string) int { return int(1000 * (all[b]["plain"].most - all[a]["plain"].most)) })
		for _, text := range texts[:min(len(texts), 15)] {
			for _, database := range []string{"plain", "parted"} {
				h := all[text][database]
				t.Logf("%-7s %4d times, %7.2f ms, at most %7.2f, %6.0f buffers, %4.0f read: %s", database, h.n, h.ms/float64(h.n), h.most,
					float64(h.hit+h.read)/float64(h.n),
					float64(h.read)/float64(h.n), text)
			}
		}
		pruned, crossings := onlyDocumented(t, log, func(database string) bool { return database == "parted" })
		t.Logf("%d statements read one partition by label_key of each table; across labels: %d kinds", pruned, len(crossings))
		require.Greater(t, pruned, 100)
	})
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// tableSize is the storage size of a table with all its partitions.
type tableSize struct {
	name                       string
	rows, heap, toast, indexes int64
}

func measure(t *testing.T, database string) (out []tableSize) {
	t.Helper()
	for _, line := range column(t, database, `SELECT json_build_object('name', t.relname, 'rows', (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', t.relname), false, true, '')))[1]::text::bigint,
			'heap', sum(pg_relation_size(c.oid)), 'toast', sum(coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0)), 'indexes', sum(pg_indexes_size(c.oid)))::text
		FROM pg_class t, pg_partition_tree(t.oid) p JOIN pg_class c ON c.oid = p.relid
		WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'p' AND NOT t.relispartition GROUP BY t.relname
		UNION ALL SELECT json_build_object('name', c.relname, 'rows', (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', c.relname), false, true, '')))[1]::text::bigint,
			'heap', pg_relation_size(c.oid), 'toast', coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0), 'indexes', pg_indexes_size(c.oid))::text
		FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition ORDER BY 1`) {
		var x struct {
			Name                       string
			Rows, Heap, Toast, Indexes int64
		}
		require.NoError(t, json.Unmarshal([]byte(line), &x))
		out = append(out, tableSize{x.Name, x.Rows, x.Heap, x.Toast, x.Indexes})
	}
	slices.SortFunc(out, func(a, b tableSize) int {
		return int((b.heap + b.toast + b.indexes - a.heap - a.toast - a.indexes) / 8192)
	})
	return out
}

func debtor(b brand, n int) string { return fmt.Sprintf("%s-%04d", strings.ToUpper(b.source()), n) }

// ean returns the EAN of a customer's electricity connection; the gas connection has the next EAN.
func ean(n int) string { return fmt.Sprintf("8716000%011d", 2*n) }

func gasOf(n int) string { return fmt.Sprintf("8716000%011d", 2*n+1) }

func (b brand) source() string {
	if b.like != "" {
		return b.like
	}
	return b.key
}

// fill imports the customers of a label with their invoices, readings and intervals.
func fill(t *testing.T, s *apptest.Server, b brand, days int) error {
	target, _, err := s.Importer(b.key)
	if err != nil {
		return err
	}
	take := func(kind string, records []string) error {
		for batch := range slices.Chunk(records, 2500) {
			rows := make([]record.Row, len(batch))
			for i, r := range batch {
				rows[i] = record.Row{Line: i + 1, Data: json.RawMessage(r)}
			}
			refused, err := target(t.Context(), kind, rows)
			if err != nil || len(refused) > 0 {
				return fmt.Errorf("%s of %s: %w %v", kind, b.key, err, refused)
			}
		}
		return nil
	}
	last := value.DayOf(apptest.Now)
	amsterdam, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		return err
	}
	var relations, agreements, connections, readings, invoices []string
	for n := range b.customers {
		d := debtor(b, n)
		relations = append(relations, fmt.Sprintf(`{"debtor_number":%q,"initials":"A.","last_name":"Bakker %[2]d","email":"klant%[2]d@voorbeeld.example","relation_since":"2020-01-01",
			"phone_number":"0612345678","addresses":[]}`, d, n))
		agreements = append(agreements, fmt.Sprintf(`{"debtor_number":%q,"agreement_identifier":"A%[1]s","agreement_identifier_with_sequence":"A%[1]s-1","name":"Groen",
			"period":{"from":"2020-01-01","to":null},"product_category":"ENERGY","status":"ACTIVE"}`, d))
		for i, commodity := range []string{"ELECTRICITY", "GAS"} {
			at := []string{ean(n), gasOf(n)}[i]
			connections = append(connections, fmt.Sprintf(`{"debtor_number":%q,"ean_code":%q,"commodity":%q,"meter_type":"SMART","meter_number":"M%[4]d%[5]d","location_id":"L%[4]d",
				"agreement_identifier":"A%[1]s","address":{"street":"Proeflaan","house_number":"%[4]d","zip_code":"9700AA","city":"Groningen"}}`, d, at, commodity, n, i))
			for back := days; back > 0; back -= 30 {
				amount := 30 * (days - back)
				text := fmt.Sprintf(`"consumption_normal":"%d","consumption_low":"%d","feedin_normal":"0","feedin_low":"0"`, amount/7, amount/9)
				if i == 1 {
					text = fmt.Sprintf(`"consumption":"%d"`, amount/20)
				}
				readings = append(readings, fmt.Sprintf(`{"ean_code":%q,"measurement_date":%q,%s}`, at, last.AddDays(-back), text))
			}
		}
	}
	for back := days; back > 0; back -= 30 { // month by month, as a back office sends them
		for n := range b.customers {
			due := last.AddDays(-back)
			invoices = append(invoices, fmt.Sprintf(`{"debtor_number":%[1]q,"agreement_identifier_with_sequence":"A%[1]s-1","invoice_id":"%[1]s-%[2]d","invoice_type":"PERIODICAL","amount":"120.00",
				"balance":"0.00","issue_date":%[3]q,"due_date":%[3]q,"payment_status":"PAID"}`, debtor(b, n), back, due))
		}
	}
	for _, kind := range []struct {
		name    string
		records []string
	}{{"relation", relations}, {"agreement", agreements}, {"invoice", invoices}, {"connection", connections}, {"reading", readings}} {
		if err := take(kind.name, kind.records); err != nil {
			return err
		}
	}
	for n := range min(b.customers, variants) {
		var records []string
		for i := range days {
			d := last.AddDays(i - days)
			records = append(records, fmt.Sprintf(`{"ean_code":%q,%s`, ean(n), intervalDay(d, amsterdam, n, false)),
				fmt.Sprintf(`{"ean_code":%q,%s`, gasOf(n), intervalDay(d, amsterdam, n, true)))
		}
		slices.Sort(records) // one connection after the other
		if err := take("interval_day", records); err != nil {
			return err
		}
	}
	return nil
}

// variants is the number of customers of a label whose daily data is generated. The other customers have the data of one of these.
const variants = 8

// copyDays copies the imported daily data of the first customers to the other customers of the label.
func copyDays(t *testing.T, database string, b brand) {
	t.Helper()
	others := strings.Join(column(t, database,
		`SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = 'usage_days'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'ean_code'`), ", ")
	execute(t, database, fmt.Sprintf(`INSERT INTO usage_days (ean_code, %[1]s) SELECT '8716000' || lpad((2 * n + substr(ean_code, 8)::bigint %% 2)::text, 11, '0') AS ean_code, %[1]s
		FROM usage_days JOIN generate_series(%[2]d, %[3]d) AS n ON n %% %[2]d = substr(ean_code, 8)::bigint / 2 WHERE label_key = '%[4]s' ORDER BY 1, day`,
		others, variants, b.customers-1, b.key))
}

// intervalDay returns a day of a household that uses most energy in the evening. The household has solar panels if variant is a multiple of
// four.
func intervalDay(d value.Day, loc *time.Location, variant int, gas bool) string {
	noise := func(n int) float64 { // always the same for the same interval
		x := math.Sin(float64(variant*7919+n*104729+d.DaysSince(value.Day{Year: 2024, Month: 1, Day: 1})*15485863)) * 43758.5453
		return x - math.Floor(x)
	}
	text := func(v float64) string { return fmt.Sprintf("%.3f", v) }
	hours := int(d.AddDays(1).In(loc).Sub(d.In(loc)).Hours())
	season := 1 + .5*math.Cos(2*math.Pi*float64(d.In(time.UTC).YearDay())/365)
	if gas {
		var taken []string
		for hour := range hours {
			taken = append(taken, text(math.Max(0, season-.6)*.4*noise(hour)))
		}
		return fmt.Sprintf(`"day":%q,"seconds":"3600","consumption":[%s]}`, d, strings.Join(taken, ","))
	}
	weekend := d.In(time.UTC).Weekday() == time.Saturday || d.In(time.UTC).Weekday() == time.Sunday
	var normal, low, feedNormal, feedLow []string
	for n := range hours * 4 {
		hour := n / 4
		use := .03 + .08*noise(n)
		if hour >= 17 && hour < 23 {
			use += .15 * noise(n+100)
		}
		sun := 0.0
		if variant%4 == 0 && hour >= 6 && hour <= 20 {
			sun = math.Max(0, math.Sin(math.Pi*float64(hour-6)/14)) * (2 - season) * .6 * noise(n+200)
		}
		if hour < 7 || hour >= 23 || weekend {
			normal, low, feedNormal, feedLow = append(normal, "0"), append(low, text(use)), append(feedNormal, "0"), append(feedLow, text(sun))
		} else {
			normal, low, feedNormal, feedLow = append(normal, text(use)), append(low, "0"), append(feedNormal, text(sun)), append(feedLow, "0")
		}
	}
	return fmt.Sprintf(`"day":%q,"seconds":"900","normal":[%s],"low":[%s],"feedin_normal":[%s],"feedin_low":[%s]}`, d,
		strings.Join(normal, ","),
		strings.Join(low, ","), strings.Join(feedNormal, ","), strings.Join(feedLow, ","))
}

// copyLabel copies the rows of another label to a label.
func copyLabel(t *testing.T, database string, b brand) {
	t.Helper()
	all := []string{"SET session_replication_role = replica"} // disables triggers and the checks of foreign keys
	for _, table := range column(t, database, `SELECT quote_ident(c.relname) || '|' || string_agg(quote_ident(o.attname), ', ') FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'label_key'
		JOIN pg_attribute o ON o.attrelid = c.oid AND o.attnum > 0 AND NOT o.attisdropped AND o.attname <> 'label_key'
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY c.relname`) {
		name, others, _ := strings.Cut(table, "|")
		all = append(all, fmt.Sprintf("DELETE FROM %s WHERE label_key = '%s'", name, b.key),
			fmt.Sprintf("INSERT INTO %s (label_key, %s) SELECT '%s', %[2]s FROM %[1]s WHERE label_key = '%[4]s'", name, others, b.key, b.like))
	}
	execute(t, database, strings.Join(all, ";\n"))
}

// page is a customer's call or an import.
type page struct {
	name string
	do   func(*testing.T)
}

// pagesOf returns the heaviest pages of a customer in the middle of a label, and the import of one day of a connection.
func pagesOf(t *testing.T, s *apptest.Server, b brand, days int) []page {
	t.Helper()
	n := b.customers / 2
	last, host := value.DayOf(apptest.Now), b.key+".localhost"
	bearer := s.Customer(b.key, value.StableID(b.source(), "relation", debtor(b, n)))
	staff := s.Staff(b.key)
	require.Equal(t, http.StatusOK, s.Do(apptest.Call{Host: host, Path: "/smartmeterreadings/historicaldata?consentGiven=true",
		Bearer: bearer}).Status)
	call := func(name string, c apptest.Call) page {
		c.Host = host
		return page{fmt.Sprintf("%s (label of %d)", name, b.customers), func(t *testing.T) {
			a := s.Do(c)
			require.Equal(t, http.StatusOK, a.Status, c.Path+string(a.Body))
		}}
	}
	get := func(name, path, bearer string) page { return call(name, apptest.Call{Path: path, Bearer: bearer}) }
	from := func(days int) string { return "&from=" + last.AddDays(-days).String() + "&to=" + last.String() }
	span := min(days, 365)
	target, _, err := s.Importer(b.key)
	require.NoError(t, err)
	amsterdam, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	turn := 0
	return []page{
		get("year by day", "/usage/"+ean(n)+"/series?unit=day"+from(span), bearer),
		get("week by hour", "/usage/"+ean(n)+"/series?unit=hour"+from(7), bearer),
		get("cost of the year", "/usage/"+ean(n)+"/cost?from="+last.AddDays(-span).String()+"&to="+last.String(), bearer),
		get("all intervals as CSV", "/smartmeterreadings/csv/"+ean(n), bearer),
		get("ten invoices", "/agreements/A"+debtor(b, n)+"-1/invoices?per_page=10&page=1", bearer),
		call("customer found by staff", apptest.Call{Method: http.MethodPost, Path: "/staff/customers/search",
			Body: map[string]string{"q": "bakker"}, Bearer: staff}),
		{fmt.Sprintf("import of 30 days (label of %d)", b.customers), func(t *testing.T) {
			turn++
			var rows []record.Row
			for i := range 30 {
				rows = append(rows, record.Row{Line: i + 1,
					Data: json.RawMessage(fmt.Sprintf(`{"ean_code":%q,%s`, ean(n), intervalDay(last.AddDays(i-30), amsterdam, 9+turn%2, false)))})
			}
			refused, err := target(t.Context(), "interval_day", rows)
			require.NoError(t, err)
			require.Empty(t, refused)
		}},
	}
}

// shortened returns a statement without its values and most of its columns.
func shortened(query string) string {
	for _, v := range values {
		query = v.expression.ReplaceAllString(query, v.with)
	}
	if len(query) > 220 {
		query = query[:220] + "…"
	}
	return query
}
