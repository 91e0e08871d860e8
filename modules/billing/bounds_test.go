package billing

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

// changed returns a record with some fields replaced; nil removes a field.
func changed(t *testing.T, base map[string]any, more map[string]any) record.Row {
	t.Helper()
	fields := maps.Clone(base)
	for name, v := range more {
		if fields[name] = v; v == nil {
			delete(fields, name)
		}
	}
	data, err := json.Marshal(fields)
	require.NoError(t, err)
	return record.Row{Line: 1, Data: data}
}

func refusals(refusals []record.Refusal) string {
	out := ""
	for _, w := range refusals {
		out += w.Field + " " + w.Code + ";"
	}
	return out
}

func TestAgreementRecord(t *testing.T) {
	type object = map[string]any
	valid := object{"debtor_number": 1, "agreement_identifier": "A", "agreement_identifier_with_sequence": "A-1", "product_category": "ENERGY",
		"status": "ACTIVE", "period": object{"from": "2026-01-01", "to": "2026-12-31"}}
	read := func(more object) (*storedAgreement, string) {
		_, a, refused := parseAgreement(changed(t, valid, more))
		return a, refusals(refused)
	}
	a, refused := read(nil)
	assert.Empty(t, refused)
	assert.Equal(t, "2026-12-31", a.Period.To.String())
	assert.Nil(t, a.Periodical)
	a, refused = read(object{"period": object{"from": "2026-01-01"}})
	assert.Empty(t, refused)
	assert.Nil(t, a.Period.To, "no end is known")
	_, refused = read(object{"period": object{"from": "2026-01-01", "to": "2026-01-01"}})
	assert.Empty(t, refused, "a day")
	_, refused = read(object{"period": object{"from": "2026-01-02", "to": "2026-01-01"}})
	assert.Equal(t, "period.to invalid;", refused)
	_, refused = read(object{"agreement_identifier_with_sequence": "../A"})
	assert.Equal(t, "agreement_identifier_with_sequence invalid;", refused)
	_, refused = read(object{"agreement_identifier_with_sequence": nil})
	assert.Equal(t, "agreement_identifier_with_sequence required;", refused, "refused once")

	sheet := func(file string) object {
		return object{"tariff_sheets": []object{{"retrieval_id": "T", "send_date": "2026-01-01", "file": file}}}
	}
	a, refused = read(sheet("t.pdf"))
	assert.Empty(t, refused)
	assert.Equal(t, []any{"/api/v0/tariffsheets/T/file", map[string]string{"T": "t.pdf"}}, []any{a.TariffSheets[0].Link, a.Files})
	a, refused = read(sheet(""))
	assert.Empty(t, refused)
	assert.Equal(t, []any{"", map[string]string{}}, []any{a.TariffSheets[0].Link, a.Files})
	_, refused = read(sheet("../t.pdf"))
	assert.Equal(t, "tariff_sheets.0.file "+files.CodeName+";", refused)

	term := object{"current_amount": 100, "proposed_amount": 110, "min_amount": 90, "max_amount": 90, "payment_method": "IDEAL"}
	a, refused = read(object{"periodical": term})
	assert.Empty(t, refused, "a fixed amount")
	assert.Equal(t, value.Cents(10000), a.Periodical.Details.Current)
	assert.Nil(t, a.YearEnd)
	for field, value := range map[string]any{"max_amount invalid": object{"max_amount": 89.99}, "current_amount " +
		codeDecimals: object{"current_amount": "1.234"},
		"current_amount required": object{"current_amount": ""}} {
		bad := maps.Clone(term)
		maps.Copy(bad, value.(object))
		_, refused = read(object{"periodical": bad})
		assert.Equal(t, "periodical."+field+";", refused)
	}
	year := maps.Clone(term)
	year["year_end"] = object{"expected_cost": 1200, "paid": 600, "settles_on": "2027-01-01"}
	a, refused = read(object{"periodical": year})
	assert.Empty(t, refused)
	assert.Equal(t, value.Cents(120000), a.YearEnd.ExpectedCost)

	price := func(more object) object {
		one := object{"description": "x", "amount": "0.12345", "from": "2026-01-01"}
		maps.Copy(one, more)
		return object{"price_agreements": []object{one}}
	}
	a, refused = read(price(nil))
	assert.Empty(t, refused)
	assert.Equal(t, []any{value.Price(12345), ""}, []any{a.Prices[0].Amount, a.Prices[0].Commodity}, "no commodity")
	a, refused = read(price(object{"commodity": "GAS", "to": "2026-02-01"}))
	assert.Empty(t, refused)
	assert.Equal(t, []string{"GAS", "2026-02-01"}, []string{a.Prices[0].Commodity, a.Prices[0].To.String()})
	for field, more := range map[string]object{"commodity invalid": {"commodity": "WATER"}, "amount " + codeDecimals: {"amount": "0.123456"},
		"amount required": {"amount": ""}} {
		_, refused = read(price(more))
		assert.Equal(t, "price_agreements.0."+field+";", refused)
	}
}

func TestInvoiceRecord(t *testing.T) {
	type object = map[string]any
	valid := object{"debtor_number": 1, "agreement_identifier_with_sequence": "A-1", "invoice_id": "F1", "invoice_type": "ANNUAL",
		"amount": -12.3, "balance": 0, "issue_date": "2026-01-02", "due_date": "2026-01-16", "payment_status": "PAID", "file": "a/b.pdf"}
	_, i, file, refusals := parseInvoice(changed(t, valid, nil))
	assert.Empty(t, refusals)
	assert.Equal(t, []any{"a/b.pdf", "/api/v0/invoices/F1/file", value.Cents(-1230)}, []any{file, i.Link, i.Amount})
	assert.Nil(t, i.Settlement)
	_, i, _, refusals = parseInvoice(changed(t, valid, object{"file": nil}))
	assert.Empty(t, refusals)
	assert.Empty(t, i.Link, "no file")
	_, i, _, refusals = parseInvoice(changed(t, valid,
		object{"settlement": object{"rest_amount": 1, "receivable": object{"amount_value": 1, "invoice_type": "MAR"}}}))
	assert.Empty(t, refusals)
	assert.Equal(t, value.Cents(100), i.Settlement.Rest)
}

func TestMailOfABankAccount(t *testing.T) {
	from := day(t, "2026-12-01")
	for locale, words := range map[string]string{"en": "ending in 4300 from 01-12-2026",
		"nl": "vanaf 01-12-2026 de rekening te gebruiken die eindigt op 4300", "de": "eindigt op 4300"} {
		assert.Contains(t, mailIBANRequested(locale, "a", "NL91ABNA0417164300", from).Lines[0], words)
	}
	assert.Equal(t, []string{"123", "1234", ""}, []string{lastFour("123"), lastFour("1234"), lastFour("")})
}

// The payment method is that of the newest current agreement with a term amount or, if none is current, of the newest agreement with one.
func TestMethodOf(t *testing.T) {
	with := func(method PaymentMethod, current bool) *storedAgreement {
		return &storedAgreement{Agreement: Agreement{Current: current, Periodical: &Payment{Method: method}}}
	}
	bare := &storedAgreement{Agreement: Agreement{Current: true}}
	assert.Equal(t, PaymentMethod(methodDefault), paymentMethod(nil))
	assert.Equal(t, PaymentMethod(methodDefault), paymentMethod([]*storedAgreement{bare}))
	assert.Equal(t, PaymentMethod("IDEAL"), paymentMethod([]*storedAgreement{bare, with("IDEAL", false), with("INVOICE", false)}))
	assert.Equal(t, PaymentMethod("INVOICE"), paymentMethod([]*storedAgreement{with("IDEAL", false), with("INVOICE", true)}))
	assert.Equal(t, PaymentMethod("IDEAL"), paymentMethod([]*storedAgreement{with("IDEAL", true), with("INVOICE", true)}),
		"the newest agreement")
}

func TestDirectDebit(t *testing.T) {
	got := map[PaymentMethod]bool{}
	for _, m := range PaymentMethods {
		got[m] = m.isDirectDebit()
	}
	assert.Equal(t, map[PaymentMethod]bool{methodDefault: false, "DIRECT_DEBIT_BUSINESS": true, "DIRECT_DEBIT_CONSUMER": true, "IDEAL": false,
		"INVOICE": false}, got)
}

func TestNewestFirst(t *testing.T) {
	of := func(id, from string) *Agreement { return &Agreement{ID: id, Period: Period{From: day(t, from)}} }
	all := []*Agreement{of("A-1", "2024-03-01"), of("B-1", "2026-01-01"), of("C-1", "2024-03-01"), of("A-0", "2019-12-31")}
	slices.SortFunc(all, newestFirst)
	var ids []string
	for _, a := range all {
		ids = append(ids, a.ID)
	}
	assert.Equal(t, []string{"B-1", "C-1", "A-1", "A-0"}, ids, "by start date, then by id")
}

func TestSoleCurrent(t *testing.T) {
	of := func(id string, current bool) *storedAgreement {
		return &storedAgreement{Agreement: Agreement{ID: id, Current: current}}
	}
	assert.Equal(t, "b", soleCurrent([]*storedAgreement{of("a", false), of("b", true), of("c", false)}))
	assert.Empty(t, soleCurrent([]*storedAgreement{of("a", true), of("b", true)}))
	assert.Empty(t, soleCurrent([]*storedAgreement{of("a", false)}))
}

// The fields of a term amount depend on whether it is still collected, and whether a change is pending.
func TestTermAmountOfAnAgreement(t *testing.T) {
	today := day(t, "2026-11-20")
	a := &storedAgreement{Agreement: Agreement{ID: "A", Status: "ACTIVE",
		Periodical: &Payment{Details: Details{Current: 100, Min: 50, Max: 200}}},
		NextCollection: day(t, "2026-12-01"), YearEnd: &YearEnd{SettlesOn: day(t, "2027-02-01")}}
	p := a.termAmount(today, nil)
	assert.Equal(t, []any{"", "2026-12-01", 2}, []any{p.Reason, p.NextCollection.String(), p.YearEnd.MonthsLeft})
	assert.Nil(t, p.Requested)
	p = a.termAmount(today, &pendingAmount{150, today})
	assert.Equal(t, []any{codeTermPending, value.Cents(150), value.Cents(150), today},
		[]any{p.Reason, *p.Requested, *p.RequestAmount, *p.RequestedOn})
	a.YearEnd = nil
	assert.Nil(t, a.termAmount(today, nil).YearEnd)
	a.Status = statusTerminated
	assert.True(t, a.termAmount(today, nil).NextCollection.IsZero(), "nothing is collected anymore")
}
