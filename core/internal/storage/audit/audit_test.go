package audit_test

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
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

type world struct {
	t     *testing.T
	store *store.Store
	clock *clock.Clock
	log   *audit.Log
	api   http.Handler
}

func each(t *testing.T, f func(*testing.T, *world)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := &world{t: t, store: s, clock: &clock.Clock{}}
		w.clock.Set(time.Date(2026, 11, 20, 10, 0, 0, 123456789, time.UTC))
		require.NoError(t, s.Migrate(t.Context(), audit.Migrations))
		w.log = audit.New(audit.Deps{Store: s, Clock: w.clock, Names: func(_ context.Context, _ bun.IDB, label string,
			ids []string) (map[string]string, error) {
			if label == "a" && slices.Contains(ids, "sam") {
				return map[string]string{"sam": "Sam Staf"}, nil
			}
			return nil, nil
		}})
		r := module.NewRouter(module.Manifest{Key: "core"})
		w.log.Routes(r.API)
		w.api = r
		f(t, w)
	})
}

func (w *world) add(e audit.Entry) {
	w.t.Helper()
	if e.Label == "" {
		e.Label = "a"
	}
	if e.Role == "" {
		e.Role, e.Actor = audit.Staff, "sam"
	}
	require.NoError(w.t, w.log.Add(w.t.Context(), e))
	w.clock.Advance(time.Second)
}

func (w *world) call(s scope.Scope, method, path, body string) (int, map[string]any) {
	w.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	w.api.ServeHTTP(rec, r.WithContext(scope.With(r.Context(), s, nil)))
	out := map[string]any{}
	if rec.Body.Len() > 0 {
		require.NoError(w.t, json.Unmarshal(rec.Body.Bytes(), &out), rec.Body.String())
	}
	return rec.Code, out
}

func (w *world) findings() []string {
	w.t.Helper()
	_, findings, err := w.log.Verify(w.t.Context(), "")
	require.NoError(w.t, err)
	out := []string{}
	for _, f := range findings {
		out = append(out, f.String())
	}
	return out
}

func TestNothingIsEdited(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range 3 {
			w.add(audit.Entry{Action: "staff.customer_viewed", Relation: fmt.Sprint("r", i), Reason: "é\n\"quoted\"",
				Until: w.clock.Now().Add(time.Minute)})
		}
		statements := []string{
			"UPDATE audit SET reason = 'x' WHERE seq = 2", "DELETE FROM audit WHERE seq = 3", "DELETE FROM audit",
			"INSERT INTO audit SELECT * FROM audit WHERE seq = 1",
		}
		if w.store.Engine() == store.SQLite {
			statements = append(statements, "INSERT OR REPLACE INTO audit SELECT label_key, seq, at, 'x', role, actor_id, actor_name, relation_id, kind, target, reason, until, previous_hash, hash FROM audit WHERE seq = 1",
				"UPDATE OR IGNORE audit SET reason = 'x'", "UPDATE OR REPLACE audit SET seq = 9 WHERE seq = 1")
		} else {
			statements = append(statements, "TRUNCATE audit", "UPDATE audit SET hash = hash",
				"INSERT INTO audit SELECT * FROM audit WHERE seq = 1 ON CONFLICT (label_key, seq) DO UPDATE SET reason = 'x'")
		}
		for _, s := range statements {
			_, err := w.store.DB().ExecContext(t.Context(), s)
			assert.Error(t, err, s)
		}
		entries, findings, err := w.log.Verify(t.Context(), "a")
		require.NoError(t, err)
		assert.Equal(t, int64(3), entries)
		assert.Empty(t, findings)
		storetest.RequireLabelKeys(t, w.store)
	})
}

// The owner of the database can remove the triggers, but the hashes then show what was changed.
func TestVerifyFindsManipulatedEntries(t *testing.T) {
	for name, c := range map[string]struct {
		statement string
		want      []string
	}{
		"changed":     {"UPDATE audit SET actor_name = 'Somebody Else' WHERE seq = 2", []string{"label a, entry 2: was changed"}},
		"time":        {"UPDATE audit SET at = '2026-11-20 11:00:00+00:00' WHERE seq = 3", []string{"label a, entry 3: was changed"}},
		"taken out":   {"DELETE FROM audit WHERE seq = 2", []string{"label a, entry 2: is missing"}},
		"end cut off": {"DELETE FROM audit WHERE seq >= 3", []string{"label a, entry 4: is not the last entry"}},
		"all":         {"DELETE FROM audit WHERE label_key = 'a'", []string{"label a, entry 4: is not the last entry"}},
		"other's hash": {"UPDATE audit SET hash = (SELECT hash FROM audit WHERE label_key = 'a' AND seq = 1) WHERE label_key = 'a' AND seq = 4",
			[]string{"label a, entry 4: was changed", "label a, entry 4: is not the last entry"}},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				for range 4 {
					w.add(audit.Entry{Action: "staff.customer_viewed", Relation: "r1"})
				}
				w.add(audit.Entry{Label: "b", Action: "staff.customer_viewed"})
				assert.Empty(t, w.findings())
				drop := []string{"DROP TRIGGER audit_no_update", "DROP TRIGGER audit_no_delete"}
				if w.store.Engine() == store.Postgres {
					drop = []string{"DROP TRIGGER audit_no_change ON audit"}
				}
				for _, s := range append(drop, c.statement) {
					_, err := w.store.DB().ExecContext(t.Context(), s)
					require.NoError(t, err, s)
				}
				assert.Equal(t, c.want, w.findings())
			})
		})
	}
}

// Concurrent writers create a single chain without gaps in its numbers, and a failed transaction leaves no entry.
func TestOneChain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const writers, entries = 8, 10
		boom := errors.New("boom")
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() {
				for n := range entries {
					label := []string{"a", "b"}[(i+n)%2]
					assert.NoError(t, w.log.Add(t.Context(), audit.Entry{Label: label, Action: "x.y", Role: audit.Key, Actor: "erp"}))
					assert.ErrorIs(t, w.store.Tx(t.Context(), func(ctx context.Context, tx bun.Tx) error {
						assert.NoError(t, w.log.Write(ctx, tx, audit.Entry{Label: label, Action: "x.lost", Role: audit.Auto}))
						return boom
					}), boom)
				}
			})
		}
		wg.Wait()
		n, findings, err := w.log.Verify(t.Context(), "")
		require.NoError(t, err)
		assert.Equal(t, int64(writers*entries), n)
		assert.Empty(t, findings)
		assert.Error(t, w.log.Add(t.Context(), audit.Entry{Action: "x", Role: audit.Key}), "without a label")
	})
}

func TestStaffReadTheLog(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		staff := scope.Scope{Label: "a", Role: scope.RoleStaff, Subject: "sam"}
		for i := range 7 {
			w.add(audit.Entry{Action: "staff.customer_viewed", Relation: fmt.Sprint("r", i%2)})
		}
		w.add(audit.Entry{Action: audit.ChangeProcessed, Kind: "acme.phone", Relation: "r1", Role: audit.Key, Actor: "erp", Reason: "ok"})
		w.add(audit.Entry{Action: audit.ImpersonationUsed, Relation: "r0", Until: w.clock.Now().Add(time.Hour)})
		w.add(audit.Entry{Label: "b", Action: audit.ChangeRejected, Relation: "r1"})
		list := func(query string) (seqs []float64, items []map[string]any, next string) {
			t.Helper()
			code, out := w.call(staff, "GET", "/staff/audit?"+query, "")
			require.Equal(t, 200, code, out)
			for _, i := range out["items"].([]any) {
				items = append(items, i.(map[string]any))
				seqs = append(seqs, i.(map[string]any)["seq"].(float64))
			}
			next, _ = out["next"].(string)
			return seqs, items, next
		}
		var all []float64
		for next, page := "", 0; page == 0 || next != ""; page++ {
			seqs, _, n := list("limit=4&after=" + next)
			all, next = append(all, seqs...), n
		}
		assert.Equal(t, []float64{9, 8, 7, 6, 5, 4, 3, 2, 1}, all)
		for query, want := range map[string][]float64{
			"relation=r1":                     {8, 6, 4, 2},
			"actor=erp":                       {8},
			"action=change.processed":         {8},
			"action=change.":                  {8},
			"action=change":                   nil,
			"action=impersonation.":           {9},
			"kind=acme.phone&relation=r1":     {8},
			"relation=r0&actor=sam&limit=1":   {9},
			"relation=nobody":                 nil,
			"action=%25":                      nil,
			"after=3&relation=r0":             {1},
			"action=staff.customer_viewed":    {7, 6, 5, 4, 3, 2, 1},
			"action=staff.&actor=sam&after=2": {1},
		} {
			got, _, _ := list(query)
			assert.Equal(t, want, got, query)
		}
		_, items, _ := list("limit=2")
		assert.Equal(t, "Sam Staf", items[0]["name"])
		assert.NotNil(t, items[0]["until"])
		assert.Equal(t, "erp", items[1]["name"])
		assert.Nil(t, items[1]["until"])
		for _, junk := range []string{"after=x", "after=-1", "limit=0", "limit=999"} {
			code, _ := w.call(staff, "GET", "/staff/audit?"+junk, "")
			assert.Less(t, code, 500, junk)
			assert.GreaterOrEqual(t, code, 400, junk)
		}
	})
}

// Customers see who viewed or acted on their own data, and nothing else.
func TestCustomersReadEntriesAboutThemselves(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		own := scope.Scope{Label: "a", Role: scope.RoleCustomer, Relation: "r1", Subject: "anna"}
		for _, action := range []string{audit.ImpersonationMade, audit.ImpersonationRefused, audit.OperationRefused} {
			w.add(audit.Entry{Action: action, Relation: "r1"})
		}
		w.add(audit.Entry{Action: audit.ChangeProcessed, Kind: "account.email", Relation: "r1", Role: audit.Customer, Actor: audit.Customer})
		w.add(audit.Entry{Action: "staff.customer_viewed", Relation: "r2"})
		w.add(audit.Entry{Action: "staff.customer_viewed"})
		w.add(audit.Entry{Label: "b", Action: "staff.customer_viewed", Relation: "r1"})
		w.add(audit.Entry{Action: audit.ImpersonationUsed, Relation: "r1", Until: w.clock.Now().Add(30 * time.Minute)})
		w.add(audit.Entry{Action: audit.ChangeRejected, Kind: "acme.iban", Relation: "r1", Role: audit.Auto, Actor: audit.Auto,
			Reason: "internal words"})
		code, out := w.call(own, "GET", "/account/access-log", "")
		require.Equal(t, 200, code)
		items := out["items"].([]any)
		require.Len(t, items, 2)
		second := func(item any, field string) (text string) { // omits the fraction, because the clock runs
			m := item.(map[string]any)
			text, _ = m[field].(string)
			delete(m, field)
			return text[:min(len(text), len("2026-11-20T10:00:08"))]
		}
		assert.Equal(t, "2026-11-20T10:00:08", second(items[0], "at"))
		assert.Equal(t, map[string]any{"who": "auto", "what": "change.rejected", "kind": "acme.iban"}, items[0])
		assert.Equal(t, "2026-11-20T10:00:07", second(items[1], "at"))
		assert.Equal(t, "2026-11-20T10:30:07", second(items[1], "until"))
		assert.Equal(t, map[string]any{"who": "staff", "name": "Sam Staf", "what": "impersonation.used"}, items[1])
		_, out = w.call(own, "GET", "/account/access-log?limit=1", "")
		next := out["next"].(string)
		_, out = w.call(own, "GET", "/account/access-log?limit=1&after="+next, "")
		assert.Equal(t, "impersonation.used", out["items"].([]any)[0].(map[string]any)["what"])
		assert.Nil(t, out["next"])
		code, _ = w.call(scope.Scope{Label: "a", Role: scope.RoleStaff, Subject: "sam"}, "GET", "/account/access-log", "")
		assert.Equal(t, 403, code, "staff have no data of a customer")
	})
}

func TestModulesWriteInTheirOwnName(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		sam := scope.Scope{Label: "a", Role: scope.RoleStaff, Subject: "sam", Caller: "acme"}
		for body, want := range map[string]int{
			`{"action":"acme.order_viewed","relation":"r1","target":"o1"}`: 204,
			`{"action":"change.processed","relation":"r1"}`:                400,
			`{"action":"other.thing"}`:                                     400,
			`{"action":"acmex.thing"}`:                                     400,
		} {
			code, out := w.call(sam, "POST", "/audit", body)
			assert.Equal(t, want, code, "%s %v", body, out)
		}
		for _, s := range []scope.Scope{{Label: "a", Role: scope.RoleCustomer, Relation: "r1", Caller: "acme"},
			{Label: "a", Role: scope.RolePublic, Caller: "acme"}} {
			code, _ := w.call(s, "POST", "/audit", `{"action":"acme.order_viewed","relation":"r1"}`)
			assert.Equal(t, 403, code, s.Role)
		}
		_, out := w.call(sam, "GET", "/staff/audit", "")
		items := out["items"].([]any)
		require.Len(t, items, 1)
		assert.Equal(t, "acme.order_viewed", items[0].(map[string]any)["action"])
		assert.Equal(t, "o1", items[0].(map[string]any)["target"])
	})
}

// A module lists the customers of its own entries by the staff member who called it, and by nobody else.
func TestModulesListWhomTheirCallerViewedLast(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		view := func(e audit.Entry) {
			t.Helper()
			if e.Action == "" {
				e.Action = "acme.viewed"
			}
			w.add(e)
		}
		for _, r := range []string{"r1", "r2", "r1", "r3", ""} {
			view(audit.Entry{Relation: r})
		}
		view(audit.Entry{Relation: "r4", Action: "acme.order_viewed"})
		view(audit.Entry{Relation: "r5", Role: audit.Staff, Actor: "tom", Name: "Tom"})
		view(audit.Entry{Relation: "r6", Role: audit.Key, Actor: "sam"}) // an API key may have the name of an account
		view(audit.Entry{Relation: "r7", Label: "b"})
		sam := scope.Scope{Label: "a", Role: scope.RoleStaff, Subject: "sam", Caller: "acme"}
		viewed := func(s scope.Scope, body string) (int, any) {
			t.Helper()
			code, out := w.call(s, "POST", "/audit/viewed", body)
			return code, out["relations"]
		}
		for body, want := range map[string][]any{
			`{"action":"acme.viewed","limit":9}`:       {"r3", "r1", "r2"},
			`{"action":"acme.viewed","limit":2}`:       {"r3", "r1"},
			`{"action":"acme.order_viewed","limit":9}`: {"r4"},
			`{"action":"acme.","limit":9}`:             {},
		} {
			code, got := viewed(sam, body)
			assert.Equal(t, []any{200, want}, []any{code, got}, body)
		}
		for body, want := range map[string]int{`{"action":"change.viewed","limit":9}`: 400, `{"action":"acmex.viewed","limit":9}`: 400,
			`{"action":"acme.viewed","limit":0}`: 400, `{"action":"acme.viewed","limit":101}`: 400} {
			code, _ := viewed(sam, body)
			assert.Equal(t, want, code, body)
		}
		for _, role := range []string{scope.RoleCustomer, scope.RolePublic, scope.RoleKey, scope.RoleSystem} {
			code, _ := viewed(scope.Scope{Label: "a", Role: role, Subject: "sam", Caller: "acme"}, `{"action":"acme.viewed","limit":9}`)
			assert.Equal(t, 403, code, role)
		}
	})
}
