package identity_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/storetest"
)

// sent sends a call with any session cookies. It returns the status and the cookies that the browser has afterwards, by name.
func (w *fixture) sent(t *testing.T, path string, https bool, jar map[string]string) (status int, header []*http.Cookie) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+path, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "1024.localhost"
	r.Header.Set("Content-Type", "application/json")
	if https {
		r.Header.Set("X-Test-Https", "1")
	}
	for name, value := range jar {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	for _, c := range res.Cookies() {
		if c.Path != "/api/v0/auth" || !c.HttpOnly || c.Domain != "" || c.SameSite != http.SameSiteStrictMode {
			t.Errorf("cookie %+v", c)
		}
		if c.MaxAge < 0 {
			delete(jar, c.Name)
		} else {
			jar[c.Name] = c.Value
		}
	}
	return res.StatusCode, res.Cookies()
}

func TestCookieNames(t *testing.T) {
	shared := newFixture(t, storetest.SQLite(t))
	shared.account(identity.Account{Label: "1024", Username: "anna"}, strongPassword, false)
	const plain, secure = "wattle_session", "__Secure-wattle_session"
	run := func(what string, f func(t *testing.T, w *fixture)) {
		t.Run("7.7-cookie-name", func(t *testing.T) {
			t.Log(what)
			w := *shared
			w.T = t
			w.log.Reset()
			f(t, &w)
		})
	}
	// isFresh returns the value of the cookie of a new session.
	fresh := func(w *fixture) string {
		b := w.browser("1024")
		b.signIn("anna", strongPassword).ok(w.T)
		return b.cookie
	}
	run("over https, and in a demo over plain http", func(t *testing.T, w *fixture) {
		if c := w.browser("1024").signIn("anna", strongPassword).ok(t).Cookie; c.Name != secure || !c.Secure {
			t.Errorf("%+v", c)
		}
		w.deps.Demo = true
		w.serve()
		b := w.browser("1024")
		if c := b.signIn("anna", strongPassword).ok(t).Cookie; c.Name != plain || c.Secure {
			t.Errorf("%+v", c)
		}
		jar := map[string]string{plain: b.cookie}
		if status, _ := w.sent(t, "/auth/refresh", false, jar); status != 200 || len(jar) != 1 || jar[plain] == b.cookie {
			t.Errorf("%d %v", status, jar)
		}
		if c := (&browser{fixture: w, label: "1024", ip: "1", https: true}).signIn("anna", strongPassword).ok(t).Cookie; c.Name != secure || !c.Secure {
			t.Errorf("%+v", c)
		}
	})
	run("a cookie of the release before goes on under the new name", func(t *testing.T, w *fixture) {
		old := fresh(w)
		jar := map[string]string{plain: old}
		if status, _ := w.sent(t, "/auth/refresh", true, jar); status != 200 || jar[plain] != "" || jar[secure] == "" || jar[secure] == old {
			t.Fatalf("%d %v", status, jar)
		}
		if status, set := w.sent(t, "/auth/refresh", true, map[string]string{plain: old}); status != 200 || len(set) != 0 { // another tab, at the same time
			t.Errorf("%d %v", status, set)
		}
		if status, _ := w.sent(t, "/auth/refresh", true, jar); status != 200 {
			t.Error(status)
		}
		if status, _ := w.sent(t, "/auth/refresh", true, map[string]string{plain: old}); status != 401 || !strings.Contains(w.log.String(), "used again") {
			t.Error("a replay under the old name is not detected", status)
		}
		if status, _ := w.sent(t, "/auth/refresh", true, jar); status != 401 {
			t.Error("a replayed session continues", status)
		}
	})
	run("both are sent: of one session", func(t *testing.T, w *fixture) {
		stale := fresh(w)
		jar := map[string]string{secure: stale}
		for range 2 { // a release that was rolled back rotated the other cookie
			w.sent(t, "/auth/refresh", true, jar)
		}
		current := jar[secure]
		both := map[string]string{secure: stale, plain: current}
		if status, _ := w.sent(t, "/auth/refresh", true, both); status != 200 || both[plain] != "" || both[secure] == stale || strings.Contains(w.log.String(), "used again") {
			t.Fatalf("%d %v %s", status, both, w.log)
		}
		if status, _ := w.sent(t, "/auth/refresh", true, both); status != 200 {
			t.Error(status)
		}
	})
	run("both are sent: of two sessions", func(t *testing.T, w *fixture) {
		ours, planted := fresh(w), fresh(w)
		both := map[string]string{secure: ours, plain: planted}
		if status, _ := w.sent(t, "/auth/refresh", true, both); status != 200 || !strings.HasPrefix(both[secure], strings.Split(ours, ".")[0]) || both[plain] != "" {
			t.Fatalf("%d: a plain cookie beats the secure one: %v", status, both)
		}
		gone := map[string]string{secure: "junk", plain: planted}
		if status, _ := w.sent(t, "/auth/refresh", true, gone); status != 200 || !strings.HasPrefix(gone[secure], strings.Split(planted, ".")[0]) {
			t.Errorf("%d: %v", status, gone)
		}
	})
	run("signing out ends and clears both", func(t *testing.T, w *fixture) {
		one, two := fresh(w), fresh(w)
		jar := map[string]string{secure: one, plain: two}
		if status, _ := w.sent(t, "/auth/sign-out", true, jar); status != 204 || len(jar) != 0 {
			t.Fatalf("%d %v", status, jar)
		}
		for _, ended := range []string{one, two} {
			if status, _ := w.sent(t, "/auth/refresh", true, map[string]string{secure: ended}); status != 401 {
				t.Error("a session continues", status)
			}
		}
	})
}
