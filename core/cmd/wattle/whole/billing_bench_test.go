package whole_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules"
)

// BenchmarkInvoices compares an authenticated page of 10 invoices out of a million with a bare handler that runs the same prepared query
// and writes the same bytes. It also compares page 1 with page 1,000 of one agreement. 10,000 relations have 99 invoices each, and one
// relation has 10,000. WATTLE_BENCH_RELATIONS reduces the number of relations.
func BenchmarkInvoices(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchInvoices(b, storetest.SQLiteConfig(b)) })
	b.Run("postgres", func(b *testing.B) { benchInvoices(b, storetest.PostgresConfig(b)) })
}

func benchInvoices(b *testing.B, db store.Config) {
	s := apptest.Start(b, apptest.Options{Modules: modules.All, Labels: []apptest.Label{{Key: "alpha"}}, Store: &db})
	relations, err := strconv.Atoi(os.Getenv("WATTLE_BENCH_RELATIONS"))
	if err != nil {
		relations = 10_000
	}
	perSecond := manyInvoices(b, s, relations)

	const big = "D999999"
	pages := func(debtor string) (first, last string) {
		path := "/agreements/" + debtor + "-1/invoices?per_page=10&page="
		return path + "1", path + "1000"
	}
	customer := func(debtor string) string { return s.Customer("alpha", value.StableID("alpha", "relation", debtor)) }
	some := fmt.Sprintf("D%06d", relations/2)
	page, _ := pages(some)
	first, last := pages(big)
	bearer, bigBearer := customer(some), customer(big)
	body := func(path, bearer string) []byte {
		a := s.Do(apptest.Call{Path: path, Bearer: bearer})
		require.Equal(b, http.StatusOK, a.Status, string(a.Body))
		var list []json.RawMessage
		a.JSON(b, &list)
		require.Len(b, list, 10)
		return a.Body
	}

	text := `SELECT i.position, i.document FROM billing_invoices AS i WHERE i.label_key = $1 AND i.relation_id = $2 AND i.agreement = $3 AND
		i.position <= (SELECT max(p.position) FROM billing_invoices AS p WHERE p.label_key = $4 AND p.relation_id = $5 AND p.agreement = $6) - $7
		ORDER BY i.position DESC LIMIT $8`
	query, err := s.Store.Read().DB.PrepareContext(b.Context(), text)
	require.NoError(b, err)
	relation, want := value.StableID("alpha", "relation", some), body(page, bearer)
	withQuery, bare := chi.NewMux(), chi.NewMux()
	write := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(want)
	}
	withQuery.Get("/api/v0/agreements/{id}/invoices", func(w http.ResponseWriter, r *http.Request) {
		rows, err := query.QueryContext(r.Context(), "alpha", relation, some+"-1", "alpha", relation, some+"-1", 0, 10)
		if err != nil {
			http.Error(w, "query", http.StatusInternalServerError)
			return
		}
		defer rows.Close()
		position, document := new(sql.RawBytes), new(sql.RawBytes)
		for rows.Next() {
			if rows.Scan(position, document) != nil {
				http.Error(w, "query", http.StatusInternalServerError)
				return
			}
		}
		write(w)
	})
	bare.Get("/api/v0/agreements/{id}/invoices", func(w http.ResponseWriter, _ *http.Request) { write(w) })
	querySrv, bareSrv := httptest.NewServer(withQuery), httptest.NewServer(bare)
	defer querySrv.Close()
	defer bareSrv.Close()

	firstBody, lastBody := body(first, bigBearer), body(last, bigBearer)
	var ours, queries, bares, firsts, lasts []pace
	for b.Loop() {
		for range 3 { // alternating, so that load on the machine affects all of them
			ours = append(ours, load(b, s.URL+"/api/v0"+page, "alpha.localhost", bearer, want))
			queries = append(queries, load(b, querySrv.URL+"/api/v0"+page, "", bearer, want))
			bares = append(bares, load(b, bareSrv.URL+"/api/v0"+page, "", bearer, want))
			firsts = append(firsts, load(b, s.URL+"/api/v0"+first, "alpha.localhost", bigBearer, firstBody))
			lasts = append(lasts, load(b, s.URL+"/api/v0"+last, "alpha.localhost", bigBearer, lastBody))
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
	b.ReportMetric(best(firsts).perSecond/best(lasts).perSecond, "page1/page1000(budget<2)")
	b.ReportMetric(perSecond, "imported/s")
}

// manyInvoices creates 99 invoices for each relation and 10,000 for one. It then imports the next month of all relations, as a back office
// would send it, and returns the number of invoices per second of that import.
func manyInvoices(b *testing.B, s *apptest.Server, relations int) float64 {
	target, _, err := s.Importer("alpha")
	require.NoError(b, err)
	var rows []record.Row
	flush := func(kind string) {
		refused, err := target(b.Context(), kind, rows)
		require.NoError(b, err)
		require.Empty(b, refused)
		rows = rows[:0]
	}
	add := func(kind, data string) {
		if rows = append(rows, record.Row{Line: len(rows) + 1, Data: json.RawMessage(data)}); len(rows) == 500 {
			flush(kind)
		}
	}
	debtors := []string{"D999999"}
	for n := range relations {
		debtors = append(debtors, fmt.Sprintf("D%06d", n))
	}
	for _, debtor := range debtors {
		add("agreement", fmt.Sprintf(`{"debtor_number":%[1]q,"agreement_identifier":%[1]q,"agreement_identifier_with_sequence":"%[1]s-1",
			"product_category":"ENERGY","status":"ACTIVE","period":{"from":"2018-01-01"}}`, debtor))
	}
	flush("agreement")
	invoice := func(debtor string, n int, due value.Day) {
		add("invoice", fmt.Sprintf(`{"debtor_number":%[1]q,"agreement_identifier_with_sequence":"%[1]s-1","invoice_id":"%[1]s-1.%05[2]d","invoice_type":"PERIODICAL",
			"amount":132.5,"balance":0,"issue_date":%[3]q,"due_date":%[4]q,"period_start_date":%[3]q,"period_end_date":%[4]q,"payment_status":"PAID",
			"file":"invoices/%[1]s-%05[2]d.pdf"}`, debtor, n, due.AddDays(-14), due))
	}
	month := func(n int) value.Day { return value.Day{Year: 2018, Month: 8, Day: 28}.AddMonths(n) }
	var monthly, daily []bun.TupleValues // (suffix of the id after the agreement, position, due date)
	for n := range 99 {
		monthly = append(monthly, bun.Tuple([]any{fmt.Sprintf(".%05d", n), n + 1, month(n).String()}))
	}
	for n := range 10_000 { // a large customer: 1,000 pages in 12 years
		daily = append(daily, bun.Tuple([]any{fmt.Sprintf(".%05d", n), n + 1,
			value.Day{Year: 2014, Month: 12, Day: 1}.AddDays(n * 2 / 5).String()}))
	}
	require.NoError(b, s.Store.Tx(b.Context(), func(ctx context.Context, tx bun.Tx) error {
		for big, invoices := range map[string][]bun.TupleValues{"=": daily, "<>": monthly} {
			_, err := tx.NewRaw(`WITH n (id, position, due) AS (VALUES ?)
				INSERT INTO billing_invoices (label_key, invoice_id, relation_id, agreement, due_date, position, amount, balance, file, document)
				SELECT a.label_key, a.agreement || n.id, a.relation_id, a.agreement, n.due, n.position, 13250, 0, 'invoices/' || a.agreement || n.id || '.pdf',
					'{"invoice_id":"' || a.agreement || n.id || '","agreement_identifier_with_sequence":"' || a.agreement || '","invoice_type":"PERIODICAL","amount":132.50,'
					|| '"balance":0.00,"invoice_link":"/api/v0/invoices/' || a.agreement || n.id || '/file","issue_date":"' || n.due || '","due_date":"' || n.due
					|| '","period_start_date":"' || n.due || '","period_end_date":"' || n.due || '","payment_status":"PAID"}'
				FROM billing_agreements AS a CROSS JOIN n WHERE a.agreement `+big+` 'D999999-1'`, bun.List(invoices)).Exec(ctx)
			if err != nil {
				return err
			}
		}
		_, err := tx.NewRaw(`INSERT INTO billing_invoice_years (label_key, relation_id, agreement, year, count, amount, open)
			SELECT label_key, relation_id, agreement, CAST(substr(due_date, 1, 4) AS bigint), count(*), sum(amount), sum(balance)
			FROM billing_invoices GROUP BY 1, 2, 3, 4`).Exec(ctx)
		if err == nil && s.Store.Engine() == store.Postgres {
			_, err = tx.NewRaw("ANALYZE").Exec(ctx)
		}
		return err
	}))
	began := time.Now()
	for _, debtor := range debtors[1:] {
		invoice(debtor, 99, month(99))
	}
	flush("invoice")
	return float64(relations) / time.Since(began).Seconds()
}
