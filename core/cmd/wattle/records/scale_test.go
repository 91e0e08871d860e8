package records_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/test/fixture"
)

// agreementLines returns count agreements, each of another relation.
func agreementLines(count int) string {
	var b strings.Builder
	for n := range count {
		fmt.Fprintf(&b, `{"debtor_number":"D%[1]d","agreement_identifier":"D%[1]d","agreement_identifier_with_sequence":"D%[1]d-1",`+
			`"product_category":"ENERGY","status":"ACTIVE","period":{"from":"2018-01-01"}}`+"\n", n)
	}
	return b.String()
}

func invoiceLine(relation, id int, due value.Day) string {
	return fmt.Sprintf(`{"debtor_number":"D%[1]d","agreement_identifier_with_sequence":"D%[1]d-1","invoice_id":"I%06[2]d","invoice_type":"PERIODICAL",`+
		`"amount":%[2]d.5,"balance":%[2]d,"issue_date":%[3]q,"due_date":%[3]q,"payment_status":"OPEN"}`+"\n", relation, id, due)
}

// invoices returns the stored invoices (relation, invoice, day, position and amount) and the totals per year.
func invoices(t *testing.T, s *store.Store) (out []string) {
	t.Helper()
	for _, query := range []string{
		"SELECT relation_id || ' ' || invoice_id || ' ' || due_date || ' ' || position || ' ' || amount || ' ' || balance || ' ' || document FROM billing_invoices ORDER BY 1",
		"SELECT relation_id || ' ' || year || ' ' || count || ' ' || amount || ' ' || open FROM billing_invoice_years ORDER BY 1",
	} {
		var lines []string
		require.NoError(t, s.Read().NewRaw(query).Scan(t.Context(), &lines))
		out = append(out, lines...)
	}
	return out
}

// importer starts a portal with agreements, and returns a function that imports invoices.
func importer(t *testing.T, db store.Config, relations int) (*apptest.Server, func(o imports.Options, path string) (imports.Report,
	error)) {
	t.Helper()
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Store: &db, Labels: []apptest.Label{{Key: "alpha"}}})
	target, order, err := s.Importer("alpha")
	require.NoError(t, err)
	run := func(o imports.Options, path string) (imports.Report, error) {
		o.Label, o.Order, o.Files = "alpha", order, []string{path}
		return imports.Run(t.Context(), o, target)
	}
	report, err := run(imports.Options{}, file(t, "agreement.ndjson", agreementLines(relations)))
	require.NoError(t, err)
	require.Zero(t, report.Refused)
	return s, run
}

func TestBulk(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: many records")
	}
	t.Parallel()
	t.Run("11-import-bulk", func(t *testing.T) {
		configs := map[string]func(testing.TB) store.Config{"sqlite": storetest.SQLiteConfig, "postgres": storetest.PostgresConfig}
		for engine, config := range configs {
			t.Run(engine, func(t *testing.T) {
				// Invoices are imported in order, out of order, on the same day, moved to another day, and moved to another relation.
				const relations, total = 40, 3000
				random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
				first := value.Day{Year: 2019, Month: 1, Day: 1}
				var b strings.Builder
				for n := range total {
					due := first.AddDays(n / 4)
					if n >= total/2 {
						due = first.AddDays(random.IntN(2000))
					}
					b.WriteString(invoiceLine(n%relations, n, due))
					if n%50 == 49 {
						repeated := random.IntN(n)
						b.WriteString(invoiceLine((repeated+n%3)%relations, repeated, first.AddDays(random.IntN(2000))))
					}
				}
				path := file(t, "invoice.ndjson", b.String())
				plain, run := importer(t, config(t), relations)
				report, err := run(imports.Options{}, path)
				require.NoError(t, err)
				require.Zero(t, report.Refused)
				want := invoices(t, plain.Store)
				bulk, run := importer(t, config(t), relations)
				_, err = run(imports.Options{Bulk: true}, path)
				require.NoError(t, err)
				require.Equal(t, want, invoices(t, bulk.Store))
				requireRecount(t, bulk.Store, total)
			})
		}
	})
	t.Run("11-import-bulk-refused", func(t *testing.T) {
		for name, config := range map[string]func(testing.TB) store.Config{"sqlite": storetest.SQLiteConfig,
			"postgres": storetest.PostgresConfig} {
			t.Run(name, func(t *testing.T) {
				db := config(t)
				s, _ := importer(t, db, 3)
				require.NoError(t, s.Stop(context.WithoutCancel(t.Context())))
				path := file(t, "invoice.ndjson", invoiceLine(1, 1, value.Day{Year: 2026, Month: 1, Day: 1}))
				program := fixture.Serve(t, s.Portal())
				require.Contains(t, fixture.Refused(t, s.Portal(), "import", "--bulk", "--label", "alpha", path),
					"--bulk writes without pauses, and another process has the database open: stop every process of the portal first, or import without --bulk")
				require.Contains(t, fixture.Command(t, s.Portal(), "import", "--label", "alpha", path), "1 of 1 record stored",
					"without it, also while the portal serves")
				program.Kill()
				endSessions(t, db)
				require.Contains(t, fixture.Command(t, s.Portal(), "import", "--bulk", "--label", "alpha", path), "1 of 1 record stored")
			})
		}
	})
}

// PostgreSQL writes new invoices with a different statement than SQLite, so both import the same files: invoices that are new, unchanged,
// moved, twice in a file, refused or of an unknown agreement, with any text.
func TestInvoicesOnBothEngines(t *testing.T) {
	t.Parallel()
	t.Run("11-import-engines", func(t *testing.T) {
		const relations = 5
		sqlite, intoSQLite := importer(t, storetest.SQLiteConfig(t), relations)
		postgres, intoPostgres := importer(t, storetest.PostgresConfig(t), relations)
		first := value.Day{Year: 2023, Month: 11, Day: 1}
		line := rapid.Custom(func(r *rapid.T) string {
			relation := rapid.IntRange(0, relations).Draw(r, "relation") // the last one has no agreement
			text, err := json.Marshal(rapid.OneOf(rapid.String(),
				rapid.SampledFrom([]string{`'"\{},NULL`, "\x00", "\ufffd", "é\n\r\t", `\\x41`, "NULL", ""})).Draw(r, "text"))
			if err != nil {
				r.Fatal(err)
			}
			return fmt.Sprintf(`{"debtor_number":"D%[1]d","agreement_identifier_with_sequence":"D%[1]d-1","invoice_id":"%[2]s%[3]d","invoice_type":"PERIODICAL","amount":%[4]d.25,`+
				`"balance":%[5]d,"issue_date":"2026-01-01","due_date":%[6]q,"payment_status":"OPEN","file":"%[7]s","settlement":{"receivable":{"invoice_reference":%[8]s,"amount_value":1,`+
				`"invoice_type":"ANNUAL"},"rest_amount":0,"payment_reference":%[8]s}}`+"\n", relation,
				rapid.SampledFrom([]string{"I", "I", "I", "~"}).Draw(r, "prefix"),
				rapid.IntRange(0, 200).Draw(r, "id"), rapid.IntRange(-500, 500).Draw(r, "amount"), rapid.IntRange(-1, 1).Draw(r, "balance"),
				first.AddDays(rapid.IntRange(0, 120).Draw(r, "day")), rapid.SampledFrom([]string{"", "a/b.pdf", "../b.pdf", `a\u0000.pdf`}).Draw(r,
					"file"), text)
		})
		n := 0
		rapid.Check(t, func(r *rapid.T) {
			n++
			name := fmt.Sprintf("%d.ndjson", n)
			path := file(t, name, strings.Join(rapid.SliceOfN(line, 1, 40).Draw(r, "lines"), ""))
			o := imports.Options{Kind: "invoice", KeepGoing: true, Bulk: rapid.Bool().Draw(r, "bulk")}
			var before []string
			for attempt := range 2 {
				want, err := intoSQLite(o, path)
				require.NoError(r, err)
				refusals := rejected(t, path)
				got, err := intoPostgres(o, path)
				require.NoError(r, err)
				require.Equal(r, want, got)
				require.Equal(r, refusals, rejected(t, path))
				after := sorted(invoices(t, sqlite.Store))
				require.Equal(r, after, sorted(invoices(t, postgres.Store)))
				if attempt > 0 {
					require.Equal(r, before, after, "the same file again changes nothing")
				}
				before = after
			}
		})
	})
}

// rejected returns the refused records of an imported file, or an empty string if there are none.
func rejected(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path + ".rejected.ndjson")
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	return string(b)
}

// sorted returns lines in an order that does not depend on the collation of the server.
func sorted(lines []string) []string {
	slices.Sort(lines)
	return lines
}

// requireRecount requires that the stored positions and totals match the stored invoices.
func requireRecount(t *testing.T, s *store.Store, total int) {
	t.Helper()
	var mismatches, count int
	require.NoError(t, s.Read().NewRaw(`SELECT count(*) FROM (SELECT position, row_number() OVER (PARTITION BY relation_id, agreement ORDER BY due_date, invoice_id) AS n
		FROM billing_invoices) AS c WHERE position <> n`).Scan(t.Context(), &mismatches))
	require.Zero(t, mismatches, "positions")
	require.NoError(t, s.Read().NewRaw("SELECT CAST(sum(count) AS bigint) FROM billing_invoice_years").Scan(t.Context(), &count))
	require.Equal(t, total, count, "totals of years")
}

func TestKilledImport(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: many records")
	}
	t.Parallel()
	t.Run("11-import-killed", func(t *testing.T) {
		const relations, total = 100, 20_000
		var b strings.Builder
		for n := range total {
			b.WriteString(invoiceLine(n%relations, n, value.Day{Year: 2019, Month: 1, Day: 1}.AddDays(n/50)))
		}
		path := file(t, "invoice.ndjson", b.String())
		for name, config := range map[string]func(testing.TB) store.Config{"sqlite": storetest.SQLiteConfig,
			"postgres": storetest.PostgresConfig} {
			uninterrupted, run := importer(t, config(t), relations)
			_, err := run(imports.Options{}, path)
			require.NoError(t, err)
			want := invoices(t, uninterrupted.Store)
			requireRecount(t, uninterrupted.Store, total)
			for flags, multiple := range map[string]int{"": imports.BatchRows, "--bulk": imports.BulkRows} {
				t.Run(name+flags, func(t *testing.T) {
					db := config(t)
					s, _ := importer(t, db, relations)
					require.NoError(t, s.Stop(context.WithoutCancel(t.Context())))
					command := slices.DeleteFunc([]string{"import", flags, "--label", "alpha", path}, func(arg string) bool { return arg == "" })
					cmd := fixture.Start(t, s.Portal(), command...)
					require.Eventually(t, func() bool { return storedWithoutOpening(t, db, s.Config.Data) >= 2*multiple }, 2*time.Minute, time.Millisecond)
					require.NoError(t, cmd.Process.Kill())
					require.Error(t, cmd.Wait())
					endSessions(t, db)
					look := func(do func(*store.Store)) {
						db := db
						db.Dir = s.Config.Data
						opened, err := store.Open(t.Context(), db)
						require.NoError(t, err)
						do(opened)
						require.NoError(t, opened.Close())
					}
					look(func(opened *store.Store) {
						var half int
						require.NoError(t, opened.Read().NewRaw("SELECT count(*) FROM billing_invoices").Scan(t.Context(), &half))
						require.Positive(t, half)
						require.Less(t, half, total, "it was done before it was killed")
						require.Zero(t, half%multiple, "half a batch was stored")
						requireRecount(t, opened, half)
					})
					endSessions(t, db)
					require.Contains(t, fixture.Command(t, s.Portal(), command...), fmt.Sprintf("%d of %d records stored", total, total))
					look(func(opened *store.Store) {
						require.Equal(t, want, invoices(t, opened))
						requireRecount(t, opened, total)
					})
				})
			}
		}
	})
}

// storedWithoutOpening returns how many invoices are stored, or 0, without opening a connection that --bulk would detect.
func storedWithoutOpening(t *testing.T, db store.Config, data string) (n int) {
	if db.URL == "" {
		name := filepath.Join(data, "wattle.db")
		if log, err := os.Stat(name + "-wal"); err != nil || log.Size() < 1<<20 { // the import may still be checking
			return 0
		}
		opened, err := sql.Open("sqlite", "file:"+name+"?mode=ro")
		require.NoError(t, err)
		require.NoError(t, opened.QueryRowContext(t.Context(), "SELECT count(*) FROM billing_invoices").Scan(&n))
		require.NoError(t, opened.Close())
		return n
	}
	conn, err := pgx.Connect(t.Context(), db.URL)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(*) FROM billing_invoices").Scan(&n))
	return n
}

// endSessions ends the sessions that a PostgreSQL server still lists for processes that have ended. The server may notice minutes later
// that a process was killed, and --bulk is refused until then.
func endSessions(t *testing.T, db store.Config) {
	t.Helper()
	if db.URL == "" {
		return
	}
	conn, err := pgx.Connect(t.Context(), db.URL)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
	require.Eventually(t, func() bool { return backup.CheckUnused(t.Context(), db.URL) == nil }, 2*time.Minute, 100*time.Millisecond)
}

func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: many records")
	}
	t.Parallel()
	t.Run("11-import-disk-full", func(t *testing.T) {
		const relations, total = 100, 20_000
		s, run := importer(t, storetest.SQLiteConfig(t), relations)
		var b strings.Builder
		for n := range total {
			b.WriteString(invoiceLine(n%relations, n, value.Day{Year: 2019, Month: 1, Day: 1}.AddDays(n/50)))
		}
		path := file(t, "invoice.ndjson", b.String())
		var pages int
		require.NoError(t, s.Store.DB().NewRaw("PRAGMA page_count").Scan(t.Context(), &pages))
		limit := func(pages int) {
			_, err := s.Store.DB().NewRaw(fmt.Sprintf("PRAGMA max_page_count = %d", pages)).Exec(t.Context())
			require.NoError(t, err)
		}
		limit(pages + 1000) // 4 MB
		_, err := run(imports.Options{}, path)
		require.ErrorContains(t, err, "a disk is full; all up to line ")
		require.ErrorContains(t, err, "is stored and nothing is lost. Make room, then give the same command again")
		var stored int
		require.NoError(t, s.Store.Read().NewRaw("SELECT count(*) FROM billing_invoices").Scan(t.Context(), &stored))
		require.ErrorContains(t, err, fmt.Sprintf("all up to line %d is stored", stored))
		require.Positive(t, stored)
		require.Less(t, stored, total)
		requireRecount(t, s.Store, stored)
		limit(1 << 30)
		_, err = run(imports.Options{}, path)
		require.NoError(t, err)
		requireRecount(t, s.Store, total)
	})
}
