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

	minAgreementInvoices = 10 // newest invoices returned with an agreement, plus the rest of the year of the tenth
	latestInvoicesCount  = 5  // 7.2-latest-invoices-count
)

func (s *service) routes() {
	module.Route(s.API, op(get, "/agreements", "listAgreements", "List agreements, latest start first",
		"For customers. Each agreement contains its ten newest invoices, and further ones of the year of the tenth."), module.Customer, module.Read, s.listAgreements) // 7.2-get-agreements
	module.Route(s.API, op(get, "/relations/products", "listProducts", "List the products of the customer's agreements",
		"For customers. Sorted by agreement, latest start first."), module.Customer, module.Read, s.listProducts) // 7.1-get-products
	module.Route(s.API, op(get, "/bankAccountDetails", "getBankDetails", "Get the bank account in use and the payment method",
		// 7.1-get-bank-details
		"For customers. Problem: 404 until the back office has sent the relation."), module.Customer, module.Read, s.getBankDetails)
	module.Route(s.API, op(get, "/periodicalPayments", "listPeriodicals", "List the term amounts of all agreements",
		// 7.2-get-periodical
		"For customers. Each contains its pending change, the next collection and the figures of the year."), module.Customer, module.Read,
		s.listPeriodicals)
	// 7.2-put-periodical
	module.Route(s.API, amountOp("/periodicalPayments/{id}", "changePeriodical"), module.Customer, module.Write, s.changePeriodical)
	module.Route(s.API, op(get, "/agreements/periodical", "pendingPeriodicals", "List the term amounts with a pending change",
		// 7.2-get-agreements-periodical
		"For customers. Returns an empty list if no change is pending."), module.Customer, module.Read, s.pendingPeriodicals)
	// 7.2-put-agreements-periodical
	module.Route(s.API, amountOp("/agreements/periodical", "changeAgreementPeriodical"), module.Customer, module.Write,
		s.changeAgreementPeriodical)

	iban := op(get, "/relations/bankAccountNumber", "getIBANStatus", "Get the pending change of the bank account",
		"For customers. Returns 204 if no change is pending; then a change can be requested.")
	iban.Responses = map[string]*huma.Response{"204": {Description: "No change is pending"},
		"200": {Description: "The pending change", Content: s.jsonContent(reflect.TypeFor[BankAccount]())}}
	module.Route(s.API, iban, module.Customer, module.Read, s.getIBANStatus) // 7.1-get-iban-status
	change := op(put, "/relations/bankAccountNumber", "changeIBAN", "Request a change of the bank account",
		"For customers, not during impersonation. The back office decides; the customer's e-mail address is notified. Problems: 400 with codes "+
			"of the fields; 409 change_pending.")
	change.SkipValidateBody = true // Check returns clearer problems
	// 7.1-put-iban; without x-impersonation, so that no label can allow it during impersonation (6-impersonator-iban)
	module.Route(s.API, change, module.Customer, module.Write, s.changeIBAN)

	invoices := reflect.TypeFor[[]Invoice]()
	module.Route(s.API, s.rawOp("/agreements/{id}/invoices", "listInvoices", "List invoices of an agreement, latest due date first",
		// 7.2-get-agreement-invoices
		"For customers. Returns all invoices without page. Header X-Total-Count contains their number. Problem: 404 for an unknown agreement.",
		invoices), module.Customer, module.Read, s.listInvoices)
	module.Route(s.API, s.rawOp("/latestInvoices", "latestInvoices", "List the five newest invoices of all agreements",
		"For customers. Sorted by due date, latest first.", invoices), module.Customer, module.Read, s.latestInvoices) // 7.2-get-latest-invoices
	module.Route(s.API, op(get, "/openInvoices", "openInvoices", "List what the customer has to pay, over all agreements",
		"For customers. Contains invoices with status OUTSTANDING or OPEN and a balance, their sum, and the sum of those that are overdue by the "+
			"label's clock."), module.Customer, module.Read, s.openInvoices)
	module.Route(s.API, op(get, "/agreements/{id}/invoices/years", "listInvoiceYears", "List invoice totals by year, newest first",
		"For customers. The year is that of the due date. Problem: 404 for an unknown agreement."), module.Customer, module.Read, s.listYears)
	module.Route(s.API, op(get, "/agreements/{id}/billed", "listBilled", "List invoice totals by month, oldest first",
		"For customers. The month is that of the due date; months without an invoice are left out. Problem: 404 for an unknown agreement."),
		module.Customer, module.Read, s.listBilled)
	files.Download(s.API, op(get, "/agreements/{id}/invoices/archive", "invoiceArchive", "Download the invoices of a year as a ZIP file",
		"For customers. A text file in it lists invoices without a file. Problem: 404 if the year has no invoices."), module.Customer, s.archive)
	files.Download(s.API, op(get, "/invoices/{id}/file", "invoiceFile", "Download the file of an invoice",
		// 2.1-invoices-download
		"For customers. Problems: 404 for an unknown invoice; 404 billing.file_missing if it has no file."), module.Customer, s.invoiceFile)
	files.Download(s.API, op(get, "/tariffsheets/{id}/file", "tariffSheetFile", "Download the file of a tariff sheet",
		// 7-file-downloads
		"For customers. Problems: 404 for an unknown tariff sheet; 404 billing.file_missing if it has no file."), module.Customer, s.sheetFile)
	module.Route(s.API, op(get, "/agreements/supplies", "listSupplies", "List agreements with connections and periods only",
		"For siblings, on behalf of a customer. Sorted by start date, latest first."), module.Sibling, module.Read, s.listSupplies)
	module.Route(s.API, op(get, "/agreements/prices", "listPrices", "List the agreed prices of all agreements",
		"For siblings, on behalf of a customer. Sorted by start date of the agreement, latest first."), module.Sibling, module.Read, s.listPrices)
	module.Route(s.API, op(get, "/relations/{relation}/delivery", "deliveryOfRelation", "Get what is delivered to a relation today",
		"For siblings, for any relation of the label. A relation without agreements gets nothing delivered."), module.Sibling, module.Read,
		s.deliveryOfRelation)
	module.Decisions(s.API, manifest.Key, s.host.DB, s.applyDecision)
}

func op(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, Description: description}
}

// amountOp returns a PUT operation for a term amount. CheckTermAmount validates the body and returns clearer problems than the schema.
func amountOp(path, id string) huma.Operation {
	o := op(put, path, id, "Request a change of a term amount",
		"For customers, not during impersonation. The back office decides. Problems: 400 with codes billing.amount_* or "+
			"billing.agreement_required; 404 for an unknown agreement; 409 change_pending, billing.term_amount_ended or billing.term_amount_fixed.")
	o.SkipValidateBody = true
	return o
}

// rawOp returns a GET operation whose response contains unchanged JSON documents from the database.
func (s *service) rawOp(path, id, summary, description string, of reflect.Type) huma.Operation {
	o := op(get, path, id, summary, description)
	o.Responses = map[string]*huma.Response{"200": {Description: "OK", Content: s.jsonContent(of)}}
	return o
}

func (s *service) jsonContent(of reflect.Type) map[string]*huma.MediaType {
	schema := s.API.OpenAPI().Components.Schemas.Schema(of, true, "")
	schema.Nullable = false // a list is never null
	return map[string]*huma.MediaType{"application/json": {Schema: schema}}
}

// today returns the current day in the label's time zone.
func (s *service) today(ctx context.Context) value.Day { return module.Today(ctx, s.host.Now()) }

// callerAgreements returns the agreements of the caller's relation.
func (s *service) callerAgreements(ctx context.Context) (module.Rows, []*storedAgreement, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return rows, nil, err
	}
	agreements, err := findAgreements(ctx, s.host.DB, rows, s.today(ctx))
	return rows, agreements, err
}

type agreementsAnswer struct {
	Body []*Agreement `nullable:"false"`
}

func (s *service) listAgreements(ctx context.Context, _ *struct{}) (*agreementsAnswer, error) {
	rows, agreements, err := s.callerAgreements(ctx)
	if err != nil {
		return nil, err
	}
	out := &agreementsAnswer{Body: make([]*Agreement, len(agreements))}
	hasDirectDebit := false
	for i, a := range agreements {
		if a.Invoices, err = newestInvoices(ctx, s.host.DB, rows, a.ID, minAgreementInvoices); err != nil {
			return nil, err
		}
		out.Body[i] = &a.Agreement
		hasDirectDebit = hasDirectDebit || a.Periodical != nil && a.Periodical.Method.isDirectDebit()
	}
	if !hasDirectDebit {
		return out, nil
	}
	r, err := s.callerRelation(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range out.Body {
		if a.Periodical != nil && a.Periodical.Method.isDirectDebit() {
			a.Periodical.IBAN = r.BankAccountNumber
		}
	}
	return out, nil
}

type suppliesAnswer struct {
	Body []Supply `nullable:"false"`
}

// listSupplies returns only connections and periods to siblings. It needs one query, while listAgreements also reads the invoices of each
// agreement and calls module account for the IBAN.
func (s *service) listSupplies(ctx context.Context, _ *struct{}) (*suppliesAnswer, error) {
	_, agreements, err := s.callerAgreements(ctx)
	out := &suppliesAnswer{Body: make([]Supply, len(agreements))}
	for i, a := range agreements {
		out.Body[i] = a.Supply()
	}
	return out, err
}

type pricesAnswer struct {
	Body []Pricing `nullable:"false"`
}

// listPrices returns the prices of the caller's agreements to siblings.
func (s *service) listPrices(ctx context.Context, _ *struct{}) (*pricesAnswer, error) {
	_, agreements, err := s.callerAgreements(ctx)
	out := &pricesAnswer{Body: make([]Pricing, len(agreements))}
	for i, a := range agreements {
		out.Body[i] = a.Pricing()
	}
	return out, err
}

type productsAnswer struct {
	Body []Product `nullable:"false"`
}

func (s *service) listProducts(ctx context.Context, _ *struct{}) (*productsAnswer, error) {
	_, agreements, err := s.callerAgreements(ctx)
	out := &productsAnswer{Body: []Product{}}
	for _, a := range agreements {
		out.Body = append(out.Body, a.Products...)
	}
	return out, err
}

type relationInput struct {
	Relation string `path:"relation" maxLength:"64" doc:"Id of the relation"`
}

// Delivery contains the commodities that are delivered to a relation today.
type Delivery struct {
	Electricity bool `json:"electricity" doc:"Whether a current agreement delivers electricity"`
}

type deliveryAnswer struct{ Body Delivery }

// deliveryOfRelation returns the delivery to any relation of the label, including relations without agreements (5.7-transfer-contract).
func (s *service) deliveryOfRelation(ctx context.Context, in *relationInput) (*deliveryAnswer, error) {
	today := s.today(ctx)
	agreements, err := findAgreementsOfRelation(ctx, s.host.DB, in.Relation, today)
	isDelivered := slices.ContainsFunc(agreements, func(a *storedAgreement) bool { return a.deliversElectricity(today) })
	return &deliveryAnswer{Delivery{isDelivered}}, err
}
