package demo

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/imports"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
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
	// What modules know of the customer.
	Sample     bool        `json:"sample,omitempty" doc:"What a household has: two agreements, invoices, smart meters and 40 shares of a project of its own, as far as the label has the modules"`
	Records    []Record    `json:"records,omitempty" maxItems:"5000" doc:"Imported after the relation, each kind after those it leans on"`
	Households []Household `json:"households,omitempty" maxItems:"20" doc:"Connections whose hours are made up until yesterday; ean_code as in records"`
	Files      []string    `json:"files,omitempty" maxItems:"100" doc:"Names in the file store, invoices/{{id}}.pdf: each becomes a small PDF"`
	Calls      []Call      `json:"calls,omitempty" maxItems:"50" doc:"What the customer has done already, in this order"`
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
	Debtor   string          `json:"debtor_number,omitempty" doc:"{{debtor}}"`
	Key      string          `json:"id" doc:"{{id}}"`
	EANs     []string        `json:"ean_codes,omitempty" doc:"{{ean 1}} to {{ean 4}}; a sample has the first for electricity and the second for gas"`
	Records  []Record        `json:"records,omitempty" doc:"As they were imported"`
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
		return Customer{}, problem.Fail(http.StatusNotFound, problem.CodeUnknownLabel)
	}
	id := value.NewID()
	debtor := "T" + strings.ToUpper(id[:12])
	a := identity.Account{Label: l.Key, Username: "test-" + id[:12], Email: "test-" + id[:12] + "@voorbeeld.example",
		Name: "J. van der Test", Locale: "nl", Role: w.Role}
	if a.Role == "" {
		a.Role = identity.Customer
	}
	out := Customer{Label: l.Key, Host: host(l), Username: a.Username, Password: Password, Name: a.Name, Email: a.Email, Role: a.Role,
		Key: id[:12]}
	if a.Role == identity.Customer {
		out.Debtor, out.EANs = debtor, []string{ean(debtor, 1), ean(debtor, 2), ean(debtor, 3), ean(debtor, 4)}
		a.Relation = value.StableID(l.Key, "relation", debtor)
		out.ID = a.Relation
	}
	if a.Role == identity.Customer && !w.Bare {
		out.Relation = relationRecord(w, debtor, a.Email)
		_, target := s.Import(l.Key)
		if err := take(ctx, target, "relation", numbered(slices.Values([]json.RawMessage{out.Relation}))); err != nil {
			return out, err
		}
	}
	funcs := own(functions(s.Now().In(l.Location)), debtor, out.Key)
	if err := s.give(ctx, l, w, &out, funcs); err != nil {
		return out, err
	}
	a, err := s.Identity.Upsert(ctx, a, Password, w.Temporary)
	if err != nil {
		return out, err
	}
	out.Account = a.ID
	calls := w.Calls
	if w.Pending {
		calls = append([]Call{{Module: "account", Path: "/relations/phonenumber", Body: map[string]any{"phone_number": "0687654321"}}}, calls...)
	}
	kept := keeping{}
	for _, c := range calls {
		if err := s.call(ctx, a, c, funcs, kept); err != nil {
			return out, told(err)
		}
	}
	if w.Impersonator {
		out.Code, err = s.lookAlong(ctx, a)
	}
	return out, err
}

// give imports what modules know of the customer.
func (s *Service) give(ctx context.Context, l *label.Label, w Wanted, out *Customer, funcs template.FuncMap) error {
	order, target := s.Import(l.Key)
	if w.Sample {
		if err := s.sample(ctx, l, out.Key, order, target, funcs); err != nil {
			return err
		}
	}
	for _, r := range w.Records {
		data, err := expandValue(r.Data, funcs)
		if err != nil {
			return told(err)
		}
		out.Records = append(out.Records, Record{r.Kind, data.(map[string]any)})
	}
	slices.SortStableFunc(out.Records, func(a, b Record) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	for rest := out.Records; len(rest) > 0; {
		kind, n := rest[0].Kind, 1
		for n < len(rest) && rest[n].Kind == kind {
			n++
		}
		err := take(ctx, target, kind, numbered(func(yield func(json.RawMessage) bool) {
			for _, r := range rest[:n] {
				b, _ := json.Marshal(r.Data) // it was read from JSON
				if !yield(b) {
					return
				}
			}
		}))
		if err != nil {
			return told(err)
		}
		rest = rest[n:]
	}
	for _, h := range w.Households {
		name, err := expandValue(h.EAN, funcs)
		if err != nil {
			return told(err)
		}
		h.EAN = name.(string)
		today := value.DayOf(s.Now().In(l.Location))
		if err := measure(ctx, target, h, today.AddDays(-h.FromDays), today, l.Location); err != nil {
			return told(err)
		}
	}
	for _, f := range w.Files {
		name, err := expandValue(f, funcs)
		if err == nil {
			err = s.Put(ctx, l.Key, name.(string), paper)
		}
		if err != nil {
			return told(err)
		}
	}
	return nil
}

//go:embed sample
var samples embed.FS

// sample imports what a household has. Its papers are those of the label's demo.
func (s *Service) sample(ctx context.Context, l *label.Label, id string, order []string, target imports.Target, funcs template.FuncMap) error {
	content, err := os.ReadFile(filepath.Join(l.Dir, "demo", fileFolder, "invoices", "termijnfactuur.pdf"))
	if err != nil {
		content = paper // a label without a demo
	}
	if err := s.Put(ctx, l.Key, "invoices/"+id+".pdf", content); err != nil {
		return err
	}
	for _, kind := range order {
		text, err := samples.ReadFile("sample/" + kind + ".ndjson")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			text, err = expand(kind, string(text), funcs)
		}
		if err == nil {
			err = take(ctx, target, kind, lines(text))
		}
		if err != nil {
			return err
		}
	}
	if !slices.Contains(order, kindIntervalDay) {
		return nil
	}
	text, err := samples.ReadFile("sample/" + householder)
	if err != nil {
		return err
	}
	if text, err = expand(householder, string(text), funcs); err != nil {
		return err
	}
	var homes []Household
	if err := json.Unmarshal(text, &homes); err != nil {
		return err
	}
	today := value.DayOf(s.Now().In(l.Location))
	for _, h := range homes {
		if err := measure(ctx, target, h, today.AddDays(-h.FromDays), today, l.Location); err != nil {
			return err
		}
	}
	return nil
}

// told is an answer that says to the author of a test what was wrong with what they asked for: the demo has nothing to hide.
func told(err error) error {
	return problem.Fail(http.StatusUnprocessableEntity, problem.CodeInvalid, problem.FieldError{Field: "demo", Code: err.Error()})
}

// paper is a PDF with one empty page.
var paper = []byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
	"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n" +
	"0000000052 00000 n \n0000000101 00000 n \ntrailer<</Size 4/Root 1 0 R>>\nstartxref\n164\n%%EOF\n")

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

// relationRecord is a relation as a back office sends it.
func relationRecord(w Wanted, debtor, email string) json.RawMessage {
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
