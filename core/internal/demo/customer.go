package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/module"
)

// Wanted says what customer a test needs.
type Wanted struct {
	Label        string `json:"label,omitempty" doc:"Default: the label of the host"`
	Role         string `json:"role,omitempty" enum:"customer,staff,impersonator" default:"customer"`
	Company      bool   `json:"company,omitempty" doc:"A business customer"`
	Addresses    *int   `json:"addresses,omitempty" minimum:"0" maximum:"20" doc:"Number of shipping addresses; default 1"`
	Pending      bool   `json:"pending,omitempty" doc:"Has asked for phone number 0687654321"`
	Temporary    bool   `json:"temporary,omitempty" doc:"The password must be changed at the first sign-in"`
	Impersonator bool   `json:"impersonator,omitempty" doc:"Answer a code with which a browser looks along as this customer"`
	Bare         bool   `json:"bare,omitempty" doc:"A login whose relation the back office has not sent"`
}

// Customer is a new login with what belongs to it.
type Customer struct {
	Label    string          `json:"label"`
	Host     string          `json:"host"`
	Username string          `json:"username"`
	Password string          `json:"password"`
	Name     string          `json:"name"`
	Email    string          `json:"email"`
	Role     string          `json:"role"`
	Account  string          `json:"account" doc:"Id of the account"`
	Relation json.RawMessage `json:"relation,omitempty" doc:"The relation record as it was imported"`
	ID       string          `json:"relation_id,omitempty"`
	Code     string          `json:"impersonation_code,omitempty" doc:"Single use, for POST auth/impersonate"`
}

type wantedInput struct{ Body Wanted }
type customerOutput struct{ Body Customer }

// Routes registers the call that makes customers. It is mounted in demo mode only.
func (s *Service) Routes(api huma.API) {
	module.Route(api, huma.Operation{OperationID: "newDemoCustomer", Method: http.MethodPost, Path: "/dev/customers",
		Summary: "Make a customer for a test; demo mode only"}, module.Public, module.Write,
		func(ctx context.Context, in *wantedInput) (*customerOutput, error) {
			c, err := s.NewCustomer(ctx, in.Body)
			return &customerOutput{c}, err
		})
}

// NewCustomer makes a login nobody else has, of the label asked for or else that of the call.
func (s *Service) NewCustomer(ctx context.Context, w Wanted) (Customer, error) {
	l := label.Of(ctx)
	if w.Label != "" {
		l = s.Labels.ByKey(w.Label)
	}
	if l == nil {
		return Customer{}, module.Fail(http.StatusNotFound, module.CodeUnknownLabel)
	}
	id := module.NewID()
	debtor := "T" + id[:12]
	a := identity.Account{Label: l.Key, Username: "test-" + id[:12], Email: "test-" + id[:12] + "@voorbeeld.example",
		Name: "J. van der Test", Locale: "nl", Role: w.Role}
	if a.Role == "" {
		a.Role = identity.Customer
	}
	out := Customer{Label: l.Key, Host: host(l), Username: a.Username, Password: Password, Name: a.Name, Email: a.Email, Role: a.Role}
	if a.Role == identity.Customer {
		a.Relation = module.StableID(l.Key, "relation", debtor)
		out.ID = a.Relation
	}
	if a.Role == identity.Customer && !w.Bare {
		out.Relation = record(w, debtor, a.Email)
		_, target := s.Import(l.Key)
		refused, err := target(ctx, "relation", []module.Row{{Line: 1, Data: out.Relation}})
		if err != nil {
			return out, err
		}
		if len(refused) > 0 {
			return out, fmt.Errorf("demo: the record was refused: %s %s", refused[0].Field, refused[0].Code)
		}
	}
	a, err := s.Identity.Upsert(ctx, a, Password, w.Temporary)
	if err != nil {
		return out, err
	}
	out.Account = a.ID
	if w.Pending {
		if err := s.put(ctx, a, "/relations/phonenumber", []byte(`{"phone_number":"0687654321"}`)); err != nil {
			return out, err
		}
	}
	if w.Impersonator {
		out.Code, err = s.lookAlong(ctx, a)
	}
	return out, err
}

// lookAlong makes the code with which an impersonator becomes the customer.
func (s *Service) lookAlong(ctx context.Context, customer identity.Account) (string, error) {
	if customer.Relation == "" {
		return "", errors.New("demo: only a customer can be looked along with")
	}
	who, err := s.Identity.Upsert(ctx, identity.Account{Label: customer.Label, Username: "impersonator_test",
		Email: "meekijker@klantenservice.example", Name: "Mila Meekijker", Locale: "nl", Role: identity.ImpersonatorRole}, Password, false)
	if err != nil {
		return "", err
	}
	return s.Identity.NewImpersonation(ctx, who, customer.Relation)
}

// record is a relation as a back office sends it.
func record(w Wanted, debtor, email string) json.RawMessage {
	shipping := 1
	if w.Addresses != nil {
		shipping = *w.Addresses
	}
	address := func(kind string, number int) map[string]any {
		return map[string]any{"address_type": kind, "street": "Proeflaan", "house_number": strconv.Itoa(number),
			"house_number_extension": "", "zip_code": "9700AA", "city": "Groningen", "connections": []any{}}
	}
	addresses := []any{address("INVOICE", 1)}
	for i := range shipping {
		addresses = append(addresses, address("SHIPPING", 1+i))
	}
	r := map[string]any{"debtor_number": debtor, "relation_since": "2020-01-15", "salutation": "MRS", "initials": "J.",
		"prefix": "van der", "last_name": "Test", "email": email, "phone_number": "0612345678",
		"bank_account_number": "NL38WATT0000001117", "bank_account_name": "J. van der Test", "addresses": addresses}
	if w.Company {
		r["company"] = map[string]any{"coc_number": "90000001", "vat_number": "NL900000010B01", "name": "Proeflokaal B.V.",
			"eanCode": "871600000000000017", "timeOfUse": "T_7_23"}
	}
	out, _ := json.Marshal(r) // strings, maps and numbers always encode
	return out
}
