//go:generate go test . -run TestOpenAPI|TestAsyncAPI -update

package billing

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	get, put = http.MethodGet, http.MethodPut

	agreementInvoices = 10 // newest invoices shown with an agreement
	latestCount       = 5  // 7.2-latest-invoices-count
)

func (s *service) routes() {
	module.Route(s.API, op(get, "/agreements", "listAgreements", "Agreements, newest start first"), module.Customer, module.Read, s.listAgreements)                     // 7.2-get-agreements
	module.Route(s.API, op(get, "/relations/products", "listProducts", "Products of the relation"), module.Customer, module.Read, s.listProducts)                       // 7.1-get-products
	module.Route(s.API, op(get, "/bankAccountDetails", "getBankDetails", "Bank account in use"), module.Customer, module.Read, s.getBankDetails)                        // 7.1-get-bank-details
	module.Route(s.API, op(get, "/periodicalPayments", "listPeriodicals", "All term amounts"), module.Customer, module.Read, s.listPeriodicals)                         // 7.2-get-periodical
	module.Route(s.API, amountOp("/periodicalPayments/{id}", "changePeriodical"), module.Customer, module.Write, s.changePeriodical)                                    // 7.2-put-periodical
	module.Route(s.API, op(get, "/agreements/periodical", "pendingPeriodicals", "Term amounts that are asked for"), module.Customer, module.Read, s.pendingPeriodicals) // 7.2-get-agreements-periodical
	module.Route(s.API, amountOp("/agreements/periodical", "changeAgreementPeriodical"), module.Customer, module.Write, s.changeAgreementPeriodical)                    // 7.2-put-agreements-periodical

	iban := op(get, "/relations/bankAccountNumber", "getIBANStatus", "The bank account that is asked for; 204 when another may be asked for")
	iban.Responses = map[string]*huma.Response{"204": {Description: "Nothing is pending"},
		"200": {Description: "The pending change", Content: s.json(reflect.TypeFor[BankAccount]())}}
	module.Route(s.API, iban, module.Customer, module.Read, s.getIBANStatus) // 7.1-get-iban-status
	change := op(put, "/relations/bankAccountNumber", "changeIBAN", "Ask for another bank account")
	change.SkipValidateBody = true                                           // Check says it better
	module.Route(s.API, change, module.Customer, module.Write, s.changeIBAN) // 7.1-put-iban

	invoices := reflect.TypeFor[[]Invoice]()
	module.Route(s.API, s.raw("/agreements/{id}/invoices", "listInvoices", "Invoices of an agreement, newest due date first", invoices), module.Customer, module.Read, s.listInvoices) // 7.2-get-agreement-invoices
	module.Route(s.API, s.raw("/latestInvoices", "latestInvoices", "The five newest invoices of all agreements", invoices), module.Customer, module.Read, s.latestInvoices)            // 7.2-get-latest-invoices
	module.Route(s.API, op(get, "/agreements/{id}/invoices/years", "listInvoiceYears", "What an agreement was billed per year, newest first"), module.Customer, module.Read, s.listYears)
	module.Route(s.API, op(get, "/agreements/{id}/billed", "listBilled", "What an agreement was billed per month, oldest first"), module.Customer, module.Read, s.listBilled)
	files.Download(s.API, op(get, "/agreements/{id}/invoices/archive", "invoiceArchive", "The files of a year's invoices as ZIP"), module.Customer, s.archive)
	files.Download(s.API, op(get, "/invoices/{id}/file", "invoiceFile", "The file of an invoice"), module.Customer, s.invoiceFile)           // 2.1-invoices-download
	files.Download(s.API, op(get, "/tariffsheets/{id}/file", "tariffSheetFile", "The file of a tariff sheet"), module.Customer, s.sheetFile) // 7-file-downloads
	module.Route(s.API, op(get, "/agreements/supplies", "listSupplies", "What the agreements of the call's relation supply, newest start first"), module.Sibling, module.Read, s.listSupplies)
	module.Route(s.API, op(get, "/relations/{relation}/delivery", "deliveryOfRelation", "What is delivered to a relation today"), module.Sibling, module.Read, s.deliveryOfRelation)
	module.Decisions(s.API, manifest.Key, s.host.DB, s.decided)
}

func op(method, path, id, summary string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary}
}

// amountOp is a PUT of a term amount: its rule judges better than the schema.
func amountOp(path, id string) huma.Operation {
	o := op(put, path, id, "Ask for another term amount")
	o.SkipValidateBody = true
	return o
}

// raw is a GET whose answer is JSON that is ready: documents of the database.
func (s *service) raw(path, id, summary string, of reflect.Type) huma.Operation {
	o := op(get, path, id, summary)
	o.Responses = map[string]*huma.Response{"200": {Description: "OK", Content: s.json(of)}}
	return o
}

func (s *service) json(of reflect.Type) map[string]*huma.MediaType {
	schema := s.API.OpenAPI().Components.Schemas.Schema(of, true, "")
	schema.Nullable = false // a list is never null
	return map[string]*huma.MediaType{"application/json": {Schema: schema}}
}

// today is the day in the label's zone.
func (s *service) today(ctx context.Context) value.Day { return module.Today(ctx, s.host.Now()) }

// mine are the agreements of the call's relation.
func (s *service) mine(ctx context.Context) (module.Rows, []*agreed, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return rows, nil, err
	}
	agreements, err := agreementsOf(ctx, s.host.DB, rows, s.today(ctx))
	return rows, agreements, err
}

type agreementsAnswer struct {
	Body []*Agreement `nullable:"false"`
}

func (s *service) listAgreements(ctx context.Context, _ *struct{}) (*agreementsAnswer, error) {
	rows, agreements, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	out := &agreementsAnswer{Body: make([]*Agreement, len(agreements))}
	collected := false
	for i, a := range agreements {
		if a.Invoices, err = newestInvoices(ctx, s.host.DB, rows, a.ID, agreementInvoices); err != nil {
			return nil, err
		}
		out.Body[i] = &a.Agreement
		collected = collected || a.Periodical != nil && a.Periodical.Method.direct()
	}
	if !collected {
		return out, nil
	}
	r, err := s.relation(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range out.Body {
		if a.Periodical != nil && a.Periodical.Method.direct() {
			a.Periodical.IBAN = r.BankAccountNumber
		}
	}
	return out, nil
}

type suppliesAnswer struct {
	Body []Supply `nullable:"false"`
}

// listSupplies answers siblings that need connections and periods only: one query, where listAgreements makes one for the invoices of
// each agreement and asks account for the IBAN.
func (s *service) listSupplies(ctx context.Context, _ *struct{}) (*suppliesAnswer, error) {
	_, agreements, err := s.mine(ctx)
	out := &suppliesAnswer{Body: make([]Supply, len(agreements))}
	for i, a := range agreements {
		out.Body[i] = a.Supply()
	}
	return out, err
}

type productsAnswer struct {
	Body []Product `nullable:"false"`
}

func (s *service) listProducts(ctx context.Context, _ *struct{}) (*productsAnswer, error) {
	_, agreements, err := s.mine(ctx)
	out := &productsAnswer{Body: []Product{}}
	for _, a := range agreements {
		out.Body = append(out.Body, a.Products...)
	}
	return out, err
}

type relationInput struct {
	Relation string `path:"relation" maxLength:"64"`
}

// Delivery says what a relation has a contract for that holds today.
type Delivery struct {
	Electricity bool `json:"electricity" doc:"An agreement for electricity holds today"`
}

type deliveryAnswer struct{ Body Delivery }

// deliveryOfRelation answers siblings about any relation, also one that has no agreement at all (5.7-transfer-contract).
func (s *service) deliveryOfRelation(ctx context.Context, in *relationInput) (*deliveryAnswer, error) {
	today := s.today(ctx)
	agreements, err := agreementsOfRelation(ctx, s.host.DB, in.Relation, today)
	return &deliveryAnswer{Delivery{slices.ContainsFunc(agreements, func(a *agreed) bool { return a.electricity(today) })}}, err
}
