package identity_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

func eachFixture(t *testing.T, f func(t *testing.T, w *fixture)) {
	storetest.Each(t, func(t *testing.T, s *store.Store) { f(t, newFixture(t, s)) })
}

// system returns the context of an event, a job or an import.
func system(ctx context.Context, label string) context.Context {
	return scope.With(ctx, scope.Scope{Label: label, Role: scope.RoleSystem, Zone: "Europe/Amsterdam"}, nil)
}

// event returns an event about a decision that is made now.
func (w *fixture) event(typ string, data form) module.Event {
	w.Helper()
	raw, err := json.Marshal(data)
	if err != nil {
		w.Fatal(err)
	}
	return module.Event{ID: value.NewID(), Type: typ, At: w.clock.Now(), Data: raw}
}

func TestUsernames(t *testing.T) {
	eachFixture(t, func(t *testing.T, w *fixture) {
		anna := w.account(identity.Account{Label: "1024", Username: "anna"}, strongPassword, false)
		bert := w.account(identity.Account{Label: "1024", Username: "bert"}, strongPassword, false)
		w.account(identity.Account{Label: "1025", Username: "carla"}, strongPassword, false)
		a, b := w.browser("1024"), w.browser("1024")
		a.signIn("anna", strongPassword).ok(t)
		b.signIn("bert", strongPassword).ok(t)
		ask := func(x *browser, name string) answer {
			return x.call(http.MethodPut, "/accounts/me/reserved-username", form{"username": name})
		}

		t.Run("5.5-username-unique", func(t *testing.T) {
			ask(a, "bert").want(t, 409, "account.username_taken")
			ask(a, " BERT ").want(t, 409, "account.username_taken")
			ask(a, "anna").want(t, 409, "account.username_taken")
			ask(a, "impersonator_anna").want(t, 409, "account.username_taken")
			ask(a, "  ").want(t, 400, identity.CodeEmptyUsername)
			ask(a, "a\x00b").want(t, 400, identity.CodeInvalidChars)
			if got := ask(a, " Carla ").ok(t).Fields["reserved_username"]; got != "carla" { // another label may have the same name
				t.Errorf("reserved %v", got)
			}
			ask(a, "carla").ok(t)
			ask(b, "carla").want(t, 409, "account.username_taken")
			ask(a, "dora").ok(t) // a new request releases the first name
			ask(b, "carla").ok(t)
			b.call(http.MethodDelete, "/accounts/me/reserved-username", nil).ok(t)
			if me := b.call(http.MethodGet, "/accounts/me", nil).ok(t); me.Fields["reserved_username"] != nil || me.Fields["id"] != bert.ID {
				t.Errorf("me %v", me.Fields)
			}
			if of := b.call(http.MethodGet, "/accounts/by-relation/"+anna.Relation, nil).ok(t); of.Fields["id"] != anna.ID ||
				of.Fields["reserved_username"] != "dora" {
				t.Errorf("by relation %v", of.Fields)
			}
			b.call(http.MethodGet, "/accounts/by-relation/nobody", nil).want(t, 404, problem.CodeNotFound)
			w.browser("1024").call(http.MethodGet, "/accounts/me", nil).want(t, 404, problem.CodeNotFound)
		})

		t.Run("processed", func(t *testing.T) {
			w := *w
			w.T = t
			ctx := system(t.Context(), "1024")
			e := w.event("account.username_processed", form{"account": anna.ID, "username": "dora"})
			for range 2 { // events are delivered at least once
				if err := w.Handle(ctx, e); err != nil {
					t.Fatal(err)
				}
			}
			w.browser("1024").signIn("anna", strongPassword).want(t, 401, identity.CodeWrongCredentials)
			w.browser("1024").signIn("dora", strongPassword).ok(t)
			a.refresh().ok(t) // a live session continues
			ask(b, "anna").ok(t)
			if err := w.Handle(ctx, w.event("account.username_rejected", form{"account": bert.ID, "username": "an older wish"})); err != nil {
				t.Fatal(err)
			}
			ask(a, "anna").want(t, 409, "account.username_taken") // bert's request for this name is pending
			if err := w.Handle(ctx, w.event("account.username_rejected", form{"account": bert.ID})); err != nil {
				t.Fatal(err)
			}
			ask(a, "anna").ok(t)
			if err := w.Handle(ctx, w.event("account.email_processed", form{"account": bert.ID, "email": "new@example.org"})); err != nil {
				t.Fatal(err)
			}
			if me := b.call(http.MethodGet, "/accounts/me", nil).ok(t); me.Fields["email"] != "new@example.org" {
				t.Errorf("me %v", me.Fields)
			}
			for _, bad := range []module.Event{w.event("account.username_processed", form{}),
				w.event("account.username_processed", form{"account": bert.ID}),
				w.event("account.email_processed", form{"account": "nobody", "email": "x@example.org"}),
				{ID: "x", Type: "account.email_processed", Data: []byte("{")}} {
				if w.Handle(ctx, bad) == nil {
					t.Errorf("%s %s went well", bad.Type, bad.Data)
				}
			}
			// After another import, a released name still belongs to its new owner.
			if _, err := w.Import(ctx, "account", rows(`{"username":"bert","debtor_number":"77"}`)); err != nil {
				t.Fatal(err)
			}
		})
	})
}

func rows(lines ...string) (out []record.Row) {
	for i, l := range lines {
		out = append(out, record.Row{Line: i + 1, Data: json.RawMessage(l)})
	}
	return out
}

func TestImport(t *testing.T) {
	eachFixture(t, func(t *testing.T, w *fixture) {
		ctx := system(t.Context(), "1024")
		take := func(lines ...string) map[int]string {
			t.Helper()
			refused, err := w.Import(ctx, "account", rows(lines...))
			if err != nil {
				t.Fatal(err)
			}
			out := map[int]string{}
			for _, r := range refused {
				out[r.Line] = r.Field + " " + r.Code
			}
			return out
		}
		got := take(
			`{"username":" Anna ","email":"anna@example.org","name":"Anna","debtor_number":"10001","password":"Correct-Horse-7"}`,
			`{"username":"bert","debtor_number":10002,"temporary_password":"Correct-Horse-7","locale":"en"}`,
			`{"username":"sam","role":"staff","password":"Correct-Horse-7"}`,
			`{"username":"mila","is_impersonator":"true","password":"Correct-Horse-7"}`,
			`{"username":"","debtor_number":"1"}`,
			`{"username":"x1"}`,
			`{"username":"x2","debtor_number":"1","password":"weak"}`,
			`{"username":"x3","debtor_number":"1","email":"none"}`,
			`{"username":"x4","debtor_number":"1","colour":"red"}`,
			`{"username":"x5","role":"king"}`,
			`{"username":"impersonator_x6","debtor_number":"1"}`,
			`{"username":"x7","debtor_number":"1","locale":"fr"}`,
			`{"username":"x8","debtor_number":"1","is_impersonator":"perhaps"}`,
			`{"username":"x\u0000","debtor_number":"1"}`,
			`{"username":"ANNA","debtor_number":"10009"}`,
		)
		want := map[int]string{5: "username required", 6: "debtor_number required", 7: "password password_policy", 8: "email invalid",
			9: " malformed", 10: "role invalid",
			11: "username invalid", 12: "locale invalid", 13: " malformed", 14: "username invalid_characters", 15: "username account.username_taken"}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("refused %v, want %v", got, want)
		}
		b := w.browser("1024")
		if s := b.signIn("anna", strongPassword).ok(t).session(t); s.Relation != value.StableID("1024", "relation", "10001") {
			t.Errorf("session %+v", s)
		}
		if b.signIn("bert", strongPassword).ok(t).Challenge == "" {
			t.Error("bert's password is not temporary")
		}
		if s := b.signIn("sam", strongPassword).ok(t).session(t); s.Role != "staff" || s.Relation != "" {
			t.Errorf("session %+v", s)
		}
		b.signIn("mila", strongPassword).want(t, 403, identity.CodeImpersonator)

		// A second import updates names and addresses; an existing password is kept.
		if got := take(`{"username":"anna","email":"new@example.org","name":"Anna W","debtor_number":"10001","password":"Battery-Staple-8"}`); len(got) != 0 {
			t.Error(got)
		}
		if s := b.signIn("anna", strongPassword).ok(t).session(t); s.Name != "Anna W" {
			t.Errorf("session %+v", s)
		}
		b.signIn("anna", "Battery-Staple-8").want(t, 401, identity.CodeWrongCredentials)
		if _, err := w.Import(ctx, "invoice", nil); err == nil {
			t.Error("any kind is accepted")
		}
		if refused, err := w.Import(system(t.Context(), "1071"), "account",
			rows(`{"username":"pia","debtor_number":"7","temporary_password":"Correct-Horse-7"}`)); err != nil || len(refused) > 0 {
			t.Fatal(refused, err)
		}
		if u := w.pool.User("pia"); !u.Force || u.Password != strongPassword {
			t.Errorf("the pool has %+v", u)
		}
	})
}

func TestStaffAndKeys(t *testing.T) {
	eachFixture(t, func(t *testing.T, w *fixture) {
		password, err := w.AddStaff(t.Context(), "1024", " Sam ", "sam@example.org", "Sam Staf")
		if err != nil || identity.CheckPassword(password) != nil {
			t.Fatal(password, err)
		}
		b := w.browser("1024")
		in := b.signIn("sam", password).ok(t)
		if in.Challenge == "" {
			t.Error("a staff member keeps the first password")
		}
		if s := b.post("/auth/new-password", form{"session": strings.Trim(string(in.Session), `"`),
			"new_password": otherPassword}).ok(t).session(t); s.Role != "staff" {
			t.Errorf("session %+v", s)
		}
		if _, err := w.AddStaff(t.Context(), "1024", "sam", "", ""); err == nil {
			t.Error("twice the same")
		}
		if _, err := w.AddStaff(t.Context(), "404", "sam", "", ""); err == nil {
			t.Error("an unknown label")
		}

		a, err := w.Invite(t.Context(), identity.Account{Label: "1024", Username: "Nina", Email: "nina@example.org", Name: "Nina", Relation: "r9",
			Role: identity.Customer, Locale: "nl"})
		if err != nil || a.Username != "nina" || !a.Temporary {
			t.Fatal(a, err)
		}
		if m := w.lastMail("1024"); m.To != "nina@example.org" || b.signIn("nina", m.Code).ok(t).Challenge == "" {
			t.Errorf("mail %+v", m)
		}

		key, err := w.AddKey(t.Context(), "1024", "crm")
		if err != nil {
			t.Fatal(err)
		}
		l := w.labels["1024"]
		if k, err := w.AuthenticateKey(t.Context(), l, key); err != nil || k.Name != "crm" || !k.HasScope("anything:new") {
			t.Error(k, err)
		}
		for _, bad := range []string{"", "wk_", key + "x", strings.TrimPrefix(key, "wk_"), "wk_" + strings.Repeat("a", 500)} {
			if _, err := w.AuthenticateKey(t.Context(), l, bad); err == nil || problem.Of(err).Code != "unauthorized" {
				t.Errorf("%q: %v", bad, err)
			}
		}
		if _, err := w.AuthenticateKey(t.Context(), w.labels["1025"], key); err == nil {
			t.Error("another label's key")
		}
		second, err := w.AddKey(t.Context(), "1024", "crm")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.AuthenticateKey(t.Context(), l, key); err == nil {
			t.Error("the replaced key works")
		}
		if _, err := w.AuthenticateKey(t.Context(), l, second); err != nil {
			t.Error(err)
		}
		for label, name := range map[string]string{"404": "crm", "1024": " "} {
			if _, err := w.AddKey(t.Context(), label, name); err == nil {
				t.Error(label, name)
			}
		}
	})
}

// TestRestart tests another replica, a restart and key rotation.
func TestRestart(t *testing.T) {
	eachFixture(t, func(t *testing.T, w *fixture) {
		w.account(identity.Account{Label: "1024", Username: "anna"}, strongPassword, false)
		b := w.browser("1024")
		token := b.signIn("anna", strongPassword).ok(t).IDToken
		w.serve()
		if _, err := w.Authenticate(t.Context(), w.labels["1024"], token); err != nil {
			t.Error(err)
		}
		b.refresh().ok(t)
		first := jwks(t, w)
		w.clock.Advance(30*24*time.Hour + time.Hour) // the first key no longer signs, but still verifies
		b = w.browser("1024")
		b.signIn("anna", strongPassword).ok(t)
		both := jwks(t, w)
		if strings.Count(first, `"kid"`) != 1 || strings.Count(both, `"kid"`) != 2 {
			t.Errorf("keys %s, then %s", first, both)
		}
		w.clock.Advance(3 * 24 * time.Hour)
		if err := w.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if last := jwks(t, w); strings.Count(last, `"kid"`) != 1 {
			t.Errorf("keys %s", last)
		}
		b.refresh().want(t, 401, identity.CodeSessionExpired)

		// A replica finds a key that another replica created.
		old, l := w.Service, w.labels["1025"]
		if _, err := old.Authenticate(t.Context(), l, token); err == nil {
			t.Error("another label's token")
		}
		w.serve()
		w.account(identity.Account{Label: "1025", Username: "anna"}, strongPassword, false)
		elsewhere := w.browser("1025").signIn("anna", strongPassword).ok(t).IDToken
		w.clock.Advance(3 * time.Second)
		if _, err := old.Authenticate(t.Context(), l, elsewhere); err != nil {
			t.Error(err)
		}

		w.deps.Dir = t.TempDir() // a new identity key, which did not seal the signing keys
		other, err := identity.New(w.deps)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.JWKS(t.Context(), w.labels["1024"]); err == nil || !strings.Contains(err.Error(), identity.SecretName) {
			t.Errorf("with another secret: %v", err)
		}
		for _, secret := range []string{"short"} {
			w.deps.Secrets = func(string) string { return secret }
			if _, err := identity.New(w.deps); err == nil {
				t.Error("a short secret is accepted")
			}
		}
		w.deps.Secrets = func(name string) string {
			if name == identity.SecretName {
				return strings.Repeat("long ", 10)
			}
			return ""
		}
		w.deps.Dir = ""
		if _, err := identity.New(w.deps); err != nil {
			t.Error(err)
		}
	})
}

func jwks(t *testing.T, w *fixture) string {
	t.Helper()
	raw, err := w.JWKS(t.Context(), w.labels["1024"])
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// An attempt does not count as failed when the caller disconnects before the result.
func TestAttemptOfACallerThatDisconnects(t *testing.T) {
	w := newFixture(t, storetest.SQLite(t))
	w.account(identity.Account{Label: "1024", Username: "anna"}, strongPassword, false)
	t.Run("8-id-attempt-limit", func(t *testing.T) {
		for range 10 {
			ctx, leave := context.WithCancel(t.Context())
			err := w.Attempt(ctx, w.labels["1024"], "sign-in:anna", func() error { leave(); return ctx.Err() })
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		w.browser("1024").signIn("anna", strongPassword).ok(t)
	})
}
