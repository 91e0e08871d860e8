package identity_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/problem"
)

// countingDB is a database that counts reads.
type countingDB struct {
	store.DB
	reads atomic.Int64
}

func (c *countingDB) Read() bun.IDB { c.reads.Add(1); return c.DB.Read() }

// replica is another process on the same database.
type replica struct {
	*identity.Service
	db *countingDB
}

func (w *fixture) replica() *replica {
	w.Helper()
	r, d := &replica{db: &countingDB{DB: w.db}}, w.deps
	d.DB = r.db
	var err error
	if r.Service, err = identity.New(d); err != nil {
		w.Fatal(err)
	}
	return r
}

// TestTokensEnd checks for every way in which a session can end, with both providers and on both engines, that its token is refused at once
// in the process where the session ended, and on other replicas after their next read of the revocations, without any query before that.
func TestTokensEnd(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newFixture(t, s)
		for _, key := range []string{"1024", "1071"} {
			t.Run(w.labels[key].Identity.Provider, func(t *testing.T) { tokensEnd(t, w, key) })
		}
	})
}

func tokensEnd(t *testing.T, shared *fixture, key string) {
	l := shared.labels[key]
	n := 0
	for name, way := range map[string]struct {
		end   func(w *fixture, b *browser, a identity.Account)
		stays bool // whether the account's other session, which ended this one, continues
	}{
		"sign-out": {end: func(w *fixture, b *browser, _ identity.Account) { b.post("/auth/sign-out", nil).ok(t) }, stays: true},
		"sign-out after a refresh": {end: func(w *fixture, b *browser, _ identity.Account) {
			before := b.bearer
			w.clock.Advance(time.Second)
			b.refresh().ok(t)
			b.post("/auth/sign-out", nil).ok(t)
			b.bearer = before
		}, stays: true},
		"sign-out without the cookie": {end: func(w *fixture, b *browser, _ identity.Account) {
			b.cookie = ""
			b.post("/auth/sign-out", nil).ok(t)
		}, stays: true},
		"a replayed cookie": {end: func(w *fixture, b *browser, _ identity.Account) {
			first, bearer := b.cookie, b.bearer
			b.refresh().ok(t)
			b.refresh().ok(t)
			b.cookie = first
			b.refresh().want(t, 401, identity.CodeSessionExpired)
			b.bearer = bearer
		}, stays: true},
		"a new password, in another browser": {end: func(w *fixture, _ *browser, a identity.Account) {
			other := w.other
			other.post("/auth/change-password", form{"old_password": strongPassword, "new_password": otherPassword}).ok(t)
		}, stays: true},
		"a new password by code": {end: func(w *fixture, b *browser, a identity.Account) {
			x := w.browser(key)
			x.post("/auth/forgot-password", form{"username": a.Username}).ok(t)
			x.post("/auth/confirm-forgot-password", form{"username": a.Username, "code": w.code(key, a.Username, a.Email),
				"new_password": otherPassword}).ok(t)
		}},
	} {
		t.Run("7.7-token-ends", func(t *testing.T) {
			t.Log(name)
			n++
			w := *shared
			w.T = t
			a := w.account(identity.Account{Label: key, Username: fmt.Sprintf("eva.%d", n), Email: fmt.Sprintf("eva.%d@example.org", n),
				Name: "Eva"}, strongPassword, false)
			b, other, far := w.browser(key), w.browser(key), w.replica()
			b.signIn(a.Username, strongPassword).ok(t)
			other.signIn(a.Username, strongPassword).ok(t)
			w.other = other
			token, kept := b.bearer, other.bearer
			near := w.Service
			good := func(s *identity.Service, token string) bool {
				t.Helper()
				_, err := s.Authenticate(t.Context(), l, token)
				if err != nil && problem.Of(err).Status != http.StatusUnauthorized {
					t.Fatal(err)
				}
				return err == nil
			}
			for _, s := range []*identity.Service{near, far.Service} {
				if err := s.Poll(t.Context()); err != nil {
					t.Fatal(err)
				}
				if !good(s, token) || !good(s, kept) {
					t.Fatal("a token of a live session is refused")
				}
			}
			reads := far.db.reads.Load()
			w.clock.Advance(time.Minute - time.Second)
			if !good(far.Service, token) || far.db.reads.Load() != reads {
				t.Error("a token that was checked within the minute costs a query")
			}
			w.clock.Advance(time.Second)
			if !good(far.Service, token) || far.db.reads.Load() == reads {
				t.Error("a token that was checked a minute ago is not checked again")
			}

			way.end(&w, b, a)

			if good(near, token) {
				t.Error("the token is still accepted in the process that ended its session")
			}
			if err := far.Poll(t.Context()); err != nil {
				t.Fatal(err)
			}
			if good(far.Service, token) {
				t.Error("the token is still accepted in another process")
			}
			if got := good(near, kept); got != way.stays {
				t.Errorf("the other session's token is good: %v", got)
			}
			if got := good(far.Service, kept); got != way.stays {
				t.Errorf("the other session's token is good in another process: %v", got)
			}
		})
	}

	t.Run("7.7-token-ends", func(t *testing.T) {
		w := *shared
		w.T = t
		a := w.account(identity.Account{Label: key, Username: "stil", Name: "Stil"}, strongPassword, false)
		b, far := w.browser(key), w.replica()
		token := b.signIn(a.Username, strongPassword).ok(t).IDToken
		if err := far.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := far.Authenticate(t.Context(), l, token); err != nil {
			t.Fatal(err)
		}
		b.post("/auth/sign-out", nil).ok(t)
		far.ExpireFeed() // the revocations cannot be read
		if _, err := far.Authenticate(t.Context(), l, token); err == nil {
			t.Error("a process that cannot read the revocations trusts cached tokens")
		}
		if identity.MaxFeedAge >= 5*time.Second || identity.FeedInterval > identity.MaxFeedAge {
			t.Error("a replica trusts cached tokens of ended sessions for too long")
		}
	})

	t.Run("7.7-token-ends,7.7-impersonation-end", func(t *testing.T) {
		w := *shared
		w.T = t
		customer := w.account(identity.Account{Label: key, Username: "gezien", Name: "Gezien"}, strongPassword, false)
		staff := w.account(identity.Account{Label: key, Username: "kijker", Name: "Kijker", Email: "kijker@example.org", Role: identity.Staff},
			strongPassword, false)
		look := func() *browser {
			code, err := w.NewImpersonation(t.Context(), staff, customer.Relation)
			if err != nil {
				t.Fatal(err)
			}
			tab := w.browser(key)
			tab.post("/auth/impersonate", form{"code": code}).ok(t)
			return tab
		}
		refused := func(token, why string) {
			t.Helper()
			if _, err := w.Authenticate(t.Context(), l, token); err == nil {
				t.Error(why)
			}
		}
		own := w.browser(key)
		own.signIn("kijker", strongPassword).ok(t)
		if err := w.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}

		tab := look()
		claims, err := w.Authenticate(t.Context(), l, tab.bearer)
		if err != nil {
			t.Fatal(err)
		}
		tab.cookie = own.cookie // the browser also sends the cookie
		if out := tab.post("/auth/sign-out", nil).ok(t); out.Cookie != nil {
			t.Error("the end of an impersonation deletes the cookie of the impersonator")
		}
		refused(tab.bearer, "an impersonation goes on after its end")
		if _, err := w.Resume(t.Context(), l, claims); err == nil {
			t.Error("a download works after the end of an impersonation")
		}
		own.refresh().ok(t)

		tab = look()
		if _, err := w.Authenticate(t.Context(), l, tab.bearer); err != nil {
			t.Fatal(err)
		}
		own.post("/auth/change-password", form{"old_password": strongPassword, "new_password": otherPassword}).ok(t)
		refused(tab.bearer, "an impersonation outlives the sessions of its impersonator")
	})

	if l.Identity.Provider != "cognito" { // all other tokens contain their session
		return
	}
	t.Run("7.7-token-before", func(t *testing.T) {
		w := *shared
		w.T = t
		a := w.account(identity.Account{Label: key, Username: "eerder", Email: "eerder@example.org", Name: "Eerder"}, strongPassword, false)
		g, err := w.deps.Cognito.SignIn(t.Context(), l, "eerder", strongPassword) // signs in to another app than the portal
		if err != nil {
			t.Fatal(err)
		}
		token := g.IDToken
		c, err := w.Authenticate(t.Context(), l, token)
		if err != nil || c.Session != a.ID {
			t.Fatalf("a token without a session is refused: %+v %v", c, err)
		}
		w.clock.Advance(time.Second)
		x := w.browser(key)
		x.signIn("eerder", strongPassword).ok(t)
		w.clock.Advance(time.Second)
		x.post("/auth/sign-out", nil).ok(t)
		if _, err := w.Authenticate(t.Context(), l, token); err != nil {
			t.Error("the end of one session ends a token of no session", err)
		}
		remaining := c.Expires.Sub(w.clock.Now())
		w.clock.Advance(remaining - time.Second)
		if _, err := w.Authenticate(t.Context(), l, token); err != nil {
			t.Error("the token does not last until it expires", err)
		}
		w.clock.Advance(2 * time.Second)
		if _, err := w.Authenticate(t.Context(), l, token); err == nil {
			t.Error("the token is accepted after it expired")
		}

		if g, err = w.deps.Cognito.SignIn(t.Context(), l, "eerder", strongPassword); err != nil {
			t.Fatal(err)
		}
		token = g.IDToken
		if _, err := w.Authenticate(t.Context(), l, token); err != nil {
			t.Fatal(err)
		}
		w.clock.Advance(time.Second)
		x.signIn("eerder", strongPassword).ok(t)
		x.post("/auth/change-password", form{"old_password": strongPassword, "new_password": otherPassword}).ok(t)
		if _, err := w.Authenticate(t.Context(), l, token); err == nil {
			t.Error("the token is accepted after the password changed")
		}
	})
}

// If tokens cannot be revoked individually, the pool includes the time of the sign-in in them.
func TestTokensOfAnIrrevocableClientEnd(t *testing.T) {
	w := newFixture(t, storetest.SQLite(t))
	w.pool.Irrevocable = true
	w.account(identity.Account{Label: "1071", Username: "anna"}, strongPassword, false)
	t.Run("7.7-token-ends", func(t *testing.T) {
		w.T = t
		b, other := w.browser("1071"), w.browser("1071")
		b.signIn("anna", strongPassword).ok(t)
		w.clock.Advance(2 * time.Second)
		other.signIn("anna", strongPassword).ok(t)
		token := b.refresh().ok(t).IDToken
		b.post("/auth/sign-out", nil).ok(t)
		if _, err := w.Authenticate(t.Context(), w.labels["1071"], token); err == nil {
			t.Error("the token is accepted after its session ended")
		}
		if _, err := w.Authenticate(t.Context(), w.labels["1071"], other.bearer); err != nil {
			t.Error(err)
		}
	})
}
