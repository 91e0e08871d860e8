package identity_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// TestDisabledAccountsAndRevokedKeysLoseAccess checks that a disabled person or a revoked key loses access at once, including sessions,
// impersonations and tokens.
func TestDisabledAccountsAndRevokedKeysLoseAccess(t *testing.T) {
	eachFixture(t, func(t *testing.T, w *fixture) {
		t.Run("local", func(t *testing.T) { checkDisabling(t, w, "1024") })
		t.Run("cognito", func(t *testing.T) { checkDisabling(t, w, "1071") })
		t.Run("keys", func(t *testing.T) { checkRevokedKeys(t, w) })
	})
}

func checkDisabling(t *testing.T, w *fixture, key string) {
	w.T = t
	l := w.labels[key]
	sam := w.account(identity.Account{Label: key, Username: "sam", Name: "Sam Staf", Email: "sam@example.org", Role: identity.Staff},
		strongPassword, false)
	anna := w.account(identity.Account{Label: key, Username: "anna", Name: "Anna", Email: "anna@example.org",
		Relation: value.StableID(key, "relation", "10001")}, strongPassword, false)
	second := w.account(identity.Account{Label: key, Username: "anna.werk", Name: "Anna", Email: "anna@example.org", Relation: anna.Relation},
		strongPassword, false)
	out := func(t *testing.T, token, why string) {
		t.Helper()
		if _, err := w.Authenticate(t.Context(), l, token); err == nil || problem.Of(err).Status != http.StatusUnauthorized {
			t.Errorf("%s: %v", why, err)
		}
	}
	signedIn := func(t *testing.T, username string) *browser {
		t.Helper()
		b := w.browser(key)
		b.signIn(username, strongPassword).ok(t)
		if err := w.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Authenticate(t.Context(), l, b.bearer); err != nil { // caches the token
			t.Fatal(err)
		}
		return b
	}
	run := func(rows string, f func(t *testing.T)) {
		t.Run(rows, func(t *testing.T) { w.T = t; f(t) })
	}

	run("7.7-put-out,7.7-token-ends", func(t *testing.T) {
		b := signedIn(t, "sam")
		code, err := w.NewImpersonation(t.Context(), sam, anna.Relation)
		if err != nil {
			t.Fatal(err)
		}
		tab := w.browser(key)
		tab.post("/auth/impersonate", form{"code": code}).ok(t)
		waiting, err := w.NewImpersonation(t.Context(), sam, anna.Relation)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.ApplyToStaff(t.Context(), key, " SAM ", identity.Disable); err != nil {
			t.Fatal(err)
		}
		out(t, b.bearer, "staff that left works on")
		out(t, tab.bearer, "an impersonation by staff who left goes on")
		tab.post("/auth/impersonate", form{"code": waiting}).want(t, 400, identity.CodeImpersonation)
		b.refresh().want(t, 401, identity.CodeSessionExpired)
		b.signIn("sam", otherPassword).want(t, 401, identity.CodeWrongCredentials) // the same response as for a wrong password
		b.signIn("sam", strongPassword).want(t, 403, identity.CodePreLogin)
		if people := people(t, w, key); len(people) != 1 || !people[0].Disabled || people[0].Sessions != 0 {
			t.Errorf("%+v", people)
		}
		// No other response reveals it: the response for a forgotten password does not, and no email enables the account again.
		mails, calls := len(w.mails()), len(w.pool.Calls())
		b.post("/auth/forgot-password", form{"username": "sam"}).ok(t)
		if len(w.mails()) != mails {
			t.Error("a disabled account gets a code")
		}
		for _, c := range w.pool.Calls()[calls:] { // a pool mails its codes itself
			t.Errorf("the pool gets %s for a disabled account", c.Operation)
		}
		if err := w.ApplyToStaff(t.Context(), key, "sam", identity.Enable); err != nil {
			t.Fatal(err)
		}
		out(t, b.bearer, "a token of before is good again")
		later := signedIn(t, "sam")
		if people := people(t, w, key); len(people) != 1 || people[0].Disabled || people[0].Sessions != 1 || people[0].Used.IsZero() {
			t.Errorf("%+v", people)
		}
		if err := w.ApplyToStaff(t.Context(), key, "sam", identity.SignOut); err != nil {
			t.Fatal(err)
		}
		out(t, later.bearer, "signed out by the operator")
		signedIn(t, "sam")
		// The commands also apply to impersonators, but to no other accounts.
		mila := w.account(identity.Account{Label: key, Username: "mila", Name: "Mila", Role: identity.ImpersonatorRole}, strongPassword, false)
		look := func() *browser {
			code, err := w.NewImpersonation(t.Context(), mila, anna.Relation)
			if err != nil {
				t.Fatal(err)
			}
			b := w.browser(key)
			b.post("/auth/impersonate", form{"code": code, "referrer": "https://support.example"}).ok(t)
			return b
		}
		for _, what := range []identity.AccountAction{identity.SignOut, identity.Disable} {
			x := look()
			if err := w.ApplyToStaff(t.Context(), key, "mila", what); err != nil {
				t.Fatal(err)
			}
			out(t, x.bearer, "the impersonation of an impersonator goes on after "+string(what))
		}
		if _, err := w.NewImpersonation(t.Context(), mila, anna.Relation); err == nil {
			t.Error("a disabled impersonator impersonates")
		}
		if err := w.ApplyToStaff(t.Context(), key, "mila", identity.Enable); err != nil {
			t.Fatal(err)
		}
		look()
		for _, nobody := range []string{"anna", "nobody", ""} {
			if err := w.ApplyToStaff(t.Context(), key, nobody, identity.Disable); problem.Of(err).Status != http.StatusNotFound {
				t.Errorf("%q: %v", nobody, err)
			}
		}
	})

	run("7.7-put-out", func(t *testing.T) {
		secret, err := w.AddKey(t.Context(), key, "ERP")
		if err != nil {
			t.Fatal(err)
		}
		erp, one, two := w.browser(key), signedIn(t, "anna"), signedIn(t, "anna.werk")
		erp.bearer = secret
		done := erp.post("/staff/accounts/disable", form{"debtor_number": " 10001 "}).ok(t)
		if names, _ := done.Fields["usernames"].([]any); len(names) != 2 || !slices.Contains(names, any("anna")) ||
			!slices.Contains(names, any("anna.werk")) {
			t.Errorf("%v", done.Fields)
		}
		out(t, one.bearer, "the session of a disabled customer goes on")
		out(t, two.bearer, "the session of the second account of a disabled customer goes on")
		one.signIn("anna", otherPassword).want(t, 401, identity.CodeWrongCredentials)
		one.signIn("anna", strongPassword).want(t, 403, identity.CodePreLogin)
		if _, err := w.NewImpersonation(t.Context(), sam, anna.Relation); err == nil {
			t.Error("a disabled account is impersonated")
		}
		erp.post("/staff/accounts/enable", form{"username": "anna"}).ok(t)
		one = signedIn(t, "anna")
		two.signIn("anna.werk", strongPassword).want(t, 403, identity.CodePreLogin)
		erp.post("/staff/accounts/sign-out", form{"username": "ANNA"}).ok(t)
		out(t, one.bearer, "signed out by the back office")
		for _, bad := range []form{{}, {"username": "anna", "debtor_number": "10001"}} {
			erp.post("/staff/accounts/disable", bad).want(t, 400, problem.CodeInvalid)
		}
		erp.post("/staff/accounts/disable", form{"username": "nobody"}).want(t, 404, problem.CodeNotFound)
		erp.post("/staff/accounts/disable", form{"debtor_number": "404"}).want(t, 404, problem.CodeNotFound)

		colleague := signedIn(t, "sam")
		colleague.post("/staff/accounts/sign-out", form{"username": "anna"}).ok(t)
		colleague.post("/staff/accounts/disable", form{"username": "anna"}).ok(t)
		one.signIn("anna", strongPassword).want(t, 403, identity.CodePreLogin)
		colleague.post("/staff/accounts/enable", form{"username": "anna"}).ok(t)
		for _, what := range []string{"disable", "enable", "sign-out"} { // staff may do this only to customers
			for _, other := range []string{"sam", "mila"} {
				colleague.post("/staff/accounts/"+what, form{"username": other}).want(t, 403, problem.CodeForbidden)
			}
		}
		erp.post("/staff/accounts/disable", form{"username": "sam"}).ok(t)
		out(t, colleague.bearer, "staff that the back office put out works on")
		erp.post("/staff/accounts/enable", form{"username": "sam"}).ok(t)

		var logged []audit.Entry
		if err := w.db.Read().NewSelect().Model(&logged).Where("label_key = ? AND action LIKE 'access.%'",
			key).OrderExpr("seq").Scan(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range logged {
			got = append(got, strings.Join([]string{e.Action, e.Role, e.Name, map[string]string{sam.ID: "sam", anna.ID: "anna",
				second.ID: "anna.werk", value.StableID(key, "account", "mila"): "mila"}[e.Target]}, " "))
		}
		want := []string{"access.disabled key wattle sam", "access.enabled key wattle sam", "access.ended key wattle sam",
			"access.ended key wattle mila", "access.disabled key wattle mila", "access.enabled key wattle mila",
			"access.disabled key ERP anna", "access.disabled key ERP anna.werk", "access.enabled key ERP anna", "access.ended key ERP anna",
			"access.ended staff Sam Staf anna", "access.disabled staff Sam Staf anna", "access.enabled staff Sam Staf anna",
			"access.disabled key ERP sam", "access.enabled key ERP sam"}
		slices.Sort(got[6:8]) // these entries have the same time
		if !slices.Equal(got, want) {
			t.Errorf("the log contains %q, want %q", got, want)
		}

		asleep := w.account(identity.Account{Label: key, Username: "asleep", Email: "asleep@example.org"}, strongPassword, true)
		for _, what := range []string{"enable", "disable", "enable"} {
			erp.post("/staff/accounts/"+what, form{"username": "asleep"}).ok(t)
			mails := len(w.mails())
			woken := w.browser(key).post("/accounts/"+asleep.ID+"/reactivate", form{}).ok(t).Fields["reactivated"]
			if mailed := len(w.mails()) > mails; woken != (what == "enable") || mailed != (what == "enable") {
				t.Errorf("a temporary password after %s: %v, mailed: %v", what, woken, mailed)
			}
		}
	})

	run("7.7-put-out-import", func(t *testing.T) {
		b := signedIn(t, "anna")
		take := func(lines ...string) {
			t.Helper()
			if refused, err := w.Import(system(t.Context(), key), "account", rows(lines...)); err != nil || len(refused) > 0 {
				t.Fatal(refused, err)
			}
		}
		take(`{"username":"anna","email":"anna@example.org","debtor_number":"10001","disabled":false}`,
			`{"username":"anna","debtor_number":10001}`)
		if _, err := w.Authenticate(t.Context(), l, b.bearer); err != nil {
			t.Error("an import that disables nobody ends a session")
		}
		take(`{"username":"anna","email":"anna@example.org","name":"Anna","debtor_number":"10001","disabled":"true"}`,
			`{"username":"nieuw","email":"n@example.org","debtor_number":"10009","password":"Correct-Horse-7","disabled":true}`)
		out(t, b.bearer, "an account that an import shut goes on")
		b.signIn("anna", strongPassword).want(t, 403, identity.CodePreLogin)
		b.signIn("nieuw", strongPassword).want(t, 403, identity.CodePreLogin)
		take(`{"username":"anna","email":"anna@example.org","debtor_number":"10001","disabled":""}`) // unchanged
		b.signIn("anna", strongPassword).want(t, 403, identity.CodePreLogin)
		take(`{"username":"anna","email":"anna@example.org","debtor_number":"10001","disabled":false}`)
		b.signIn("anna", strongPassword).ok(t)

		// A record changes only the fields that it contains.
		is := func(relation, want string) {
			t.Helper()
			me := b.call(http.MethodGet, "/accounts/by-relation/"+relation, nil).ok(t).Fields
			if got := fmt.Sprint(me["email"], " ", me["name"], " ", me["locale"]); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
		take(`{"username":"bea","email":"bea@example.org","name":"Bea","locale":"en","debtor_number":"10011"}`)
		bea := value.StableID(key, "relation", "10011")
		take(`{"username":"bea","disabled":true}`)
		if found, err := w.Import(system(t.Context(), key), "account", rows(`{"username":"nobody","disabled":true}`)); err != nil ||
			len(found) != 1 || found[0].Field != "debtor_number" {
			t.Error("a record with only disabled makes an account", found, err)
		}
		take(`{"username":"bea","disabled":false}`, `{"username":"bea","debtor_number":"10011","disabled":"false","email":null}`)
		is(bea, "bea@example.org Bea en")
		take(`{"username":"bea","name":"Bea B","disabled":false}`)
		is(bea, "bea@example.org Bea B en")
		take(`{"username":"bea","email":"","locale":"nl"}`) // an empty field is not a missing one
		is(bea, " Bea B nl")

		// 9-account-preferred: the session contains the preferred name; a record without it keeps it, and an empty one erases it.
		preferred := func(want string, inAnswer bool) {
			t.Helper()
			x := w.browser(key)
			for name, a := range map[string]answer{"sign-in": x.signIn("cor", strongPassword).ok(t), "refresh": x.refresh().ok(t)} {
				got, has := a.Fields["session"].(map[string]any)["preferred_name"]
				if a.session(t).Preferred != want || has != inAnswer {
					t.Errorf("9-account-preferred: %s: got %v, want %q", name, got, want)
				}
			}
		}
		take(`{"username":"cor","name":"C.P. Bos","debtor_number":"10012","password":"Correct-Horse-7"}`)
		preferred("", false)
		longest := strings.Repeat("x", 100)
		take(fmt.Sprintf(`{"username":"cor","preferred_name":%q}`, longest))
		preferred(longest, true)
		take(`{"username":"cor","preferred_name":" Cor "}`)
		preferred("Cor", true)
		take(`{"username":"cor","name":"C. Bos"}`)
		preferred("Cor", true)
		take(`{"username":"cor","preferred_name":""}`)
		preferred("", false)
		tooLong := fmt.Sprintf(`{"username":"cor","preferred_name":%q}`, strings.Repeat("x", 101))
		if found, err := w.Import(system(t.Context(), key), "account", rows(tooLong)); err != nil || len(found) != 1 ||
			found[0].Field != "preferred_name" {
			t.Error("9-account-preferred: a name that is too long", found, err)
		}
		if err := w.Handle(system(t.Context(), key), w.event("account.username_processed",
			form{"account": value.StableID(key, "account", "bea"), "username": "bea.b"})); err != nil {
			t.Fatal(err)
		}
		take(`{"username":"bea","debtor_number":"10011","disabled":true}`) // the back office identifies the account by its debtor number
		is(bea, " Bea B nl")
	})
}

func people(t *testing.T, w *fixture, key string) []identity.Person {
	t.Helper()
	out, err := w.People(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func checkRevokedKeys(t *testing.T, w *fixture) {
	t.Run("7.7-key-end", func(t *testing.T) {
		w.T = t
		l := w.labels["1024"]
		customer, err := w.Upsert(t.Context(), identity.Account{Label: "1024", Username: "klant", Relation: "r1", Role: identity.Customer}, "",
			false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Upsert(t.Context(), identity.Account{Label: "1024", Username: "mila", Name: "Mila", Role: identity.ImpersonatorRole}, "",
			false); err != nil {
			t.Fatal(err)
		}
		last := w.clock.Now().Add(24 * time.Hour)
		secret, err := w.MakeKey(t.Context(), "1024", identity.Key{Name: "tool", Scopes: []string{"impersonate"}, Expires: last})
		if err != nil {
			t.Fatal(err)
		}
		tool := w.browser("1024")
		tool.bearer = secret
		look := func() *browser {
			code, _ := tool.post("/staff/impersonations", form{"relation": customer.Relation, "impersonator": "mila"}).ok(t).Fields["code"].(string)
			tab := w.browser("1024")
			tab.post("/auth/impersonate", form{"code": code, "referrer": "https://support.example"}).ok(t)
			if err := w.Poll(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Authenticate(t.Context(), l, tab.bearer); err != nil {
				t.Fatal(err)
			}
			return tab
		}
		tab := look()
		list, err := w.Keys(t.Context(), "1024")
		i := slices.IndexFunc(list, func(k identity.Key) bool { return k.Name == "tool" })
		if err != nil || i < 0 || list[i].Used.IsZero() || !list[i].Expires.Equal(last.Truncate(time.Microsecond)) ||
			!slices.Equal(list[i].Scopes, []string{"impersonate"}) {
			t.Errorf("%+v %v", list, err)
		}
		other, err := w.MakeKey(t.Context(), "1024", identity.Key{Name: "other tool", Scopes: []string{"impersonate"}})
		if err != nil {
			t.Fatal(err)
		}
		revoked := secret
		tool.bearer = other
		kept, far := look(), w.replica()
		refused := func(secret, why string) {
			t.Helper()
			for _, s := range []*identity.Service{w.Service, far.Service} { // access ends with the next request on every replica
				if _, err := s.AuthenticateKey(t.Context(), l, secret); err == nil || problem.Of(err).Status != http.StatusUnauthorized {
					t.Error(why, err)
				}
			}
		}
		good := func(secret, why string) {
			t.Helper()
			for _, s := range []*identity.Service{w.Service, far.Service} {
				if _, err := s.AuthenticateKey(t.Context(), l, secret); err != nil {
					t.Error(why, err)
				}
			}
		}
		good(revoked, "before it is revoked")
		if err := w.RevokeKey(t.Context(), "1024", "tool"); err != nil {
			t.Fatal(err)
		}
		refused(revoked, "a revoked key works")
		good(other, "the other key")
		if _, err := w.Authenticate(t.Context(), l, tab.bearer); err == nil {
			t.Error("an impersonation continues after the key that started it was revoked")
		}
		if _, err := w.Authenticate(t.Context(), l, kept.bearer); err != nil {
			t.Error("an impersonation ends with the key of another tool", err)
		}
		if err := w.RevokeKey(t.Context(), "1024", "tool"); problem.Of(err).Status != http.StatusNotFound {
			t.Error(err)
		}
		if secret, err = w.MakeKey(t.Context(), "1024", identity.Key{Name: "tool", Scopes: []string{"impersonate"}, Expires: last}); err != nil {
			t.Fatal(err)
		}
		replaced := secret
		if secret, err = w.MakeKey(t.Context(), "1024", identity.Key{Name: "tool", Scopes: []string{"impersonate"}, Expires: last}); err != nil {
			t.Fatal(err)
		}
		refused(replaced, "a key works after another one of its name was made")
		w.clock.Advance(last.Sub(w.clock.Now()) - time.Second)
		good(secret, "on its last day")
		w.clock.Advance(time.Second)
		refused(secret, "a key works after it expired")
		good(other, "a key without a last day")
		for _, bad := range []identity.Key{{Name: "x", Scopes: []string{"*"}, Expires: last}, {Name: "x"},
			{Name: "wattle", Scopes: []string{"*"}}, {Name: "auto", Scopes: []string{"*"}}} {
			if _, err := w.MakeKey(t.Context(), "1024", bad); err == nil {
				t.Errorf("%+v", bad)
			}
		}
	})
}

// A relation whose oldest account is disabled is represented by its next account.
func TestDisabledAccountOfRelation(t *testing.T) {
	eachFixture(t, func(t *testing.T, w *fixture) {
		t.Run("7.7-put-out", func(t *testing.T) {
			w.T = t
			sam := w.account(identity.Account{Label: "1024", Username: "sam", Role: identity.Staff}, strongPassword, false)
			one := w.account(identity.Account{Label: "1024", Username: "anna", Relation: "r1"}, strongPassword, false)
			w.clock.Advance(time.Second)
			two := w.account(identity.Account{Label: "1024", Username: "anna.werk", Relation: "r1"}, strongPassword, false)
			b := w.browser("1024")
			is := func(want string) {
				t.Helper()
				var of []struct{ Username string }
				b.call(http.MethodPost, "/accounts/of-relations", map[string][]string{"relations": {"r1"}}).ok(t).list(t, &of)
				got := b.call(http.MethodGet, "/accounts/by-relation/r1", nil).ok(t).Fields["username"]
				if got != want || len(of) != 1 || of[0].Username != want {
					t.Errorf("got %v and %v, want %s", got, of, want)
				}
			}
			disable := func(a identity.Account, disabled bool) {
				t.Helper()
				if refused, err := w.Import(system(t.Context(), "1024"), "account",
					rows(fmt.Sprintf(`{"username":%q,"disabled":%v}`, a.Username, disabled))); err != nil || len(refused) > 0 {
					t.Fatal(refused, err)
				}
			}
			is("anna")
			disable(one, true)
			is("anna.werk")
			if _, err := w.NewImpersonation(t.Context(), sam, "r1"); err != nil {
				t.Error(err)
			}
			disable(two, true)
			is("anna") // the relation has no other account
			disable(one, false)
			is("anna")
		})
	})
}
