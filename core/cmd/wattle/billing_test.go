package main_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
)

// object is a JSON object.
type object = map[string]any

// records imports records of a kind, for label alpha, and gives what was refused.
func records(t testing.TB, s *apptest.Server, kind string, all ...object) []record.Refusal {
	t.Helper()
	target, _, err := s.Importer("alpha")
	require.NoError(t, err)
	var rows []record.Row
	for i, r := range all {
		data, err := json.Marshal(r)
		require.NoError(t, err)
		rows = append(rows, record.Row{Line: i + 1, Data: data})
	}
	refused, err := target(t.Context(), kind, rows)
	require.NoError(t, err)
	return refused
}

// with is a record with some fields changed; nil takes one away.
func with(record object, changes object) object {
	out := object{}
	for _, m := range []object{record, changes} {
		for k, v := range m {
			out[k] = v
			if v == nil {
				delete(out, k)
			}
		}
	}
	return out
}

// agreementRecord is a complete one.
func agreementRecord(c customer, id string) object {
	return object{
		"debtor_number": c.debtor, "agreement_id": "9" + id, "agreement_identifier": strings.Split(id, "-")[0], "agreement_identifier_with_sequence": id,
		"name": "Stroom en gas", "company_name": "", "product_category": "ENERGY", "status": "ACTIVE", "period": object{"from": "2024-01-01", "to": nil},
		"addresses": []object{{"address_type": "SHIPPING", "street": "Molenweg", "house_number": 12, "house_number_extension": "bis", "zip_code": "9861GT",
			"city": "Grootegast", "connections": []object{{"ean_code": "871600000000000017", "commodity": "ELECTRICITY"}}}},
		"tariff_sheets": []object{{"retrieval_id": "T-" + id, "send_date": "2026-01-05", "file": "tariffs/" + id + ".pdf"}},
		"periodical": object{"current_amount": 120, "proposed_amount": "131.50", "min_amount": 95.5, "max_amount": 180, "payment_method": "DIRECT_DEBIT_CONSUMER",
			"items":           []object{{"category": "ELECTRICITY", "description": "Stroom", "amount": 80}, {"category": "GAS", "description": "Gas", "amount": "40.00"}},
			"next_collection": "2026-11-28", "year_end": object{"expected_cost": 1620, "paid": 1200, "settles_on": "2027-03-01"}},
		"price_agreements": []object{{"description": "Normaal", "commodity": "ELECTRICITY", "unit": "kWh", "amount": "0.28941", "from": "2026-01-01"}},
		"products":         []object{{"product_code": "E-VAST-1", "name": "Stroom 1 jaar vast", "commodity": "ELECTRICITY", "start_date": "2026-01-01", "end_date": "2026-12-31"}},
	}
}

func invoiceRecord(c customer, agreement, id, due string) object {
	return object{"debtor_number": c.debtor, "agreement_identifier_with_sequence": agreement, "invoice_id": id, "invoice_type": "PERIODICAL",
		"amount": 120, "balance": 0, "issue_date": "2026-01-01", "due_date": due, "payment_status": "PAID"}
}

// billed makes a customer with one agreement, which is named after the customer.
func (c *customers) billed() (customer, string) {
	c.t.Helper()
	made := c.new()
	id := "A" + made.debtor + "-1"
	require.Empty(c.t, records(c.t, c.Server, "agreement", agreementRecord(made, id)))
	return made, id
}

func (c customer) list(t *testing.T, path string) (out []object) {
	t.Helper()
	a := c.do(http.MethodGet, path, nil)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(t, &out)
	return out
}

// storeFile puts a file into the file store of label alpha.
func storeFile(t *testing.T, s *apptest.Server, name, content string) {
	t.Helper()
	file := filepath.Join(s.Config.Data, "files", "alpha", filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
}

const pdf = "%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"

func TestBilling(t *testing.T) {
	t.Parallel()
	apptest.Each(t, apptest.Options{Modules: []module.Module{account.Module, billing.Module}}, func(t *testing.T, s *apptest.Server) {
		c := &customers{Server: s, t: t}
		t.Run("agreements", func(t *testing.T) { agreements(t, c) })
		t.Run("invoices", func(t *testing.T) { invoices(t, c) })
		t.Run("invoice pages", func(t *testing.T) { invoicePages(t, c) })
		t.Run("what follows from invoices", func(t *testing.T) { invoiceTotals(t, c) })
		t.Run("invoices by many at a time", func(t *testing.T) { invoicesTogether(t, c) })
		t.Run("files", func(t *testing.T) { billingFiles(t, c) })
		t.Run("term amount", func(t *testing.T) { termAmount(t, c) })
		t.Run("two term amounts at a time", func(t *testing.T) { termAmountRace(t, c) })
		t.Run("bank account", func(t *testing.T) { bankAccount(t, c) })
		t.Run("refused records", func(t *testing.T) { refusedRecords(t, c) })
		t.Run("others", func(t *testing.T) { billingOfOthers(t, c) })
	})
}

func agreements(t *testing.T, all *customers) {
	c := all.new()
	older, newer := "A"+c.debtor+"-1", "A"+c.debtor+"-2"
	old := with(agreementRecord(c, older), object{"company_name": "Molen Dochter B.V.", "status": "TERMINATED",
		"period": object{"from": "2020-02-01", "to": "2023-12-31"}, "periodical": nil, "products": nil})
	require.Empty(t, records(t, c.s, "agreement", old, agreementRecord(c, newer)))
	require.Empty(t, records(t, c.s, "invoice", invoiceRecord(c, newer, "F-"+c.debtor, "2026-02-01")))
	var list []object
	t.Run("7.2-get-agreements,3-agreement-fields", func(t *testing.T) {
		list = c.list(t, "/agreements")
		require.Len(t, list, 2)
		a := list[0]
		assert.Equal(t, []string{"addresses", "agreement_id", "agreement_identifier", "agreement_identifier_with_sequence", "company_name", "current",
			"invoices", "name", "period", "periodical_payment", "price_agreements", "product_category", "status", "tariff_sheets"}, keys(a))
		assert.Equal(t, newer, a["agreement_identifier_with_sequence"], "newest start first")
		assert.Equal(t, "9"+newer, a["agreement_id"])
		assert.Equal(t, "A"+c.debtor, a["agreement_identifier"])
		assert.Equal(t, "Stroom en gas", a["name"])
		assert.Equal(t, object{"from": "2024-01-01", "to": nil}, a["period"])
		assert.Equal(t, "ACTIVE", a["status"])
		assert.Equal(t, true, a["current"])
		assert.Equal(t, []any{object{"address_type": "SHIPPING", "street": "Molenweg", "house_number": "12", "house_number_extension": "bis",
			"zip_code": "9861GT", "city": "Grootegast", "connections": []any{object{"ean_code": "871600000000000017", "commodity": "ELECTRICITY"}}}}, a["addresses"])
		assert.Equal(t, []any{object{"description": "Normaal", "commodity": "ELECTRICITY", "unit": "kWh", "amount": 0.28941, "from": "2026-01-01", "to": nil}},
			a["price_agreements"])
		require.Len(t, a["invoices"], 1)
		assert.Equal(t, "F-"+c.debtor, a["invoices"].([]any)[0].(object)["invoice_id"])
		assert.Equal(t, object{"from": "2020-02-01", "to": "2023-12-31"}, list[1]["period"])
		assert.Equal(t, false, list[1]["current"])
		assert.NotContains(t, list[1], "periodical_payment")
	})
	t.Run("9-agreement-end-date", func(t *testing.T) {
		ends := all.new()
		require.Empty(t, records(t, ends.s, "agreement", with(agreementRecord(ends, "A"+ends.debtor+"-1"),
			object{"period": object{"from": "2024-01-01", "to": "2026-12-31"}})))
		a := ends.list(t, "/agreements")[0]
		assert.Equal(t, object{"from": "2024-01-01", "to": "2026-12-31"}, a["period"])
		assert.Equal(t, true, a["current"], "until its last day")
	})
	t.Run("3-agreement-company-name", func(t *testing.T) {
		assert.Equal(t, "Molen Dochter B.V.", list[1]["company_name"])
		assert.Equal(t, "", list[0]["company_name"])
	})
	t.Run("3-agreement-product-category", func(t *testing.T) {
		assert.Equal(t, "ENERGY", list[0]["product_category"])
		assert.Equal(t, []record.Refusal{{Line: 1, Field: "product_category", Code: problem.CodeInvalid}},
			records(t, c.s, "agreement", with(agreementRecord(c, newer), object{"product_category": "WATER"})))
	})
	t.Run("3-agreement-tariff-sheets", func(t *testing.T) {
		assert.Equal(t, []any{object{"retrieval_id": "T-" + newer, "tariff_sheet_link": "/api/v0/tariffsheets/T-" + newer + "/file", "send_date": "2026-01-05"}},
			list[0]["tariff_sheets"])
	})
	t.Run("3-agreement-periodical-payment", func(t *testing.T) {
		assert.Equal(t, object{"details": object{"current_amount": 120.0, "proposed_amount": 105.0, "min_amount": 95.5, "max_amount": 180.0},
			"items":          []any{object{"category": "ELECTRICITY", "description": "Stroom", "amount": 80.0}, object{"category": "GAS", "description": "Gas", "amount": 40.0}},
			"payment_method": "DIRECT_DEBIT_CONSUMER", "bank_account_number": "NL38WATT0000001117"}, list[0]["periodical_payment"])
	})
	t.Run("7.1-get-products,7.1-product-fields", func(t *testing.T) {
		assert.Equal(t, []object{{"product_code": "E-VAST-1", "name": "Stroom 1 jaar vast", "commodity": "ELECTRICITY", "start_date": "2026-01-01",
			"end_date": "2026-12-31", "agreement_identifier": "A" + c.debtor}}, c.list(t, "/relations/products"))
	})
	t.Run("7.1-get-bank-details,3-bank-details-fields", func(t *testing.T) {
		assert.Equal(t, object{"bank_account_name": "F.A. de Boer", "bank_account_number": "NL38WATT0000001117", "payment_method": "DIRECT_DEBIT_CONSUMER"},
			c.get(t, "/bankAccountDetails"))
		assert.Equal(t, "DEFAULT", all.new().get(t, "/bankAccountDetails")["payment_method"], "nothing is agreed on")
	})
	t.Run("3-enum-payment-method", func(t *testing.T) {
		for _, method := range []string{"DEFAULT", "DIRECT_DEBIT_BUSINESS", "DIRECT_DEBIT_CONSUMER", "IDEAL", "INVOICE"} {
			r := agreementRecord(c, newer)
			r["periodical"].(object)["payment_method"] = method
			require.Empty(t, records(t, c.s, "agreement", r))
			assert.Equal(t, method, c.get(t, "/bankAccountDetails")["payment_method"])
			p := c.list(t, "/agreements")[0]["periodical_payment"].(object)
			assert.Equal(t, method, p["payment_method"])
			assert.Equal(t, strings.HasPrefix(method, "DIRECT_DEBIT"), p["bank_account_number"] != "", method)
		}
		r := agreementRecord(c, newer)
		r["periodical"].(object)["payment_method"] = "CASH"
		assert.Equal(t, []record.Refusal{{Line: 1, Field: "periodical.payment_method", Code: problem.CodeInvalid}}, records(t, c.s, "agreement", r))
	})
	t.Run("no agreement is an empty list", func(t *testing.T) {
		nobody := all.new()
		for _, path := range []string{"/agreements", "/periodicalPayments", "/relations/products", "/latestInvoices", "/agreements/periodical?request=status"} {
			assert.Equal(t, []object{}, nobody.list(t, path), path)
		}
	})
}

func invoices(t *testing.T, all *customers) {
	c, id := all.billed()
	path := "/agreements/" + id + "/invoices"
	full := with(invoiceRecord(c, id, "F1-"+c.debtor, "2026-03-15"), object{"invoice_type": "ANNUAL", "amount": "-45.10", "balance": "-5.1", "issue_date": "2026-03-01",
		"period_start_date": "2025-03-01", "period_end_date": "2026-02-28", "payment_status": "SETTLED", "file": "invoices/f1.pdf",
		"settlement": object{"receivable": object{"invoice_reference": "F0", "amount_value": 40, "invoice_type": "PERIODICAL"},
			"payables":    []object{{"invoice_reference": "F1", "amount_value": -45.1, "invoice_type": "ANNUAL"}},
			"rest_amount": "-5.10", "payment_reference": "8000 1234"}})
	plain := invoiceRecord(c, id, "F2-"+c.debtor, "2026-04-15")
	require.Empty(t, records(t, c.s, "invoice", full, plain))
	t.Run("7.2-get-agreement-invoices,7.2-agreement-invoices-id,3-invoice-fields", func(t *testing.T) {
		list := c.list(t, path)
		require.Len(t, list, 2)
		assert.Equal(t, "F2-"+c.debtor, list[0]["invoice_id"], "newest due date first")
		assert.NotContains(t, list[0], "settlement")
		assert.Equal(t, "", list[0]["invoice_link"])
		i := list[1]
		delete(i, "settlement")
		assert.Equal(t, object{"invoice_id": "F1-" + c.debtor, "agreement_identifier_with_sequence": id, "invoice_type": "ANNUAL", "amount": -45.1, "balance": -5.1,
			"invoice_link": "/api/v0/invoices/F1-" + c.debtor + "/file", "issue_date": "2026-03-01", "due_date": "2026-03-15",
			"period_start_date": "2025-03-01", "period_end_date": "2026-02-28", "payment_status": "SETTLED"}, i)
		a := c.do(http.MethodGet, path, nil)
		assert.NotContains(t, string(a.Body), "invoices/f1.pdf", "where the file is stays here")
		assert.Contains(t, string(a.Body), `"amount":-45.10,`, "euros with two decimals")
		assert.Equal(t, http.StatusNotFound, c.do(http.MethodGet, "/agreements/"+c.debtor+"/invoices", nil).Status)
	})
	t.Run("3-invoice-settlement", func(t *testing.T) {
		assert.Equal(t, object{"receivable": object{"invoice_reference": "F0", "amount_value": 40.0, "invoice_type": "PERIODICAL"},
			"payables":    []any{object{"invoice_reference": "F1", "amount_value": -45.1, "invoice_type": "ANNUAL"}},
			"rest_amount": -5.1, "payment_reference": "8000 1234"}, c.list(t, path)[1]["settlement"])
	})
	enumeration := func(row, field string, known []string) {
		t.Run(row, func(t *testing.T) {
			for _, value := range known {
				require.Empty(t, records(t, c.s, "invoice", with(plain, object{field: value, "balance": "3.21"})), value)
				newest := c.list(t, path)[0]
				assert.Equal(t, value, newest[field])
				assert.Equal(t, 3.21, newest["balance"], "the amount that is open")
			}
			for _, value := range []string{"paid", "SOMETHING"} {
				assert.Equal(t, []record.Refusal{{Line: 1, Field: field, Code: problem.CodeInvalid}}, records(t, c.s, "invoice", with(plain, object{field: value})))
			}
		})
	}
	enumeration("3-enum-invoice-type", "invoice_type", []string{"INVOICE", "PERIODICAL", "ANNUAL", "FINAL", "MAR", "MEAR", "DISCOUNT"})
	enumeration("4-balance-status-enum,4-balance-field-reconcile", "payment_status", []string{"OUTSTANDING", "PAID", "REFUND", "CANCELLED", "OPEN", "CLOSED",
		"SETTLED", "WRITE_OFF", "INVALID", "IN_SETTLEMENT", "OVERPAYMENT", "PAYMENT_IN_PROGRESS"})
	t.Run("7.2-get-latest-invoices,7.2-latest-invoices-count", func(t *testing.T) {
		second := "B" + c.debtor + "-1"
		require.Empty(t, records(t, c.s, "agreement", agreementRecord(c, second)))
		require.Empty(t, records(t, c.s, "invoice", invoiceRecord(c, second, "F3-"+c.debtor, "2026-04-01"), invoiceRecord(c, second, "F4-"+c.debtor, "2026-05-01"),
			invoiceRecord(c, id, "F5-"+c.debtor, "2026-05-01"), invoiceRecord(c, second, "F6-"+c.debtor, "2025-12-01")))
		var got []string
		for _, i := range c.list(t, "/latestInvoices") {
			got = append(got, strings.TrimSuffix(i["invoice_id"].(string), "-"+c.debtor))
		}
		assert.Equal(t, []string{"F5", "F4", "F2", "F3", "F1"}, got)
	})
}

// invoicePages shows pages by number, and that every page of every size is a piece of the whole.
func invoicePages(t *testing.T, all *customers) {
	c, id := all.billed()
	path := "/agreements/" + id + "/invoices"
	a := c.do(http.MethodGet, path+"?page=1", nil)
	assert.Equal(t, "[]", string(a.Body))
	assert.Equal(t, "0", a.Header.Get("X-Total-Count"))
	var rows []object
	for n := range 23 {
		rows = append(rows, invoiceRecord(c, id, fmt.Sprintf("P%02d-%s", n, c.debtor), value.Day{Year: 2025, Month: 1, Day: 15}.AddMonths(n).String()))
	}
	slices.Reverse(rows[5:15])
	require.Empty(t, records(t, c.s, "invoice", rows[10:]...))
	require.Empty(t, records(t, c.s, "invoice", rows[:10]...))
	whole := c.list(t, path)
	require.Len(t, whole, 23)
	for page, want := range map[int][]object{1: whole[:10], 2: whole[10:20], 3: whole[20:], 4: {}, 1000: {}} {
		a := c.do(http.MethodGet, fmt.Sprintf("%s?page=%d", path, page), nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Equal(t, "23", a.Header.Get("X-Total-Count"))
		var got []object
		a.JSON(t, &got)
		assert.Equal(t, want, got, page)
	}
	for _, query := range []string{"?page=0", "?page=-1", "?page=x", "?page=1&per_page=0", "?page=1&per_page=101"} {
		assert.Equal(t, http.StatusBadRequest, c.do(http.MethodGet, path+query, nil).Status, query)
	}
}

// invoiceTotals imports invoices in any order, again and elsewhere, and compares what is kept beside them with a recount.
func invoiceTotals(t *testing.T, all *customers) {
	type kept struct {
		agreement, due  string
		amount, balance value.Cents
	}
	rapid.Check(t, func(r *rapid.T) {
		c, first := all.billed()
		second := "B" + c.debtor + "-1"
		require.Empty(t, records(t, c.s, "agreement", agreementRecord(c, second)))
		model := map[string]kept{}
		for range rapid.IntRange(1, 4).Draw(r, "batches") {
			var batch []object
			for range rapid.IntRange(1, 12).Draw(r, "rows") {
				id := fmt.Sprintf("R%d-%s", rapid.IntRange(1, 15).Draw(r, "id"), c.debtor)
				k := kept{rapid.SampledFrom([]string{first, second}).Draw(r, "agreement"),
					value.Day{Year: rapid.IntRange(2024, 2026).Draw(r, "year"), Month: 6, Day: rapid.IntRange(1, 3).Draw(r, "day")}.String(),
					value.Cents(rapid.IntRange(-5000, 5000).Draw(r, "amount")), value.Cents(rapid.IntRange(0, 100).Draw(r, "balance"))}
				model[id] = k
				batch = append(batch, with(invoiceRecord(c, k.agreement, id, k.due), object{"amount": k.amount, "balance": k.balance}))
			}
			require.Empty(t, records(t, c.s, "invoice", batch...))
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
				a := c.do(http.MethodGet, fmt.Sprintf("/agreements/%s/invoices?page=%d&per_page=4", agreement, page), nil)
				require.Equal(t, fmt.Sprint(len(ids)), a.Header.Get("X-Total-Count"))
				var list []billing.Invoice
				a.JSON(t, &list)
				for _, i := range list {
					got = append(got, i.ID)
				}
			}
			require.Equal(t, ids, got)
			var gotYears []billing.Year
			c.do(http.MethodGet, "/agreements/"+agreement+"/invoices/years", nil).JSON(t, &gotYears)
			require.Len(t, gotYears, len(years))
			require.True(t, slices.IsSortedFunc(gotYears, func(a, b billing.Year) int { return b.Year - a.Year }))
			for _, y := range gotYears {
				want := years[fmt.Sprint(y.Year)]
				want.Year = y.Year
				require.Equal(t, want, y)
			}
			var gotMonths []billing.Month
			c.do(http.MethodGet, "/agreements/"+agreement+"/billed?months=60", nil).JSON(t, &gotMonths)
			require.Len(t, gotMonths, len(months))
			for _, m := range gotMonths {
				require.Equal(t, months[m.Month], m.Amount)
			}
		}
	})
	t.Run("months before the first are left out", func(t *testing.T) {
		c, id := all.billed()
		require.Empty(t, records(t, c.s, "invoice", invoiceRecord(c, id, "M1-"+c.debtor, "2025-11-30"), invoiceRecord(c, id, "M2-"+c.debtor, "2025-12-01"),
			invoiceRecord(c, id, "M3-"+c.debtor, "2026-12-01")))
		assert.Equal(t, []object{{"month": "2025-12", "amount": 120.0}, {"month": "2026-12", "amount": 120.0}}, c.list(t, "/agreements/"+id+"/billed?months=12"))
		for _, path := range []string{"/billed", "/invoices/years", "/invoices/archive?year=2026"} {
			assert.Equal(t, http.StatusNotFound, c.do(http.MethodGet, "/agreements/unknown"+path, nil).Status, path)
		}
	})
}

// invoicesTogether lets imports of the same invoices run at the same time: positions and totals must come out right.
func invoicesTogether(t *testing.T, all *customers) {
	c, id := all.billed()
	target, _, err := c.s.Importer("alpha")
	require.NoError(t, err)
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for n := range 5 {
				var rows []record.Row
				for i := range 10 { // of which every other is in the batches of all
					name := fmt.Sprintf("T%d-%s", i, c.debtor)
					if i%2 == 0 {
						name = fmt.Sprintf("T%d-%d-%d-%s", worker, n, i, c.debtor)
					}
					data, _ := json.Marshal(invoiceRecord(c, id, name, value.Day{Year: 2025, Month: 1, Day: 1}.AddDays(worker+n*7+i).String()))
					rows = append(rows, record.Row{Line: i + 1, Data: data})
				}
				if refused, err := target(t.Context(), "invoice", rows); err != nil || len(refused) > 0 {
					t.Error(refused, err)
				}
			}
		})
	}
	wg.Wait()
	whole := c.list(t, "/agreements/"+id+"/invoices")
	require.Len(t, whole, 4*5*5+5)
	require.True(t, slices.IsSortedFunc(whole, func(a, b object) int { return strings.Compare(b["due_date"].(string), a["due_date"].(string)) }))
	years := c.list(t, "/agreements/"+id+"/invoices/years")
	require.Len(t, years, 1)
	require.EqualValues(t, len(whole), years[0]["count"])
	seen := map[any]bool{}
	for page := 1; page <= 11; page++ {
		for _, i := range c.list(t, fmt.Sprintf("/agreements/%s/invoices?page=%d", id, page)) {
			seen[i["invoice_id"]] = true
		}
	}
	require.Len(t, seen, len(whole))
}

func billingFiles(t *testing.T, all *customers) {
	c, id := all.billed()
	stranger := all.new()
	there, gone, none := "F1-"+c.debtor, "F2-"+c.debtor, "F3-"+c.debtor
	require.Empty(t, records(t, c.s, "invoice",
		with(invoiceRecord(c, id, there, "2026-03-15"), object{"file": "invoices/2026/" + there + ".pdf"}),
		with(invoiceRecord(c, id, gone, "2026-04-15"), object{"file": "invoices/2026/" + gone + ".pdf"}),
		invoiceRecord(c, id, none, "2026-05-15"), invoiceRecord(c, id, "F4-"+c.debtor, "2025-05-15")))
	storeFile(t, c.s, "invoices/2026/"+there+".pdf", pdf)
	storeFile(t, c.s, "tariffs/"+id+".pdf", pdf)
	t.Run("2.1-invoices-download,7-file-downloads", func(t *testing.T) {
		link := c.list(t, "/agreements/"+id+"/invoices")[3-1]["invoice_link"].(string)
		a := c.s.Do(apptest.Call{Path: "/" + link, Bearer: c.token}) // the link is a whole path
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Equal(t, pdf, string(a.Body))
		assert.Equal(t, "application/pdf", a.Header.Get("Content-Type"))
		assert.Contains(t, a.Header.Get("Content-Disposition"), `attachment; filename="factuur-`+there+`.pdf"`)
	})
	t.Run("3-agreement-tariff-sheets,7-file-downloads", func(t *testing.T) {
		a := c.s.Do(apptest.Call{Path: "//api/v0/tariffsheets/T-" + id + "/file", Bearer: c.token})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Equal(t, pdf, string(a.Body))
		assert.Contains(t, a.Header.Get("Content-Disposition"), `filename="tarieven-2026-01-05.pdf"`)
	})
	t.Run("a file that is not there is an error of its own", func(t *testing.T) {
		for _, invoice := range []string{gone, none} {
			a := c.do(http.MethodGet, "/invoices/"+invoice+"/file", nil)
			assert.Equal(t, http.StatusNotFound, a.Status, invoice)
			assert.Equal(t, "billing.file_missing", a.Code(), invoice)
		}
		a := c.do(http.MethodGet, "/invoices/unknown/file", nil)
		assert.Equal(t, problem.CodeNotFound, a.Code())
	})
	t.Run("6-customer-own-data", func(t *testing.T) {
		for _, path := range []string{"/invoices/" + there + "/file", "/tariffsheets/T-" + id + "/file", "/agreements/" + id + "/invoices/archive?year=2026"} {
			assert.Equal(t, http.StatusNotFound, stranger.do(http.MethodGet, path, nil).Status, path)
		}
	})
	t.Run("a year's invoices in one file", func(t *testing.T) {
		path := "/agreements/" + id + "/invoices/archive?year=2026"
		check := func(a apptest.Answer) {
			t.Helper()
			require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			assert.Equal(t, "application/zip", a.Header.Get("Content-Type"))
			assert.Contains(t, a.Header.Get("Content-Disposition"), `filename="facturen-2026-`+id+`.zip"`)
			archive, err := zip.NewReader(bytes.NewReader(a.Body), int64(len(a.Body)))
			require.NoError(t, err)
			content := map[string]string{}
			for _, f := range archive.File {
				r, err := f.Open()
				require.NoError(t, err)
				text, err := io.ReadAll(r)
				require.NoError(t, err)
				content[f.Name] = string(text)
			}
			require.Len(t, content, 2)
			assert.Equal(t, pdf, content["factuur-"+there+".pdf"])
			assert.Contains(t, content["ONTBREKEND.txt"], gone)
			assert.Contains(t, content["ONTBREKEND.txt"], none)
		}
		check(c.do(http.MethodGet, path, nil))
		a := c.do(http.MethodPost, "/downloads", object{"path": "/api/v0" + path})
		require.Less(t, a.Status, 300, string(a.Body))
		var ticket struct{ URL string }
		a.JSON(t, &ticket)
		check(c.s.Do(apptest.Call{Path: "/" + ticket.URL}))
		assert.Equal(t, http.StatusNotFound, c.do(http.MethodGet, "/agreements/"+id+"/invoices/archive?year=2020", nil).Status)
	})
}

func wantedAmount(amount any) object { return object{"request_periodical_payment_amount": amount} }

func problemOf(t *testing.T, a apptest.Answer) (p problem.Problem) {
	t.Helper()
	a.JSON(t, &p)
	return p
}

func termAmount(t *testing.T, all *customers) {
	c, id := all.billed()
	path := "/periodicalPayments/" + id
	t.Run("7.2-get-periodical,3-periodical-fields", func(t *testing.T) {
		assert.Equal(t, []object{{"agreement_identifier_with_sequence": id, "current_amount": 120.0, "min_amount": 95.5, "max_amount": 180.0,
			"proposed_amount": 105.0, "payment_method": "DIRECT_DEBIT_CONSUMER", "next_collection": "2026-11-28",
			"year_end": object{"expected_cost": 1620.0, "paid": 1200.0, "months_left": 4.0, "settles_on": "2027-03-01"}}}, c.list(t, "/periodicalPayments"))
	})
	t.Run("9-term-amount-advice", func(t *testing.T) {
		other, otherID := all.billed()
		advised := func(year any) (out []any) { // by both calls
			r := agreementRecord(other, otherID)
			r["periodical"] = with(r["periodical"].(object), object{"year_end": year})
			require.Empty(t, records(t, other.s, "agreement", r))
			return []any{other.list(t, "/periodicalPayments")[0]["proposed_amount"],
				other.list(t, "/agreements")[0]["periodical_payment"].(object)["details"].(object)["proposed_amount"]}
		}
		// collected on 28 November, December, January and February: (1620 - 1200) / 4
		assert.Equal(t, []any{105.0, 105.0}, advised(object{"expected_cost": 1620, "paid": 1200, "settles_on": "2027-03-01"}))
		assert.Equal(t, []any{106.0, 106.0}, advised(object{"expected_cost": 1620.04, "paid": 1200, "settles_on": "2027-03-01"}), "whole euros")
		assert.Equal(t, []any{180.0, 180.0}, advised(object{"expected_cost": 9999, "paid": 1200, "settles_on": "2027-03-01"}), "the highest amount")
		assert.Equal(t, []any{131.5, 131.5}, advised(nil), "the back office's, without figures")
		assert.Equal(t, []any{131.5, 131.5}, advised(object{"expected_cost": 1620, "paid": 1200, "settles_on": "2026-11-20"}), "the year is settled")
	})
	refused := func(row string, cases map[any]string) {
		t.Run(row, func(t *testing.T) {
			for amount, code := range cases {
				for _, call := range []string{path, "/agreements/periodical"} { // one rule set (7.2-periodical-two-calls-reconcile)
					a := c.do(http.MethodPut, call, wantedAmount(amount))
					require.Equal(t, http.StatusBadRequest, a.Status, "%v: %s", amount, a.Body)
					assert.Equal(t, []problem.FieldError{{Field: "request_periodical_payment_amount", Code: code}}, problemOf(t, a).Errors, amount)
				}
			}
		})
	}
	refused("5.6-amount-range", map[any]string{95.49: "billing.amount_range", 180.01: "billing.amount_range", 0: "billing.amount_range", -120: "billing.amount_range"})
	refused("5.6-amount-differs", map[any]string{120: "billing.amount_unchanged", "120.00": "billing.amount_unchanged"})
	refused("5.6-amount-decimals", map[any]string{130.555: "billing.amount_decimals", "130.550": "billing.amount_decimals", "honderd": "billing.amount_decimals"})
	refused("nothing entered", map[any]string{nil: "billing.amount_required", "": "billing.amount_required"})
	t.Run("7.2-get-agreements-periodical", func(t *testing.T) {
		assert.Empty(t, c.list(t, "/agreements/periodical?request=status"))
	})
	t.Run("7.2-put-periodical,3-periodical-fields,3-periodical-names-reconcile,5.6-amount-range", func(t *testing.T) {
		a := c.do(http.MethodPut, path, wantedAmount(180)) // the bound itself
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		var p object
		a.JSON(t, &p)
		for _, got := range []object{p, c.list(t, "/periodicalPayments")[0], c.list(t, "/agreements/periodical?request=status")[0]} {
			assert.Equal(t, 180.0, got["requested_new_amount"])
			assert.Equal(t, 180.0, got["request_periodical_payment_amount"])
			assert.Equal(t, "2026-11-20", got["requested_on"])
			assert.Equal(t, 120.0, got["current_amount"], "until it is processed")
			assert.Equal(t, "billing.term_amount_pending", got["reason"])
		}
		a = c.do(http.MethodPut, path, object{"requested_new_amount": 130})
		assert.Equal(t, http.StatusConflict, a.Status)
	})
	t.Run("7.2-periodical-two-calls-reconcile,4-pending-second-change", func(t *testing.T) {
		for _, call := range []string{path, "/agreements/periodical"} {
			a := c.do(http.MethodPut, call, wantedAmount(130))
			assert.Equal(t, http.StatusConflict, a.Status)
			assert.Equal(t, problem.CodePending, a.Code(), "one pending state")
		}
	})
	t.Run("4-pending-processed", func(t *testing.T) {
		decide(t, c, "billing.term_amount", module.Processed)
		p := c.list(t, "/periodicalPayments")[0]
		assert.Equal(t, 180.0, p["current_amount"])
		assert.NotContains(t, p, "requested_new_amount")
		assert.NotContains(t, p, "reason")
		assert.Equal(t, 180.0, c.list(t, "/agreements")[0]["periodical_payment"].(object)["details"].(object)["current_amount"])
	})
	t.Run("7.2-put-agreements-periodical,7.2-periodical-two-calls-reconcile", func(t *testing.T) {
		a := c.do(http.MethodPut, "/agreements/periodical", wantedAmount("99.95"))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Equal(t, 99.95, c.list(t, "/periodicalPayments")[0]["requested_new_amount"], "of the sole current agreement")
		decide(t, c, "billing.term_amount", module.Rejected)
		assert.Equal(t, 180.0, c.list(t, "/periodicalPayments")[0]["current_amount"])
		second := "B" + c.debtor + "-1"
		require.Empty(t, records(t, c.s, "agreement", agreementRecord(c, second)))
		a = c.do(http.MethodPut, "/agreements/periodical", wantedAmount(100))
		require.Equal(t, http.StatusBadRequest, a.Status)
		assert.Equal(t, []problem.FieldError{{Field: "agreement_identifier_with_sequence", Code: "billing.agreement_required"}}, problemOf(t, a).Errors)
		a = c.do(http.MethodPut, "/agreements/periodical", with(wantedAmount(100), object{"agreement_identifier_with_sequence": second}))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		status := c.list(t, "/agreements/periodical?request=status")
		require.Len(t, status, 1)
		assert.Equal(t, second, status[0]["agreement_identifier_with_sequence"])
		require.Equal(t, http.StatusOK, c.do(http.MethodPut, path, wantedAmount(100)).Status, "another agreement is no obstacle")
	})
	t.Run("a reason for what cannot be changed", func(t *testing.T) {
		c := all.new()
		ended, fixed := "A"+c.debtor+"-1", "B"+c.debtor+"-1"
		r := agreementRecord(c, fixed)
		r["periodical"] = with(r["periodical"].(object), object{"min_amount": 120, "max_amount": 120})
		require.Empty(t, records(t, c.s, "agreement", r, with(agreementRecord(c, ended), object{"status": "TERMINATED", "period": object{"from": "2023-01-01", "to": "2023-12-31"}})))
		list := c.list(t, "/periodicalPayments")
		for i, want := range []struct{ id, reason string }{{fixed, "billing.term_amount_fixed"}, {ended, "billing.term_amount_ended"}} {
			assert.Equal(t, want.id, list[i]["agreement_identifier_with_sequence"])
			assert.Equal(t, want.reason, list[i]["reason"])
			a := c.do(http.MethodPut, "/periodicalPayments/"+want.id, wantedAmount(120))
			assert.Equal(t, http.StatusConflict, a.Status)
			assert.Equal(t, want.reason, a.Code())
		}
		assert.NotContains(t, list[1], "next_collection")
		assert.NotContains(t, list[1], "year_end")
		assert.Equal(t, http.StatusNotFound, c.do(http.MethodPut, "/periodicalPayments/unknown", wantedAmount(120)).Status)
	})
}

// termAmountRace lets two changes of one term amount come at the same time: one wins, the other is told.
func termAmountRace(t *testing.T, all *customers) {
	for range 3 {
		c, id := all.billed()
		var wg sync.WaitGroup
		answers := make([]apptest.Answer, 8)
		for n := range answers {
			wg.Go(func() { answers[n] = c.do(http.MethodPut, "/periodicalPayments/"+id, wantedAmount(130+n)) })
		}
		wg.Wait()
		won := 0
		for n, a := range answers {
			switch a.Status {
			case http.StatusOK:
				won++
				assert.Equal(t, float64(130+n), c.list(t, "/periodicalPayments")[0]["requested_new_amount"])
			default:
				assert.Equal(t, http.StatusConflict, a.Status, string(a.Body))
				assert.Equal(t, problem.CodePending, a.Code())
			}
		}
		assert.Equal(t, 1, won)
	}
}

const ibanPath = "/relations/bankAccountNumber"

func newAccount(iban, name, from string) object {
	return object{"change_bank_account_number": iban, "change_bank_account_name": name, "from_date": from}
}

func bankAccount(t *testing.T, all *customers) {
	c := all.new()
	t.Run("7.1-get-iban-status,7.1-iban-status-query-reconcile", func(t *testing.T) {
		for _, query := range []string{"", "?request=status"} {
			a := c.do(http.MethodGet, ibanPath+query, nil)
			assert.Equal(t, http.StatusNoContent, a.Status)
			assert.Empty(t, a.Body)
		}
	})
	const good, name, tomorrow = "DE89370400440532013000", "Fenna de Boer", "2026-11-21"
	refused := func(row, field, code string, forms ...object) {
		t.Run(row, func(t *testing.T) {
			for _, form := range forms {
				a := c.do(http.MethodPut, ibanPath, form)
				require.Equal(t, http.StatusBadRequest, a.Status, "%v: %s", form, a.Body)
				assert.Equal(t, []problem.FieldError{{Field: field, Code: code}}, problemOf(t, a).Errors, form)
			}
		})
	}
	iban := func(n string) object { return newAccount(n, name, tomorrow) }
	const number, holder, from = "change_bank_account_number", "change_bank_account_name", "from_date"
	refused("5.1-iban-required", number, "billing.ibanRequired", iban(""), iban(" - "), with(iban(""), object{number: nil}))
	refused("5.1-iban-same", number, "billing.ibanNotValid", iban("NL38WATT0000001117"), iban("nl38 watt 0000 0011 17"))
	refused("5.1-iban-length", number, "billing.ibanNotValid", iban("NO938601111794"), iban("LC55HEMM000100010012001200023015"))
	refused("5.1-iban-checksum-reconcile", number, "billing.ibanNotValid", iban("NL92ABNA0417164300"), iban("XX62ABNA0417164300"), iban("NL5312340417164300"))
	refused("5.1-name-required", holder, "billing.bankAccountNameRequired", newAccount(good, "", tomorrow), newAccount(good, "Jo", tomorrow), with(iban(good), object{holder: nil}))
	refused("5.1-name-max", holder, "billing.bankAccountNameToLong", newAccount(good, strings.Repeat("é", 256), tomorrow))
	refused("5.1-date-required,5.1-date-format", from, "billing.startDateRequired", newAccount(good, name, ""), newAccount(good, name, "21-11-2026"), with(iban(good), object{from: nil}))
	refused("5.1-date-min", from, "billing.startDateMessage", newAccount(good, name, "2026-11-20"), newAccount(good, name, "2020-01-01"))
	t.Run("7.1-put-iban,5.1-iban-normalise,5.1-date-min,5.1-name-max", func(t *testing.T) {
		a := c.do(http.MethodPut, ibanPath, newAccount(" de89 3704-0044 0532 0130 00", strings.Repeat("é", 255), tomorrow))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	})
	t.Run("7.1-get-iban-status,7.1-iban-status-query-reconcile,3-pending-change-fields", func(t *testing.T) {
		for _, query := range []string{"", "?request=status"} {
			assert.Equal(t, newAccount(good, strings.Repeat("é", 255), tomorrow), c.get(t, ibanPath+query))
		}
		assert.Equal(t, "NL38WATT0000001117", c.get(t, "/bankAccountDetails")["bank_account_number"], "until its day")
	})
	t.Run("4-pending-second-change", func(t *testing.T) {
		a := c.do(http.MethodPut, ibanPath, iban("NO9386011117947"))
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, problem.CodePending, a.Code())
		assert.Equal(t, good, c.get(t, ibanPath)[number])
	})
	t.Run("the address that is known hears of it", func(t *testing.T) {
		for _, m := range mailTo(t, c.s, "fenna@voorbeeld.example") {
			text := fmt.Sprint(m.Mail)
			if !strings.Contains(text, "rekening") {
				continue
			}
			assert.Contains(t, text, "3000")
			assert.Contains(t, text, "21-11-2026")
			assert.NotContains(t, text, good)
			return
		}
		t.Error("no such mail")
	})
	t.Run("a rejected change leaves the account as it was", func(t *testing.T) {
		decide(t, c, "billing.iban", module.Rejected)
		assert.Equal(t, http.StatusNoContent, c.do(http.MethodGet, ibanPath, nil).Status)
		assert.Equal(t, "NL38WATT0000001117", c.get(t, "/relations")["bank_account_number"])
	})
	t.Run("nobody of whom nothing is known", func(t *testing.T) {
		nobody := all.account("405", "nog.niemand.5")
		assert.Equal(t, http.StatusNotFound, nobody.do(http.MethodPut, ibanPath, iban(good)).Status)
		assert.Equal(t, http.StatusNotFound, nobody.do(http.MethodGet, "/bankAccountDetails", nil).Status)
	})
}

// TestBankAccountFromItsDay moves the clock: a processed bank account is the current one from its day on, not before.
func TestBankAccountFromItsDay(t *testing.T) {
	t.Parallel()
	var log safeBuffer
	apptest.Each(t, apptest.Options{Modules: []module.Module{account.Module, billing.Module}, Log: &log}, func(t *testing.T, s *apptest.Server) {
		all := &customers{Server: s, t: t}
		c, id := all.billed()
		const old, later, sooner = "NL38WATT0000001117", "DE89370400440532013000", "NO9386011117947"
		ask := func(iban, from string) {
			t.Helper()
			a := c.do(http.MethodPut, ibanPath, newAccount(iban, "F. de Boer-Molen", from))
			require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			decide(t, c, "billing.iban", module.Processed)
			require.Equal(t, http.StatusNoContent, c.do(http.MethodGet, ibanPath, nil).Status)
		}
		advance := func(to string) {
			t.Helper()
			at, err := time.Parse(time.RFC3339, to)
			require.NoError(t, err)
			require.NoError(t, s.Advance(t.Context(), at.Sub(s.Clock.Now())))
			require.NoError(t, s.Outbox.Work(t.Context()))
			c.token = s.SignIn(identity.Account{Label: "alpha", Relation: c.relation, Username: c.username, Email: "fenna@voorbeeld.example",
				Name: "Fenna de Boer", Role: identity.Customer, Locale: "nl"})
		}
		current := func() any { return c.get(t, "/relations")["bank_account_number"] }
		t.Run("3-pending-change-fields,4-pending-processed", func(t *testing.T) {
			ask(later, "2026-12-10")
			s.Clock.Advance(time.Minute)
			ask(sooner, "2026-12-01") // the last wish, for an earlier day
			assert.Equal(t, old, current())
			advance("2026-11-30T22:30:00Z") // half past eleven in the evening there
			assert.Equal(t, old, current())
			advance("2026-11-30T23:30:00Z")
			c.becomes(t, "/relations", "bank_account_number", sooner)
			assert.Equal(t, "F. de Boer-Molen", c.get(t, "/relations")["bank_account_name"])
			assert.Equal(t, sooner, c.get(t, "/bankAccountDetails")["bank_account_number"])
			assert.Equal(t, sooner, c.list(t, "/agreements")[0]["periodical_payment"].(object)["bank_account_number"], id)
			advance("2026-12-11T10:00:00Z")
			assert.Equal(t, sooner, current(), "what was decided last holds")
		})
		for _, iban := range []string{old, later, sooner} {
			assert.NotContains(t, log.String(), iban, "no log shows an IBAN")
		}
	})
}

// safeBuffer is a log that a running server writes to.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func refusedRecords(t *testing.T, all *customers) {
	c, id := all.billed()
	good := invoiceRecord(c, id, "F1-"+c.debtor, "2026-03-15")
	for name, x := range map[string]struct {
		change      object
		field, code string
	}{
		"three decimals":       {object{"amount": 12.345}, "amount", "billing.decimals"},
		"three decimals, text": {object{"balance": "0.001"}, "balance", "billing.decimals"},
		"no amount":            {object{"amount": nil}, "amount", problem.CodeRequired},
		"a comma":              {object{"amount": "12,34"}, "amount", "billing.decimals"},
		"unknown agreement":    {object{"agreement_identifier_with_sequence": "Z-1"}, "agreement_identifier_with_sequence", "billing.agreement_unknown"},
		"of another relation":  {object{"debtor_number": "404"}, "agreement_identifier_with_sequence", "billing.agreement_unknown"},
		"unknown type":         {object{"invoice_type": "BILL"}, "invoice_type", problem.CodeInvalid},
		"no such day":          {object{"due_date": "2026-02-30"}, "due_date", problem.CodeInvalid},
		"no id":                {object{"invoice_id": ""}, "invoice_id", problem.CodeRequired},
		"an id that is a path": {object{"invoice_id": "../../etc"}, "invoice_id", problem.CodeInvalid},
		"a file elsewhere":     {object{"file": "../../secret.pdf"}, "file", files.CodeName},
		"a list for a text":    {object{"invoice_id": []int{1}}, "", problem.CodeMalformed},
		"a number for a type":  {object{"invoice_type": 7}, "invoice_type", problem.CodeInvalid},
		"settlement": {object{"settlement": object{"receivable": object{"invoice_type": "INVOICE", "amount_value": 1}, "rest_amount": 0,
			"payables": []object{{"amount_value": "1.234", "invoice_type": "INVOICE"}}}}, "settlement.payables.0.amount_value", "billing.decimals"},
	} {
		t.Run(name, func(t *testing.T) {
			other := invoiceRecord(c, id, "OK-"+c.debtor, "2026-03-15")
			refused := records(t, c.s, "invoice", other, with(good, x.change))
			assert.Equal(t, []record.Refusal{{Line: 2, Field: x.field, Code: x.code}}, refused)
			list := c.list(t, "/agreements/"+id+"/invoices")
			require.Len(t, list, 1, "the other one is stored")
		})
	}
	r := agreementRecord(c, id)
	r["periodical"] = with(r["periodical"].(object), object{"min_amount": "95.555", "year_end": object{"expected_cost": 1, "paid": "x", "settles_on": "2026"}})
	assert.Equal(t, []record.Refusal{{Line: 1, Field: "periodical.min_amount", Code: "billing.decimals"},
		{Line: 1, Field: "periodical.year_end.paid", Code: "billing.decimals"}, {Line: 1, Field: "periodical.year_end.settles_on", Code: problem.CodeInvalid}},
		records(t, c.s, "agreement", r))
}

func billingOfOthers(t *testing.T, all *customers) {
	c, id := all.billed()
	stranger, _ := all.billed()
	require.Empty(t, records(t, c.s, "invoice", invoiceRecord(c, id, "F1-"+c.debtor, "2026-03-15")))
	t.Run("6-customer-own-data", func(t *testing.T) {
		for _, path := range []string{"/invoices", "/invoices?page=1", "/invoices/years", "/billed"} {
			assert.Equal(t, http.StatusNotFound, stranger.do(http.MethodGet, "/agreements/"+id+path, nil).Status, path)
		}
		assert.Equal(t, http.StatusNotFound, stranger.do(http.MethodPut, "/periodicalPayments/"+id, wantedAmount(130)).Status)
		assert.Equal(t, http.StatusNotFound,
			stranger.do(http.MethodPut, "/agreements/periodical", with(wantedAmount(130), object{"agreement_identifier_with_sequence": id})).Status)
		assert.Empty(t, stranger.list(t, "/latestInvoices"))
		assert.Len(t, stranger.list(t, "/agreements"), 1)
	})
	t.Run("6-impersonator-api", func(t *testing.T) {
		guest := customer{s: c.s, token: c.s.Impersonator("alpha", c.relation)}
		assert.Len(t, guest.list(t, "/agreements/"+id+"/invoices"), 1)
		for path, body := range map[string]object{"/periodicalPayments/" + id: wantedAmount(130), "/agreements/periodical": wantedAmount(130),
			ibanPath: newAccount("DE89370400440532013000", "Fenna", "2026-12-01")} {
			assert.Equal(t, http.StatusForbidden, guest.do(http.MethodPut, path, body).Status, path)
		}
		assert.Empty(t, c.list(t, "/agreements/periodical"))
	})
	t.Run("nothing without a token", func(t *testing.T) {
		for _, path := range []string{"/agreements", "/agreements/" + id + "/invoices", "/latestInvoices", "/invoices/F1-" + c.debtor + "/file", "/bankAccountDetails"} {
			assert.Equal(t, http.StatusUnauthorized, c.s.Do(apptest.Call{Path: path}).Status, path)
		}
	})
}
