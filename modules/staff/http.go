//go:generate go test . -run TestOpenAPI|TestAsyncAPI -update

package staff

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// Actions in the audit log.
const (
	actionSearched = "staff.customers_searched" // kind: email, address, number or name, without the search text
	actionViewed   = "staff.customer_viewed"
)

// maxRecent is the maximum number of customers that staff viewed last.
const maxRecent = 5

func (s *service) routes() {
	// This is a POST, because servers and proxies log URLs, and a search text is often a name or an email address.
	module.Route(s.API, huma.Operation{Method: http.MethodPost, Path: "/staff/customers/search", OperationID: "searchCustomers",
		Summary:     "Search customers by number, e-mail address, name or address",
		Description: "For staff. Returns pages in the order of names, or of addresses. Each page is written to the audit log, with the kind of the search and without its text."}, module.Staff, module.Read, s.searchCustomers)
	module.Route(s.API, huma.Operation{Method: http.MethodGet, Path: "/staff/customers/{relation}", OperationID: "getCustomer",
		Summary:     "Get a customer",
		Description: "For staff. The access is written to the audit log and shown to the customer. Problem: 404 for an unknown customer."},
		module.Staff, module.Read, s.getCustomer)
	module.Route(s.API, huma.Operation{Method: http.MethodGet, Path: "/staff/customer-numbers", OperationID: "listCustomerNumbers",
		Summary:     "List the customer numbers and names of relations",
		Description: "For staff. Returns the relations of the label that exist, in no particular order; the other ones are absent."},
		module.Staff, module.Read, s.listNumbers)
	module.Route(s.API, huma.Operation{Method: http.MethodGet, Path: "/staff/recent-customers", OperationID: "listRecentCustomers",
		Summary:     "List the customers that the caller opened last",
		Description: "For staff. Returns at most five customers of the label that the calling staff member opened with getCustomer, the last one first. Customers that no longer exist are absent."},
		module.Staff, module.Read, s.listRecent)
}

type searchInput struct {
	Body struct {
		Q     string `json:"q" minLength:"2" maxLength:"200" doc:"Debtor number, e-mail address, postal code with or without a house number, or beginning of a last name or company name"`
		After string `json:"after,omitempty" minLength:"1" maxLength:"2000" doc:"The value of next on the previous page; absent: first page"`
	}
}

type searchAnswer struct {
	Body struct {
		Items []Customer `json:"items" nullable:"false" doc:"Customers in the order of names, or of addresses"`
		Next  string     `json:"next,omitempty" doc:"Value of after for the next page; absent on the last page"`
	}
}

// searchCustomers writes to the audit log before it returns a page.
func (s *service) searchCustomers(ctx context.Context, in *searchInput) (*searchAnswer, error) {
	settings, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	var logins []string
	q := in.Body.Q
	if strings.Contains(q, "@") {
		if logins, err = s.relationsWith(ctx, strings.TrimSpace(q)); err != nil {
			return nil, err
		}
	}
	page, err := s.search(ctx, q, logins, in.Body.After, settings.PageSize)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(page.Items))
	for i, f := range page.Items {
		ids[i] = f.Relation
	}
	usernames, err := s.usernames(ctx, ids)
	if err != nil {
		return nil, err
	}
	if err := s.audit(ctx, coreapi.NoteInputBody{Action: actionSearched, Kind: page.Kind}); err != nil {
		return nil, err
	}
	out := &searchAnswer{}
	out.Body.Next, out.Body.Items = page.Next, make([]Customer, len(page.Items))
	for i, f := range page.Items {
		out.Body.Items[i] = customer(f, usernames[f.Relation])
	}
	return out, nil
}

type customerInput struct {
	Relation string `path:"relation" maxLength:"64" doc:"Id of the relation"`
}

type customerAnswer struct{ Body Record }

// getCustomer writes to the audit log before it returns the customer.
func (s *service) getCustomer(ctx context.Context, in *customerInput) (*customerAnswer, error) {
	r, err := s.record(ctx, in.Relation)
	if err != nil {
		return nil, err
	}
	usernames, err := s.usernames(ctx, []string{in.Relation})
	if err != nil {
		return nil, err
	}
	if err := s.audit(ctx, coreapi.NoteInputBody{Action: actionViewed, Relation: in.Relation}); err != nil {
		return nil, err
	}
	return &customerAnswer{record(r, in.Relation, usernames[in.Relation])}, nil
}

type numbersInput struct {
	Relations []string `query:"relations,explode" required:"true" minItems:"1" maxItems:"100" doc:"Ids of relations"`
}

type numbersAnswer struct {
	Body []CustomerNumber `nullable:"false"`
}

// listNumbers returns the names and numbers of customers; the numbers distinguish customers with the same name (9-queue-customer).
func (s *service) listNumbers(ctx context.Context, in *numbersInput) (*numbersAnswer, error) {
	found, err := s.lookUp(ctx, in.Relations)
	out := &numbersAnswer{make([]CustomerNumber, len(found))}
	for i, f := range found {
		out.Body[i] = CustomerNumber{f.Relation, f.DebtorNumber, f.Name}
	}
	return out, err
}

// listRecent returns the customers that the caller opened last, according to the audit log (9-staff-recent). It reads twice as many as it
// returns, because some may no longer exist.
func (s *service) listRecent(ctx context.Context, _ *struct{}) (*numbersAnswer, error) {
	viewed, err := s.viewed(ctx, 2*maxRecent)
	if err != nil {
		return nil, err
	}
	found, err := s.lookUp(ctx, viewed)
	if err != nil {
		return nil, err
	}
	out := &numbersAnswer{make([]CustomerNumber, 0, maxRecent)}
	for _, id := range viewed {
		i := slices.IndexFunc(found, func(f accountapi.Found) bool { return f.Relation == id })
		if i >= 0 && len(out.Body) < maxRecent {
			out.Body = append(out.Body, CustomerNumber{id, found[i].DebtorNumber, found[i].Name})
		}
	}
	return out, nil
}
