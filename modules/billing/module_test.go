package billing_test

import (
	"context"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/billing"
)

// fakeAccount returns the same bank account for every relation.
func fakeAccount(a huma.API) {
	type relation struct {
		Number string `json:"bank_account_number"`
		Name   string `json:"bank_account_name"`
		Email  string `json:"email"`
	}
	type answer struct{ Body relation }
	op := huma.Operation{Method: "GET", Path: "/relations", OperationID: "getRelation"}
	module.Route(a, op, module.Customer, module.Read, func(context.Context, *struct{}) (*answer, error) {
		return &answer{relation{"NL91ABNA0417164300", "F.A. de Boer", "fenna@voorbeeld.example"}}, nil
	})
}

func TestConformance(t *testing.T) {
	as := func(debtor string) module.Scope {
		return module.Scope{Relation: value.StableID(moduletest.LabelOne, "relation", debtor), Subject: "account-" + debtor}
	}
	fenna, joost := as("1"), as("2")
	call := func(who module.Scope, method, path, body string) moduletest.Call {
		return moduletest.Call{Method: method, Path: path, Body: body, As: who}
	}
	iban := call(fenna, "PUT", "/relations/bankAccountNumber",
		`{"change_bank_account_number":"DE89370400440532013000","change_bank_account_name":"Fenna de Boer","from_date":"2030-01-01"}`)
	amount := call(fenna, "PUT", "/periodicalPayments/A1-1", `{"request_periodical_payment_amount":130.50}`)
	state := []moduletest.Call{}
	for _, who := range []module.Scope{fenna, joost} {
		for _, path := range []string{"/agreements", "/agreements/periodical?request=status", "/periodicalPayments",
			"/agreements/A1-1/invoices?page=1",
			"/agreements/A1-1/invoices/years", "/agreements/A1-1/billed", "/latestInvoices", "/openInvoices", "/relations/products",
			"/relations/bankAccountNumber",
			"/bankAccountDetails"} {
			state = append(state, call(who, "", path, ""))
		}
	}
	const agreement = `"agreement_identifier":"A1","agreement_identifier_with_sequence":"A1-1","product_category":"ENERGY","status":"ACTIVE","period":{"from":"2024-01-01"}`
	moduletest.Run(t, billing.Module, moduletest.Options{
		Main:     "./plugin",
		Settings: billing.Settings{BankAccountDetails: true},
		Siblings: []module.Module{moduletest.Fake("account", fakeAccount)},
		Records: []moduletest.Record{
			{Kind: "agreement", Data: `{"debtor_number":"1",` + agreement + `,"periodical":{"current_amount":120,"proposed_amount":125.5,"min_amount":95,
				"max_amount":180,"payment_method":"DIRECT_DEBIT_CONSUMER","next_collection":"2026-11-28"},
				"tariff_sheets":[{"retrieval_id":"T1","send_date":"2026-01-01","file":"tariffs/t1.pdf"}],"products":[{"product_code":"E","start_date":"2024-01-01"}]}`},
			{Kind: "agreement", Data: `{"debtor_number":"2",` + agreement + `}`},
			{Kind: "agreement", Data: `{"debtor_number":"3",` + agreement + `,"addresses":[{"address_type":"HOME"}]}`},
			{Kind: "invoice", Data: `{"debtor_number":"1","agreement_identifier_with_sequence":"A1-1","invoice_id":"F1","invoice_type":"ANNUAL","amount":"-12.30",
				"balance":0,"issue_date":"2026-01-02","due_date":"2026-01-16","payment_status":"SETTLED","file":"invoices/f1.pdf"}`},
			{Kind: "invoice", Data: `{"debtor_number":"9","agreement_identifier_with_sequence":"A1-1","invoice_id":"F2","invoice_type":"ANNUAL","amount":1,
				"balance":0,"issue_date":"2026-01-02","due_date":"2026-01-16","payment_status":"SETTLED"}`},
		},
		Prepare: []moduletest.Call{call(joost, "PUT", "/relations/bankAccountNumber",
			`{"change_bank_account_number":"NO9386011117947","change_bank_account_name":"J. Molen","from_date":"2030-01-01"}`)},
		State: state,
		Writes: map[string]moduletest.Call{"changePeriodical": amount, "changeIBAN": iban,
			"changeAgreementPeriodical": call(fenna, "PUT", "/agreements/periodical", `{"request_periodical_payment_amount":130.50}`)},
		Changes: map[string]moduletest.Call{"billing.iban": iban, "billing.term_amount": amount},
	})
}
