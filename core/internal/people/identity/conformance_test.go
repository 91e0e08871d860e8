package identity_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jwk"
	"github.com/lestrrat-go/jwx/v3/jwt"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/problem"
)

type form = map[string]string

// TestConformance checks over HTTP, on both engines, what both providers must do.
func TestConformance(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newFixture(t, s)
		for _, label := range []string{"1024", "1071"} {
			t.Run(w.labels[label].Identity.Provider, func(t *testing.T) { conform(t, w, label) })
		}
	})
}

func conform(t *testing.T, shared *fixture, label string) {
	n := 0
	// user creates an account that no other subtest uses.
	user := func(w *fixture, password string, temporary bool) identity.Account {
		n++
		name := fmt.Sprintf("anna.%d", n)
		return w.account(identity.Account{Label: label, Username: name, Email: name + "@example.org", Name: "Anna de Wit"}, password, temporary)
	}
	run := func(rows string, f func(t *testing.T, w *fixture, b *browser)) {
		t.Helper()
		t.Run(rows, func(t *testing.T) {
			w := *shared
			w.T = t
			f(t, &w, w.browser(label))
		})
	}

	run("5.10-sign-in-normalise,7.7-identity-service-choice,7.7-identity-config", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, false)
		in := b.signIn("  "+strings.ToUpper(a.Username)+"\t ", strongPassword).ok(t)
		if in.ExpiresIn < 5*60-60 || in.ExpiresIn > 15*60 || in.Challenge != "" {
			t.Errorf("expires in %d, challenge %q", in.ExpiresIn, in.Challenge)
		}
		s := in.session(t)
		if s.ID == "" || s.Role != "customer" || s.Name != "Anna de Wit" || s.Username != a.Username || s.Relation != a.Relation ||
			s.Impersonator != nil {
			t.Errorf("session %+v", s)
		}
		c := in.Cookie
		if c == nil || c.Path != "/api/v0/auth" || c.Domain != "" || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteStrictMode ||
			c.MaxAge != 0 {
			t.Errorf("cookie %+v", c)
		}
		if in.Header.Get("Cache-Control") != "no-store" {
			t.Error("a token may be cached")
		}
		claims, err := w.Authenticate(t.Context(), w.labels[label], in.IDToken)
		if err != nil || claims.Subject != a.ID || claims.Actor != a.ID || claims.Relation != a.Relation || claims.Label != label ||
			claims.ReadOnly {
			t.Errorf("claims %+v %v", claims, err)
		}
		verified(t, w, label, in.IDToken, a.Username)
	})

	// The same server operations work with both providers.
	run("7.7-identity-service-choice,7.7-identity-config", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, false)
		b.signIn(a.Username, strongPassword).ok(t)
		b.post("/auth/change-password", form{"old_password": strongPassword, "new_password": otherPassword}).ok(t)
		b.post("/auth/sign-out", nil).ok(t)
		before := len(w.mails())
		b.post("/auth/forgot-password", form{"username": a.Username}).ok(t)
		code := w.code(label, a.Username, a.Email)
		if mailed := len(w.mails()) - before; (mailed == 1) != (w.labels[label].Identity.Provider == "local") {
			t.Errorf("the portal sent %d mails: the local provider mails codes, a pool sends its own", mailed)
		}
		b.post("/auth/confirm-forgot-password", form{"username": a.Username, "code": code, "new_password": strongPassword}).ok(t)
		b.signIn(a.Username, strongPassword).ok(t)

		asleep := user(w, strongPassword, true)
		b.post("/accounts/"+asleep.ID+"/reactivate", form{}).ok(t)
		mails := w.mails()
		if last := mails[len(mails)-1]; last.To != asleep.Email {
			t.Errorf("the temporary password is mailed to %s", last.To)
		}
		if in := b.signIn(asleep.Username, w.lastMail(label).Code).ok(t); in.Challenge != "NEW_PASSWORD_REQUIRED" {
			t.Errorf("the mailed password leads to %q", in.Challenge)
		}
	})

	run("8-id-wrong-credentials", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, false)
		wrong := b.signIn(a.Username, otherPassword).want(t, 401, identity.CodeWrongCredentials)
		unknown := b.signIn("nobody."+a.Username, strongPassword).want(t, 401, identity.CodeWrongCredentials)
		if fmt.Sprint(wrong.Fields) != fmt.Sprint(unknown.Fields) {
			t.Errorf("%v, but for an unknown user %v", wrong.Fields, unknown.Fields)
		}
		if wrong.Cookie != nil || b.refresh().Status != 204 {
			t.Error("a session after a wrong password")
		}
	})

	run("8-id-empty-fields", func(t *testing.T, w *fixture, b *browser) {
		b.signIn("  ", "x").want(t, 400, identity.CodeEmptyUsername)
		b.signIn("x", "").want(t, 400, identity.CodeEmptyPassword)
		b.post("/auth/forgot-password", form{"username": ""}).want(t, 400, identity.CodeEmptyUsername)
		confirm := func(username, code, password string) answer {
			return b.post("/auth/confirm-forgot-password", form{"username": username, "code": code, "new_password": password})
		}
		confirm("", "1", strongPassword).want(t, 400, identity.CodeEmptyUsername)
		confirm("x", " ", strongPassword).want(t, 400, identity.CodeEmptyCode)
		confirm("x", "1", "").want(t, 400, identity.CodeEmptyPassword)
		b.post("/auth/new-password", form{"session": "x", "new_password": ""}).want(t, 400, identity.CodeEmptyPassword)
	})

	run("8-id-invalid-chars", func(t *testing.T, w *fixture, b *browser) {
		for _, bad := range []string{"an\x00na", "an\nna", "an\x7fna", strings.Repeat("é", 129)} {
			b.signIn(bad, strongPassword).want(t, 400, identity.CodeInvalidChars)
			b.signIn("anna", bad).want(t, 400, identity.CodeInvalidChars)
			b.post("/auth/forgot-password", form{"username": bad}).want(t, 400, identity.CodeInvalidChars)
			b.post("/auth/confirm-forgot-password", form{"username": "anna", "code": bad, "new_password": strongPassword}).want(t, 400,
				identity.CodeInvalidChars)
		}
		b.signIn(strings.Repeat("é", 128), strongPassword).want(t, 401, identity.CodeWrongCredentials)
	})

	run("2.4-require-new-password,8-id-password-policy", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, true)
		in := b.signIn(a.Username, strongPassword).ok(t)
		if in.Challenge != "NEW_PASSWORD_REQUIRED" || in.IDToken != "" || in.Cookie != nil || in.Session[0] != '"' {
			t.Fatalf("answer %+v", in)
		}
		choose := func(session, password string) answer {
			return b.post("/auth/new-password", form{"session": session, "new_password": password})
		}
		session := strings.Trim(string(in.Session), `"`)
		for _, weak := range []string{"Short-7", "lower-case-7-only", "UPPER-CASE-7-ONLY", "No-Digits-At-All"} {
			choose(session, weak).want(t, 400, identity.CodePasswordPolicy)
		}
		choose("junk", otherPassword).want(t, 401, identity.CodeSessionExpired)
		w.browser("1025").post("/auth/new-password", form{"session": session, "new_password": otherPassword}).want(t, 401,
			identity.CodeSessionExpired)
		if s := choose(session, otherPassword).ok(t).session(t); s.Username != a.Username {
			t.Errorf("session %+v", s)
		}
		if w.labels[label].Identity.Provider == "local" { // a pool may have a stricter policy
			shortest := user(w, strongPassword, true)
			next := w.browser(label).signIn(shortest.Username, strongPassword).ok(t)
			chosen := strings.Trim(string(next.Session), `"`)
			choose(chosen, "Kx7-qvm").want(t, 400, identity.CodePasswordPolicy) // seven characters
			choose(chosen, "Kx7-qvmw").ok(t)
		}
		choose(session, strongPassword+"again").want(t, 401, identity.CodeSessionExpired)
		w.browser(label).signIn(a.Username, strongPassword).want(t, 401, identity.CodeWrongCredentials)
		w.browser(label).signIn(a.Username, otherPassword).ok(t)
	})

	run("5.5-password-common,5.5-password-personal", func(t *testing.T, w *fixture, b *browser) {
		guessable := form{"Welkom-2026": identity.CodePasswordCommon, "Wit-2026-2026": identity.CodePasswordName,
			"XyExample-99": identity.CodePasswordEmail, "N00rderwind-9": identity.CodePasswordLabel}
		refused := func(a answer, code string) {
			t.Helper()
			if a.want(t, 400, code); len(a.Errors) != 1 || a.Errors[0] != (problem.FieldError{Field: "new_password", Code: code}) {
				t.Errorf("errors %v", a.Errors)
			}
		}
		a := user(w, strongPassword, true)
		session := strings.Trim(string(b.signIn(a.Username, strongPassword).ok(t).Session), `"`)
		for password, code := range guessable {
			refused(b.post("/auth/new-password", form{"session": session, "new_password": password}), code)
		}
		b.post("/auth/new-password", form{"session": session, "new_password": otherPassword}).ok(t)
		for range 2 { // more than the limit: a refused password does not count as an attempt
			for password, code := range guessable {
				refused(b.post("/auth/change-password", form{"old_password": otherPassword, "new_password": password}), code)
			}
		}
		b.post("/auth/change-password", form{"old_password": otherPassword, "new_password": strongPassword}).ok(t)

		b.post("/auth/forgot-password", form{"username": a.Username}).ok(t)
		code := w.code(label, a.Username, a.Email)
		confirm := func(username, code, password string) answer {
			return b.post("/auth/confirm-forgot-password", form{"username": username, "code": code, "new_password": password})
		}
		// Without a valid code the response reveals nothing about an account: the new password is checked against the typed username, but
		// not against the name and address.
		wrong := fmt.Sprintf("%06d", 999999-atoi(code))
		for _, name := range []string{a.Username, "nobody." + a.Username} {
			confirm(name, wrong, "Wit-2026-2026").want(t, 400, identity.CodeCodeInvalid)
			confirm(name, wrong, "XyExample-99").want(t, 400, identity.CodeCodeInvalid)
			refused(confirm(name, wrong, "Welkom-2026"), identity.CodePasswordCommon)
			refused(confirm(name, wrong, "Anna-2026-99"), identity.CodePasswordUsername)
			refused(confirm(name, wrong, "Noorderwind1"), identity.CodePasswordLabel)
		}
		if w.labels[label].Identity.Provider == "local" { // a pool checks code and password together
			for range 6 {
				refused(confirm(a.Username, code, "Wit-2026-2026"), identity.CodePasswordName)
			}
		} else {
			confirm(a.Username, code, "Wit-2026-2026").ok(t)
			b.post("/auth/forgot-password", form{"username": a.Username}).ok(t)
			code = w.code(label, a.Username, a.Email)
		}
		confirm(a.Username, code, otherPassword).ok(t)
		b.signIn(a.Username, otherPassword).ok(t)

		// A password that is older than the rule stays valid.
		old := user(w, "Welkom-2026", false)
		w.browser(label).signIn(old.Username, "Welkom-2026").ok(t)
	})

	run("8-id-temp-expired", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, true)
		w.clock.Advance(7*24*time.Hour + time.Minute)
		b.signIn(a.Username, strongPassword).want(t, 403, identity.CodeTempExpired)
	})

	run("8-id-session-expired", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, true)
		in := b.signIn(a.Username, strongPassword).ok(t)
		w.clock.Advance(16 * time.Minute)
		b.post("/auth/new-password", form{"session": strings.Trim(string(in.Session), `"`), "new_password": otherPassword}).want(t, 401,
			identity.CodeSessionExpired)

		a = user(w, strongPassword, false)
		b.signIn(a.Username, strongPassword).ok(t)
		w.clock.Advance(24*time.Hour + time.Second)
		b.refresh().want(t, 401, identity.CodeSessionExpired)
		w.browser(label).refresh().want(t, 204, "")
		b.cookie = "junk"
		b.refresh().want(t, 401, identity.CodeSessionExpired)
	})

	run("2.4-forgot-password,8-id-invalid-code", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, false)
		live := w.browser(label)
		live.signIn(a.Username, strongPassword).ok(t)
		known := b.post("/auth/forgot-password", form{"username": " " + strings.ToUpper(a.Username)}).ok(t)
		unknown := b.post("/auth/forgot-password", form{"username": "nobody." + a.Username}).ok(t)
		if known.Status != unknown.Status || fmt.Sprint(known.Fields) != fmt.Sprint(unknown.Fields) {
			t.Errorf("%d %v, but for an unknown user %d %v", known.Status, known.Fields, unknown.Status, unknown.Fields)
		}
		code := w.code(label, a.Username, a.Email)
		if len(code) != 6 || strings.Trim(code, "0123456789") != "" {
			t.Errorf("code %q", code)
		}
		confirm := func(username, code, password string) answer {
			return b.post("/auth/confirm-forgot-password", form{"username": username, "code": code, "new_password": password})
		}
		confirm(a.Username, fmt.Sprintf("%06d", 999999-atoi(code)), otherPassword).want(t, 400, identity.CodeCodeInvalid)
		confirm("nobody."+a.Username, code, otherPassword).want(t, 400, identity.CodeCodeInvalid)
		confirm(a.Username, code, "weak").want(t, 400, identity.CodePasswordPolicy)
		confirm(" "+a.Username, " "+code+" ", otherPassword).ok(t)
		confirm(a.Username, code, strongPassword).want(t, 400, identity.CodeCodeInvalid)
		live.refresh().want(t, 401, identity.CodeSessionExpired)
		b.signIn(a.Username, strongPassword).want(t, 401, identity.CodeWrongCredentials)
		b.signIn(a.Username, otherPassword).ok(t)
	})

	run("8-id-cannot-reset", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, true)
		b.post("/auth/forgot-password", form{"username": a.Username}).ok(t) // the response is the same as for other users
		confirm := func(code string) answer {
			return b.post("/auth/confirm-forgot-password", form{"username": a.Username, "code": code, "new_password": otherPassword})
		}
		code := w.code(label, a.Username, a.Email)
		confirm(fmt.Sprintf("%06d", 999999-atoi(code))).want(t, 400, identity.CodeCodeInvalid)
		confirm(code).want(t, 409, identity.CodeCannotReset)
		if in := b.signIn(a.Username, strongPassword).ok(t); in.Challenge == "" {
			t.Error("the temporary password was deleted")
		}
	})

	run("7.7-change-password-call,5.5-password-length-reconcile", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, false)
		b.signIn(a.Username, strongPassword).ok(t)
		other := w.browser(label)
		other.signIn(a.Username, strongPassword).ok(t)
		change := func(old, new string) answer {
			return b.post("/auth/change-password", form{"old_password": old, "new_password": new})
		}
		change("", otherPassword).want(t, 400, identity.CodeEmptyPassword)
		change(strongPassword, "").want(t, 400, identity.CodeEmptyPassword)
		for _, short := range []string{"Kx7qvm", "Kx7qvmw"} { // 6 and 7 characters, which the form accepts
			change(strongPassword, short).want(t, 400, identity.CodePasswordPolicy)
		}
		if r := change(otherPassword, otherPassword).want(t, 400, identity.CodeWrongCredentials); len(r.Errors) != 1 ||
			r.Errors[0].Field != "old_password" {
			t.Errorf("errors %v", r.Errors)
		}
		w.clock.Advance(6 * time.Minute) // the pool's access token has expired by now, but not the session
		b.refresh().ok(t)
		w.clock.Advance(6 * time.Minute)
		b.bearer = ""
		keep := b.refresh().ok(t).IDToken
		b.bearer = keep
		change(strongPassword, otherPassword).ok(t)
		b.refresh().ok(t)
		other.refresh().want(t, 401, identity.CodeSessionExpired)
		w.browser(label).signIn(a.Username, strongPassword).want(t, 401, identity.CodeWrongCredentials)
		w.browser(label).signIn(a.Username, otherPassword).ok(t)
		stranger := user(w, strongPassword, false)
		mixed := w.browser(label)
		mixed.signIn(stranger.Username, strongPassword).ok(t)
		mixed.bearer = keep
		mixed.post("/auth/change-password", form{"old_password": strongPassword, "new_password": otherPassword}).want(t, 401,
			identity.CodeSessionExpired)
	})

	run("8-id-attempt-limit,8-id-attempts", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, false)
		live := w.browser(label)
		live.signIn(a.Username, strongPassword).ok(t)
		fewer := user(w, strongPassword, false)
		for i := range 4 {
			w.browser(label).signIn(fewer.Username, fmt.Sprint("Wrong-Password-", i)).want(t, 401, identity.CodeWrongCredentials)
		}
		w.browser(label).signIn(fewer.Username, strongPassword).ok(t) // the fifth attempt is allowed
		for i := range 5 {
			from := w.browser(label) // each attempt has another address
			from.signIn(a.Username, fmt.Sprint("Wrong-Password-", i)).want(t, 401, identity.CodeWrongCredentials)
		}
		b.signIn(a.Username, strongPassword).want(t, 429, identity.CodeAttempts)
		live.refresh().ok(t) // a lockout never ends a live session
		w.clock.Advance(15*time.Minute - time.Second)
		b.signIn(a.Username, strongPassword).want(t, 429, identity.CodeAttempts)
		w.clock.Advance(2 * time.Second)
		b.signIn(a.Username, strongPassword).ok(t)

		for range 5 { // codes are limited too
			b.post("/auth/confirm-forgot-password", form{"username": a.Username, "code": "000000", "new_password": otherPassword}).want(t, 400,
				identity.CodeCodeInvalid)
		}
		b.post("/auth/confirm-forgot-password", form{"username": a.Username, "code": "000000", "new_password": otherPassword}).want(t, 429,
			identity.CodeAttempts)

		for range 5 { // emails are limited for known and unknown users alike
			b.post("/auth/forgot-password", form{"username": a.Username}).ok(t)
			b.post("/auth/forgot-password", form{"username": "nobody." + a.Username}).ok(t)
		}
		b.post("/auth/forgot-password", form{"username": a.Username}).want(t, 429, identity.CodeAttempts)
		b.post("/auth/forgot-password", form{"username": "nobody." + a.Username}).want(t, 429, identity.CodeAttempts)

		many := w.browser(label) // a single address tries many names
		status := 0
		for i := range 100 {
			if status = many.signIn(fmt.Sprintf("guess.%d", i), strongPassword).Status; status == 429 {
				break
			}
		}
		if status != 429 {
			t.Error("the number of attempts per address is not limited")
		}
		w.browser(label).signIn(a.Username, strongPassword).ok(t)
	})

	run("7.7-sign-out-effect", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, false)
		b.signIn(a.Username, strongPassword).ok(t)
		kept := b.cookie
		out := b.post("/auth/sign-out", nil).ok(t)
		if out.Cookie == nil || out.Cookie.MaxAge >= 0 || out.Cookie.Value != "" || out.Cookie.Path != "/api/v0/auth" {
			t.Errorf("cookie %+v", out.Cookie)
		}
		b.cookie = kept
		b.refresh().want(t, 401, identity.CodeSessionExpired)
		b.post("/auth/sign-out", nil).ok(t)
	})

	run("7-bearer-token", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, false)
		first := b.signIn(a.Username, strongPassword).ok(t)
		w.clock.Advance(2 * time.Second)
		old := b.cookie
		second := b.refresh().ok(t)
		if second.IDToken == first.IDToken || b.cookie == old || second.session(t) != first.session(t) {
			t.Error("a refresh changes token and cookie, never the session")
		}
		tab := w.browser(label) // this tab refreshed at the same time, with the old cookie
		tab.cookie = old
		w.clock.Advance(29 * time.Second)
		if late := tab.refresh().ok(t); late.Cookie != nil || late.session(t).ID != first.session(t).ID {
			t.Errorf("late %+v", late)
		}
		b.refresh().ok(t)
		w.clock.Advance(31 * time.Second)
		tab.cookie = old // by now two generations old, so it counts as stolen
		tab.refresh().want(t, 401, identity.CodeSessionExpired)
		b.refresh().want(t, 401, identity.CodeSessionExpired)
		if !strings.Contains(w.log.String(), "used again") {
			t.Error("a replay is not logged")
		}
		if strings.Contains(w.log.String(), old) {
			t.Error("the log contains a cookie")
		}
	})

	run("7-bearer-token", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, false)
		w.log.Reset()
		first := b.signIn(a.Username, strongPassword).ok(t)
		held := b.cookie
		b.refresh().ok(t)
		lost := b.cookie // the response was lost, so the browser still has the previous cookie
		b.cookie = held
		w.clock.Advance(8 * time.Hour)
		second := b.refresh().ok(t)
		if second.Cookie == nil || b.cookie == held || b.cookie == lost || second.session(t).ID != first.session(t).ID {
			t.Errorf("a browser that got no answer is given another cookie: %+v", second)
		}
		if tab := w.browser(label); true { // a tab of the same browser with the previous cookie
			tab.cookie = held
			if late := tab.refresh().ok(t); late.Cookie != nil {
				t.Errorf("late %+v", late)
			}
		}
		b.refresh().ok(t)
		if strings.Contains(w.log.String(), "used again") {
			t.Error("a lost response was taken for a replay")
		}
		thief := w.browser(label)
		thief.cookie = held // the next cookie has been used
		thief.refresh().want(t, 401, identity.CodeSessionExpired)
		b.refresh().want(t, 401, identity.CodeSessionExpired)

		// A thief uses the previous cookie first; when the owner uses the newer cookie, the session ends for both.
		b.signIn(a.Username, strongPassword).ok(t)
		thief.cookie = b.cookie
		b.refresh().ok(t)
		w.clock.Advance(time.Hour)
		thief.refresh().ok(t)
		b.refresh().want(t, 401, identity.CodeSessionExpired)
		thief.refresh().want(t, 401, identity.CodeSessionExpired)

		// Changing the password counts as using the cookie.
		b.signIn(a.Username, strongPassword).ok(t)
		thief.cookie = b.cookie
		b.refresh().ok(t)
		before := b.cookie
		if changed := b.post("/auth/change-password", form{"old_password": strongPassword,
			"new_password": otherPassword}).ok(t); changed.Cookie == nil || b.cookie == before {
			t.Errorf("the cookie stays: %+v", changed)
		}
		w.clock.Advance(time.Minute)
		thief.refresh().want(t, 401, identity.CodeSessionExpired)
	})

	run("2.4-impersonator-refused,5.10-impersonator-prefix-reconcile,6-impersonator-attribute", func(t *testing.T, w *fixture, b *browser) {
		n++
		name := fmt.Sprintf("looker.%d", n)
		w.account(identity.Account{Label: label, Username: name, Role: identity.ImpersonatorRole}, strongPassword, false)
		// only the name looks like an impersonator's
		w.account(identity.Account{Label: label, Username: "impersonator_" + name}, strongPassword, false)
		b.signIn(name, strongPassword).want(t, 403, identity.CodeImpersonator)
		b.signIn(name, otherPassword).want(t, 401, identity.CodeWrongCredentials)
		b.signIn(" Impersonator_"+name, strongPassword).want(t, 403, identity.CodeImpersonator)
		b.signIn("impersonator_nobody", otherPassword).want(t, 403, identity.CodeImpersonator)
		if b.cookie != "" {
			t.Error("a session for an impersonator")
		}
		n++
		plain := w.account(identity.Account{Label: label, Username: fmt.Sprintf("looker.%d", n)}, strongPassword, false)
		b.signIn(plain.Username, strongPassword).ok(t) // this account has neither the attribute nor the prefix
	})

	run("7-bearer-invalid", func(t *testing.T, w *fixture, b *browser) {
		a := user(w, strongPassword, false)
		good := b.signIn(a.Username, strongPassword).ok(t).IDToken
		parts := strings.Split(good, ".")
		none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`))
		payload, err := base64.RawURLEncoding.DecodeString(parts[1])
		if err != nil {
			t.Fatal(err)
		}
		bad := form{"empty": "", "junk": "junk", "three dots": "a.b.c", "no signature": parts[0] + "." + parts[1] + ".", "alg none": none + "." +
			parts[1] + ".",
			"bare claims": string(payload), "long": strings.Repeat("a", 10000), "another's signature": forged(t, good)}
		for name, token := range bad {
			if _, err := w.Authenticate(t.Context(), w.labels[label], token); err == nil || problem.Of(err).Status != 401 ||
				problem.Of(err).Code != "unauthorized" {
				t.Errorf("%s: %v", name, err)
			}
		}
		for key, l := range w.labels {
			if _, err := w.Authenticate(t.Context(), l, good); (err == nil) != (key == label) {
				t.Errorf("a token of label %s at label %s: %v", label, key, err)
			}
		}
		renamed := *w.labels[label]
		renamed.Revision, renamed.Identity.ClientID = "2", "another-client"
		if _, err := w.Authenticate(t.Context(), &renamed, good); err == nil {
			t.Error("a token of another client is accepted")
		}
		w.clock.Advance(16 * time.Minute)
		if _, err := w.Authenticate(t.Context(), w.labels[label], good); err == nil {
			t.Error("an expired token is accepted")
		}
		b.bearer = good
		b.post("/auth/change-password", form{"old_password": "x", "new_password": "y"}).want(t, 401, "unauthorized")
	})
}

func atoi(s string) (n int) {
	_, _ = fmt.Sscan(s, &n)
	return n
}

// verified checks a token with only the label's JWKS, as another application would.
func verified(t *testing.T, w *fixture, label, token, username string) {
	t.Helper()
	raw, err := w.JWKS(t.Context(), w.labels[label])
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), `"d"`) {
		t.Fatal("the JWKS contains a private key")
	}
	set, err := jwk.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	tok, err := jwt.Parse([]byte(token), jwt.WithKeySet(set), jwt.WithClock(jwt.ClockFunc(w.clock.Now)))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"iss": "urn:wattle:" + label, "username": username, "is_impersonator": false}
	if w.labels[label].Identity.Provider == "cognito" {
		want = map[string]any{"iss": w.pool.Issuer(), "cognito:username": username}
	}
	for name, v := range want {
		var got any
		if err := tok.Get(name, &got); err != nil || got != v {
			t.Errorf("claim %s is %v %v, want %v", name, got, err, v)
		}
	}
	if aud, _ := tok.Audience(); len(aud) != 1 || aud[0] != w.labels[label].Identity.ClientID {
		t.Errorf("audience %v", aud)
	}
	if exp, ok := tok.Expiration(); !ok || !exp.After(w.clock.Now()) {
		t.Errorf("expiry %v", exp)
	}
}

// forged returns the same token with the same key id, signed with another key.
func forged(t *testing.T, token string) string {
	t.Helper()
	tok, err := jwt.ParseInsecure([]byte(token))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := jwk.Import(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := key.Set(jwk.KeyIDKey, "pool-key"); err != nil {
		t.Fatal(err)
	}
	signed, err := jwt.Sign(tok, jwt.WithKey(jwa.ES256(), key))
	if err != nil {
		t.Fatal(err)
	}
	return string(signed)
}
