package billing_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/test/fixture"
)

func TestBilling(t *testing.T) {
	t.Parallel()
	portaltest.Each(t, portaltest.Options{Modules: []module.Module{account.Module, billing.Module}}, func(t *testing.T, s *portaltest.Portal) {
		c := &fixture.Customers{Portal: s, T: t}
		t.Run("agreements", func(t *testing.T) { testAgreements(t, c) })
		t.Run("invoices", func(t *testing.T) { testInvoices(t, c) })
		t.Run("newest invoices", func(t *testing.T) { testNewestInvoices(t, c) })
		t.Run("open invoices", func(t *testing.T) { testOpenInvoices(t, c) })
		t.Run("invoice pages", func(t *testing.T) { testInvoicePages(t, c) })
		t.Run("invoice totals", func(t *testing.T) { testInvoiceTotals(t, c) })
		t.Run("files", func(t *testing.T) { testFiles(t, c) })
		t.Run("term amount", func(t *testing.T) { testTermAmount(t, c) })
		t.Run("bank account", func(t *testing.T) { testBankAccount(t, c) })
		t.Run("refused records", func(t *testing.T) { testRefusedRecords(t, c) })
		t.Run("data of others", func(t *testing.T) { testOthers(t, c) })
	})
}

func TestBillingConcurrency(t *testing.T) {
	t.Parallel()
	portaltest.Each(t, portaltest.Options{Modules: []module.Module{account.Module, billing.Module}, AtOnce: true}, func(t *testing.T,
		s *portaltest.Portal) {
		c := &fixture.Customers{Portal: s, T: t}
		t.Run("invoices", func(t *testing.T) { testConcurrentImports(t, c) })
		t.Run("term amounts", func(t *testing.T) { testConcurrentTermAmounts(t, c) })
	})
}

func testAgreements(t *testing.T, all *fixture.Customers) {
	c := all.New()
	older, newer := "A"+c.Debtor+"-1", "A"+c.Debtor+"-2"
	old := fixture.With(fixture.AgreementRecord(c, older), fixture.Object{"company_name": "Molen Dochter B.V.", "status": "TERMINATED",
		"period": fixture.Object{"from": "2020-02-01", "to": "2023-12-31"}, "periodical": nil, "products": nil})
	require.Empty(t, fixture.Records(t, c.Portal, "agreement", old, fixture.AgreementRecord(c, newer)))
	require.Empty(t, fixture.Records(t, c.Portal, "invoice", fixture.InvoiceRecord(c, newer, "F-"+c.Debtor, "2026-02-01")))
	var list []fixture.Object
	t.Run("7.2-get-agreements,3-agreement-fields", func(t *testing.T) {
		list = c.List(t, "/agreements")
		require.Len(t, list, 2)
		a := list[0]
		assert.Equal(t, fixture.Object{"agreement_id": "9" + newer, "agreement_identifier": "A" + c.Debtor,
			"agreement_identifier_with_sequence": newer, "name": "Stroom en gas", "company_name": "",
			"period": fixture.Object{"from": "2024-01-01", "to": nil}, "product_category": "ENERGY", "status": "ACTIVE", "current": true,
			"addresses": []any{fixture.Object{"address_type": "SHIPPING", "street": "Molenweg", "house_number": "12",
				"house_number_extension": "bis", "zip_code": "9861GT", "city": "Grootegast",
				"connections": []any{fixture.Object{"ean_code": "871600000000000017", "commodity": "ELECTRICITY"}}}},
			"tariff_sheets": a["tariff_sheets"], "periodical_payment": a["periodical_payment"], // 3-agreement-tariff-sheets and others
			"invoices": c.List(t, "/agreements/"+newer+"/invoices"),
			"price_agreements": []any{fixture.Object{"description": "Normaal", "commodity": "ELECTRICITY", "unit": "kWh", "amount": 0.28941,
				"from": "2026-01-01", "to": nil}}}, fixture.With(a, fixture.Object{"invoices": objects(a["invoices"])}), "newest start first")
		require.Len(t, a["invoices"], 1)
		assert.Equal(t, "F-"+c.Debtor, a["invoices"].([]any)[0].(fixture.Object)["invoice_id"])
		assert.Equal(t, []any{older, "TERMINATED", false, fixture.Object{"from": "2020-02-01", "to": "2023-12-31"}, []any{}},
			[]any{list[1]["agreement_identifier_with_sequence"], list[1]["status"], list[1]["current"], list[1]["period"], list[1]["invoices"]})
		assert.NotContains(t, list[1], "periodical_payment")
		other, otherID := all.Billed()
		others := other.List(t, "/agreements")
		require.Len(t, others, 1, "not those of another relation")
		assert.Equal(t, otherID, others[0]["agreement_identifier_with_sequence"])
	})
	t.Run("9-agreement-end-date", func(t *testing.T) {
		ends := all.New()
		require.Empty(t, fixture.Records(t, ends.Portal, "agreement", fixture.With(fixture.AgreementRecord(ends, "A"+ends.Debtor+"-1"),
			fixture.Object{"period": fixture.Object{"from": "2024-01-01", "to": "2026-12-31"}})))
		a := ends.List(t, "/agreements")[0]
		assert.Equal(t, fixture.Object{"from": "2024-01-01", "to": "2026-12-31"}, a["period"])
		assert.Equal(t, true, a["current"], "including the last day")
	})
	t.Run("3-agreement-company-name", func(t *testing.T) {
		assert.Equal(t, "Molen Dochter B.V.", list[1]["company_name"])
		assert.Equal(t, "", list[0]["company_name"])
	})
	t.Run("3-agreement-product-category", func(t *testing.T) {
		assert.Equal(t, "ENERGY", list[0]["product_category"])
		assert.Equal(t, []record.Refusal{{Line: 1, Field: "product_category", Code: problem.CodeInvalid}},
			fixture.Records(t, c.Portal, "agreement", fixture.With(fixture.AgreementRecord(c, newer), fixture.Object{"product_category": "WATER"})))
	})
	t.Run("3-agreement-tariff-sheets", func(t *testing.T) {
		assert.Equal(t, []any{fixture.Object{"retrieval_id": "T-" + newer, "tariff_sheet_link": "/api/v0/tariffsheets/T-" + newer + "/file",
			"send_date": "2026-01-05"}},
			list[0]["tariff_sheets"])
	})
	t.Run("3-agreement-periodical-payment", func(t *testing.T) {
		assert.Equal(t, fixture.Object{"details": fixture.Object{"current_amount": 120.0, "proposed_amount": 105.0, "min_amount": 95.5,
			"max_amount": 180.0},
			"items": []any{fixture.Object{"category": "ELECTRICITY", "description": "Stroom", "amount": 80.0},
				fixture.Object{"category": "GAS", "description": "Gas", "amount": 40.0}},
			"payment_method": "DIRECT_DEBIT_CONSUMER", "bank_account_number": "NL38WATT0000001117"}, list[0]["periodical_payment"])
	})
	t.Run("7.1-get-products,7.1-product-fields", func(t *testing.T) {
		second := fixture.With(fixture.AgreementRecord(c, "B"+c.Debtor+"-3"), fixture.Object{"periodical": nil,
			"period": fixture.Object{"from": "2023-01-01"}, "products": []fixture.Object{
				{"product_code": "G-VAR", "name": "Gas variabel", "commodity": "GAS", "start_date": "2023-01-01"},
				{"product_code": "S-1", "name": "Service", "start_date": "2023-05-01", "end_date": "2024-04-30"}}})
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", second))
		assert.Equal(t, []fixture.Object{{"product_code": "E-VAST-1", "name": "Stroom 1 jaar vast", "commodity": "ELECTRICITY",
			"start_date": "2026-01-01", "end_date": "2026-12-31", "agreement_identifier": "A" + c.Debtor},
			{"product_code": "G-VAR", "name": "Gas variabel", "commodity": "GAS", "start_date": "2023-01-01", "end_date": nil,
				"agreement_identifier": "B" + c.Debtor},
			{"product_code": "S-1", "name": "Service", "start_date": "2023-05-01", "end_date": "2024-04-30",
				"agreement_identifier": "B" + c.Debtor}}, c.List(t, "/relations/products"))
		other, _ := all.Billed()
		assert.Len(t, other.List(t, "/relations/products"), 1, "not those of another relation")
	})
	t.Run("7.1-get-bank-details,3-bank-details-fields", func(t *testing.T) {
		assert.Equal(t, fixture.Object{"bank_account_name": "F.A. de Boer", "bank_account_number": "NL38WATT0000001117",
			"payment_method": "DIRECT_DEBIT_CONSUMER"},
			c.Get(t, "/bankAccountDetails"))
		assert.Equal(t, "DEFAULT", all.New().Get(t, "/bankAccountDetails")["payment_method"], "no agreement")
	})
	t.Run("3-enum-payment-method", func(t *testing.T) {
		for _, method := range []string{"DEFAULT", "DIRECT_DEBIT_BUSINESS", "DIRECT_DEBIT_CONSUMER", "IDEAL", "INVOICE"} {
			r := fixture.AgreementRecord(c, newer)
			r["periodical"].(fixture.Object)["payment_method"] = method
			require.Empty(t, fixture.Records(t, c.Portal, "agreement", r))
			assert.Equal(t, method, c.Get(t, "/bankAccountDetails")["payment_method"])
			p := c.List(t, "/agreements")[0]["periodical_payment"].(fixture.Object)
			assert.Equal(t, method, p["payment_method"])
			assert.Equal(t, strings.HasPrefix(method, "DIRECT_DEBIT"), p["bank_account_number"] != "", method)
		}
		r := fixture.AgreementRecord(c, newer)
		r["periodical"].(fixture.Object)["payment_method"] = "CASH"
		assert.Equal(t, []record.Refusal{{Line: 1, Field: "periodical.payment_method", Code: problem.CodeInvalid}},
			fixture.Records(t, c.Portal, "agreement", r))
	})
	t.Run("without agreements the list is empty", func(t *testing.T) {
		nobody := all.New()
		for _, path := range []string{"/agreements", "/periodicalPayments", "/relations/products", "/latestInvoices",
			"/agreements/periodical?request=status"} {
			assert.Equal(t, []fixture.Object{}, nobody.List(t, path), path)
		}
	})
}

// objects converts a decoded JSON list.
func objects(list any) (out []fixture.Object) {
	for _, one := range list.([]any) {
		out = append(out, one.(fixture.Object))
	}
	return out
}

func testFiles(t *testing.T, all *fixture.Customers) {
	c, id := all.Billed()
	stranger := all.New()
	withFile, gone, none := "F1-"+c.Debtor, "F2-"+c.Debtor, "F3-"+c.Debtor
	require.Empty(t, fixture.Records(t, c.Portal, "invoice",
		fixture.With(fixture.InvoiceRecord(c, id, withFile, "2026-03-15"), fixture.Object{"file": "invoices/2026/" + withFile + ".pdf"}),
		fixture.With(fixture.InvoiceRecord(c, id, gone, "2026-04-15"), fixture.Object{"file": "invoices/2026/" + gone + ".pdf"}),
		fixture.InvoiceRecord(c, id, none, "2026-05-15"), fixture.InvoiceRecord(c, id, "F4-"+c.Debtor, "2025-05-15")))
	c.Portal.StoreFile("alpha", "invoices/2026/"+withFile+".pdf", fixture.PDF)
	c.Portal.StoreFile("alpha", "tariffs/"+id+".pdf", fixture.PDF)
	t.Run("2.1-invoices-download,7-file-downloads", func(t *testing.T) {
		link := c.List(t, "/agreements/"+id+"/invoices")[3-1]["invoice_link"].(string)
		a := c.Portal.Do(portaltest.Call{Path: "/" + link, Bearer: c.Bearer}) // the link is a complete path
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Equal(t, fixture.PDF, string(a.Body))
		assert.Equal(t, "application/pdf", a.Header.Get("Content-Type"))
		assert.Contains(t, a.Header.Get("Content-Disposition"), `attachment; filename="factuur-`+withFile+`.pdf"`)
	})
	t.Run("3-agreement-tariff-sheets,7-file-downloads", func(t *testing.T) {
		a := c.Portal.Do(portaltest.Call{Path: "//api/v0/tariffsheets/T-" + id + "/file", Bearer: c.Bearer})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Equal(t, fixture.PDF, string(a.Body))
		assert.Contains(t, a.Header.Get("Content-Disposition"), `filename="tarieven-2026-01-05.pdf"`)
	})
	t.Run("a missing file has its own problem code", func(t *testing.T) {
		for _, invoice := range []string{gone, none} {
			a := c.Do(http.MethodGet, "/invoices/"+invoice+"/file", nil)
			assert.Equal(t, http.StatusNotFound, a.Status, invoice)
			assert.Equal(t, "billing.file_missing", a.Code(), invoice)
		}
		a := c.Do(http.MethodGet, "/invoices/unknown/file", nil)
		assert.Equal(t, problem.CodeNotFound, a.Code())
	})
	t.Run("6-customer-own-data", func(t *testing.T) {
		for _, path := range []string{"/invoices/" + withFile + "/file", "/tariffsheets/T-" + id + "/file", "/agreements/" + id +
			"/invoices/archive?year=2026"} {
			assert.Equal(t, http.StatusNotFound, stranger.Do(http.MethodGet, path, nil).Status, path)
		}
	})
	t.Run("the archive contains the invoices of a year", func(t *testing.T) {
		path := "/agreements/" + id + "/invoices/archive?year=2026"
		check := func(a portaltest.Answer) {
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
			assert.Equal(t, fixture.PDF, content["factuur-"+withFile+".pdf"])
			assert.Contains(t, content["ONTBREKEND.txt"], gone)
			assert.Contains(t, content["ONTBREKEND.txt"], none)
		}
		check(c.Do(http.MethodGet, path, nil))
		a := c.Do(http.MethodPost, "/downloads", fixture.Object{"path": "/api/v0" + path})
		require.Less(t, a.Status, 300, string(a.Body))
		var ticket struct{ URL string }
		a.JSON(t, &ticket)
		check(c.Portal.Do(portaltest.Call{Path: "/" + ticket.URL}))
		assert.Equal(t, http.StatusNotFound, c.Do(http.MethodGet, "/agreements/"+id+"/invoices/archive?year=2020", nil).Status)
	})
}

const ibanPath = "/relations/bankAccountNumber"

func testRefusedRecords(t *testing.T, all *fixture.Customers) {
	c, id := all.Billed()
	good := fixture.InvoiceRecord(c, id, "F1-"+c.Debtor, "2026-03-15")
	for name, x := range map[string]struct {
		change      fixture.Object
		field, code string
	}{
		"three decimals":       {fixture.Object{"amount": 12.345}, "amount", "billing.decimals"},
		"three decimals, text": {fixture.Object{"balance": "0.001"}, "balance", "billing.decimals"},
		"no amount":            {fixture.Object{"amount": nil}, "amount", problem.CodeRequired},
		"a comma":              {fixture.Object{"amount": "12,34"}, "amount", "billing.decimals"},
		"unknown agreement": {fixture.Object{"agreement_identifier_with_sequence": "Z-1"}, "agreement_identifier_with_sequence",
			"billing.agreement_unknown"},
		"of another relation":  {fixture.Object{"debtor_number": "404"}, "agreement_identifier_with_sequence", "billing.agreement_unknown"},
		"unknown type":         {fixture.Object{"invoice_type": "BILL"}, "invoice_type", problem.CodeInvalid},
		"no such day":          {fixture.Object{"due_date": "2026-02-30"}, "due_date", problem.CodeInvalid},
		"no id":                {fixture.Object{"invoice_id": ""}, "invoice_id", problem.CodeRequired},
		"an id that is a path": {fixture.Object{"invoice_id": "../../etc"}, "invoice_id", problem.CodeInvalid},
		"a file elsewhere":     {fixture.Object{"file": "../../secret.pdf"}, "file", files.CodeName},
		"a list for a text":    {fixture.Object{"invoice_id": []int{1}}, "", problem.CodeMalformed},
		"a number for a type":  {fixture.Object{"invoice_type": 7}, "invoice_type", problem.CodeInvalid},
		"settlement": {fixture.Object{"settlement": fixture.Object{"receivable": fixture.Object{"invoice_type": "INVOICE", "amount_value": 1},
			"rest_amount": 0,
			"payables":    []fixture.Object{{"amount_value": "1.234", "invoice_type": "INVOICE"}}}}, "settlement.payables.0.amount_value",
			"billing.decimals"},
	} {
		t.Run(name, func(t *testing.T) {
			other := fixture.InvoiceRecord(c, id, "OK-"+c.Debtor, "2026-03-15")
			refused := fixture.Records(t, c.Portal, "invoice", other, fixture.With(good, x.change))
			assert.Equal(t, []record.Refusal{{Line: 2, Field: x.field, Code: x.code}}, refused)
			list := c.List(t, "/agreements/"+id+"/invoices")
			require.Len(t, list, 1, "the valid record is stored")
		})
	}
	r := fixture.AgreementRecord(c, id)
	r["periodical"] = fixture.With(r["periodical"].(fixture.Object), fixture.Object{"min_amount": "95.555",
		"year_end": fixture.Object{"expected_cost": 1, "paid": "x", "settles_on": "2026"}})
	assert.Equal(t, []record.Refusal{{Line: 1, Field: "periodical.min_amount", Code: "billing.decimals"},
		{Line: 1, Field: "periodical.year_end.paid", Code: "billing.decimals"},
		{Line: 1, Field: "periodical.year_end.settles_on", Code: problem.CodeInvalid}},
		fixture.Records(t, c.Portal, "agreement", r))
}

// bodyOf returns a body in which the agreement identifier replaces %.
func bodyOf(body any, id string) any {
	object, is := body.(fixture.Object)
	if !is || object["agreement_identifier_with_sequence"] != "%" {
		return body
	}
	return fixture.With(object, fixture.Object{"agreement_identifier_with_sequence": id})
}

func testOthers(t *testing.T, all *fixture.Customers) {
	c, id := all.Billed()
	stranger, _ := all.Billed()
	require.Empty(t, fixture.Records(t, c.Portal, "invoice", fixture.InvoiceRecord(c, id, "F1-"+c.Debtor, "2026-03-15")))
	t.Run("6-customer-own-data,6-customer-own-data-status", func(t *testing.T) {
		const missing = "A404-1"
		refused := func(method, path string, body any) {
			t.Helper()
			theirs, none := stranger.Do(method, strings.ReplaceAll(path, "%", id), bodyOf(body, id)),
				stranger.Do(method, strings.ReplaceAll(path, "%", missing), bodyOf(body, missing))
			assert.Equal(t, []any{http.StatusNotFound, problem.CodeNotFound}, []any{theirs.Status, theirs.Code()}, path)
			assert.JSONEq(t, string(none.Body), string(theirs.Body), "%s tells that it is there", path)
		}
		for _, path := range []string{"/invoices", "/invoices?page=1", "/invoices/years", "/billed"} {
			refused(http.MethodGet, "/agreements/%"+path, nil)
			assert.Equal(t, http.StatusOK, c.Do(http.MethodGet, "/agreements/"+id+path, nil).Status, path)
		}
		refused(http.MethodPut, "/periodicalPayments/%", fixture.WantedAmount(130))
		refused(http.MethodPut, "/agreements/periodical", fixture.With(fixture.WantedAmount(130),
			fixture.Object{"agreement_identifier_with_sequence": "%"}))
		assert.Empty(t, c.List(t, "/agreements/periodical"), "nothing is requested")
		assert.Empty(t, stranger.List(t, "/latestInvoices"))
		assert.Len(t, stranger.List(t, "/agreements"), 1)
	})
	t.Run("6-impersonator-api", func(t *testing.T) {
		impersonator := fixture.Customer{Caller: c.Portal.Impersonator("alpha", c.Relation)}
		assert.Len(t, impersonator.List(t, "/agreements/"+id+"/invoices"), 1)
		for path, body := range map[string]fixture.Object{"/periodicalPayments/" + id: fixture.WantedAmount(130),
			"/agreements/periodical": fixture.WantedAmount(130),
			ibanPath:                 fixture.NewBankAccount("DE89370400440532013000", "Fenna", "2026-12-01")} {
			assert.Equal(t, http.StatusForbidden, impersonator.Do(http.MethodPut, path, body).Status, path)
		}
		assert.Empty(t, c.List(t, "/agreements/periodical"))
	})
	t.Run("every operation requires a token", func(t *testing.T) {
		for _, path := range []string{"/agreements", "/agreements/" + id + "/invoices", "/latestInvoices", "/openInvoices", "/invoices/F1-" +
			c.Debtor + "/file", "/bankAccountDetails"} {
			assert.Equal(t, http.StatusUnauthorized, c.Portal.Do(portaltest.Call{Path: path}).Status, path)
		}
	})
}
