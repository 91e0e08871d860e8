package identity_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwt"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/problem"
)

// TestImpersonation tests a label of each provider on both database engines: labels with a pool also have impersonators.
func TestImpersonation(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for _, key := range []string{"1024", "1071"} {
			w := newFixture(t, s)
			w.labels = labels{key: w.labels[key], "1025": w.labels["1025"]}
			w.deps.Labels = w.labels
			w.serve()
			t.Run(w.labels[key].Identity.Provider, func(t *testing.T) { impersonate(t, w, key) })
		}
	})
}

func impersonate(t *testing.T, w *fixture, key string) {
	w.T = t
	l := w.labels[key]
	customer := w.account(identity.Account{Label: key, Username: "anna", Name: "Anna de Wit", Email: "anna@example.org"}, strongPassword,
		false)
	looker := w.account(identity.Account{Label: key, Username: "impersonator_mila", Name: "Mila Kijker", Role: identity.ImpersonatorRole},
		strongPassword, false)
	staff := w.account(identity.Account{Label: key, Username: "sam", Name: "Sam Staf", Role: identity.Staff}, strongPassword, false)

	t.Run("6-impersonator-acts-for,5.10-impersonator-prefix,6-impersonator-attribute", func(t *testing.T) {
		w.T = t
		b := w.browser(key)
		b.signIn("sam", strongPassword).ok(t)
		start := b.post("/staff/impersonations", form{"username": " ANNA "}).ok(t)
		code, _ := start.Fields["code"].(string)
		if path, _ := start.Fields["path"].(string); path != "/#impersonate="+code || start.Fields["expires_in"] != 60.0 {
			t.Errorf("answer %v", start.Fields)
		}
		tab := w.browser(key)
		in := tab.post("/auth/impersonate", form{"code": code}).ok(t)
		if in.Cookie != nil || in.ExpiresIn != 30*60 {
			t.Errorf("cookie %v, expires in %d", in.Cookie, in.ExpiresIn)
		}
		x := in.session(t)
		if x.Role != "customer" || x.Name != "Anna de Wit" || x.Username != "impersonator_sam" || x.Relation != customer.Relation ||
			x.Impersonator == nil || x.Impersonator.Name != "Sam Staf" ||
			x.Impersonator.Until.Sub(w.clock.Now()).Round(time.Minute) != 30*time.Minute {
			t.Errorf("session %+v", x)
		}
		c, err := w.Authenticate(t.Context(), l, in.IDToken)
		if err != nil || c.Subject != customer.ID || c.Relation != customer.Relation || c.Actor != staff.ID || c.ActorName != "Sam Staf" ||
			c.Username != "impersonator_sam" || !c.ReadOnly || c.Role != scope.RoleCustomer || c.Info().Impersonator.Name != "Sam Staf" {
			t.Errorf("claims %+v %v", c, err)
		}
		raw, err := jwt.ParseInsecure([]byte(in.IDToken))
		if err != nil {
			t.Fatal(err)
		}
		var attribute bool
		if err := raw.Get("is_impersonator", &attribute); err != nil || !attribute {
			t.Errorf("the attribute is_impersonator in the token is %v %v", attribute, err)
		}
		if me := tab.call(http.MethodGet, "/accounts/me", nil).ok(t); me.Fields["id"] != customer.ID || me.Fields["username"] != "anna" {
			t.Errorf("an impersonator's account is %v", me.Fields)
		}
		for _, log := range []string{"impersonation started", staff.ID, customer.ID} {
			if !strings.Contains(w.log.String(), log) {
				t.Errorf("the log lacks %q", log)
			}
		}
		if strings.Contains(w.log.String(), code) {
			t.Error("the log contains the code")
		}
		tab.post("/auth/impersonate", form{"code": code}).want(t, 400, identity.CodeImpersonation) // a code works once
		tab.refresh().want(t, 204, "")                                                             // the response set no cookie
		w.clock.Advance(30*time.Minute + time.Second)
		if _, err := w.Authenticate(t.Context(), l, in.IDToken); err == nil {
			t.Error("the impersonation continues after 30 minutes")
		}
	})

	t.Run("6-impersonator-api", func(t *testing.T) {
		w.T = t
		code, err := w.NewImpersonation(t.Context(), looker, customer.Relation)
		if err != nil {
			t.Fatal(err)
		}
		tab := w.browser(key)
		tab.post("/auth/impersonate", form{"code": code}).ok(t)
		tab.call(http.MethodDelete, "/accounts/me/reserved-username", nil).want(t, 403, problem.CodeReadOnly) // the write is refused
		if l.Identity.Provider == "local" {
			tab.call(http.MethodPut, "/accounts/me/reserved-username", form{"username": "anna.new"}).want(t, 403, problem.CodeReadOnly)
		}
		tab.post("/staff/impersonations", form{"username": "anna"}).want(t, 403, identity.CodeImpersonator)
	})

	t.Run("6-impersonator-start", func(t *testing.T) {
		w.T = t
		secret, err := w.AddKey(t.Context(), key, "support tool")
		if err != nil {
			t.Fatal(err)
		}
		tool := w.browser(key)
		tool.bearer = secret
		code := func(body form) string {
			c, _ := tool.post("/staff/impersonations", body).ok(t).Fields["code"].(string)
			return c
		}
		use := func(code, referrer string) answer {
			return w.browser(key).post("/auth/impersonate", form{"code": code, "referrer": referrer})
		}
		by := form{"relation": customer.Relation, "impersonator": "Mila"}
		use(code(by), "https://support.example/tickets/1").ok(t)
		for _, from := range []string{"", "https://evil.example/", "https://support.example.evil.example/", "http://support.example/", "http://" +
			key + ".localhost/", "junk"} {
			c := code(by)
			use(c, from).want(t, 403, identity.CodeReferrer)
			use(c, "https://support.example").want(t, 400, identity.CodeImpersonation) // the refusal has used up the code
		}
		use(code(by), "https://mijn.wind.example/staff/customers").ok(t) // the portal's own staff pages are always allowed
		use(code(by), "http://"+key+".localhost:8080/staff").ok(t)
		use(code(by), "http://"+key+".localhost:8080/staffroom").want(t, 403, identity.CodeReferrer)
		tool.post("/staff/impersonations", form{"username": "anna", "impersonator": "sam"}).want(t, 403, identity.CodeImpersonator)
		tool.post("/staff/impersonations", form{"username": "anna", "impersonator": "nobody"}).want(t, 403, identity.CodeImpersonator)
		tool.post("/staff/impersonations", form{"username": "anna"}).want(t, 403, identity.CodeImpersonator)
		tool.post("/staff/impersonations", form{"username": "nobody", "impersonator": "mila"}).want(t, 404, problem.CodeNotFound)
		tool.post("/staff/impersonations", form{"username": "sam", "impersonator": "mila"}).want(t, 403, identity.CodeImpersonator)
	})

	t.Run("5.10-impersonator-prefix-reconcile", func(t *testing.T) {
		w.T = t
		code := func() string {
			c, err := w.NewImpersonation(t.Context(), staff, customer.Relation)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		late := code()
		w.clock.Advance(61 * time.Second)
		b := w.browser(key)
		b.post("/auth/impersonate", form{"code": late}).want(t, 400, identity.CodeImpersonation)
		b.post("/auth/impersonate", form{"code": ""}).want(t, 400, identity.CodeEmptyCode)
		b.post("/auth/impersonate", form{"code": "junk"}).want(t, 400, identity.CodeImpersonation)
		w.browser("1025").post("/auth/impersonate", form{"code": code()}).want(t, 400, identity.CodeImpersonation)
		own := w.browser(key).post("/auth/impersonate", form{"code": code(), "referrer": "http://" + key + ".localhost:8080/staff"}).ok(t)
		w.browser(key).post("/auth/impersonate", form{"code": code(), "referrer": "https://evil.example/"}).want(t, 403, identity.CodeReferrer)
		if _, err := w.Authenticate(t.Context(), w.labels["1025"], own.IDToken); err == nil {
			t.Error("another label accepts the code")
		}
		if _, err := w.NewImpersonation(t.Context(), customer, customer.Relation); err == nil {
			t.Error("a customer impersonates")
		}
	})

	t.Run("the audit log contains every impersonation: made, used, refused and why", func(t *testing.T) {
		w.T = t
		made := map[string]int{}
		var rows []audit.Entry
		if err := w.db.Read().NewSelect().Model(&rows).Where("label_key = ?", key).OrderExpr("seq").Scan(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, e := range rows {
			made[strings.TrimSuffix(e.Action+" "+e.Role+" "+e.Reason, " ")]++
			if e.Action == audit.ImpersonationUsed && (e.Relation != customer.Relation || e.Name == "" ||
				e.Until.Sub(e.At).Round(time.Minute) != 30*time.Minute || e.Target == "") {
				t.Errorf("%+v", e)
			}
		}
		want := map[string]int{
			"impersonation.made staff": 5, "impersonation.made impersonator": 11,
			"impersonation.used staff": 2, "impersonation.used impersonator": 4,
			"impersonation.refused staff used_before": 1, "impersonation.refused staff expired": 1, "impersonation.refused staff wrong_referrer": 1,
			"impersonation.refused impersonator used_before": 6, "impersonation.refused impersonator wrong_referrer": 7,
			"impersonation.refused impersonator not_allowed": 1, "impersonation.refused key not_allowed": 3,
			"impersonation.refused customer not_allowed": 1,
		}
		if !maps.Equal(made, want) {
			t.Errorf("the log contains %v, want %v", made, want)
		}
		if _, flaws, err := w.deps.Audit.Verify(t.Context(), key); err != nil || len(flaws) > 0 {
			t.Error(flaws, err)
		}
	})

	t.Run("demo", func(t *testing.T) {
		w.T = t
		dev := func() *httptest.ResponseRecorder {
			r := httptest.NewRequest("GET", "/dev/impersonate?username=anna", nil)
			rw := httptest.NewRecorder()
			w.DemoImpersonation().ServeHTTP(rw, r.WithContext(label.With(r.Context(), l)))
			return rw
		}
		if dev().Code != 404 {
			t.Error("outside the demo anybody may impersonate")
		}
		w.deps.Demo = true
		w.serve()
		rw := dev()
		_, code, _ := strings.Cut(rw.Header().Get("Location"), "#impersonate=")
		if rw.Code != 303 || w.browser(key).post("/auth/impersonate", form{"code": code}).ok(t).session(t).Username != "impersonator_mila" {
			t.Errorf("%d %v", rw.Code, rw.Header())
		}
		plain := w.browser(key)
		if c := plain.signIn("anna", strongPassword).ok(t).Cookie; c.Secure {
			t.Error("the demo over plain http needs a cookie without the attribute Secure")
		}
		plain.https = true
		if c := plain.refresh().ok(t).Cookie; !c.Secure {
			t.Error("the demo over https sets a cookie without the attribute Secure")
		}
	})
}
