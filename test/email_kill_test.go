package test_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/test/fixture"
)

// TestKillDuringAChange kills the program at successive moments while a customer changes the e-mail address: after the response, and after
// each tenth of the time until the response. Afterwards the change request exists with everything that belongs to it (its entry in the
// staff queue, the email to the new address) or not at all, and it exists if the customer received a success response.
func TestKillDuringAChange(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: starts the program a dozen times")
	}
	s := portaltest.Start(t, portaltest.Options{Modules: modules.All, CUE: fixture.SandboxPayments,
		Labels: []portaltest.Label{{Key: "alpha"}}})
	made := &fixture.Customers{Portal: s, T: t}
	const rounds = 10
	var all []fixture.Customer
	for range rounds {
		all = append(all, made.New())
	}
	s.Staff("alpha")
	s.Stop()

	mails := func(to string) (n int) {
		seen := map[string]bool{} // delivery is at least once: an email may be sent twice
		for _, m := range s.Mails(to) {
			seen[m.Subject] = true
		}
		return len(seen)
	}
	done, lost := 0, 0
	var took time.Duration // of the first change, which is not interrupted; a busy machine takes longer
	for i, c := range all {
		address := fmt.Sprintf("nieuw%d@voorbeeld.example", i)
		p := fixture.Serve(t, s)
		token := p.SignIn(c.Username)
		confirmed := make(chan int, 1)
		from := time.Now()
		go func() {
			confirmed <- p.Call(http.MethodPut, "/relations/email", token, map[string]string{"change_email": address}, nil)
		}()
		var status int
		if i == 0 {
			status = <-confirmed
			took = time.Since(from)
			p.Kill()
		} else {
			<-time.After(time.Duration(i-1) * took / rounds)
			p.Kill()
			status = <-confirmed
		}

		p = fixture.Serve(t, s)
		var request struct {
			Email string `json:"change_email"`
		}
		p.Call(http.MethodGet, "/relations/email?request=status", p.SignIn(c.Username), nil, &request)
		queued := func() bool {
			var list struct {
				Items []struct{ Relation string } `json:"items"`
			}
			p.Call(http.MethodGet, "/staff/changes?state=PENDING&kind=account.email", p.SignIn("medewerker@alpha.example"), nil, &list)
			for _, change := range list.Items {
				if change.Relation == c.Relation {
					return true
				}
			}
			return false
		}
		if request.Email == "" {
			lost++
			require.NotEqual(t, http.StatusOK, status, "the customer received a 200 for a missing change")
			require.False(t, queued())
			require.Zero(t, mails(address))
		} else {
			done++
			require.Equal(t, address, request.Email)
			require.Eventually(t, func() bool { return mails(address) == 1 && queued() }, 20*time.Second, 50*time.Millisecond,
				"the request is there, but not its mail or not its place in the queue of staff")
		}
		p.Kill()
	}
	t.Logf("a change took %v; %d of %d outlived the kill, %d never were", took, done, rounds, lost)
	require.Positive(t, done)
}
