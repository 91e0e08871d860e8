package changes_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/events/changes"
	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

var acme = module.Manifest{Key: "acme", Changes: []string{"acme.phone", "acme.iban"}}

type labels []*label.Label

func (l labels) ByHost(string) *label.Label { return nil }
func (l labels) All() []*label.Label        { return l }
func (l labels) ByKey(key string) *label.Label {
	for _, x := range l {
		if x.Key == key {
			return x
		}
	}
	return nil
}

type nobody struct{}

func (nobody) Handlers(_, _ string) []outbox.Subscriber { return nil }

// world consists of a module that really decides, a queue, and the outbox between them.
type world struct {
	t      *testing.T
	clock  *clock.Clock
	db     module.DB
	outbox *outbox.Outbox
	queue  *changes.Queue
	audit  *audit.Log
	auto   map[string]string
	label  *label.Label // label a, whose changes.auto is auto
	api    http.Handler
	down   atomic.Bool
	refuse atomic.Bool
	asked  atomic.Int64
}

// names returns the name of staff-1, the only account in these tests.
func names(_ context.Context, _ bun.IDB, _ string, ids []string) (map[string]string, error) {
	out := map[string]string{}
	if slices.Contains(ids, "staff-1") {
		out["staff-1"] = "Sam Staf"
	}
	return out, nil
}

func each(t *testing.T, f func(*testing.T, *world)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := context.Background()
		w := &world{t: t, clock: &clock.Clock{}, auto: map[string]string{}}
		w.clock.Set(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
		all := labels{{Key: "a", Changes: label.Changes{Auto: w.auto}}, {Key: "b"}}
		w.label = all[0]
		if err := s.Migrate(ctx, outbox.Migrations, audit.Migrations, changes.Migrations); err != nil {
			t.Fatal(err)
		}
		if err := s.MigrateModule(ctx, acme); err != nil {
			t.Fatal(err)
		}
		scopeFor := func(l, _ string) (context.Context, bool) {
			return scope.With(ctx, scope.Scope{Label: l, Role: scope.RoleSystem}, nil), all.ByKey(l) != nil
		}
		w.audit = audit.New(audit.Deps{Store: s, Clock: w.clock, Names: names})
		w.queue = changes.New(changes.Deps{Store: s, Clock: w.clock, Labels: all, ScopeFor: scopeFor, Client: &http.Client{Transport: w},
			Audit: w.audit})
		w.outbox = outbox.New(outbox.Deps{Store: s, Clock: w.clock, Subscriptions: nobody{}, ScopeFor: scopeFor, Changes: w.queue})
		w.db = s.Module(acme, w.clock, nil)
		r := module.NewRouter(module.Manifest{Key: "core"})
		w.queue.Routes(r.API)
		w.api = r
		f(t, w)
	})
}

// RoundTrip implements the sibling client by calling module acme in this process.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	w.asked.Add(1)
	if scope.IsTx(r.Context()) {
		w.t.Error("called in a transaction")
	}
	if w.down.Load() {
		return nil, errors.New("connection refused")
	}
	if r.URL.Host != "acme" || scope.Of(r.Context()).Role != scope.RoleSystem {
		w.t.Errorf("%s as %+v", r.URL, scope.Of(r.Context()))
	}
	m := module.NewRouter(acme)
	module.Decisions(m.API, "acme", w.db, func(context.Context, module.Tx, module.Change) error {
		if w.refuse.Load() {
			return problem.Refuse(problem.FieldError{Field: "phone", Code: "acme.phone_taken"})
		}
		return nil
	})
	rec := httptest.NewRecorder()
	m.ServeHTTP(rec, r)
	return rec.Result(), nil
}

func (w *world) file(l, relation, kind, data string) module.Change {
	w.t.Helper()
	var c module.Change
	ctx := scope.With(context.Background(), scope.Scope{Label: l, Relation: relation, Subject: "acc-" + relation}, nil)
	if err := w.db.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		c, err = tx.File(ctx, module.Change{Kind: kind, Data: json.RawMessage(data)})
		return err
	}); err != nil {
		w.t.Fatal(err)
	}
	w.work()
	return c
}

func (w *world) work() {
	w.t.Helper()
	if err := w.outbox.DeliverDue(context.Background()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) call(l, method, path, body string) (int, map[string]any) {
	w.t.Helper()
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	w.api.ServeHTTP(rec, req.WithContext(scope.With(req.Context(), scope.Scope{Label: l, Role: scope.RoleStaff, Subject: "staff-1",
		Actor: "staff-1"}, nil)))
	out := map[string]any{}
	if err := json.Unmarshal(rec.Body.Bytes(), &out); err != nil {
		w.t.Fatalf("%s: %v", rec.Body, err)
	}
	return rec.Code, out
}

func (w *world) state(id string) any {
	_, out := w.call("a", "GET", "/staff/changes/"+id, "")
	return out["state"]
}

func TestStaffDecide(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.file("a", "r1", "acme.phone", `{"to":"+31612345678"}`)
		decision := "/staff/changes/" + c.ID + "/decision"
		if code, out := w.call("b", "POST", decision, `{"state":"PROCESSED"}`); code != http.StatusNotFound {
			t.Errorf("decided by another label: %d %v", code, out)
		}
		w.down.Store(true)
		if code, out := w.call("a", "POST", decision, `{"state":"PROCESSED"}`); code != http.StatusServiceUnavailable ||
			out["code"] != problem.CodeUnavailable {
			t.Errorf("module down: %d %v", code, out)
		}
		w.down.Store(false)
		w.refuse.Store(true)
		if code, out := w.call("a", "POST", decision, `{"state":"PROCESSED"}`); code != http.StatusBadRequest ||
			!strings.Contains(fmt.Sprint(out), "acme.phone_taken") {
			t.Errorf("refused: %d %v", code, out)
		}
		if w.state(c.ID) != module.Pending {
			t.Error("refused or unreachable, and yet decided")
		}
		w.refuse.Store(false)
		code, out := w.call("a", "POST", decision, `{"state":"PROCESSED","reason":"checked"}`)
		if code != http.StatusOK || out["state"] != module.Processed || out["by"] != "staff-1" || out["reason"] != "checked" ||
			out["decided"] == nil {
			t.Errorf("%d %v", code, out)
		}
		w.work()
		for range 2 {
			if code, out := w.call("a", "POST", decision, `{"state":"REJECTED"}`); code != http.StatusConflict ||
				out["code"] != problem.CodeDecided {
				t.Errorf("decided twice: %d %v", code, out)
			}
		}
		if code, _ := w.call("a", "POST", decision, `{"state":"PENDING"}`); code != http.StatusBadRequest {
			t.Errorf("decided to PENDING: %d", code)
		}
		if code, _ := w.call("a", "POST", "/staff/changes/nothere/decision", `{"state":"REJECTED"}`); code != http.StatusNotFound {
			t.Error(code)
		}
		if w.state(c.ID) != module.Processed {
			t.Error(w.state(c.ID))
		}
	})
}

// The module's row is authoritative: a change that is still PENDING in the queue may already be decided.
func TestQueueLagsBehind(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.file("a", "r1", "acme.phone", `{}`)
		ctx := scope.With(context.Background(), scope.Scope{Label: "a"}, nil)
		if err := w.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
			_, err := tx.Decide(ctx, module.Decision{ID: c.ID, State: module.Rejected, By: "customer"})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if code, out := w.call("a", "POST", "/staff/changes/"+c.ID+"/decision", `{"state":"PROCESSED"}`); code != http.StatusConflict {
			t.Errorf("%d %v", code, out)
		}
		w.work()
		if w.state(c.ID) != module.Rejected {
			t.Error(w.state(c.ID))
		}
	})
}

func TestListFilterSearchAndPages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var ids []string
		for i := range 7 {
			kind := acme.Changes[i%2]
			ids = append(ids, w.file("a", fmt.Sprint("Relation-", i), kind, fmt.Sprintf(`{"to":"100%%_%dX"}`, i)).ID)
			w.clock.Advance(time.Second)
		}
		w.file("b", "r0", "acme.phone", `{}`)
		slices.Reverse(ids)
		list := func(query string) (got []string, next string) {
			t.Helper()
			code, out := w.call("a", "GET", "/staff/changes?"+query, "")
			if code != http.StatusOK {
				t.Fatal(code, out)
			}
			for _, c := range out["items"].([]any) {
				got = append(got, c.(map[string]any)["id"].(string))
			}
			next, _ = out["next"].(string)
			return got, next
		}
		var got []string
		for page, next := 0, ""; page == 0 || next != ""; page++ {
			items, n := list("limit=3&after=" + next)
			got, next = append(got, items...), n
		}
		if !slices.Equal(got, ids) {
			t.Errorf("pages hold %v, want %v", got, ids)
		}
		t.Run("9-queue-oldest", func(t *testing.T) {
			var got []string
			for page, next := 0, ""; page == 0 || next != ""; page++ {
				items, n := list("oldest=true&limit=3&after=" + next)
				got, next = append(got, items...), n
			}
			slices.Reverse(got)
			if !slices.Equal(got, ids) {
				t.Errorf("oldest first the pages hold %v, want %v", got, ids)
			}
		})
		w.call("a", "POST", "/staff/changes/"+ids[0]+"/decision", `{"state":"REJECTED"}`)
		for query, want := range map[string][]string{
			"state=PENDING":                ids[1:],
			"state=REJECTED":               ids[:1],
			"kind=acme.iban":               {ids[1], ids[3], ids[5]},
			"state=PENDING&kind=acme.iban": {ids[1], ids[3], ids[5]},
			"q=relation-3":                 {ids[3]},
			"q=100%25_4x":                  {ids[2]},
			"q=1%2504":                     nil,
			"q=" + ids[6]:                  {ids[6]},
			"q=ACC-Relation-5":             {ids[1]},
		} {
			if got, _ := list(query); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}
	})
}

func TestProcessedAutomatically(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.auto["acme.phone"] = "1h"
		c := w.file("a", "r1", "acme.phone", `{}`)
		other := w.file("a", "r1", "acme.iban", `{}`)
		elsewhere := w.file("b", "r1", "acme.phone", `{}`)
		auto := func() {
			t.Helper()
			if err := w.queue.Auto(context.Background()); err != nil {
				t.Fatal(err)
			}
			w.work()
		}
		auto()
		if w.state(c.ID) != module.Pending {
			t.Fatal("processed before its delay")
		}
		w.clock.Advance(time.Hour + time.Second)
		w.down.Store(true)
		auto()
		auto() // does not retry at once
		if w.state(c.ID) != module.Pending || w.asked.Load() != 1 {
			t.Fatalf("asked %d times", w.asked.Load())
		}
		w.down.Store(false)
		w.clock.Advance(2 * time.Minute)
		auto()
		_, out := w.call("a", "GET", "/staff/changes/"+c.ID, "")
		if out["state"] != module.Processed || out["by"] != "auto" || out["due"] != nil {
			t.Errorf("%v", out)
		}
		_, out = w.call("b", "GET", "/staff/changes/"+elsewhere.ID, "")
		if w.state(other.ID) != module.Pending || out["state"] != module.Pending {
			t.Error("processed what the label did not say")
		}

		// A label may remove the setting; a module that always refuses must not be called forever.
		delete(w.auto, "acme.phone")
		w.auto["acme.iban"] = "0s"
		iban := w.file("a", "r2", "acme.iban", `{}`)
		w.refuse.Store(true)
		w.asked.Store(0)
		for range 30 {
			auto()
			w.clock.Advance(24 * time.Hour)
		}
		if n := w.asked.Load(); n != 10 || w.state(iban.ID) != module.Pending {
			t.Errorf("asked %d times, %v", n, w.state(iban.ID))
		}
	})
}

// A label is missing while its file is being replaced or contains a mistake. Changes that become due then are processed when it is back.
func TestLabelThatIsAbsentForAMoment(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.auto["acme.phone"] = "1h"
		auto := func() {
			t.Helper()
			if err := w.queue.Auto(context.Background()); err != nil {
				t.Fatal(err)
			}
			w.work()
		}
		due := make([]module.Change, 60) // more than one batch
		for i := range due {
			due[i] = w.file("a", fmt.Sprint("r", i), "acme.phone", `{}`)
		}
		w.clock.Advance(2 * time.Hour)
		w.label.Key = "gone"
		filed := w.file("a", "late", "acme.phone", `{}`)
		auto()
		auto()
		if w.asked.Load() != 0 {
			t.Fatal("processed what no label asks for")
		}
		w.label.Key = "a"
		w.clock.Advance(2 * time.Minute)
		auto()
		for _, c := range due {
			if w.state(c.ID) != module.Processed {
				t.Fatal("lost what was due")
			}
		}
		if w.state(filed.ID) != module.Pending {
			t.Error("processed before its delay")
		}
		w.clock.Advance(time.Hour)
		auto()
		if w.state(filed.ID) != module.Processed {
			t.Error("lost what was filed meanwhile")
		}
	})
}

func TestApplyAcceptsAnyOrder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.queue.Store
		filed := module.Change{ID: "c1", Label: "a", Kind: "acme.phone", State: module.Pending, Filed: w.clock.Now()}
		decided := filed
		decided.State, decided.By, decided.Decided = module.Processed, "x", w.clock.Now()
		apply := func(m string, c module.Change) {
			t.Helper()
			if err := s.Tx(context.Background(), func(ctx context.Context, tx bun.Tx) error { return w.queue.Apply(ctx, tx, m, c) }); err != nil {
				t.Fatal(err)
			}
		}
		apply("acme", decided)
		apply("acme", filed)
		apply("acme", filed)
		if w.state("c1") != module.Processed {
			t.Error("a filing that came late undid the decision")
		}
		later := decided
		later.State = module.Rejected
		apply("acme", later)
		if w.state("c1") != module.Processed {
			t.Error("decided twice")
		}
		filed.ID, decided.ID = "c2", "c2"
		apply("acme", filed)
		apply("plug", decided)
		if w.state("c2") != module.Pending {
			t.Error("a module decided another's change")
		}
		storetest.RequireLabelKeys(t, s)
	})
}

// Staff decide while relays apply the same and other decisions: the audit log contains each decision once.
func TestEveryDecisionIsAuditedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const n = 40
		w.auto["acme.iban"] = "0s"
		var ids []string
		for i := range n {
			c := w.file("a", fmt.Sprint("r", i), acme.Changes[i%2], `{}`)
			ids = append(ids, c.ID)
		}
		w.file("b", "r1", "acme.phone", `{}`)
		var wg sync.WaitGroup
		for worker := range 4 {
			wg.Go(func() {
				for i := worker; i < n; i += 2 { // two workers for each change
					rec := httptest.NewRecorder()
					req := httptest.NewRequest("POST", "/staff/changes/decisions",
						strings.NewReader(fmt.Sprintf(`{"ids":[%q],"state":"REJECTED","reason":"no"}`, ids[i])))
					req.Header.Set("Content-Type", "application/json")
					w.api.ServeHTTP(rec, req.WithContext(scope.With(req.Context(), scope.Scope{Label: "a", Role: scope.RoleStaff, Subject: "staff-1"},
						nil)))
					if rec.Code != http.StatusOK || strings.Contains(rec.Body.String(), `"internal"`) ||
						strings.Contains(rec.Body.String(), `"unavailable"`) {
						t.Errorf("%d %s", rec.Code, rec.Body)
					}
				}
			})
			wg.Go(func() {
				for range 10 {
					if err := errors.Join(w.outbox.DeliverDue(context.Background()), w.queue.Auto(context.Background())); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		w.work()
		var rows []audit.Entry
		if err := w.queue.Store.Read().NewSelect().Model(&rows).OrderExpr("seq").Scan(t.Context()); err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for _, e := range rows {
			seen[e.Target]++
			staff := e.Action == audit.ChangeRejected && e.Role == audit.Staff && e.Name == "Sam Staf" && e.Reason == "no"
			auto := e.Action == audit.ChangeProcessed && e.Role == audit.Auto && e.Kind == "acme.iban"
			if !staff && !auto || e.Label != "a" || e.Relation == "" {
				t.Errorf("%+v", e)
			}
		}
		if len(rows) != n || len(seen) != n {
			t.Errorf("%d entries about %d changes, want %d", len(rows), len(seen), n)
		}
		if _, flaws, err := w.audit.Verify(t.Context(), ""); err != nil || len(flaws) > 0 {
			t.Error(flaws, err)
		}
	})
}
