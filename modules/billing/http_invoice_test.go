package billing_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/test/fixture"
)

func testInvoices(t *testing.T, all *fixture.Customers) {
	c, id := all.Billed()
	path := "/agreements/" + id + "/invoices"
	full := fixture.With(fixture.InvoiceRecord(c, id, "F1-"+c.Debtor, "2026-03-15"),
		fixture.Object{"invoice_type": "ANNUAL", "amount": "-45.10", "balance": "-5.1", "issue_date": "2026-03-01",
			"period_start_date": "2025-03-01", "period_end_date": "2026-02-28", "payment_status": "SETTLED", "file": "invoices/f1.pdf",
			"settlement": fixture.Object{"receivable": fixture.Object{"invoice_reference": "F0", "amount_value": 40, "invoice_type": "PERIODICAL"},
				"payables": []fixture.Object{{"invoice_reference": "F1", "amount_value": -45.1, "invoice_type": "ANNUAL"},
					{"invoice_reference": "F9", "amount_value": "7.25", "invoice_type": "MAR"}},
				"rest_amount": "-5.10", "payment_reference": "8000 1234"}})
	plain := fixture.InvoiceRecord(c, id, "F2-"+c.Debtor, "2026-04-15")
	require.Empty(t, fixture.Records(t, c.Portal, "invoice", full, plain))
	t.Run("7.2-get-agreement-invoices,7.2-agreement-invoices-id,3-invoice-fields", func(t *testing.T) {
		list := c.List(t, path)
		require.Len(t, list, 2)
		assert.Equal(t, "F2-"+c.Debtor, list[0]["invoice_id"], "newest due date first")
		assert.NotContains(t, list[0], "settlement")
		assert.Equal(t, "", list[0]["invoice_link"])
		i := list[1]
		assert.Contains(t, i, "settlement")
		delete(i, "settlement")
		assert.Equal(t, fixture.Object{"invoice_id": "F1-" + c.Debtor, "agreement_identifier_with_sequence": id, "invoice_type": "ANNUAL",
			"amount": -45.1, "balance": -5.1,
			"invoice_link": "/api/v0/invoices/F1-" + c.Debtor + "/file", "issue_date": "2026-03-01", "due_date": "2026-03-15",
			"period_start_date": "2025-03-01", "period_end_date": "2026-02-28", "payment_status": "SETTLED"}, i)
		a := c.Do(http.MethodGet, path, nil)
		assert.NotContains(t, string(a.Body), "invoices/f1.pdf", "the name in the file store is not returned")
		assert.Contains(t, string(a.Body), `"amount":-45.10,`, "euros with two decimals")

		second := "C" + c.Debtor + "-1"
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.AgreementRecord(c, second)))
		assert.Empty(t, c.List(t, "/agreements/"+second+"/invoices"), "those of the customer's other agreement are not among them")
		require.Empty(t, fixture.Records(t, c.Portal, "invoice", fixture.InvoiceRecord(c, second, "C1-"+c.Debtor, "2024-03-15")))
		of := func(agreement string) (ids []any) {
			for _, i := range c.List(t, "/agreements/"+agreement+"/invoices") {
				ids = append(ids, i["invoice_id"])
			}
			return ids
		}
		assert.Equal(t, []any{"C1-" + c.Debtor}, of(second))
		assert.Equal(t, []any{"F2-" + c.Debtor, "F1-" + c.Debtor}, of(id))
		other, foreign := all.Billed()
		assert.Empty(t, other.List(t, "/agreements/"+foreign+"/invoices"))
		for _, unknown := range []string{foreign, strings.TrimSuffix(id, "-1"), c.Debtor} {
			assert.Equal(t, http.StatusNotFound, c.Do(http.MethodGet, "/agreements/"+unknown+"/invoices", nil).Status, unknown)
		}
	})
	t.Run("3-invoice-settlement", func(t *testing.T) {
		assert.Equal(t, fixture.Object{"receivable": fixture.Object{"invoice_reference": "F0", "amount_value": 40.0,
			"invoice_type": "PERIODICAL"},
			"payables": []any{fixture.Object{"invoice_reference": "F1", "amount_value": -45.1, "invoice_type": "ANNUAL"},
				fixture.Object{"invoice_reference": "F9", "amount_value": 7.25, "invoice_type": "MAR"}},
			"rest_amount": -5.1, "payment_reference": "8000 1234"}, c.List(t, path)[1]["settlement"])
	})
	enumeration := func(row, field string, known []string) {
		t.Run(row, func(t *testing.T) {
			for _, value := range known {
				require.Empty(t, fixture.Records(t, c.Portal, "invoice", fixture.With(plain, fixture.Object{field: value, "balance": "3.21"})), value)
				newest := c.List(t, path)[0]
				assert.Equal(t, value, newest[field])
				assert.Equal(t, 3.21, newest["balance"], "the open amount")
			}
			for _, value := range []string{"paid", "SOMETHING"} {
				assert.Equal(t, []record.Refusal{{Line: 1, Field: field, Code: problem.CodeInvalid}},
					fixture.Records(t, c.Portal, "invoice", fixture.With(plain, fixture.Object{field: value})))
			}
		})
	}
	enumeration("3-enum-invoice-type", "invoice_type", []string{"INVOICE", "PERIODICAL", "ANNUAL", "FINAL", "MAR", "MEAR", "DISCOUNT"})
	enumeration("4-balance-status-enum,4-balance-field-reconcile", "payment_status",
		[]string{"OUTSTANDING", "PAID", "REFUND", "CANCELLED", "OPEN", "CLOSED",
			"SETTLED", "WRITE_OFF", "INVALID", "IN_SETTLEMENT", "OVERPAYMENT", "PAYMENT_IN_PROGRESS"})
	t.Run("7.2-get-latest-invoices,7.2-latest-invoices-count", func(t *testing.T) {
		second := "B" + c.Debtor + "-1"
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.AgreementRecord(c, second)))
		require.Empty(t, fixture.Records(t, c.Portal, "invoice", fixture.InvoiceRecord(c, second, "F3-"+c.Debtor, "2026-04-01"),
			fixture.InvoiceRecord(c, second, "F4-"+c.Debtor, "2026-05-01"),
			fixture.InvoiceRecord(c, id, "F5-"+c.Debtor, "2026-05-01"), fixture.InvoiceRecord(c, second, "F6-"+c.Debtor, "2025-12-01")))
		var got []string
		for _, i := range c.List(t, "/latestInvoices") {
			got = append(got, strings.TrimSuffix(i["invoice_id"].(string), "-"+c.Debtor))
		}
		assert.Equal(t, []string{"F5", "F4", "F2", "F3", "F1"}, got)
	})
}

func testNewestInvoices(t *testing.T, all *fixture.Customers) {
	t.Run("9-agreement-newest", func(t *testing.T) {
		for name, c := range map[string]struct {
			years []int // number of invoices per year, newest year first
			want  int
		}{
			"fewer than ten":                        {[]int{3, 4}, 7},
			"the tenth is the last of its year":     {[]int{4, 6, 5}, 10},
			"the tenth is the first of its year":    {[]int{9, 7, 5}, 16},
			"all of one year":                       {[]int{12}, 12},
			"more than one query returns":           {[]int{5, 110, 4}, 115},
			"as many as the first query returns":    {[]int{24, 3}, 24},
			"nothing that an agreement did not get": {nil, 0},
		} {
			customer, id := all.Billed()
			var records []fixture.Object
			for i, count := range c.years {
				for n := range count {
					records = append(records, fixture.InvoiceRecord(customer, id, fmt.Sprintf("%s-%d-%d", customer.Debtor, i, n),
						fmt.Sprintf("%d-06-15", 2026-i)))
				}
			}
			require.Empty(t, fixture.Records(t, customer.Portal, "invoice", records...))
			a := customer.List(t, "/agreements")[0]
			assert.Len(t, a["invoices"], c.want, name)
			newest := customer.List(t, "/agreements/"+id+"/invoices")
			for i, invoice := range a["invoices"].([]any) {
				assert.Equal(t, any(newest[i]), invoice, name)
			}
		}
	})
}

// testOpenInvoices imports one invoice of every status for each of three due dates, in two agreements, and moves the clock past a due date
// in the label's zone.
func testOpenInvoices(t *testing.T, all *fixture.Customers) {
	c, id := all.Billed()
	second := "B" + c.Debtor + "-1"
	require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.AgreementRecord(c, second)))
	s := all.Portal
	today := value.DayOf(s.Now())
	var records []fixture.Object
	for i, status := range billing.BalanceStatuses {
		for days, balance := range map[int]string{-1: "0.10", 0: "0.20", 9: "4.00"} {
			agreement := []string{id, second}[i%2]
			records = append(records, fixture.With(fixture.InvoiceRecord(c, agreement, fmt.Sprintf("%s-%d-%s", status, days+1, c.Debtor),
				today.AddDays(days).String()),
				fixture.Object{"payment_status": status, "balance": balance}))
		}
	}
	for _, balance := range []string{"0", "-7.00"} { // nothing to pay
		records = append(records, fixture.With(fixture.InvoiceRecord(c, id, "N"+balance+c.Debtor, today.AddDays(-3).String()),
			fixture.Object{"payment_status": "OPEN", "balance": balance}))
	}
	require.Empty(t, fixture.Records(t, c.Portal, "invoice", records...))
	open := func(c fixture.Customer) (ids []string, amount, overdue any) {
		got := c.Get(t, "/openInvoices")
		ids = []string{}
		for _, i := range got["invoices"].([]any) {
			ids = append(ids, strings.TrimSuffix(i.(fixture.Object)["invoice_id"].(string), "-"+c.Debtor))
		}
		return ids, got["amount"], got["overdue_amount"]
	}
	t.Run("9-open-invoices", func(t *testing.T) {
		ids, amount, overdue := open(c)
		assert.Equal(t, []string{"OPEN-0", "OUTSTANDING-0", "OPEN-1", "OUTSTANDING-1", "OPEN-10", "OUTSTANDING-10"}, ids,
			"oldest due date first, over both agreements")
		assert.Equal(t, 8.6, amount, "to the cent")
		assert.Equal(t, 0.2, overdue)
		other, _ := all.Billed()
		ids, amount, overdue = open(other)
		assert.Equal(t, []any{[]string{}, 0.0, 0.0}, []any{ids, amount, overdue}, "another customer has nothing of it")
	})
	t.Run("9-invoice-overdue", func(t *testing.T) {
		before := s.Now()
		defer s.SetClock(before)
		zone, err := time.LoadLocation("Europe/Amsterdam")
		require.NoError(t, err)
		midnight := time.Date(today.Year, time.Month(today.Month), today.Day+1, 0, 0, 0, 0, zone)
		s.SetClock(midnight.Add(-time.Minute))
		late := all.Account(c.Debtor, "laat."+c.Debtor) // the previous session has expired
		_, _, overdue := open(late)
		assert.Equal(t, 0.2, overdue, "the whole due date is in time")
		s.SetClock(midnight) // still the day before in UTC
		_, amount, overdue := open(late)
		assert.Equal(t, []any{8.6, 0.6}, []any{amount, overdue})
	})
}

// testInvoicePages compares pages of every size with the whole list.
func testInvoicePages(t *testing.T, all *fixture.Customers) {
	c, id := all.Billed()
	path := "/agreements/" + id + "/invoices"
	a := c.Do(http.MethodGet, path+"?page=1", nil)
	assert.Equal(t, "[]", string(a.Body))
	assert.Equal(t, "0", a.Header.Get("X-Total-Count"))
	var rows []fixture.Object
	for n := range 23 {
		rows = append(rows, fixture.InvoiceRecord(c, id, fmt.Sprintf("P%02d-%s", n, c.Debtor),
			value.Day{Year: 2025, Month: 1, Day: 15}.AddMonths(n).String()))
	}
	slices.Reverse(rows[5:15])
	require.Empty(t, fixture.Records(t, c.Portal, "invoice", rows[10:]...))
	require.Empty(t, fixture.Records(t, c.Portal, "invoice", rows[:10]...))
	whole := c.List(t, path)
	require.Len(t, whole, 23)
	for page, want := range map[int][]fixture.Object{1: whole[:10], 2: whole[10:20], 3: whole[20:], 4: {}, 1000: {}} {
		a := c.Do(http.MethodGet, fmt.Sprintf("%s?page=%d", path, page), nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Equal(t, "23", a.Header.Get("X-Total-Count"))
		var got []fixture.Object
		a.JSON(t, &got)
		assert.Equal(t, want, got, page)
	}
	for _, query := range []string{"?page=0", "?page=-1", "?page=x", "?page=1&per_page=0", "?page=1&per_page=101"} {
		assert.Equal(t, http.StatusBadRequest, c.Do(http.MethodGet, path+query, nil).Status, query)
	}
}

// testInvoiceTotals imports invoices in random order, repeatedly and for other agreements, and compares stored totals with a recount.
func testInvoiceTotals(t *testing.T, all *fixture.Customers) {
	type kept struct {
		agreement, due  string
		amount, balance value.Cents
	}
	rapid.Check(t, func(r *rapid.T) {
		c, first := all.Billed()
		second := "B" + c.Debtor + "-1"
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.AgreementRecord(c, second)))
		model := map[string]kept{}
		for range rapid.IntRange(1, 4).Draw(r, "batches") {
			var batch []fixture.Object
			for range rapid.IntRange(1, 12).Draw(r, "rows") {
				id := fmt.Sprintf("R%d-%s", rapid.IntRange(1, 15).Draw(r, "id"), c.Debtor)
				k := kept{rapid.SampledFrom([]string{first, second}).Draw(r, "agreement"),
					value.Day{Year: rapid.IntRange(2024, 2026).Draw(r, "year"), Month: 6, Day: rapid.IntRange(1, 3).Draw(r, "day")}.String(),
					value.Cents(rapid.IntRange(-5000, 5000).Draw(r, "amount")), value.Cents(rapid.IntRange(0, 100).Draw(r, "balance"))}
				model[id] = k
				batch = append(batch, fixture.With(fixture.InvoiceRecord(c, k.agreement, id, k.due),
					fixture.Object{"amount": k.amount, "balance": k.balance}))
			}
			require.Empty(t, fixture.Records(t, c.Portal, "invoice", batch...))
		}
		for _, agreement := range []string{first, second} {
			var ids []string
			years, months := map[string]billing.Year{}, map[string]value.Cents{}
			for id, k := range model {
				if k.agreement != agreement {
					continue
				}
				ids = append(ids, id)
				y := years[k.due[:4]]
				years[k.due[:4]] = billing.Year{Year: y.Year, Count: y.Count + 1, Amount: y.Amount + k.amount, Open: y.Open + k.balance}
				months[k.due[:7]] += k.amount
			}
			slices.SortFunc(ids, func(a, b string) int { return strings.Compare(model[b].due+b, model[a].due+a) })
			var got []string
			for page := 1; page <= len(ids)/4+1; page++ {
				a := c.Do(http.MethodGet, fmt.Sprintf("/agreements/%s/invoices?page=%d&per_page=4", agreement, page), nil)
				require.Equal(t, fmt.Sprint(len(ids)), a.Header.Get("X-Total-Count"))
				var list []billing.Invoice
				a.JSON(t, &list)
				for _, i := range list {
					got = append(got, i.ID)
				}
			}
			require.Equal(t, ids, got)
			var gotYears []billing.Year
			c.Do(http.MethodGet, "/agreements/"+agreement+"/invoices/years", nil).JSON(t, &gotYears)
			require.Len(t, gotYears, len(years))
			require.True(t, slices.IsSortedFunc(gotYears, func(a, b billing.Year) int { return b.Year - a.Year }))
			for _, y := range gotYears {
				want := years[fmt.Sprint(y.Year)]
				want.Year = y.Year
				require.Equal(t, want, y)
			}
			var gotMonths []billing.Month
			c.Do(http.MethodGet, "/agreements/"+agreement+"/billed?months=60", nil).JSON(t, &gotMonths)
			require.Len(t, gotMonths, len(months))
			for _, m := range gotMonths {
				require.Equal(t, months[m.Month], m.Amount)
			}
		}
	})
	t.Run("months before the first are left out", func(t *testing.T) {
		c, id := all.Billed()
		require.Empty(t, fixture.Records(t, c.Portal, "invoice", fixture.InvoiceRecord(c, id, "M1-"+c.Debtor, "2025-11-30"),
			fixture.InvoiceRecord(c, id, "M2-"+c.Debtor, "2025-12-01"),
			fixture.InvoiceRecord(c, id, "M3-"+c.Debtor, "2026-12-01")))
		assert.Equal(t, []fixture.Object{{"month": "2025-12", "amount": 120.0}, {"month": "2026-12", "amount": 120.0}},
			c.List(t, "/agreements/"+id+"/billed?months=12"))
		for _, path := range []string{"/billed", "/invoices/years", "/invoices/archive?year=2026"} {
			assert.Equal(t, http.StatusNotFound, c.Do(http.MethodGet, "/agreements/unknown"+path, nil).Status, path)
		}
	})
}

// testConcurrentImports runs concurrent imports of the same invoices and checks positions and totals.
func testConcurrentImports(t *testing.T, all *fixture.Customers) {
	c, id := all.Billed()
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for n := range 5 {
				var rows []any
				for i := range 10 { // every second invoice is in all batches
					name := fmt.Sprintf("T%d-%s", i, c.Debtor)
					if i%2 == 0 {
						name = fmt.Sprintf("T%d-%d-%d-%s", worker, n, i, c.Debtor)
					}
					rows = append(rows, fixture.InvoiceRecord(c, id, name, value.Day{Year: 2025, Month: 1, Day: 1}.AddDays(worker+n*7+i).String()))
				}
				assert.Empty(t, c.Import("alpha", "invoice", rows...))
			}
		})
	}
	wg.Wait()
	whole := c.List(t, "/agreements/"+id+"/invoices")
	require.Len(t, whole, 4*5*5+5)
	require.True(t, slices.IsSortedFunc(whole, func(a, b fixture.Object) int {
		return strings.Compare(b["due_date"].(string),
			a["due_date"].(string))
	}))
	years := c.List(t, "/agreements/"+id+"/invoices/years")
	require.Len(t, years, 1)
	require.EqualValues(t, len(whole), years[0]["count"])
	seen := map[any]bool{}
	for page := 1; page <= 11; page++ {
		for _, i := range c.List(t, fmt.Sprintf("/agreements/%s/invoices?page=%d", id, page)) {
			seen[i["invoice_id"]] = true
		}
	}
	require.Len(t, seen, len(whole))
}
