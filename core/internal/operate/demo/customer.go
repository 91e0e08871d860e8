package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Wanted describes the customer that a test needs.
type Wanted struct {
	_            struct{} `additionalProperties:"true" doc:"Fields of modules: lists of meters by the name of their series, and true for a requested feature"`
	Label        string   `json:"label,omitempty" doc:"Key of the label; default: the label of the host"`
	Role         string   `json:"role,omitempty" enum:"customer,staff,impersonator" default:"customer"`
	Company      bool     `json:"company,omitempty" doc:"A business customer"`
	Addresses    *int     `json:"addresses,omitempty" minimum:"0" maximum:"20" doc:"Number of shipping addresses; default 1"`
	Temporary    bool     `json:"temporary,omitempty" doc:"The password must be changed at the first sign-in"`
	Impersonator bool     `json:"impersonator,omitempty" doc:"Return a code with which a browser impersonates this customer"`
	Bare         bool     `json:"bare,omitempty" doc:"Create a login without a relation"`
	// Data in modules.
	Sample  bool     `json:"sample,omitempty" doc:"Import the data of a typical household, for each module of the label that provides it"`
	Records []Record `json:"records,omitempty" maxItems:"5000" doc:"Records, imported after the relation, each kind after the kinds it depends on"`
	Files   []string `json:"files,omitempty" maxItems:"100" doc:"Names of small PDF files for the file store, such as invoices/{{id}}.pdf"`
	Calls   []Call   `json:"calls,omitempty" maxItems:"50" doc:"Calls to make as the customer, in this order"`

	more map[string]json.RawMessage // fields that modules define
}

const maxMeters = 20 // modulesOf one series, for one customer

// UnmarshalJSON also stores fields that core does not define.
func (w *Wanted) UnmarshalJSON(data []byte) error {
	type plain Wanted
	if err := json.Unmarshal(data, (*plain)(w)); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &w.more); err != nil {
		return err
	}
	for field := range reflect.TypeFor[Wanted]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		delete(w.more, name)
	}
	return nil
}

// Customer is a new login with its data.
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
	Records  []Record        `json:"records,omitempty" doc:"Records as they were imported"`
	Code     string          `json:"impersonation_code,omitempty" doc:"Single-use code for POST auth/impersonate"`
}

type wantedInput struct{ Body Wanted }
type customerOutput struct{ Body Customer }

// Routes registers the operations that create customers and list the people of the demo. They are mounted only in demo mode.
func (s *Service) Routes(api huma.API) {
	type people struct {
		Body []Login `nullable:"false"`
	}
	module.Route(api, huma.Operation{OperationID: "listDemoPeople", Method: http.MethodGet, Path: "/dev/people",
		Summary:     "List the people of the demo, label by label",
		Description: "For everyone, on every host, in demo mode only. GET /dev/sign-in?username= on the host of a person signs a browser in.",
		Extensions:  map[string]any{registry.ExtLabel: "optional"}}, module.Public, module.Read,
		func(context.Context, *struct{}) (*people, error) {
			logins, err := Accounts(s.Labels)
			return &people{logins}, err
		})
	module.Route(api, huma.Operation{OperationID: "newDemoCustomer", Method: http.MethodPost, Path: "/dev/customers",
		Summary:     "Create a customer for a test",
		Description: "For everyone, in demo mode only. Creates a login with its data and returns it with the password. 400 when a field or a record is refused."}, module.Public, module.Write,
		func(ctx context.Context, in *wantedInput) (*customerOutput, error) {
			c, err := s.NewCustomer(ctx, in.Body)
			return &customerOutput{c}, err
		})
}

// NewCustomer creates a login that no other test uses, for the requested label or else for the label of the call.
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
		Name: nameOf(debtor).whole(), Locale: "nl", Role: w.Role}
	if a.Role == "" {
		a.Role = identity.Customer
	}
	out := Customer{Label: l.Key, Host: host(l), Username: a.Username, Password: Password, Name: a.Name, Email: a.Email, Role: a.Role,
		Key: id[:12]}
	if a.Role == identity.Customer {
		out.Debtor, out.EANs = debtor, []string{demodata.EAN(debtor, 1), demodata.EAN(debtor, 2), demodata.EAN(debtor, 3),
			demodata.EAN(debtor, 4)}
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
	texts := s.texts(l).For(debtor, out.Key)
	meters, calls, err := s.added(l, w, texts)
	if err != nil {
		return out, badRequest(err)
	}
	if err := s.give(ctx, l, w, &out, meters, texts); err != nil {
		return out, err
	}
	a, err = s.Identity.Upsert(ctx, a, Password, w.Temporary)
	if err != nil {
		return out, err
	}
	out.Account = a.ID
	kept := keptValues{}
	for _, c := range append(calls, w.Calls...) {
		if err := s.call(ctx, a, c, texts, kept); err != nil {
			return out, badRequest(err)
		}
	}
	if w.Impersonator {
		out.Code, err = s.impersonate(ctx, a)
	}
	return out, err
}

// added returns the meters and records for the fields that modules define. It returns an error for a field that none of the label's modules
// defines.
func (s *Service) added(l *label.Label, w Wanted, texts demodata.Texts) (meters []demodata.Meter, calls []Call, err error) {
	left := maps.Clone(w.more)
	for m := range s.modulesOf(l) {
		for _, series := range m.Demo.Series {
			read, err := metersOf(series, left[series.Name], texts)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", series.Name, err)
			}
			meters = append(meters, read...)
			delete(left, series.Name)
		}
		for _, name := range slices.Sorted(maps.Keys(m.Demo.Actions)) {
			if string(left[name]) == "true" {
				calls = append(calls, m.Demo.Actions[name]...)
			}
			delete(left, name)
		}
	}
	for name := range left {
		return nil, nil, fmt.Errorf("no module of label %s knows %s", l.Key, name)
	}
	return meters, calls, nil
}

// metersOf parses a list of descriptions. Their strings may contain the same placeholders as records. It returns no meters for an empty
// list.
func metersOf(series demodata.Series, list json.RawMessage, texts demodata.Texts) (meters []demodata.Meter, err error) {
	if list == nil {
		return nil, nil
	}
	var descriptions []any
	if err := json.Unmarshal(list, &descriptions); err != nil {
		return nil, err
	}
	if len(descriptions) > maxMeters {
		return nil, fmt.Errorf("more than %d", maxMeters)
	}
	for _, d := range descriptions {
		v, err := texts.Value(d)
		if err != nil {
			return nil, err
		}
		text, _ := json.Marshal(v) // never fails: the value comes from JSON
		meter, err := series.Read(text)
		if err != nil {
			return nil, err
		}
		meters = append(meters, meter)
	}
	return meters, nil
}

// give imports the customer's data for all modules.
func (s *Service) give(ctx context.Context, l *label.Label, w Wanted, out *Customer, meters []demodata.Meter, texts demodata.Texts) error {
	order, target := s.Import(l.Key)
	if w.Sample {
		if err := s.sample(ctx, l, order, target, texts); err != nil {
			return err
		}
	}
	for _, r := range w.Records {
		data, err := texts.Value(r.Data)
		if err != nil {
			return badRequest(err)
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
				b, _ := json.Marshal(r.Data) // never fails: the value comes from JSON
				if !yield(b) {
					return
				}
			}
		}))
		if err != nil {
			return badRequest(err)
		}
		rest = rest[n:]
	}
	if err := s.read(ctx, l, meters, order, target); err != nil {
		return badRequest(err)
	}
	for _, f := range w.Files {
		name, err := texts.Value(f)
		if err == nil {
			err = s.Put(ctx, l.Key, name.(string), paper)
		}
		if err != nil {
			return badRequest(err)
		}
	}
	return nil
}

// read imports all measurements of the meters.
func (s *Service) read(ctx context.Context, l *label.Label, meters []demodata.Meter, order []string, target imports.Target) error {
	now := s.Now().In(l.Location)
	for _, m := range meters {
		if err := takeKinds(ctx, order, target, m.Records(value.DayOf(now).AddDays(-m.Days()), now)); err != nil {
			return err
		}
	}
	return nil
}

// sample imports the data of a typical household, for each module of the label.
func (s *Service) sample(ctx context.Context, l *label.Label, order []string, target imports.Target, texts demodata.Texts) error {
	records, meters := map[string][]byte{}, []demodata.Meter{}
	for m := range s.modulesOf(l) {
		for name, from := range m.Demo.Files {
			if err := s.copy(ctx, l, name, from, texts); err != nil {
				return err
			}
		}
		if m.Demo.Sample == nil {
			continue
		}
		files, err := store.Folder(m.Demo.Sample, "demo")
		if err != nil {
			return err
		}
		for _, kind := range m.Imports {
			text, err := fs.ReadFile(files, kind+".ndjson")
			if err == nil {
				records[kind], err = texts.Execute(kind, string(text))
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		for _, series := range m.Demo.Series {
			text, err := fs.ReadFile(files, series.Name+".json")
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			read, err := metersOf(series, text, texts)
			if err != nil {
				return fmt.Errorf("%s: %w", series.Name, err)
			}
			meters = append(meters, read...)
		}
	}
	for _, kind := range order {
		if err := take(ctx, target, kind, lines(records[kind])); err != nil {
			return err
		}
	}
	return s.read(ctx, l, meters, order, target)
}

// copy copies a demo file of the label to the file store, under a name that may contain the same placeholders as records. If the file does
// not exist, it stores an empty page.
func (s *Service) copy(ctx context.Context, l *label.Label, name, from string, texts demodata.Texts) error {
	to, err := texts.Execute(name, name)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(filepath.Join(l.Dir, "demo", fileFolder, filepath.FromSlash(from)))
	if err != nil {
		content = paper // a label without a demo
	}
	return s.Put(ctx, l.Key, string(to), content)
}

// badRequest returns an error that tells the author of a test what is wrong with the request. It may include details, because the demo
// contains no secrets.
func badRequest(err error) error {
	return problem.Fail(http.StatusUnprocessableEntity, problem.CodeInvalid, problem.FieldError{Field: "demo", Code: err.Error()})
}

// paper is a PDF with one empty page.
var paper = []byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
	"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n" +
	"0000000052 00000 n \n0000000101 00000 n \ntrailer<</Size 4/Root 1 0 R>>\nstartxref\n164\n%%EOF\n")

// impersonate creates the code with which an impersonator can sign in as the customer.
func (s *Service) impersonate(ctx context.Context, customer identity.Account) (string, error) {
	if customer.Relation == "" {
		return "", errors.New("demo: only a customer can be impersonated")
	}
	who, err := s.Identity.Upsert(ctx, identity.Account{Label: customer.Label, Username: "impersonator_test",
		Email: "meekijker@klantenservice.example", Name: "Mila Meekijker", Locale: "nl", Role: identity.ImpersonatorRole}, Password, false)
	if err != nil {
		return "", err
	}
	return s.Identity.NewImpersonation(ctx, who, customer.Relation)
}

// name is the name of a test person.
type name struct{ initials, prefix, last string }

func (n name) whole() string {
	return strings.Join(strings.Fields(n.initials+" "+n.prefix+" "+n.last), " ")
}

// nameOf returns the name of a test person. People have different names, so that staff can tell them apart.
func nameOf(debtor string) name {
	names := []name{{"J.", "van der", "Test"}, {"A.", "de", "Proef"}, {"S.", "", "Voorbeeld"}, {"M.", "van", "Monster"}, {"K.", "", "Toets"},
		{"R.", "ter", "Staal"}, {"E.", "", "Keuring"}}
	sum := 0
	for _, b := range []byte(debtor) {
		sum += int(b)
	}
	return names[sum%len(names)]
}

// relationRecord returns a relation in the format of a back office.
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
	n := nameOf(debtor)
	r := map[string]any{"debtor_number": debtor, "relation_since": "2020-01-15", "salutation": "MRS", "initials": n.initials,
		"prefix": n.prefix, "last_name": n.last, "email": email, "phone_number": "0612345678",
		"bank_account_number": "NL38WATT0000001117", "bank_account_name": n.whole(), "addresses": addresses}
	if w.Company {
		r["company"] = map[string]any{"coc_number": "90000001", "vat_number": "NL900000010B01", "name": "Proeflokaal B.V.",
			"eanCode": "871600000000000017", "timeOfUse": "T_7_23"}
	}
	out, _ := json.Marshal(r) // strings, maps and numbers can always be encoded
	return out
}
