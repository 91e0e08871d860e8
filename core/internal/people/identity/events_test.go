package identity_test

import (
	"fmt"
	"net/http"

	"strings"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

// The latest decision applies, whichever event is delivered late and however often.
func TestLateEvents(t *testing.T) {
	eachFixture(t, func(t *testing.T, w *fixture) {
		t.Run("9-event-late", func(t *testing.T) {
			w.T = t
			handled := map[string]bool{}
			// history runs a sequence of events for one account; the event with the number late is delivered at the end.
			history := func(name string, late int) string {
				a := w.account(identity.Account{Label: "1024", Username: name, Email: name + "@example.org"}, strongPassword, false)
				b := w.browser("1024")
				b.signIn(name, strongPassword).ok(t)
				n, kept := 0, module.Event{}
				deliver := func(e module.Event) {
					if err := w.Handle(system(t.Context(), "1024"), e); err != nil {
						t.Error(late, e.Type, err)
					}
				}
				happens := func(typ string, data form) {
					data["account"], handled[typ] = a.ID, true
					e := w.event(typ, data)
					if n++; n-1 == late {
						kept = e
					} else {
						deliver(e)
						deliver(e)
					}
					w.clock.Advance(time.Second)
				}
				ask := func(username string) {
					b.call(http.MethodPut, "/accounts/me/reserved-username", form{"username": username}).ok(t)
					w.clock.Advance(time.Second)
				}
				ask(name + ".one")
				happens("account.username_processed", form{"username": name + ".one"})
				happens("account.email_processed", form{"email": name + ".one@example.org"})
				ask(name + ".two")
				happens("account.username_rejected", form{})
				ask(name + ".three")
				happens("account.username_processed", form{"username": name + ".three"})
				ask(name + ".four")
				happens("account.username_rejected", form{})
				ask(name + ".four") // repeats the request
				happens("account.email_processed", form{"email": name + ".two@example.org"})
				if kept.ID != "" {
					deliver(kept)
					deliver(kept)
				}
				me := b.call(http.MethodGet, "/accounts/me", nil).ok(t).Fields
				return strings.ReplaceAll(fmt.Sprintf("%v (%v) %v", me["username"], me["reserved_username"], me["email"]), name, "N")
			}
			const want = "N.three (N.four) N.two@example.org"
			if got := history("nobody", -1); got != want {
				t.Fatalf("in order: %s", got)
			}
			for _, typ := range identity.Handles {
				if !handled[typ] {
					t.Errorf("%s is not tried", typ)
				}
			}
			for late := range 6 {
				if got := history(fmt.Sprintf("n%d", late), late); got != want {
					t.Errorf("with event %d late: %s", late, got)
				}
			}
		})
	})
}

// A user pool gets the latest address, even when it was unreachable for an earlier one or two changes reach it at the same time.
func TestLateEventsOfUserPool(t *testing.T) {
	w := newFixture(t, storetest.SQLite(t))
	t.Run("9-event-late", func(t *testing.T) {
		w.T = t
		a := w.account(identity.Account{Label: "1071", Username: "anna", Email: "anna@example.org"}, strongPassword, false)
		ctx := system(t.Context(), "1071")
		one := w.event("account.email_processed", form{"account": a.ID, "email": "one@example.org"})
		w.pool.Fail("AdminUpdateUserAttributes", "InvalidParameterException", "down")
		if err := w.Handle(ctx, one); err == nil {
			t.Fatal("a pool that is down has the address")
		}
		w.clock.Advance(time.Second)
		two := w.event("account.email_processed", form{"account": a.ID, "email": "two@example.org"})
		for _, e := range []module.Event{two, one, one} {
			if err := w.Handle(ctx, e); err != nil {
				t.Fatal(err)
			}
			if got := w.pool.User("anna").Attributes["email"]; got != "two@example.org" {
				t.Errorf("the pool has %s", got)
			}
		}
	})
}
