package identity_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/people/identity/cognito/cognitotest"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// me returns the account that a browser is signed in to.
func (b *browser) me(t *testing.T) string {
	t.Helper()
	id, _ := b.call(http.MethodGet, "/accounts/me", nil).ok(t).Fields["id"].(string)
	return id
}

// TestCognitoSubject checks that a user of a pool is identified by the claim sub, whatever username is typed.
func TestCognitoSubject(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		shared := newFixture(t, s)
		run := func(what string, f func(t *testing.T, w *fixture)) {
			t.Run("7.7-cognito-sub", func(t *testing.T) {
				t.Log(what)
				w := *shared
				w.T = t
				f(t, &w)
			})
		}
		run("usernames are e-mail addresses", func(t *testing.T, w *fixture) {
			w.pool.EmailUsernames = true
			defer func() { w.pool.EmailUsernames = false }()
			const first, second = "anna@example.org", "anna.new@example.org"
			a := w.account(identity.Account{Label: "1071", Username: first, Email: first, Name: "Anna"}, strongPassword, true)
			b := w.browser("1071")
			in := b.signIn(first, strongPassword).ok(t)
			in = b.post("/auth/new-password", form{"session": strings.Trim(string(in.Session), `"`), "new_password": otherPassword}).ok(t)
			if got := in.session(t); got.Username != first || b.me(t) != a.ID {
				t.Errorf("session %+v, calls of %s", got, b.me(t))
			}
			b.refresh().ok(t)
			if b.me(t) != a.ID {
				t.Error("after a refresh")
			}
			if err := w.Handle(system(t.Context(), "1071"), w.event("account.email_processed", form{"account": a.ID, "email": second})); err != nil {
				t.Fatal(err)
			}
			later := w.browser("1071")
			later.signIn(second, otherPassword).ok(t)
			if later.me(t) != a.ID {
				t.Error("with the new address")
			}
			w.browser("1071").signIn(first, otherPassword).want(t, 401, identity.CodeWrongCredentials)
			third := "anna.third@example.org" // administrative calls also find the user by the sub
			if err := w.Handle(system(t.Context(), "1071"), w.event("account.email_processed", form{"account": a.ID, "email": third})); err != nil {
				t.Fatal(err)
			}
			w.browser("1071").signIn(third, otherPassword).ok(t)
			found := b.post("/accounts/search", map[string]any{"email": third, "active": true}).ok(t)
			if !strings.Contains(string(found.Raw), a.ID) {
				t.Errorf("not awake: %s", found.Raw)
			}
			b.refresh().ok(t)
			if b.me(t) != a.ID {
				t.Error("a session from before the new address")
			}
		})
		run("an alias", func(t *testing.T, w *fixture) {
			bert := w.account(identity.Account{Label: "1071", Username: "bert", Email: "bert@example.org"}, "", false)
			other := w.account(identity.Account{Label: "1071", Username: "+31612345678"}, "", false) // not the alias's user
			w.pool.Add("bert", cognitotest.User{Password: strongPassword, Aliases: []string{"bert@example.org", "+31612345678"}})
			for _, typed := range []string{"BERT@example.org", "bert", "+31612345678"} {
				b := w.browser("1071")
				b.signIn(typed, strongPassword).ok(t)
				if got := b.me(t); got != bert.ID || got == other.ID {
					t.Errorf("%s: %s", typed, got)
				}
			}
			live := w.browser("1071")
			live.signIn("bert@example.org", strongPassword).ok(t)
			b := w.browser("1071")
			b.post("/auth/forgot-password", form{"username": "bert@example.org"}).ok(t)
			b.post("/auth/confirm-forgot-password", form{"username": "bert@example.org", "code": w.pool.Code("bert"),
				"new_password": otherPassword}).ok(t)
			live.refresh().want(t, 401, identity.CodeSessionExpired)
			b.signIn("bert@example.org", otherPassword).ok(t)
		})
		run("a username that is another user's now", func(t *testing.T, w *fixture) {
			a := w.account(identity.Account{Label: "1071", Username: "carla", Email: "carla@example.org"}, strongPassword, false)
			w.browser("1071").signIn("carla", strongPassword).ok(t)
			w.pool.Remove("carla")
			w.pool.Add("carla", cognitotest.User{Password: otherPassword})
			w.browser("1071").signIn("carla", otherPassword).want(t, 403, identity.CodePreLogin)
			w.browser("1071").signIn("carla", otherPassword).want(t, 403, identity.CodePreLogin) // the next attempt is refused too
			// The user is removed from the pool; staff reactivate the account.
			w.pool.Remove("carla")
			ctx := w.browser("1071")
			var woken struct{ Reactivated bool }
			ctx.call(http.MethodPost, "/accounts/"+a.ID+"/reactivate", form{}).ok(t).list(t, &woken)
			if !woken.Reactivated {
				t.Fatal("not reactivated")
			}
			b := w.browser("1071")
			in := b.signIn("carla", w.lastMail("1071").Code).ok(t)
			b.post("/auth/new-password", form{"session": strings.Trim(string(in.Session), `"`), "new_password": strongPassword}).ok(t)
			if b.me(t) != a.ID {
				t.Error("another account")
			}
		})
		run("the same sub of another issuer is another user", func(t *testing.T, w *fixture) {
			emma := w.account(identity.Account{Label: "1071", Username: "emma"}, "", false)
			fred := w.account(identity.Account{Label: "1071", Username: "fred"}, "", false)
			w.pool.Add("emma", cognitotest.User{Sub: "sub-of-emma", Password: strongPassword})
			w.pool.Add("fred", cognitotest.User{Sub: "sub-of-fred", Password: strongPassword})
			// In a previous pool of the label, fred had the sub of emma.
			if err := w.db.Tx(system(t.Context(), "1071"), func(ctx context.Context, tx store.Tx) error {
				_, err := tx.NewRaw(`INSERT INTO identity_subjects (label_key, issuer, subject, account_id, created_at) VALUES
					('1071', 'https://idp.example/old', 'sub-of-emma', ?, ?)`, fred.ID, w.clock.Now()).Exec(ctx)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			for name, a := range map[string]identity.Account{"emma": emma, "fred": fred} {
				b := w.browser("1071")
				b.signIn(name, strongPassword).ok(t)
				if got := b.me(t); got != a.ID {
					t.Errorf("%s: %s", name, got)
				}
			}
		})
		run("a session of the release before", func(t *testing.T, w *fixture) {
			a := w.account(identity.Account{Label: "1071", Username: "dirk"}, strongPassword, false)
			b := w.browser("1071")
			b.signIn("dirk", strongPassword).ok(t)
			count := func() (n int) {
				if err := w.db.Read().NewRaw("SELECT count(*) FROM identity_subjects WHERE account_id = ?", a.ID).Scan(t.Context(), &n); err != nil {
					t.Fatal(err)
				}
				return n
			}
			if err := w.db.Tx(system(t.Context(), "1071"), identity.Forget("1071", a.ID)); err != nil || count() != 0 {
				t.Fatal(err)
			}
			w.serve() // a restart clears the token cache
			if b.me(t) != a.ID {
				t.Error("a token from before")
			}
			b.refresh().ok(t)
			if b.me(t) != a.ID || count() != 1 {
				t.Errorf("after a refresh %d", count())
			}
		})
	})
}

// TestCognitoCode checks that the portal requires a second factor and the pool verifies it.
func TestCognitoCode(t *testing.T) {
	w := newFixture(t, storetest.SQLite(t))
	for _, kind := range []string{"SMS_MFA", "SOFTWARE_TOKEN_MFA"} {
		t.Run("4-sign-in-code", func(t *testing.T) {
			w := *w
			w.T = t
			name := "user." + strings.ToLower(kind)
			a := w.account(identity.Account{Label: "1071", Username: name}, "", false)
			add := func(force bool) {
				w.pool.Add(name, cognitotest.User{Sub: "sub-of-" + kind, Password: strongPassword, Force: force, MFA: kind, Code: "123456"})
			}
			ask := func(b *browser) string {
				t.Helper()
				in := b.signIn(name, strongPassword).ok(t)
				if in.Challenge != kind || in.IDToken != "" || in.Cookie != nil {
					t.Fatalf("answer %+v", in)
				}
				if got, _ := in.Fields["destination"].(string); (got == "+*******5678") != (kind == "SMS_MFA") {
					t.Errorf("sent to %q", got)
				}
				return strings.Trim(string(in.Session), `"`)
			}
			code := func(b *browser, session, code string) answer {
				return b.post("/auth/sign-in-code", form{"session": session, "code": code})
			}
			add(false)
			b := w.browser("1071")
			session := ask(b)
			code(b, session, " ").want(t, 400, identity.CodeEmptyCode)
			code(b, session, "12345\x00").want(t, 400, identity.CodeInvalidChars)
			code(b, session, "000000").want(t, 400, identity.CodeCodeInvalid)
			code(w.browser("1024"), session, "123456").want(t, 401, identity.CodeSessionExpired)
			code(b, "junk", "123456").want(t, 401, identity.CodeSessionExpired)
			b.post("/auth/new-password", form{"session": session, "new_password": otherPassword}).want(t, 401, identity.CodeSessionExpired)
			if got := code(b, session, " 123 456").ok(t).session(t); got.Username != name || b.me(t) != a.ID {
				t.Errorf("session %+v", got)
			}
			code(b, session, "123456").want(t, 401, identity.CodeSessionExpired)

			session = ask(b) // the pool ends a challenge after three wrong codes
			code(b, session, "000000").want(t, 400, identity.CodeCodeInvalid)
			code(b, session, "000000").want(t, 401, identity.CodeSessionExpired)

			session = ask(b)
			w.clock.Advance(16 * time.Minute)
			code(b, session, "123456").want(t, 401, identity.CodeSessionExpired)

			add(true) // the user first chooses a password and then enters the code
			in := b.signIn(name, strongPassword).ok(t)
			if in.Challenge != "NEW_PASSWORD_REQUIRED" {
				t.Fatal(in.Challenge)
			}
			first := strings.Trim(string(in.Session), `"`)
			code(b, first, "123456").want(t, 401, identity.CodeSessionExpired)
			if in = b.post("/auth/new-password", form{"session": first, "new_password": otherPassword}).ok(t); in.Challenge != kind {
				t.Fatalf("%+v", in)
			}
			code(b, strings.Trim(string(in.Session), `"`), "123456").ok(t)

			w.clock.Advance(16 * time.Minute) // the earlier attempts no longer count
			guess := w.browser("1071")
			for n := range 5 { // codes can be tried as often as passwords
				in := guess.signIn(name, otherPassword).ok(t)
				if got := code(guess, strings.Trim(string(in.Session), `"`), fmt.Sprintf("9%05d", n)); got.Status == 429 {
					t.Errorf("code %d may not be tried any more", n)
				}
			}
			in = guess.signIn(name, otherPassword).ok(t)
			code(guess, strings.Trim(string(in.Session), `"`), "123456").want(t, 429, identity.CodeAttempts) // also refused
		})
	}
}
