package identity_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// sent sends a request with any session cookies. It returns the status, and the cookies that the browser has afterwards by name.
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
	// fresh returns the value of the cookie of a new session.
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
		if c := (&browser{fixture: w, label: "1024", ip: "1", https: true}).signIn("anna", strongPassword).ok(t).Cookie; c.Name != secure ||
			!c.Secure {
			t.Errorf("%+v", c)
		}
	})
	run("over https the plain name does not count", func(t *testing.T, w *fixture) {
		ours, planted := fresh(w), fresh(w)
		jar := map[string]string{plain: planted}
		if status, set := w.sent(t, "/auth/refresh", true, jar); status != 204 || len(set) != 0 {
			t.Errorf("%d %v", status, set)
		}
		jar[secure] = ours
		if status, _ := w.sent(t, "/auth/refresh", true, jar); status != 200 || !strings.HasPrefix(jar[secure], strings.Split(ours, ".")[0]) ||
			jar[plain] != planted {
			t.Errorf("%d %v", status, jar)
		}
		if status, _ := w.sent(t, "/auth/sign-out", true, jar); status != 204 || jar[secure] != "" {
			t.Errorf("%d %v", status, jar)
		}
		if status, _ := w.sent(t, "/auth/refresh", true, map[string]string{secure: planted}); status != 200 {
			t.Error("the session of the other cookie has ended", status)
		}
	})
}
