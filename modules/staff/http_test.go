package staff_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/address"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/move"
	"github.com/wattle-portal/wattle/modules/onboarding"
	"github.com/wattle-portal/wattle/modules/staff"
	"github.com/wattle-portal/wattle/test/fixture"
)

// office is a portal with staff of label alpha.
type office struct {
	*fixture.Customers
	bearer string
}

func (o *office) ask(method, path string, body any) portaltest.Answer {
	return o.Do(portaltest.Call{Method: method, Path: path, Bearer: o.bearer, Body: body})
}

func (o *office) get(t *testing.T, path string) (out fixture.Object) {
	t.Helper()
	a := o.ask(http.MethodGet, path, nil)
	require.Equal(t, http.StatusOK, a.Status, "%s: %s", path, a.Body)
	a.JSON(t, &out)
	return out
}

func (o *office) items(t *testing.T, path string) (out []fixture.Object) {
	t.Helper()
	for _, i := range o.get(t, path)["items"].([]any) {
		out = append(out, i.(fixture.Object))
	}
	return out
}

// log returns entries of the audit log.
func (o *office) log(t *testing.T, query string) []fixture.Object {
	t.Helper()
	return o.items(t, "/staff/audit?"+query)
}

// pending waits for a customer's pending change request of a kind.
func (o *office) pending(t *testing.T, c fixture.Customer, kind string) (found fixture.Object) {
	t.Helper()
	o.Portal.Eventually(func() bool {
		for _, change := range o.items(t, "/staff/changes?state=PENDING&kind="+kind+"&limit=200") {
			if change["relation"] == c.Relation {
				found = change
			}
		}
		return found != nil
	})
	return found
}

func (o *office) decide(t *testing.T, id any, state, reason string) portaltest.Answer {
	t.Helper()
	return o.ask(http.MethodPost, fmt.Sprintf("/staff/changes/%s/decision", id), fixture.Object{"state": state, "reason": reason})
}

func TestStaff(t *testing.T) {
	t.Parallel()
	portaltest.Each(t, portaltest.Options{
		Modules: []module.Module{account.Module, address.Module, billing.Module, move.Module, onboarding.Module, staff.Module},
		Labels: []portaltest.Label{
			{Key: "alpha", CUE: "modules: onboarding: registration: true\nmodules: staff: page_size: 3\nimpersonation: referrers: [\"https://support.example\"]"},
			{Key: "beta", Kind: portaltest.Participants},
		},
	}, func(t *testing.T, s *portaltest.Portal) {
		o := &office{&fixture.Customers{Portal: s, T: t}, s.Staff("alpha").Bearer}
		t.Run("search", func(t *testing.T) { testSearch(t, o) })
		t.Run("access to a customer", func(t *testing.T) { testAccess(t, o) })
		t.Run("customers that staff opened last", func(t *testing.T) { testRecent(t, o) })
		t.Run("impersonation", func(t *testing.T) { testImpersonation(t, o) })
		t.Run("referrers", func(t *testing.T) { testReferrers(t, o) })
		t.Run("changes", func(t *testing.T) { testChangeRequests(t, o) })
		t.Run("applications", func(t *testing.T) { testApplications(t, o) })
		t.Run("writes are logged", func(t *testing.T) { testAuditLog(t, o) })
		t.Run("the audit log is complete", func(t *testing.T) {
			entries, flaws := s.VerifyAudit()
			assert.Greater(t, entries, 30)
			assert.Empty(t, flaws)
		})
		t.Run("without the audit log every call fails", func(t *testing.T) { testWithoutAuditLog(t, o) })
	})
}

func testWithoutAuditLog(t *testing.T, o *office) {
	c := o.New()
	_, err := o.DB().ExecContext(t.Context(), "ALTER TABLE audit RENAME TO audit_away")
	require.NoError(t, err)
	a := o.ask(http.MethodGet, "/staff/customers/"+c.Relation, nil)
	assert.Equal(t, http.StatusServiceUnavailable, a.Status)
	assert.NotContains(t, string(a.Body), "Boer")
	a = o.ask(http.MethodPost, "/staff/webhooks", fixture.Object{"url": "https://erp.example/x"})
	assert.Equal(t, []any{503, "unavailable"}, []any{a.Status, a.Code()})
	a = o.ask(http.MethodPost, "/staff/impersonations", fixture.Object{"relation": c.Relation})
	assert.Equal(t, http.StatusInternalServerError, a.Status)
	assert.NotContains(t, string(a.Body), "impersonate=")
	require.Equal(t, http.StatusOK, c.Put(t, "/relations/phonenumber", "phone_number", "0687654321").Status, "customers can still write")
	id := o.pending(t, c, "account.phone")["id"]
	require.Equal(t, http.StatusOK, o.decide(t, id, module.Processed, "").Status, "the module decides, then the ledger")
	_, err = o.DB().ExecContext(t.Context(), "ALTER TABLE audit_away RENAME TO audit")
	require.NoError(t, err)
	assert.NotContains(t, string(o.ask(http.MethodGet, "/staff/webhooks", nil).Body), "erp.example/x")
	o.Portal.Eventually(func() bool { return len(o.log(t, "relation="+c.Relation+"&action=change.processed")) == 1 })
	_, flaws := o.VerifyAudit()
	assert.Empty(t, flaws)
}

// person returns a relation record with a name.
func person(debtor, initials, prefix, last, email string) fixture.Object {
	return fixture.Object{"debtor_number": debtor, "salutation": "MR", "initials": initials, "prefix": prefix, "last_name": last,
		"email":     email,
		"addresses": []fixture.Object{{"address_type": "SHIPPING", "city": "Grootegast"}, {"address_type": "INVOICE", "city": "Assen"}}}
}

// testAccess opens a customer, who then sees the access.
func testAccess(t *testing.T, o *office) {
	c := o.New()
	about := "relation=" + c.Relation
	before := len(o.log(t, "action=staff.customers_searched"))
	o.found(t, fixture.Object{"q": c.Debtor})
	assert.Empty(t, o.log(t, about), "a search is not logged for a customer")
	searches := o.log(t, "action=staff.customers_searched")
	require.Len(t, searches, before+1)
	assert.Equal(t, "number", searches[0]["kind"])
	assert.NotContains(t, fmt.Sprint(searches), c.Debtor, "the search text is not logged")

	one := o.get(t, "/staff/customers/"+c.Relation)
	assert.Equal(t, []any{c.Debtor, "F.A. de Boer", "Bakkerij Ouwehand", "2016-03-14", "Amsterdam", c.Username, true},
		[]any{one["debtor_number"], one["name"], one["company"], one["relation_since"], one["place"], one["username"], one["may_impersonate"]})
	assert.Len(t, one["addresses"], 2)
	assert.NotContains(t, fmt.Sprint(one), "NL38WATT0000001117", "without the bank account")
	seen := o.log(t, about)
	require.Len(t, seen, 1)
	assert.Equal(t, []any{"staff.customer_viewed", "staff", "Mede Werker"}, []any{seen[0]["action"], seen[0]["role"], seen[0]["name"]})

	own := c.Get(t, "/account/access-log")["items"].([]any)
	require.Len(t, own, 1)
	delete(own[0].(fixture.Object), "at")
	assert.Equal(t, fixture.Object{"who": "staff", "name": "Mede Werker", "what": "staff.customer_viewed"}, own[0])
	assert.Empty(t, o.New().Get(t, "/account/access-log")["items"], "another customer")

	for _, id := range []string{"nobody", account.RelationID("beta", c.Debtor)} {
		assert.Equal(t, http.StatusNotFound, o.ask(http.MethodGet, "/staff/customers/"+id, nil).Status)
		assert.Empty(t, o.log(t, "relation="+id), "no access")
	}
	a := o.Do(portaltest.Call{Host: "beta.localhost", Path: "/staff/customers/" + c.Relation, Bearer: o.Staff("beta").Bearer})
	assert.Equal(t, http.StatusNotFound, a.Status, "a customer of another label")
}

// session exchanges a code for a session.
func (o *office) session(t *testing.T, path, referrer string) portaltest.Answer {
	t.Helper()
	code, ok := strings.CutPrefix(path, "/#impersonate=")
	require.True(t, ok, path)
	return o.Do(portaltest.Call{Method: http.MethodPost, Path: "/auth/impersonate", Body: fixture.Object{"code": code, "referrer": referrer}})
}

func (o *office) start(t *testing.T, bearer string, body fixture.Object) fixture.Object {
	t.Helper()
	a := o.Do(portaltest.Call{Method: http.MethodPost, Path: "/staff/impersonations", Bearer: bearer, Body: body})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	var out fixture.Object
	a.JSON(t, &out)
	return out
}

func testImpersonation(t *testing.T, o *office) {
	t.Run("6-staff-start-impersonation", func(t *testing.T) {
		c := o.New()
		for _, q := range []string{c.Debtor, "fenna@voorbeeld.example", "de Boer"} { // debtor number, email, name
			found := false
			for search := (fixture.Object{"q": q}); search["after"] != ""; {
				out := o.found(t, search)
				search["after"] = out.Next
				found = found || slices.ContainsFunc(out.Items, func(i fixture.Object) bool { return i["relation"] == c.Relation })
			}
			assert.True(t, found, q)
		}
		begun := o.start(t, o.bearer, fixture.Object{"relation": c.Relation})
		assert.Equal(t, 60.0, begun["expires_in"])
		a := o.session(t, begun["path"].(string), "http://alpha.localhost/staff/customers")
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Empty(t, a.Header.Values("Set-Cookie"), "an impersonation has no cookie")
		var in fixture.Object
		a.JSON(t, &in)
		assert.Equal(t, 1800.0, in["expires_in"])
		look := fixture.Customer{Caller: o.Portal.As("alpha", in["id_token"].(string))}
		assert.Equal(t, c.Debtor, look.Get(t, "/relations")["debtor_number"])
		for method, path := range map[string]string{http.MethodPut: "/relations/phonenumber", http.MethodPost: "/relations/contact"} {
			a := look.Do(method, path, fixture.Object{"phone_number": "0612345678", "subject": "usage", "message": "x"})
			assert.Equal(t, []any{403, "read_only"}, []any{a.Status, a.Code()}, path)
		}
		assert.Equal(t, 403, look.Do(http.MethodGet, "/staff/changes", nil).Status)
		assert.Equal(t, []any{400, "impersonation_over"}, func() []any {
			second := o.session(t, begun["path"].(string), "")
			return []any{second.Status, second.Code()}
		}(), "once")

		// Start and impersonator are logged, and the customer sees them.
		log := o.log(t, "relation="+c.Relation)
		require.Len(t, log, 3)
		for i, want := range [][]any{{"impersonation.refused", "used_before"}, {"impersonation.used", nil}, {"impersonation.made", nil}} {
			assert.Equal(t, append(want, "staff", "Mede Werker"), []any{log[i]["action"], log[i]["reason"], log[i]["role"], log[i]["name"]})
			assert.Equal(t, log[0]["actor"], log[i]["actor"])
		}
		ends, err := time.Parse(time.RFC3339, log[1]["until"].(string))
		require.NoError(t, err)
		assert.WithinDuration(t, o.Now().Add(30*time.Minute), ends, time.Minute)
		own := c.Get(t, "/account/access-log")["items"].([]any)
		require.Len(t, own, 1)
		assert.Equal(t, []any{"impersonation.used", "Mede Werker", log[1]["until"]},
			[]any{own[0].(fixture.Object)["what"], own[0].(fixture.Object)["name"], own[0].(fixture.Object)["until"]})
		assert.Equal(t, own, look.Get(t, "/account/access-log")["items"], "also visible during impersonation")

		late := o.start(t, o.bearer, fixture.Object{"relation": c.Relation})
		o.SetClock(o.Now().Add(61 * time.Second))
		a = o.session(t, late["path"].(string), "")
		assert.Equal(t, []any{400, "impersonation_over"}, []any{a.Status, a.Code()}, "a minute")
		o.SetClock(ends.Add(-2 * time.Minute))
		assert.Equal(t, http.StatusOK, look.Do(http.MethodGet, "/relations", nil).Status, "until half an hour has passed")
		o.SetClock(ends.Add(time.Minute))
		assert.Equal(t, http.StatusUnauthorized, look.Do(http.MethodGet, "/relations", nil).Status, "after half an hour")
		o.bearer = o.Staff("alpha").Bearer
	})
	t.Run("refused impersonations", func(t *testing.T) {
		c := o.New()
		start := func(bearer string, body fixture.Object) []any {
			a := o.Do(portaltest.Call{Method: http.MethodPost, Path: "/staff/impersonations", Bearer: bearer, Body: body})
			return []any{a.Status, a.Code()}
		}
		assert.Equal(t, []any{403, "forbidden"}, start(c.Bearer, fixture.Object{"relation": c.Relation}), "a customer")
		assert.Equal(t, []any{403, "forbidden"}, start(o.Impersonator("alpha", c.Relation).Bearer, fixture.Object{"relation": c.Relation}),
			"during impersonation")
		assert.Equal(t, []any{401, "unauthorized"}, start("", fixture.Object{"relation": c.Relation}))
		assert.Equal(t, []any{404, "not_found"}, start(o.bearer, fixture.Object{"relation": "nobody"}))
		assert.Equal(t, []any{404, "not_found"}, start(o.bearer, fixture.Object{}))
		assert.Equal(t, []any{403, "impersonator_refused"}, start(o.bearer, fixture.Object{"username": "medewerker@alpha.example"}),
			"impersonating staff")
		key := o.APIKey("alpha", "tool").Bearer
		assert.Equal(t, []any{403, "impersonator_refused"}, start(key, fixture.Object{"relation": c.Relation, "impersonator": c.Username}),
			"username of a customer as impersonator")
		refused := o.log(t, "action=impersonation.refused&relation="+c.Relation)
		require.NotEmpty(t, refused)
		assert.Equal(t, []any{"key", "tool", "not_allowed"}, []any{refused[0]["role"], refused[0]["name"], refused[0]["reason"]})
	})
}

func testReferrers(t *testing.T, o *office) {
	t.Run("4-impersonator-referrer-value", func(t *testing.T) {
		c := o.New()
		o.Impersonator("alpha", c.Relation) // creates the account
		key := o.APIKey("alpha", "support tool").Bearer
		by := fixture.Object{"relation": c.Relation, "impersonator": "impersonator_" + c.Relation}
		for from, want := range map[string]int{
			"https://support.example/": 200, "https://support.example/tickets/7?x=y": 200, // allowed by the setting of the label
			"http://alpha.localhost/staff": 200, "http://alpha.localhost:8080/staff/customers": 200, // staff pages of the label are always allowed
			"": 403, "https://support.example.evil.example/": 403, "http://support.example/": 403, "https://support.example:8443/": 403,
			"http://beta.localhost/staff": 403, "http://alpha.localhost/": 403, "junk": 403, "javascript:alert(1)": 403,
		} {
			a := o.session(t, o.start(t, key, by)["path"].(string), from)
			assert.Equal(t, want, a.Status, from)
			if want == 403 {
				assert.Equal(t, "impersonation_referrer", a.Code(), from)
				continue
			}
			var in fixture.Object
			a.JSON(t, &in)
			// The referrer is checked only at the start.
			page := o.Do(portaltest.Call{Path: "/relations", Bearer: in["id_token"].(string),
				Header: map[string]string{"Referer": "https://evil.example/"}})
			assert.Equal(t, http.StatusOK, page.Status)
		}
		for _, page := range []string{"//", "//staff", "//account", "//verify/x"} {
			a := o.Do(portaltest.Call{Path: page, Header: map[string]string{"Accept": "text/html"}})
			assert.Equal(t, "strict-origin-when-cross-origin", a.Header.Get("Referrer-Policy"), page)
		}
	})
}

func testChangeRequests(t *testing.T, o *office) {
	t.Run("6-staff-change-requests", func(t *testing.T) {
		type kind struct {
			kind, method, path, now string
			form                    fixture.Object
			field                   string
			value                   any
		}
		kinds := func(id string) []kind {
			return []kind{
				{"billing.iban", http.MethodPut, "/relations/bankAccountNumber", "/relations",
					fixture.Object{"change_bank_account_number": "NL91ABNA0417164300",
						"change_bank_account_name": "F. de Boer", "from_date": o.Now().AddDate(0, 0, 1).Format(time.DateOnly)}, "bank_account_number",
					"NL91ABNA0417164300"},
				{"account.phone", http.MethodPut, "/relations/phonenumber", "/relations/phonenumber", fixture.Object{"phone_number": "0687654321"},
					"phone_number", "0687654321"},
				{"account.email", http.MethodPut, "/relations/email", "/relations/email",
					fixture.Object{"change_email": "nieuw" + id + "@voorbeeld.example"}, "email", "nieuw" + id + "@voorbeeld.example"},
				{"account.username", http.MethodPut, "/account", "/account", fixture.Object{"change_username": "nieuw." + id}, "user_name", "nieuw." +
					id},
				{"billing.term_amount", http.MethodPut, "/periodicalPayments/A" + id + "-1", "",
					fixture.Object{"request_periodical_payment_amount": 140}, "current_amount", 140.0},
			}
		}
		current := func(c fixture.Customer, k kind) any {
			if k.now == "" {
				return c.List(t, "/periodicalPayments")[0][k.field]
			}
			return c.Get(t, k.now)[k.field]
		}
		for _, state := range []string{module.Processed, module.Rejected} {
			c, _ := o.Billed()
			for _, k := range kinds(c.Debtor) {
				before := current(c, k)
				require.NotEqual(t, k.value, before)
				a := c.Do(k.method, k.path, k.form)
				require.Less(t, a.Status, 300, "%s: %s", k.kind, a.Body)
				change := o.pending(t, c, k.kind)
				assert.Equal(t, "Fenna de Boer", change["name"], "name of the customer")
				assert.Positive(t, o.get(t, "/staff/changes/summary")[k.kind])
				require.Equal(t, before, current(c, k), "unchanged before the decision")
				a = o.decide(t, change["id"], state, "Telefonisch bevestigd")
				require.Equal(t, http.StatusOK, a.Status, string(a.Body))
				var decided fixture.Object
				a.JSON(t, &decided)
				assert.Equal(t, []any{state, "Mede Werker", "Telefonisch bevestigd"}, []any{decided["state"], decided["by_name"], decided["reason"]})
				want := before
				if state == module.Processed {
					want = k.value
					if k.kind == "billing.iban" { // takes effect on its first day
						require.Equal(t, before, current(c, k))
						o.SetClock(o.Now().Add(24 * time.Hour))
						o.bearer, c.Bearer = o.Staff("alpha").Bearer, o.Account(c.Debtor, c.Username).Bearer
					}
				}
				o.Portal.Eventually(func() bool { return current(c, k) == want })
				o.Deliver()
				assert.Equal(t, want, current(c, k), "%s %s", k.kind, state)
				a = o.decide(t, change["id"], state, "")
				assert.Equal(t, []any{409, "change_decided"}, []any{a.Status, a.Code()})
				log := o.log(t, "relation="+c.Relation+"&kind="+k.kind)
				require.Len(t, log, 1, "one entry for repeated decisions")
				assert.Equal(t, []any{"change." + strings.ToLower(state), "staff", "Mede Werker", change["id"], "Telefonisch bevestigd"},
					[]any{log[0]["action"], log[0]["role"], log[0]["name"], log[0]["target"], log[0]["reason"]})
			}
			own := c.Get(t, "/account/access-log")["items"].([]any)
			assert.Len(t, own, 5)
		}
	})
	t.Run("several decisions in a call are independent", func(t *testing.T) {
		var ids []any
		var who []fixture.Customer
		for range 3 {
			c := o.New()
			require.Equal(t, http.StatusOK, c.Put(t, "/relations/phonenumber", "phone_number", "0687654321").Status)
			ids, who = append(ids, o.pending(t, c, "account.phone")["id"]), append(who, c)
		}
		require.Equal(t, http.StatusOK, o.decide(t, ids[1], module.Rejected, "").Status)
		a := o.ask(http.MethodPost, "/staff/changes/decisions", fixture.Object{"ids": []any{ids[0], ids[1], "nothere", ids[2]},
			"state": "PROCESSED", "reason": "Lijst"})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		var out struct{ Results []fixture.Object }
		a.JSON(t, &out)
		assert.Equal(t, []fixture.Object{{"id": ids[0], "state": "PROCESSED"}, {"id": ids[1], "code": "change_decided"},
			{"id": "nothere", "code": "not_found"},
			{"id": ids[2], "state": "PROCESSED"}}, out.Results)
		for i, c := range who {
			log := o.log(t, "relation="+c.Relation)
			require.Len(t, log, 1)
			assert.Equal(t, []any{ids[i], "Mede Werker"}, []any{log[0]["target"], log[0]["name"]})
		}
		for name, body := range map[string]fixture.Object{"none": {"ids": []any{}, "state": "PROCESSED"}, "no state": {"ids": ids},
			"twice":    {"ids": []any{"a", "a"}, "state": "PROCESSED"},
			"too many": {"ids": slices.Repeat([]any{"a"}, 101), "state": "PROCESSED"}, "a third state": {"ids": ids, "state": "PENDING"}} {
			assert.Equal(t, http.StatusBadRequest, o.ask(http.MethodPost, "/staff/changes/decisions", body).Status, name)
		}
		beta := o.Do(portaltest.Call{Method: http.MethodPost, Host: "beta.localhost", Path: "/staff/changes/decisions",
			Bearer: o.Staff("beta").Bearer, Body: fixture.Object{"ids": ids[:1], "state": "REJECTED"}})
		assert.Contains(t, string(beta.Body), "not_found", "of another label")
	})
	t.Run("opening a change is logged as access, listing it is not", func(t *testing.T) {
		c := o.New()
		require.Equal(t, http.StatusOK, c.Put(t, "/relations/phonenumber", "phone_number", "0687654321").Status)
		change := o.pending(t, c, "account.phone")
		assert.Empty(t, o.log(t, "relation="+c.Relation))
		o.get(t, fmt.Sprint("/staff/changes/", change["id"]))
		log := o.log(t, "relation="+c.Relation)
		require.Len(t, log, 1)
		assert.Equal(t, []any{"change.viewed", "account.phone"}, []any{log[0]["action"], log[0]["kind"]})
	})
	t.Run("decisions by the customer and by an API key", func(t *testing.T) {
		c := o.New()
		require.Equal(t, http.StatusOK, c.Put(t, "/relations/email", "change_email", "link@voorbeeld.example").Status)
		token := fixture.MailedToken(t, o.Portal, "link@voorbeeld.example", 1, "/verify/")
		require.Equal(t, http.StatusOK, fixture.Visitor{Portal: o.Portal, Label: "alpha"}.Post("/emailverification/verify/"+token, nil).Status)
		o.Portal.Eventually(func() bool { return len(o.log(t, "relation="+c.Relation)) == 1 })
		assert.Equal(t, "customer", o.log(t, "relation="+c.Relation)[0]["role"])
		assert.Empty(t, c.Get(t, "/account/access-log")["items"], "own actions are not listed")

		require.Equal(t, http.StatusOK, c.Put(t, "/relations/phonenumber", "phone_number", "0687654321").Status)
		id := o.pending(t, c, "account.phone")["id"]
		key := o.APIKey("alpha", "Back office").Bearer
		a := o.Do(portaltest.Call{Method: http.MethodPost, Path: fmt.Sprintf("/staff/changes/%s/decision", id), Bearer: key,
			Body: fixture.Object{"state": "PROCESSED"}})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		own := c.Get(t, "/account/access-log")["items"].([]any)
		require.Len(t, own, 1)
		assert.Equal(t, []any{"key", "Back office", "change.processed", "account.phone"},
			[]any{own[0].(fixture.Object)["who"], own[0].(fixture.Object)["name"], own[0].(fixture.Object)["what"], own[0].(fixture.Object)["kind"]})
	})
}

func testApplications(t *testing.T, o *office) {
	fixture.ForgetLimits(t, o.Portal)
	v := fixture.Visitor{Portal: o.Portal, Label: "alpha"}
	t.Run("6-staff-registrations", func(t *testing.T) {
		yes, no := fixture.Applied(t, v, fixture.Applicant("ja@klant.example"), 1),
			fixture.Applied(t, v, fixture.Applicant("nee@klant.example"), 1)
		require.Equal(t, http.StatusCreated, v.Post("/account/request", fixture.Applicant("nog.niet@klant.example")).Status)
		waiting := fixture.StaffList(t, o.Portal, "alpha", "/staff/applications")
		require.Len(t, waiting, 1, "the e-mail address is not verified")
		assert.Equal(t, "nog.niet@klant.example", waiting[0]["email"])
		pending := o.items(t, "/staff/changes?state=PENDING&kind=onboarding.application")
		require.Len(t, pending, 2)
		assert.Equal(t, "Smit-D'Ancona", pending[0]["data"].(fixture.Object)["last_name"])
		assert.EqualValues(t, 2, o.get(t, "/staff/changes/summary")["onboarding.application"])
		require.Equal(t, http.StatusOK, o.decide(t, yes["id"], module.Processed, "").Status)
		require.Equal(t, http.StatusOK, o.decide(t, no["id"], module.Rejected, "Geen lid").Status)
		o.MailTo("ja@klant.example", func(m portaltest.Mail) bool { return m.Code != "" })
		o.MailTo("nee@klant.example", func(m portaltest.Mail) bool { return strings.Contains(strings.Join(m.Lines, "\n"), "Geen lid") })
		assert.Empty(t, o.items(t, "/staff/changes?state=PENDING&kind=onboarding.application"))
		for id, action := range map[any]string{yes["id"]: "change.processed", no["id"]: "change.rejected"} {
			log := slices.DeleteFunc(o.log(t, "kind=onboarding.application"), func(e fixture.Object) bool { return e["target"] != id })
			require.Len(t, log, 1)
			assert.Equal(t, []any{action, "Mede Werker"}, []any{log[0]["action"], log[0]["name"]})
		}
	})
	t.Run("4-access-approval-flow", func(t *testing.T) {
		for gender, salutation := range map[string]string{"FEMALE": "MRS", "MALE": "MR"} {
			fixture.ForgetLimits(t, o.Portal)
			email := strings.ToLower(gender) + "@klant.example"
			change := fixture.Applied(t, v, fixture.With(fixture.Applicant(email), fixture.Object{"gender": gender}), 1)
			assert.Equal(t, "PENDING", change["state"])
			signIn := func(password string) portaltest.Answer {
				return v.Post("/auth/sign-in", fixture.Object{"username": email, "password": password})
			}
			a := signIn("Zonnebloem7")
			require.Equal(t, []any{401, "wrong_credentials"}, []any{a.Status, a.Code()}, "no sign-in before approval")
			assert.Empty(t, o.found(t, fixture.Object{"q": email}).Items, "no relation before approval")
			require.Equal(t, http.StatusOK, o.decide(t, change["id"], module.Processed, "").Status)
			m := fixture.MailWithCode(t, o.Portal, email, 3)
			require.NotEmpty(t, m.Mail.Code, "the temporary password")
			assert.Contains(t, strings.Join(m.Mail.Lines, "\n"), email, "the username")
			a = signIn(m.Mail.Code)
			var in struct{ Challenge, Session string }
			a.JSON(t, &in)
			require.Equal(t, "NEW_PASSWORD_REQUIRED", in.Challenge)
			a = v.Post("/auth/new-password", fixture.Object{"session": in.Session, "new_password": "Zonnebloem7"})
			var out struct {
				IDToken string `json:"id_token"`
			}
			a.JSON(t, &out)
			me := fixture.Customer{Caller: o.Portal.As("alpha", out.IDToken)}
			o.Portal.Eventually(func() bool { return me.Do(http.MethodGet, "/relations", nil).Status == http.StatusOK })
			r := me.Get(t, "/relations")
			assert.Equal(t, []any{salutation, "Smit-D'Ancona", email, onboarding.DebtorNumber(change["id"].(string))},
				[]any{r["salutation"], r["last_name"], r["email"], r["debtor_number"]})
			fixture.ForgetLimits(t, o.Portal)
			rejected := fixture.Applied(t, v, fixture.With(fixture.Applicant("x"+email), fixture.Object{"gender": gender}), 1)
			answer := o.decide(t, rejected["id"], module.Rejected, "Geen lid")
			assert.Equal(t, module.Rejected, fixture.Body[fixture.Object](t, answer, http.StatusOK)["state"])
			assert.Empty(t, o.found(t, fixture.Object{"q": "x" + email}).Items, "no relation")
			assert.Len(t, o.found(t, fixture.Object{"q": email}).Items, 1)
			assert.Equal(t, http.StatusUnauthorized, v.Post("/auth/sign-in", fixture.Object{"username": "x" + email,
				"password": "Zonnebloem7"}).Status)
		}
	})
}

// Writes of staff and API keys are logged before they are executed; a refusal is logged after.
func testAuditLog(t *testing.T, o *office) {
	key := o.APIKey("alpha", "ERP").Bearer
	last := func(query string) fixture.Object { return o.log(t, query+"&limit=1")[0] }
	for bearer, who := range map[string]string{o.bearer: "Mede Werker", key: "ERP"} {
		a := o.Do(portaltest.Call{Method: http.MethodPost, Path: "/staff/webhooks", Bearer: bearer,
			Body: fixture.Object{"url": "https://erp.example/" + strings.ReplaceAll(who, " ", "")}})
		require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
		var hook fixture.Object
		a.JSON(t, &hook)
		e := last("kind=core.addWebhook")
		assert.Equal(t, []any{"operation.called", who}, []any{e["action"], e["name"]})
		assert.NotContains(t, fmt.Sprint(e), "erp.example", "the log does not contain the request body")
		a = o.Do(portaltest.Call{Method: http.MethodDelete, Path: "/staff/webhooks/nothere", Bearer: bearer})
		require.Equal(t, http.StatusNotFound, a.Status)
		e = last("kind=core.removeWebhook")
		assert.Equal(t, []any{"operation.refused", who, "404"}, []any{e["action"], e["name"], e["reason"]})
	}
	n := len(o.log(t, "limit=200"))
	c := o.New()
	require.Equal(t, http.StatusOK, c.Put(t, "/relations/phonenumber", "phone_number", "0687654321").Status)
	o.get(t, "/staff/changes")
	o.get(t, "/staff/webhooks")
	fixture.Visitor{Portal: o.Portal, Label: "alpha"}.Post("/auth/sign-in", fixture.Object{"username": "x", "password": "y"})
	assert.Len(t, o.log(t, "limit=200"), n, "calls of customers and visitors, and lists, are not logged")
}
