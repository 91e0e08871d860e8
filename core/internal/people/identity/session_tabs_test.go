package identity_test

import (
	"strings"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// TestTabsOfTwoPeople checks the responses to a browser with the token of one person in a tab and the cookie of another person, who signed
// in in another tab. It runs with both providers and on both engines.
func TestTabsOfTwoPeople(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newFixture(t, s)
		for _, key := range []string{"1024", "1071"} {
			t.Run(w.labels[key].Identity.Provider, func(t *testing.T) { tabsOfTwoPeople(t, w, key) })
		}
	})
}

func tabsOfTwoPeople(t *testing.T, shared *fixture, key string) {
	fenna := shared.account(identity.Account{Label: key, Username: "fenna", Name: "Fenna"}, strongPassword, false)
	shared.account(identity.Account{Label: key, Username: "bakkerij", Name: "Bakkerij"}, strongPassword, false)
	staff := shared.account(identity.Account{Label: key, Username: "staf", Name: "Staf", Role: identity.Staff}, strongPassword, false)
	run := func(rows, what string, f func(t *testing.T, w *fixture)) {
		t.Helper()
		t.Run(rows, func(t *testing.T) {
			t.Helper()
			t.Log(what)
			w := *shared
			w.T = t
			f(t, &w)
		})
	}
	signedIn := func(w *fixture, username string) *browser {
		b := w.browser(key)
		b.signIn(username, strongPassword).ok(w.T)
		return b
	}
	// withBearer returns a tab of a browser with another token.
	withBearer := func(b *browser, bearer string) *browser {
		tab := *b
		tab.bearer = bearer
		return &tab
	}
	// refused checks that a tab gets nothing, and that its request does not affect the session of the cookie.
	refused := func(w *fixture, b *browser, bearer string) {
		t := w.T
		t.Helper()
		if a := withBearer(b, bearer).refresh().want(t, 409, identity.CodeSessionMismatch); a.Cookie != nil || a.IDToken != "" {
			t.Errorf("a refusal sets %v and returns %q", a.Cookie, a.IDToken)
		}
		if a := b.refresh().ok(t); a.Cookie == nil || a.session(t).Username != "bakkerij" {
			t.Errorf("the cookie was rotated by a refusal: %s", a.Raw)
		}
		b.refresh().ok(t)
	}

	run("7.7-refresh-same-person", "the session names its account, which stays, and its label", func(t *testing.T, w *fixture) {
		b := w.browser(key)
		first, second := b.signIn("fenna", strongPassword).ok(t).session(t), signedIn(w, "fenna").refresh().ok(t).session(t)
		if first.Account != fenna.ID || second.Account != fenna.ID || first.ID == second.ID || first.Label != key {
			t.Errorf("%+v %+v", first, second)
		}
	})
	run("7.7-refresh-same-person", "a token that is valid, or has expired", func(t *testing.T, w *fixture) {
		token := signedIn(w, "fenna").bearer
		b := signedIn(w, "bakkerij")
		refused(w, b, token)
		w.clock.Advance(2 * time.Hour)
		refused(w, b, token)
	})
	run("7.7-refresh-same-person", "another session of the same person", func(t *testing.T, w *fixture) {
		token := signedIn(w, "fenna").bearer
		w.clock.Advance(2 * time.Hour)
		b := withBearer(signedIn(w, "fenna"), token)
		if a := b.refresh().ok(t); a.Cookie == nil || a.session(t).Account != fenna.ID {
			t.Errorf("%s", a.Raw)
		}
	})
	run("7.7-refresh-same-person", "the token of an impersonation", func(t *testing.T, w *fixture) {
		code, err := w.NewImpersonation(t.Context(), staff, fenna.Relation)
		if err != nil {
			t.Fatal(err)
		}
		tab := w.browser(key)
		tab.post("/auth/impersonate", form{"code": code}).ok(t)
		refused(w, signedIn(w, "bakkerij"), tab.bearer)
		own := signedIn(w, "fenna") // a session of the impersonated customer
		withBearer(own, tab.bearer).refresh().want(t, 409, identity.CodeSessionMismatch)
	})
	run("7.7-refresh-same-person", "a token that cannot be verified counts as none", func(t *testing.T, w *fixture) {
		token := signedIn(w, "fenna").bearer
		cut := strings.LastIndex(token, ".")
		b := signedIn(w, "bakkerij")
		for _, bad := range []string{"junk", "wk_junk", token[:cut], token[:cut] + "." + strings.Repeat("A", len(token)-cut-1),
			strings.Repeat("x", 9<<10)} {
			if a := withBearer(b, bad); a.refresh().ok(t).session(t).Username != "bakkerij" {
				t.Errorf("%.20s", bad)
			} else {
				b.cookie = a.cookie
			}
		}
	})
	run("7.7-sign-out-effect", "signing out ends the sessions of the token and of the cookie", func(t *testing.T, w *fixture) {
		a, b := signedIn(w, "fenna"), signedIn(w, "bakkerij")
		if out := withBearer(b, a.bearer).post("/auth/sign-out", nil).ok(t).Cookie; out == nil || out.MaxAge >= 0 {
			t.Errorf("cookie %v", out)
		}
		a.refresh().want(t, 401, identity.CodeSessionExpired)
		b.refresh().want(t, 401, identity.CodeSessionExpired)
	})
	run("7.7-impersonation-end", "also after half an hour it ends nothing of its impersonator", func(t *testing.T, w *fixture) {
		own := signedIn(w, "staf")
		code, err := w.NewImpersonation(t.Context(), staff, fenna.Relation)
		if err != nil {
			t.Fatal(err)
		}
		tab := withBearer(own, "")
		tab.post("/auth/impersonate", form{"code": code}).ok(t)
		w.clock.Advance(31 * time.Minute)
		if out := tab.post("/auth/sign-out", nil).ok(t); out.Cookie != nil {
			t.Error("the end of an impersonation deletes the cookie of its impersonator")
		}
		own.refresh().ok(t)
	})
}
