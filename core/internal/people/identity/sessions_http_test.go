package identity_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/problem"
)

const (
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	iphone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1"
)

// TestSessionsOfAnAccount checks the list of an account's sessions, with both providers and on both engines.
func TestSessionsOfAnAccount(t *testing.T) {
	eachFixture(t, func(t *testing.T, w *fixture) {
		for _, key := range []string{"1024", "1071"} {
			for _, role := range []string{identity.Customer, identity.Staff} {
				t.Run("2.1-sessions-section", func(t *testing.T) { checkSessions(t, w, key, role) })
			}
		}
	})
}

func checkSessions(t *testing.T, w *fixture, key, role string) {
	w.T = t
	l := w.labels[key]
	name := "anna." + role
	w.account(identity.Account{Label: key, Username: name, Name: "Anna", Role: role}, strongPassword, false)
	w.account(identity.Account{Label: key, Username: "bert." + role, Name: "Bert", Role: role}, strongPassword, false)
	at := func(agent, ip, who string) *browser {
		b := w.browser(key)
		b.agent, b.ip = agent, ip
		b.signIn(who, strongPassword).ok(t)
		w.clock.Advance(time.Second)
		return b
	}
	list := func(b *browser) (out []identity.SignedIn) {
		t.Helper()
		b.call(http.MethodGet, "/auth/sessions", nil).ok(t).list(t, &out)
		return out
	}
	program := at("curl/8.1", "junk", name)
	phone := at(iphone, "2001:db8:1234:5678::9", name)
	home := at(firefox, "203.0.113.77", name)
	bert := at(firefox, "203.0.113.77", "bert."+role)

	got := list(home)
	if len(got) != 3 || !got[0].Current || got[1].Current || got[2].Current {
		t.Fatalf("%+v", got)
	}
	for i, want := range []identity.SignedIn{
		{Browser: "Firefox", Platform: "Linux", Network: "203.0.113.0/24"}, {Browser: "Safari", Platform: "iPhone",
			Network: "2001:db8:1234::/48"}, {},
	} {
		if got[i].Browser != want.Browser || got[i].Platform != want.Platform || got[i].Network != want.Network {
			t.Errorf("%+v, want %+v", got[i], want)
		}
	}
	if !got[0].Used.After(got[1].Used) || !got[1].Used.After(got[2].Used) || got[0].Began.IsZero() {
		t.Errorf("not by last use: %+v", got)
	}
	phone.ip = "198.51.100.200" // the phone has moved to another network
	phone.refresh().ok(t)
	if moved := list(home)[1]; moved.Network != "198.51.100.0/24" || !moved.Used.After(got[1].Used) {
		t.Errorf("%+v", moved)
	}

	bert.call(http.MethodDelete, "/auth/sessions/"+got[1].ID, nil).want(t, 404, problem.CodeNotFound) // another account's session
	home.call(http.MethodDelete, "/auth/sessions/nothing", nil).want(t, 404, problem.CodeNotFound)
	home.call(http.MethodDelete, "/auth/sessions/"+got[1].ID, nil).ok(t)
	if _, err := w.Authenticate(t.Context(), l, phone.bearer); err == nil {
		t.Error("the token of the ended session is accepted")
	}
	phone.refresh().want(t, 401, identity.CodeSessionExpired)
	home.post("/auth/sign-out-elsewhere", nil).ok(t)
	program.refresh().want(t, 401, identity.CodeSessionExpired)
	if _, err := w.Authenticate(t.Context(), l, program.bearer); err == nil {
		t.Error("the token of another session is accepted after all others were ended")
	}
	if left := list(home); len(left) != 1 || !left[0].Current {
		t.Errorf("%+v", left)
	}
	home.refresh().ok(t)
	if of := list(bert); len(of) != 1 || !of[0].Current { // bert's session has not ended, and no other account's sessions are listed
		t.Errorf("%+v", of)
	}
}
