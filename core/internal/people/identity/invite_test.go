package identity_test

import (
	"strings"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/value"
)

// TestAccountsOfModules checks the operations that module onboarding uses, with both providers.
func TestAccountsOfModules(t *testing.T) {
	eachFixture(t, func(t *testing.T, w *fixture) {
		for _, key := range []string{"1024", "1071"} {
			t.Run(key, func(t *testing.T) {
				w.T = t
				b := w.browser(key)
				nina := form{"key": "c1", "relation": "r1", "username": " Nina@Example.org ", "email": "Nina@Example.org", "name": "Nina",
					"locale": "nl"}

				t.Run("opens an account once", func(t *testing.T) {
					w.T = t
					first := b.post("/accounts", nina).ok(t).Fields
					m := w.lastMail(key)
					if m.To != "Nina@Example.org" || first["username"] != "nina@example.org" || first["relation"] != "r1" {
						t.Errorf("mail %+v of %v", m, first)
					}
					n := len(w.mails())
					if second := b.post("/accounts", nina).ok(t).Fields; second["id"] != first["id"] || len(w.mails()) != n {
						t.Errorf("asked again: %v, %d mails", second, len(w.mails())-n)
					}
					in := b.signIn("nina@example.org", m.Code).ok(t)
					if in.Challenge == "" {
						t.Error("a temporary password is kept")
					}
				})
				t.Run("refuses", func(t *testing.T) {
					w.T = t
					for field, c := range map[string]struct {
						value, code string
						status      int
					}{
						"username": {"", identity.CodeEmptyUsername, 400}, "email": {"nobody", "invalid", 400},
						"name":     {strings.Repeat("a", 301), "invalid", 400},
						"relation": {"", "invalid", 400},
					} {
						invalid := form{"key": "c2", "relation": "r2", "username": "piet", "email": "piet@example.org", "name": "Piet"}
						invalid[field] = c.value
						b.post("/accounts", invalid).want(t, c.status, c.code)
					}
					taken := form{"key": "c3", "relation": "r3", "username": "NINA@example.org", "email": "x@example.org", "name": "X"}
					b.post("/accounts", taken).want(t, 409, identity.CodeUsernameTaken)
					taken["username"] = "impersonator_x"
					b.post("/accounts", taken).want(t, 409, identity.CodeUsernameTaken)
				})
				var id string
				t.Run("finds by e-mail address", func(t *testing.T) {
					w.T = t
					w.account(identity.Account{Label: key, Username: "impersonator_nina", Email: "nina@example.org", Role: identity.ImpersonatorRole},
						strongPassword, false)
					var found []struct{ ID, Relation, Role string }
					b.post("/accounts/search", form{"email": "nina@EXAMPLE.org"}).ok(t).list(t, &found)
					if len(found) != 1 || found[0].Relation != "r1" || found[0].Role != "customer" {
						t.Fatalf("found %+v", found)
					}
					id = found[0].ID
					b.post("/accounts/search", map[string]any{"email": "nina@example.org", "active": true}).ok(t).list(t, &found)
					if len(found) != 0 {
						t.Errorf("an account that nobody has signed in with is active: %+v", found)
					}
					b.post("/accounts/search", form{"email": "nobody@example.org"}).ok(t).list(t, &found)
					if len(found) != 0 {
						t.Errorf("found %+v", found)
					}
				})
				t.Run("reactivates accounts that cannot sign in", func(t *testing.T) {
					w.T = t
					wake := func() bool { return b.post("/accounts/"+id+"/reactivate", nil).ok(t).Fields["reactivated"] == true }
					old := w.lastMail(key).Code
					w.clock.Advance(8 * 24 * time.Hour)
					b.signIn("nina@example.org", old).want(t, 403, identity.CodeTempExpired)
					if !wake() {
						t.Fatal("a lapsed password is not replaced")
					}
					in := b.signIn("nina@example.org", w.lastMail(key).Code).ok(t)
					b.post("/auth/new-password", form{"session": string(in.Session[1 : len(in.Session)-1]), "new_password": otherPassword}).ok(t)
					var found []struct{ ID string }
					b.post("/accounts/search", map[string]any{"email": "nina@example.org", "active": true}).ok(t).list(t, &found)
					if len(found) != 1 || found[0].ID != id {
						t.Errorf("active: %+v", found)
					}
					n := len(w.mails())
					if wake() || len(w.mails()) != n {
						t.Error("an account in use was given another password")
					}
					if key == "1071" { // a user that the pool disabled is enabled again
						shut := w.pool.User("nina@example.org")
						shut.Disabled = true
						w.pool.Add("nina@example.org", shut)
						if !wake() {
							t.Error("a user that the pool disabled stays disabled")
						}
						b.signIn("nina@example.org", w.lastMail(key).Code).ok(t)
					}
					b.post("/accounts/"+value.NewID()+"/reactivate", nil).want(t, 404, "not_found")
				})
				t.Run("4-access-approval", func(t *testing.T) { // fields as long as the registration form allows
					w.T = t
					long := strings.Repeat("é", 100) + " " + strings.Repeat("a", 30) + " " + strings.Repeat("b", 100)
					opened := b.post("/accounts", form{"key": "c9", "relation": "r9", "username": "long", "email": "long@example.org", "name": long}).ok(t)
					if opened.Fields["name"] != long {
						t.Errorf("name %v", opened.Fields["name"])
					}
				})
				t.Run("9-account-preferred", func(t *testing.T) {
					w.T = t
					fay := form{"key": "c10", "relation": "r10", "username": "fay", "email": "fay@example.org", "name": "F. Bos",
						"preferred_name": strings.Repeat("x", 101)}
					b.post("/accounts", fay).want(t, 400, "invalid")
					fay["preferred_name"] = " Fay "
					b.post("/accounts", fay).ok(t)
					in := b.signIn("fay", w.lastMail(key).Code).ok(t)
					out := b.post("/auth/new-password", form{"session": string(in.Session[1 : len(in.Session)-1]), "new_password": otherPassword})
					if got := out.ok(t).session(t).Preferred; got != "Fay" {
						t.Errorf("preferred name %q", got)
					}
				})
			})
		}
	})
}
