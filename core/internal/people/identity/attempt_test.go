package identity_test

import (
	"fmt"
	"testing"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// A household or server has 2^64 IPv6 addresses, which count as one.
func TestAttemptsOfNetwork(t *testing.T) {
	w := newFixture(t, storetest.SQLite(t))
	t.Run("8-id-attempt-limit", func(t *testing.T) {
		w.T = t
		n := 0
		from := func(ip string) answer {
			n++
			b := w.browser("1024")
			b.ip = ip
			return b.signIn(fmt.Sprint("nobody", n), strongPassword)
		}
		for name, address := range map[string]func(i int) string{
			"a network of IPv6":      func(i int) string { return fmt.Sprintf("2001:db8:1:2:%x::%x", i*7+1, i) },
			"an address of IPv4":     func(int) string { return "192.0.2.1" },
			"IPv4 in both notations": func(i int) string { return []string{"192.0.2.7", "::ffff:192.0.2.7"}[i%2] },
		} {
			for i := range 60 {
				from(address(i)).want(t, 401, identity.CodeWrongCredentials)
			}
			if a := from(address(61)); a.Status != 429 {
				t.Errorf("%s: the 61st attempt is answered %d", name, a.Status)
			}
		}
		b := w.browser("1024")
		b.ip = "2001:db8:1:2::99"
		b.post("/auth/forgot-password", form{"username": "anna"}).want(t, 429, identity.CodeAttempts)
		from("2001:db8:1:3::1").want(t, 401, identity.CodeWrongCredentials) // the neighboring network is not limited
		from("192.0.2.2").want(t, 401, identity.CodeWrongCredentials)
	})
}
