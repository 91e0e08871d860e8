package whole_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules"
)

// BenchmarkImportInvoices imports the invoices of all relations, month by month, into an empty label: once with the pause of decision 0008,
// and once with --bulk. Each is compared with a bare insert of the same rows into the same table, in transactions of the size of --bulk.
// WATTLE_BENCH_INVOICES sets the number of invoices, and WATTLE_BENCH_PAUSED=0 skips the run with the pause. The budget of --bulk is 60 %
// of the bare insert (docs/decisions/0057).
func BenchmarkImportInvoices(b *testing.B) {
	total, err := strconv.Atoi(os.Getenv("WATTLE_BENCH_INVOICES"))
	if err != nil {
		total = 200_000
	}
	agreements, invoices := invoiceFiles(b, total)
	for _, engine := range []struct {
		name   string
		config func() store.Config
	}{
		{"sqlite", func() store.Config { return storetest.SQLiteConfig(b) }},
		{"postgres", func() store.Config { return storetest.DurablePostgresConfig(b) }},
	} {
		b.Run(engine.name, func(b *testing.B) {
			var bare, paused, bulk time.Duration
			run := func(o imports.Options) time.Duration {
				db := engine.config()
				db.Unsafe = false
				s := apptest.Start(b, apptest.Options{Modules: modules.All, Durable: true, Labels: []apptest.Label{{Key: "alpha"}}, Store: &db})
				target, order, err := s.Importer("alpha")
				require.NoError(b, err)
				o.Database, err = s.Store.Importing(b.Context(), o.Bulk) // as the command does
				require.NoError(b, err)
				o.Label, o.Order, o.Files = "alpha", order, []string{agreements}
				_, err = imports.Run(b.Context(), o, target)
				require.NoError(b, err)
				o.Files = []string{invoices}
				began := time.Now()
				report, err := imports.Run(b.Context(), o, target)
				took := time.Since(began)
				require.NoError(b, err)
				require.Zero(b, report.Refused)
				require.NoError(b, s.Stop(b.Context()))
				return took
			}
			for b.Loop() {
				bare += insertInvoices(b, engine.config(), total)
				if os.Getenv("WATTLE_BENCH_PAUSED") != "0" {
					paused += run(imports.Options{Pause: true})
				}
				bulk += run(imports.Options{Bulk: true})
			}
			rate := func(took time.Duration) float64 { return float64(total*b.N) / took.Seconds() }
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(rate(bare), "bare-rows/s")
			if paused > 0 {
				b.ReportMetric(rate(paused), "paused-rows/s")
			}
			b.ReportMetric(rate(bulk), "bulk-rows/s")
			b.ReportMetric(100*bare.Seconds()/bulk.Seconds(), "%of-bare(budget>=60)")
		})
	}
}

const perRelation = 100

// invoiceFiles writes the agreements of relations, and their invoices month by month.
func invoiceFiles(b *testing.B, total int) (agreements, invoices string) {
	dir := b.TempDir()
	write := func(name string, lines func(w *bufio.Writer)) string {
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		require.NoError(b, err)
		w := bufio.NewWriter(f)
		lines(w)
		require.NoError(b, w.Flush())
		require.NoError(b, f.Close())
		return path
	}
	agreements = write("agreement.ndjson", func(w *bufio.Writer) {
		for n := range total / perRelation {
			fmt.Fprintf(w, `{"debtor_number":"D%06[1]d","agreement_identifier":"D%06[1]d","agreement_identifier_with_sequence":"D%06[1]d-1",`+
				`"product_category":"ENERGY","status":"ACTIVE","period":{"from":"2018-01-01"}}`+"\n", n)
		}
	})
	invoices = write("invoice.ndjson", func(w *bufio.Writer) {
		for month := range perRelation {
			due := value.Day{Year: 2018, Month: 8, Day: 28}.AddMonths(month)
			for n := range total / perRelation {
				fmt.Fprintf(w, `{"debtor_number":"D%06[1]d","agreement_identifier_with_sequence":"D%06[1]d-1","invoice_id":"D%06[1]d-1.%05[2]d",`+
					`"invoice_type":"PERIODICAL","amount":132.5,"balance":0,"issue_date":%[3]q,"due_date":%[4]q,"period_start_date":%[3]q,`+
					`"period_end_date":%[4]q,"payment_status":"PAID","file":"invoices/D%06[1]d-%05[2]d.pdf"}`+"\n", n, month, due.AddDays(-14), due)
			}
		}
	})
	return agreements, invoices
}

// insertInvoices inserts only the rows that an import of the invoices stores.
func insertInvoices(b *testing.B, config store.Config, total int) time.Duration {
	config.Unsafe = false
	s := apptest.Start(b, apptest.Options{Modules: modules.All, Durable: true, Labels: []apptest.Label{{Key: "alpha"}}, Store: &config})
	defer func() { require.NoError(b, s.Stop(b.Context())) }()
	relations := make([]string, total/perRelation)
	for n := range relations {
		relations[n] = value.StableID("alpha", "relation", fmt.Sprintf("D%06d", n))
	}
	var rows []bun.TupleValues
	var took time.Duration
	flush := func() {
		began := time.Now()
		require.NoError(b, s.Store.Tx(b.Context(), func(ctx context.Context, tx bun.Tx) error {
			_, err := tx.NewRaw("INSERT INTO billing_invoices (label_key, invoice_id, relation_id, agreement, due_date, position, amount, balance, file, document) VALUES ?",
				bun.List(rows)).Exec(ctx)
			return err
		}))
		took += time.Since(began)
		rows = rows[:0]
	}
	for month := range perRelation {
		due := value.Day{Year: 2018, Month: 8, Day: 28}.AddMonths(month)
		for n, relation := range relations {
			agreement := fmt.Sprintf("D%06d-1", n)
			id := fmt.Sprintf("%s.%05d", agreement, month)
			file := fmt.Sprintf("invoices/D%06d-%05d.pdf", n, month)
			rows = append(rows, bun.Tuple([]any{"alpha", id, relation, agreement, due.String(), month + 1, 13250, 0, file,
				`{"invoice_id":"` + id + `","agreement_identifier_with_sequence":"` + agreement +
					`","invoice_type":"PERIODICAL","amount":132.50,"balance":0.00,"invoice_link":"/api/v0/invoices/` +
					id + `/file","issue_date":"` + due.AddDays(-14).String() + `","due_date":"` + due.String() + `","period_start_date":"` +
					due.AddDays(-14).String() +
					`","period_end_date":"` + due.String() + `","payment_status":"PAID"}`}))
			if len(rows) == imports.BulkRows {
				flush()
			}
		}
	}
	if len(rows) > 0 {
		flush()
	}
	return took
}
