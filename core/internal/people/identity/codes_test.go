package identity_test

import (
	"context"
	"testing"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// A code is valid only for the account that it was sent for, and only while the account is unchanged.
func TestCodeOfAccount(t *testing.T) {
	eachFixture(t, func(t *testing.T, w *fixture) {
		n := 0
		user := func() identity.Account {
			n++
			name := "anna." + string(rune('a'+n))
			return w.account(identity.Account{Label: "1024", Username: name, Email: name + "@example.org"}, strongPassword, false)
		}
		ask := func(a identity.Account) string {
			w.browser("1024").post("/auth/forgot-password", form{"username": a.Username}).ok(t)
			return w.code("1024", a.Username, a.Email)
		}
		confirm := func(username, code string) answer {
			return w.browser("1024").post("/auth/confirm-forgot-password", form{"username": username, "code": code, "new_password": otherPassword})
		}
		happens := func(typ string, data form) {
			t.Helper()
			if err := w.Handle(system(t.Context(), "1024"), w.event(typ, data)); err != nil {
				t.Fatal(err)
			}
		}
		rename := func(a identity.Account, name string) {
			t.Helper()
			happens("account.username_processed", form{"account": a.ID, "username": name})
		}

		t.Run("9-reset-code-owner", func(t *testing.T) {
			a, b := user(), user()
			confirm(a.Username, ask(a)).ok(t) // the account is unchanged
			w.browser("1024").signIn(a.Username, otherPassword).ok(t)

			a = user()
			code := ask(a)
			rename(a, "dora")
			rename(b, a.Username) // another account gets the name while the code is valid
			confirm(a.Username, code).want(t, 400, identity.CodeCodeInvalid)
			confirm("dora", code).want(t, 400, identity.CodeCodeInvalid)
			w.browser("1024").signIn(a.Username, strongPassword).ok(t) // b keeps the password

			a = user()
			code = ask(a)
			happens("account.email_processed", form{"account": a.ID, "email": "new@example.org"}) // somebody else may read the previous mailbox
			confirm(a.Username, code).want(t, 400, identity.CodeCodeInvalid)

			a = user()
			code = ask(a)
			if _, err := w.Import(system(t.Context(), "1024"), "account", rows(`{"username":"`+a.Username+
				`","email":"other@example.org","role":"staff"}`,
				`{"username":"`+a.Username+`","email":"other@example.org","debtor_number":"`+a.Username+`"}`)); err != nil {
				t.Fatal(err)
			}
			confirm(a.Username, code).want(t, 400, identity.CodeCodeInvalid)

			a = user()
			code = ask(a)
			live := w.browser("1024")
			live.signIn(a.Username, strongPassword).ok(t)
			live.post("/auth/change-password", form{"old_password": strongPassword, "new_password": "Corner-Stone-9"}).ok(t)
			confirm(a.Username, code).want(t, 400, identity.CodeCodeInvalid)
			w.browser("1024").signIn(a.Username, "Corner-Stone-9").ok(t)
		})

		t.Run("8-id-cannot-reset", func(t *testing.T) { // the temporary password was set after the code was sent
			a := w.account(identity.Account{Label: "1024", Username: "imported", Email: "imported@example.org"}, "", false)
			code := ask(a)
			b := w.browser("1024")
			b.post("/accounts/"+a.ID+"/reactivate", nil).ok(t)
			confirm(a.Username, code).want(t, 409, identity.CodeCannotReset)
			if in := b.signIn(a.Username, w.lastMail("1024").Code).ok(t); in.Challenge == "" {
				t.Error("the temporary password was replaced")
			}
		})

		t.Run("9-identity-reset", func(t *testing.T) {
			a := user()
			live := w.browser("1024")
			live.signIn(a.Username, strongPassword).ok(t)
			live.refresh().ok(t)
			code, keys := ask(a), jwks(t, w)
			if err := w.db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error { return identity.Discard(ctx, tx) }); err != nil {
				t.Fatal(err)
			}
			w.serve() // the process restarts
			if jwks(t, w) == keys {
				t.Error("the signing keys are those of before")
			}
			live.refresh().want(t, 401, identity.CodeSessionExpired)
			confirm(a.Username, code).want(t, 400, identity.CodeCodeInvalid)
			w.browser("1024").signIn(a.Username, strongPassword).ok(t) // account and password are kept
			confirm(a.Username, ask(a)).ok(t)                          // a new code is valid
		})

		t.Run("7.7-put-out", func(t *testing.T) { // the account is disabled after the code was sent
			a := user()
			code := ask(a)
			if _, err := w.Import(system(t.Context(), "1024"), "account", rows(`{"username":"`+a.Username+`","email":"`+a.Email+
				`","debtor_number":"`+a.Username+`","disabled":true}`)); err != nil {
				t.Fatal(err)
			}
			confirm(a.Username, code).want(t, 400, identity.CodeCodeInvalid)
		})
	})
}

// A sign-in is for the account whose password was right, even when another account gets the username in the meantime.
func TestNameThatChangesHandsDuringSignIn(t *testing.T) {
	eachFixture(t, func(t *testing.T, w *fixture) {
		a := w.account(identity.Account{Label: "1024", Username: "anna"}, strongPassword, false)
		b := w.account(identity.Account{Label: "1024", Username: "bert"}, otherPassword, false)
		renames := []form{{"account": a.ID, "username": "dora"}, {"account": b.ID, "username": "anna"}}
		w.deps.Busy = func() bool { // is called before the password is hashed
			for _, data := range renames {
				renames = renames[1:]
				if err := w.Handle(system(t.Context(), "1024"), w.event("account.username_processed", data)); err != nil {
					t.Error(err)
				}
			}
			return false
		}
		w.serve()
		if s := w.browser("1024").signIn("anna", strongPassword).ok(t).session(t); s.Username != "dora" || s.Relation != a.Relation {
			t.Errorf("%+v signed in with the password of %s", s, a.ID)
		}
	})
}
