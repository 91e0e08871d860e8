package identity_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// TestHashRenewal checks that hashes with an earlier cost can still be verified and are renewed at sign-in.
func TestHashRenewal(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newFixture(t, s)
		earlier := identity.Cost{Time: 2, Memory: 16 << 10, Threads: 1}
		w.deps.Cost = earlier
		w.serve()
		for _, name := range []string{"anna", "bert"} {
			w.account(identity.Account{Label: "1024", Username: name}, strongPassword, false)
		}
		w.deps.Cost = identity.TestCost
		w.serve()
		hash := func(name string) (h string) {
			if err := w.db.Read().NewRaw(`SELECT a.password FROM identity_accounts AS a JOIN identity_usernames AS n ON n.label_key = a.label_key AND
				n.account_id = a.id WHERE n.username = ?`, name).Scan(t.Context(), &h); err != nil {
				t.Fatal(err)
			}
			return h
		}
		costs := func(signIn func()) uint64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			signIn()
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}

		t.Run("8-id-wrong-credentials", func(t *testing.T) {
			w := *w
			w.T = t
			for _, name := range []string{"anna", "nobody", "somebody"} { // while older hashes remain, an unknown name takes the same time
				if used := costs(func() { w.browser("1024").signIn(name, otherPassword).want(t, 401, identity.CodeWrongCredentials) }); used < 16<<20 {
					t.Errorf("%s costs %d bytes of memory", name, used)
				}
			}
		})
		t.Run("5.5-password-cost", func(t *testing.T) {
			w := *w
			w.T = t
			if h := hash("anna"); !strings.Contains(h, earlier.String()) {
				t.Fatal("a wrong password renewed the hash", h)
			}
			var both sync.WaitGroup // at the same time, in two tabs
			for range 2 {
				b := w.browser("1024")
				both.Go(func() {
					if a := b.signIn("anna", strongPassword); a.Status != 200 {
						t.Error(a.Status, a.Code)
					}
				})
			}
			both.Wait()
			if h := hash("anna"); !strings.HasPrefix(h, fmt.Sprintf("$argon2id$v=19$%s$", identity.TestCost)) {
				t.Error("not renewed:", h)
			}
			w.browser("1024").signIn("anna", strongPassword).ok(t)
			w.browser("1024").signIn("anna", otherPassword).want(t, 401, identity.CodeWrongCredentials)
			if h := hash("bert"); !strings.Contains(h, earlier.String()) {
				t.Error("the hash of another account was changed", h)
			}
		})
	})
}
