package marketplace

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/audit"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sandbox"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
)

// testSettings returns the defaults of label.cue, with the sandbox as the provider.
func testSettings() Settings {
	return Settings{Offer: offer.Settings{MaxDaysAhead: 90}, Transfer: order.TransferSettings{EarliestDays: 31},
		Order: order.OrderSettings{ReservationDays: 14, LinkDays: 7}, WithdrawalDays: 14,
		Payment: payment.Settings{Provider: "sandbox"}, PageSize: 10}
}

// world is a portal with the marketplace, stubs for its siblings, and events that pump delivers.
type world struct {
	*moduletest.World
	t        testing.TB
	s        *service
	contract map[string]bool             // whether electricity is delivered, by relation; absent: yes
	accounts []account                   // logins that core's search finds by e-mail address
	files    map[string]string           // contents of the file store
	seen     map[string]bool             // ids of delivered events
	auditLog []map[string]string         // entries of the audit log
	lookups  int                         // number of relation lookups in module account
	failed   func(module.Event, error)   // receives events whose handling failed; nil: the test fails
	homes    map[string][]map[string]any // addresses by relation
}

const ruleVectors = "../../schemas/rules/"

type answer[T any] struct{ Body T }

func testOp(method, path, id string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id}
}

// openWorld opens a world. o comes from moduletest.EachEngine or is empty; its siblings are added to the stubs.
func openWorld(t testing.TB, o moduletest.Options, set Settings) *world {
	t.Helper()
	w := &world{t: t, contract: map[string]bool{}, files: map[string]string{}, seen: map[string]bool{}, homes: map[string][]map[string]any{}}
	o.Settings, o.Siblings = set, append(w.siblings(), o.Siblings...)
	w.World = moduletest.Open(t, Module, o, false)
	w.s = w.Registry.Snapshot().Modules[manifest.Key].Instance.(*service)
	return w
}

// account is a login in the JSON form of core's responses.
type account struct {
	ID       string `json:"id"`
	Relation string `json:"relation"`
	Role     string `json:"role"`
	Email    string `json:"email"`
	Name     string `json:"name"`
	Locale   string `json:"locale"`
}

// siblings returns stubs of core, account and billing.
func (w *world) siblings() []module.Module {
	type path struct {
		Relation string `path:"relation"`
	}
	core := func(a huma.API) {
		type allowed struct {
			Allowed bool `json:"allowed"`
		}
		module.Route(a, testOp("POST", "/limits", "limit"), module.Sibling, module.Read, func(context.Context,
			*answer[map[string]any]) (*answer[allowed], error) {
			return &answer[allowed]{allowed{true}}, nil
		})
		module.Route(a, testOp("GET", "/accounts/by-relation/{relation}", "byRelation"), module.Sibling,
			module.Read, func(_ context.Context, in *path) (*answer[account], error) {
				for _, x := range w.accounts {
					if x.Relation == in.Relation {
						return &answer[account]{x}, nil
					}
				}
				return nil, problem.ErrNotFound
			})
		module.Route(a, testOp("POST", "/accounts/search", "search"), module.Sibling,
			module.Read, func(_ context.Context, in *answer[map[string]any]) (*answer[[]account], error) {
				out := []account{}
				for _, x := range w.accounts {
					if x.Email == in.Body["email"] {
						out = append(out, x)
					}
				}
				return &answer[[]account]{out}, nil
			})
		type info struct {
			Name string `json:"name"`
		}
		module.Route(a, testOp("GET", "/labels/{relation}/info", "info"), module.Sibling,
			module.Read, func(context.Context, *path) (*answer[info], error) {
				return &answer[info]{info{"Coöperatie De Proef"}}, nil
			})
		type name struct {
			Name string `path:"name"`
		}
		type entry struct {
			Body map[string]string
		}
		module.Route(a, testOp("POST", "/audit", "audit"), module.Sibling, module.Write, func(_ context.Context, in *entry) (*struct{}, error) {
			w.auditLog = append(w.auditLog, in.Body)
			return nil, nil
		})
		type file struct {
			Type string `header:"Content-Type"`
			Body []byte
		}
		module.Route(a, testOp("GET", "/files/{name}", "file"), module.Sibling, module.Read, func(_ context.Context, in *name) (*file, error) {
			text, ok := w.files[in.Name]
			if !ok {
				return nil, problem.Fail(http.StatusNotFound, files.CodeNotFound)
			}
			return &file{"application/pdf", []byte(text)}, nil
		})
	}
	acc := func(a huma.API) {
		type relation struct {
			Email    string `json:"email"`
			LastName string `json:"last_name"`
		}
		module.Route(a, testOp("GET", "/relations", "getRelation"), module.Customer,
			module.Read, func(ctx context.Context, _ *struct{}) (*answer[relation], error) {
				return &answer[relation]{relation{module.ScopeOf(ctx).Subject + "@voorbeeld.example", "De Vries"}}, nil
			})
		module.Route(a, testOp("GET", "/relations/{relation}/addresses", "addressesOf"), module.Sibling,
			module.Read, func(_ context.Context, in *path) (*answer[[]map[string]any], error) {
				all, ok := w.homes[in.Relation]
				if !ok {
					all = []map[string]any{{"address_type": "SHIPPING", "street": "Dorpsstraat", "house_number": "1", "zip_code": "9999XX",
						"city": "Stitswerd"}}
				}
				return &answer[[]map[string]any]{all}, nil
			})
	}
	who := func(a huma.API) {
		acc(a)
		type ask struct {
			Body struct {
				Relations []string `json:"relations" maxItems:"200" nullable:"false"`
			}
		}
		module.Route(a, testOp("POST", "/relations/lookup", "lookup"), module.Sibling,
			module.Read, func(_ context.Context, in *ask) (*answer[[]accountapi.Found], error) {
				w.lookups++
				out := []accountapi.Found{}
				for _, r := range in.Body.Relations {
					for _, debtor := range []string{"1", "2"} { // no other relation is known
						if r == member(debtor).Relation {
							out = append(out, accountapi.Found{Relation: r, DebtorNumber: debtor, Name: "Lid " + debtor})
						}
					}
				}
				return &answer[[]accountapi.Found]{out}, nil
			})
	}
	billing := func(a huma.API) {
		type delivery struct {
			Electricity bool `json:"electricity"`
		}
		module.Route(a, testOp("GET", "/relations/{relation}/delivery", "delivery"), module.Sibling,
			module.Read, func(_ context.Context, in *path) (*answer[delivery], error) {
				on, said := w.contract[in.Relation]
				return &answer[delivery]{delivery{on || !said}}, nil
			})
	}
	return []module.Module{moduletest.Fake("core", core), moduletest.Fake("account", who), moduletest.Fake("billing", billing)}
}

// member returns the scope of the member with a debtor number.
func member(debtor string) module.Scope {
	return module.Scope{Relation: sibling.RelationID(moduletest.LabelOne, debtor), Subject: "account-" + debtor, Actor: "account-" + debtor}
}

// staffMember returns the scope of an employee.
func staffMember() module.Scope {
	return module.Scope{Role: module.RoleStaff, Subject: "staff-1", Actor: "staff-1"}
}

// do makes a call; body is a JSON string or a value.
func (w *world) do(as module.Scope, method, path string, body any) (int, []byte) {
	w.t.Helper()
	text := ""
	switch b := body.(type) {
	case nil:
	case string:
		text = b
	default:
		raw, err := json.Marshal(b)
		require.NoError(w.t, err)
		text = string(raw)
	}
	return w.Do(w.t.Context(), moduletest.Call{Method: method, Path: path, Body: text, As: as})
}

// call makes a call, requires a status, and decodes the response.
func call[T any](w *world, status int, as module.Scope, method, path string, body any) (out T) {
	w.t.Helper()
	got, raw := w.do(as, method, path, body)
	require.Equal(w.t, status, got, "%s %s: %s", method, path, raw)
	if len(raw) > 0 {
		require.NoError(w.t, json.Unmarshal(raw, &out), "%s", raw)
	}
	return out
}

// refused makes a call that must be refused with "code" or, for a form, with "field code".
func (w *world) refused(status int, code string, as module.Scope, method, path string, body any) {
	w.t.Helper()
	p := call[problem.Problem](w, status, as, method, path, body)
	got := []string{p.Code}
	for _, f := range p.Errors {
		got = append(got, f.Field+" "+f.Code)
	}
	require.Contains(w.t, got, code, "%s %s", method, path)
}

// load imports records of a kind, all of which must be accepted.
func (w *world) load(kind string, records ...string) {
	w.t.Helper()
	require.Empty(w.t, w.tryLoad(kind, records...))
}

func (w *world) tryLoad(kind string, records ...string) []record.Refusal {
	w.t.Helper()
	rows := make([]record.Row, len(records))
	for i, r := range records {
		rows[i] = record.Row{Line: i + 1, Data: json.RawMessage(r)}
	}
	refused, err := w.s.Import(w.system(), kind, rows)
	require.NoError(w.t, err)
	return refused
}

// system returns the context in which core delivers events and imports.
func (w *world) system() context.Context {
	ctx, ok := w.Hub.ScopeFor(moduletest.LabelOne, manifest.Key)
	require.True(w.t, ok)
	return ctx
}

// projectRecordOf returns a project record. Shares of the project cost from 50 to 250 euros.
func projectRecordOf(code string) string {
	return fmt.Sprintf(`{"project_code":%q,"project_name":"Windpark %s","project_type":"WIND","place":"Grootegast","project_ean_number":"871600000000000017",
		"project_start_date":"2020-01-01","project_end_date":"2040-12-31","unit_of_measurement":"KWH","energy_supplier":"Stroomgilde","report":true,
		"statutes_location":"https://voorbeeld.example/statuten.pdf","member_agreement_location":"https://voorbeeld.example/overeenkomst.pdf",
		"member_offer_settings":[{"from_date":"2026-01-01","min_price":50,"max_price":250,"allow_selling":true}],
		"administration_costs":[{"from_date":"2026-01-01","amount":12.5}]}`, code, code)
}

// shareRecord returns a participation record.
func shareRecord(debtor, identifier, project string, share int) string {
	return fmt.Sprintf(`{"debtor_number":%q,"participation_identifier":%q,"project_code":%q,"share":%d,"ean":"871600000000000024","supplier":"Stroomgilde",
		"supplierFromDate":"2021-01-01","address":{"street_name":"Molenweg","house_number":"%s","postal_code":"9861GT","city":"Grootegast"}}`, debtor, identifier, project, share, identifier)
}

// decide decides a change as staff do through core.
func (w *world) decide(change, state, reason string) (int, module.Change) {
	w.t.Helper()
	raw, err := json.Marshal(map[string]string{"state": state, "by": "staff-1", "reason": reason})
	require.NoError(w.t, err)
	status, body := w.do(module.Scope{Role: module.RoleSystem}, http.MethodPost, "/"+manifest.Key+"/changes/"+change+"/decide", string(raw))
	var c module.Change
	if status < 300 {
		require.NoError(w.t, json.Unmarshal(body, &c))
	}
	return status, c
}

// queuedRow is a row in the module's outbox.
type queuedRow struct {
	Label   string `bun:"label_key"`
	ID      string
	Kind    string
	Payload json.RawMessage
}

// queued returns the outbox rows of a kind (event, change, decision, mail), oldest first.
func (w *world) queued(kind string) []queuedRow {
	w.t.Helper()
	var rows []queuedRow
	err := moduletest.Raw(w.s.host.DB).NewRaw("SELECT label_key, id, kind, payload FROM marketplace_outbox WHERE kind = ? ORDER BY at, id",
		kind).Scan(w.t.Context(), &rows)
	require.NoError(w.t, err)
	return rows
}

// pump delivers all due events, including those that handlers publish. Events without a handler are skipped.
func (w *world) pump() {
	w.t.Helper()
	for w.pumpOnce(nil) {
	}
}

// pumpOnce delivers due events that were not delivered yet. pick selects them (nil: all).
func (w *world) pumpOnce(pick func(module.Event) bool) (any bool) {
	w.t.Helper()
	for _, r := range w.queued("event") {
		var e module.Event
		require.NoError(w.t, json.Unmarshal(r.Payload, &e))
		if w.seen[e.ID] || e.Due.After(w.Clock.Now()) || !slices.Contains(handled, e.Type) || pick != nil && !pick(e) {
			continue
		}
		w.seen[e.ID], any = true, true
		ctx, ok := w.Hub.ScopeFor(e.Label, manifest.Key)
		require.True(w.t, ok)
		if err := w.s.Handle(ctx, e); err != nil {
			if w.failed == nil {
				require.NoError(w.t, err, e.Type)
			}
			w.failed(e, err)
		}
	}
	return any
}

// days advances the clock by a number of days and delivers the events that are due.
func (w *world) days(n int) {
	w.t.Helper()
	w.Clock.Advance(time.Duration(n) * 24 * time.Hour)
	w.pump()
}

// requireConsistent fails when the audit has findings.
func (w *world) requireConsistent() {
	w.t.Helper()
	r, err := audit.New(w.s.host).Report(w.system())
	require.NoError(w.t, err)
	lines := make([]string, len(r.Findings))
	for i, f := range r.Findings {
		lines[i] = f.String()
	}
	require.Empty(w.t, r.Findings, strings.Join(lines, "\n"))
}

// offered creates an offer and approves it as staff: it can be bought when its date is today.
func (w *world) offered(as module.Scope, body string) offer.MarketOffer {
	w.t.Helper()
	o := call[offer.MarketOffer](w, http.StatusCreated, as, "POST", "/sustainable/offers", body)
	status, c := w.decide(w.changeOf(o.Identifier), module.Processed, "")
	require.Equal(w.t, http.StatusOK, status)
	require.Equal(w.t, module.Processed, c.State)
	return o
}

// changeOf returns the id of the change with which an offer is decided.
func (w *world) changeOf(id string) string {
	w.t.Helper()
	row, err := offer.ByID(w.system(), w.s.host.DB, id)
	require.NoError(w.t, err)
	return row.ChangeID
}

// today returns the current day of the label.
func (w *world) today() value.Day { return module.Today(w.system(), w.s.host.Now()) }

// sandbox returns the payment provider.
func (w *world) sandbox() *sandbox.Provider { return sandbox.NewProvider(w.s.host.DB, w.s.host.Now) }

// jsonOf encodes a value as JSON.
func jsonOf(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}
