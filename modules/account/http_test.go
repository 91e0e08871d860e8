package account_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/test/fixture"
)

func TestAccount(t *testing.T) {
	t.Parallel()
	portaltest.Each(t, portaltest.Options{Modules: []module.Module{account.Module}}, func(t *testing.T, s *portaltest.Portal) {
		c := &fixture.Customers{Portal: s, T: t}
		t.Run("relation", func(t *testing.T) { testRelation(t, c) })
		t.Run("phone", func(t *testing.T) { testPhone(t, c) })
		t.Run("email", func(t *testing.T) { testEmail(t, c) })
		t.Run("username", func(t *testing.T) { testUsername(t, c) })
		t.Run("contact", func(t *testing.T) { testContact(t, c) })
		t.Run("contact limit", func(t *testing.T) { testContactLimit(t, c) })
		t.Run("data of others", func(t *testing.T) { testOthers(t, c) })
	})
}

func testRelation(t *testing.T, all *fixture.Customers) {
	c := all.New()
	invoice := fixture.Object{"address_type": "INVOICE", "street": "Dam", "house_number": "1", "house_number_extension": "",
		"zip_code": "1012JS", "city": "Amsterdam", "connections": []any{}}
	shipping := fixture.Object{"address_type": "SHIPPING", "street": "Molenweg", "house_number": "12", "house_number_extension": "bis",
		"zip_code": "9861GT", "city": "Grootegast",
		"connections": []any{fixture.Object{"ean_code": "871600000000000017", "commodity": "ELECTRICITY"}}}
	t.Run("7.1-get-relations,3-relation-fields,3-company-extra-fields", func(t *testing.T) {
		want := fixture.Object{"debtor_number": c.Debtor, "relation_since": "2016-03-14", "salutation": "MRS", "initials": "F.A.",
			"prefix": "de", "last_name": "Boer", "email": "fenna@voorbeeld.example", "phone_number": "0612345601",
			"bank_account_number": "NL38WATT0000001117", "bank_account_name": "F.A. de Boer",
			"company": fixture.Object{"coc_number": "90001024", "vat_number": "NL900010240B01", "name": "Bakkerij Ouwehand",
				"eanCode": "871600000000000017", "timeOfUse": "T_7_23"},
			"addresses": []any{invoice, shipping}}
		assert.Equal(t, want, c.Get(t, "/relations"))
		other := all.New()
		assert.Equal(t, fixture.With(want, fixture.Object{"debtor_number": other.Debtor}), other.Get(t, "/relations"), "the caller's own")
	})
	t.Run("3-relation-fields,3-company-extra-fields", func(t *testing.T) { // without optional fields
		require.Empty(t, all.Import("alpha", "relation",
			`{"debtor_number":"1","company":{"coc_number":"1","vat_number":"2","name":"Molen B.V."}}`,
			`{"debtor_number":"2","salutation":"MR"}`))
		company := all.Account("1", "klant.1").Get(t, "/relations")
		assert.Equal(t, fixture.Object{"coc_number": "1", "vat_number": "2", "name": "Molen B.V."}, company["company"])
		assert.NotContains(t, all.Account("2", "klant.2").Get(t, "/relations"), "company")
	})
	t.Run("7.1-get-addresses,3-address-fields,3-address-camel-case,3-mixed-case-reconcile", func(t *testing.T) {
		assert.Equal(t, []fixture.Object{invoice, shipping}, c.List(t, "/relations/addresses"))
	})
	t.Run("unknown relation", func(t *testing.T) {
		nobody := all.Account("404", "nog.niemand")
		for _, path := range []string{"/relations", "/relations/addresses", "/relations/phonenumber", "/relations/email"} {
			a := nobody.Do(http.MethodGet, path, nil)
			assert.Equal(t, http.StatusNotFound, a.Status, path)
			assert.Equal(t, problem.CodeNotFound, a.Code(), path)
		}
	})
}

func testPhone(t *testing.T, all *fixture.Customers) {
	const path, status = "/relations/phonenumber", "/relations/phonenumber?request=status"
	c := all.New()
	t.Run("7.1-get-phone,7.1-status-none-pending", func(t *testing.T) {
		assert.Equal(t, map[string]any{"phone_number": "0612345601"}, c.Get(t, path))
		assert.Equal(t, map[string]any{"phone_number": ""}, c.Get(t, status))
	})
	t.Run("7.1-put-phone,5.4-phone-request-format,5.4-phone-request-format-reconcile", func(t *testing.T) {
		for _, invalid := range []string{"", "12345", "06-87654321", "0031687654321", "+310687654321"} {
			a := c.Put(t, path, "phone_number", invalid)
			assert.Equal(t, http.StatusNotAcceptable, a.Status, invalid)
			assert.Equal(t, "account.phone_invalid", a.Code(), invalid)
		}
		a := c.Put(t, path, "phone_number", "+31687654321")
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	})
	t.Run("3-pending-change-fields,7.1-get-phone,7.1-status-none-pending", func(t *testing.T) {
		assert.Equal(t, map[string]any{"phone_number": "0687654321"}, c.Get(t, status))
		assert.Equal(t, map[string]any{"phone_number": "0612345601"}, c.Get(t, path), "the current number stays until then")
	})
	t.Run("4-pending-second-change", func(t *testing.T) {
		a := c.Put(t, path, "phone_number", "0611111111")
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, problem.CodePending, a.Code())
		assert.Equal(t, "0687654321", c.Get(t, status)["phone_number"])
	})
	t.Run("4-pending-processed", func(t *testing.T) {
		fixture.Decide(t, c, "account.phone", module.Processed)
		assert.Equal(t, "", c.Get(t, status)["phone_number"])
		assert.Equal(t, "0687654321", c.Get(t, path)["phone_number"])
		assert.Equal(t, "0687654321", c.Get(t, "/relations")["phone_number"])
	})
	t.Run("5.4-phone-request-format-reconcile", func(t *testing.T) {
		for _, sent := range []string{"+32470123456", "0612345678"} { // including the format that the browser sends
			require.Equal(t, http.StatusOK, c.Put(t, path, "phone_number", sent).Status)
			assert.Equal(t, sent, c.Get(t, status)["phone_number"])
			fixture.Decide(t, c, "account.phone", module.Rejected)
			assert.Equal(t, "", c.Get(t, status)["phone_number"])
			assert.Equal(t, "0687654321", c.Get(t, path)["phone_number"])
		}
	})
	t.Run("the same number is no change", func(t *testing.T) {
		a := c.Put(t, path, "phone_number", "+31687654321")
		assert.Equal(t, http.StatusBadRequest, a.Status)
		assert.Equal(t, "account.unchanged", a.Code())
	})
}

func testEmail(t *testing.T, all *fixture.Customers) {
	const path, status = "/relations/email", "/relations/email?request=status"
	c := all.New()
	address := "nieuw." + c.Debtor + "@voorbeeld.example"
	t.Run("7.1-get-email,7.1-status-none-pending", func(t *testing.T) {
		assert.Equal(t, map[string]any{"email": "fenna@voorbeeld.example"}, c.Get(t, path))
		assert.Equal(t, map[string]any{"change_email": ""}, c.Get(t, status))
	})
	t.Run("7.1-put-email,5.3-email-normalise,5.3-email-pattern", func(t *testing.T) {
		for _, invalid := range []string{"", "fenna", "fenna@voorbeeld", "fenna@voorbeeld.x"} {
			a := c.Put(t, path, "change_email", invalid)
			assert.Equal(t, http.StatusBadRequest, a.Status, invalid)
			assert.Equal(t, "account.email_invalid", a.Code(), invalid)
		}
		a := c.Put(t, path, "change_email", " "+strings.Replace(address, "@", " @", 1))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	})
	t.Run("3-pending-change-fields,4-pending-second-change,7.1-get-email,7.1-status-none-pending", func(t *testing.T) {
		assert.Equal(t, map[string]any{"change_email": address}, c.Get(t, status))
		a := c.Put(t, path, "change_email", "anders@voorbeeld.example")
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, problem.CodePending, a.Code())
		assert.Equal(t, address, c.Get(t, status)["change_email"])
		assert.Equal(t, "fenna@voorbeeld.example", c.Get(t, path)["email"])
	})
	t.Run("7.1-email-change-confirm,4-pending-processed", func(t *testing.T) {
		requested := fixture.MailsTo(t, c.Portal, "fenna@voorbeeld.example")
		assert.NotContains(t, fmt.Sprint(requested[0].Mail), address)
		sent := fixture.MailsTo(t, c.Portal, address)
		require.Len(t, sent, 1)
		link := regexp.MustCompile(`^/verify/([^/]+)$`).FindStringSubmatch(sent[0].Mail.Button.Path)
		require.NotNil(t, link)
		a := c.Portal.Do(portaltest.Call{Method: http.MethodPost, Path: "/emailverification/verify/" + link[1]})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		c.WaitFor(t, status, "change_email", "")
		assert.Equal(t, address, c.Get(t, path)["email"])
		assert.Equal(t, address, c.Get(t, "/relations")["email"])
	})
	t.Run("7.1-email-change-confirm", func(t *testing.T) {
		second := all.New()
		require.Equal(t, http.StatusOK, second.Put(t, path, "change_email", "tweede@voorbeeld.example").Status)
		fixture.Decide(t, second, "account.email", module.Processed)
		assert.Equal(t, "tweede@voorbeeld.example", second.Get(t, path)["email"], "staff may process the change without the link")
	})
	t.Run("a link does nothing once the change was rejected", func(t *testing.T) {
		third := all.New()
		require.Equal(t, http.StatusOK, third.Put(t, path, "change_email", "derde@voorbeeld.example").Status)
		sent := fixture.MailsTo(t, third.Portal, "derde@voorbeeld.example")
		require.Len(t, sent, 1)
		fixture.Decide(t, third, "account.email", module.Rejected)
		a := third.Portal.Do(portaltest.Call{Method: http.MethodPost, Path: "/emailverification" + sent[0].Mail.Button.Path})
		require.Equal(t, http.StatusOK, a.Status, "the link still confirms the mailbox")
		third.Portal.Deliver()
		assert.Equal(t, "fenna@voorbeeld.example", third.Get(t, path)["email"])
	})
}

func testUsername(t *testing.T, all *fixture.Customers) {
	c, other := all.New(), all.New()
	wanted := "fenna." + c.Debtor
	t.Run("7.1-get-account,3-account-fields", func(t *testing.T) {
		assert.Equal(t, map[string]any{"user_name": c.Username}, c.Get(t, "/account"))
	})
	t.Run("5.5-username-min,5.5-username-unique,7.1-put-username", func(t *testing.T) {
		a := c.Put(t, "/account", "change_username", " fenna ")
		assert.Equal(t, http.StatusBadRequest, a.Status)
		assert.Equal(t, "account.username_too_short", a.Code())
		a = c.Put(t, "/account", "change_username", strings.ToUpper(other.Username))
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, "account.username_taken", a.Code())
		a = c.Put(t, "/account", "change_username", strings.ToUpper(wanted))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	})
	t.Run("3-account-fields,3-pending-change-fields,5.5-username-unique,7.1-get-account", func(t *testing.T) {
		assert.Equal(t, map[string]any{"user_name": c.Username, "change_username": wanted}, c.Get(t, "/account"))
		a := other.Put(t, "/account", "change_username", wanted)
		assert.Equal(t, "account.username_taken", a.Code(), "a requested username is reserved")
	})
	t.Run("4-pending-second-change", func(t *testing.T) {
		a := c.Put(t, "/account", "change_username", "nog.een.naam")
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, problem.CodePending, a.Code())
		assert.Equal(t, wanted, c.Get(t, "/account")["change_username"])
	})
	t.Run("two accounts of one relation have their own usernames", func(t *testing.T) {
		partner := all.Account(c.Debtor, "partner."+c.Debtor)
		assert.Equal(t, map[string]any{"user_name": "partner." + c.Debtor}, partner.Get(t, "/account"))
	})
	t.Run("4-pending-processed", func(t *testing.T) {
		fixture.Decide(t, c, "account.username", module.Processed)
		c.WaitFor(t, "/account", "user_name", wanted)
		assert.Equal(t, map[string]any{"user_name": wanted}, c.Get(t, "/account"))
		a := c.Portal.Do(portaltest.Call{Method: http.MethodPost, Path: "/auth/sign-in",
			Body: map[string]string{"username": wanted, "password": portaltest.Password}})
		assert.Equal(t, http.StatusOK, a.Status)
	})
	t.Run("a rejected username is released", func(t *testing.T) {
		name := "weer.vrij." + c.Debtor
		require.Equal(t, http.StatusOK, other.Put(t, "/account", "change_username", name).Status)
		fixture.Decide(t, other, "account.username", module.Rejected)
		assert.Equal(t, map[string]any{"user_name": other.Username}, other.Get(t, "/account"))
		c.Portal.Eventually(func() bool { return c.Put(t, "/account", "change_username", name).Status == http.StatusOK })
	})
}

func testContact(t *testing.T, all *fixture.Customers) {
	t.Run("7.1-post-contact,2.1-contact-form-fields", func(t *testing.T) {
		c := all.New()
		a := c.Do(http.MethodPost, "/relations/contact", map[string]string{})
		assert.Equal(t, http.StatusBadRequest, a.Status)
		var p problem.Problem
		a.JSON(t, &p)
		assert.Equal(t, []problem.FieldError{{Field: "subject", Code: problem.CodeRequired}, {Field: "message", Code: problem.CodeRequired}},
			p.Errors)

		text := "De molen piept <b>\r\nSubject: nep"
		for field, form := range map[string]map[string]string{"subject": {"message": text}, "message": {"subject": "usage", "message": " "}} {
			a = c.Do(http.MethodPost, "/relations/contact", form)
			assert.Equal(t, []string{field + " required"}, fixture.RefusedFields(t, a))
		}
		a = c.Do(http.MethodPost, "/relations/contact", map[string]string{"subject": "suggestion", "message": text})
		require.Equal(t, http.StatusNoContent, a.Status, string(a.Body))

		info := map[string]any{}
		c.Portal.Do(portaltest.Call{Path: "/labels/alpha/info"}).JSON(t, &info)
		mails := fixture.MailsTo(t, c.Portal, info["email"].(string))
		assert.Equal(t, []string{text}, mails[0].Mail.Lines)
		assert.Contains(t, mails[0].Mail.After, "Klantnummer "+c.Debtor)

		var list []account.Contact
		answer := c.Portal.Do(portaltest.Call{Path: "/staff/contacts", Bearer: c.Portal.Staff("alpha").Bearer})
		require.Equal(t, http.StatusOK, answer.Status, string(answer.Body))
		answer.JSON(t, &list)
		require.NotEmpty(t, list)
		assert.Equal(t, []any{c.Relation, account.Subject("suggestion"), text}, []any{list[0].RelationID, list[0].Subject, list[0].Message})
		assert.WithinDuration(t, c.Portal.Now(), list[0].At, time.Minute)
		assert.Equal(t, http.StatusForbidden, c.Do(http.MethodGet, "/staff/contacts", nil).Status)

		query := fmt.Sprintf("/staff/contacts?at=%s&id=%s", list[0].At.Format(time.RFC3339Nano), list[0].ID)
		answer = c.Portal.Do(portaltest.Call{Path: query, Bearer: c.Portal.Staff("alpha").Bearer})
		answer.JSON(t, &list)
		assert.Empty(t, list, "the page after the last message")
	})
}

func testContactLimit(t *testing.T, all *fixture.Customers) {
	c, other := all.New(), all.New()
	send := func(c fixture.Customer) int {
		return c.Do(http.MethodPost, "/relations/contact", map[string]string{"subject": "other", "message": "Nog een keer"}).Status
	}
	for range 10 {
		require.Equal(t, http.StatusNoContent, send(c))
	}
	assert.Equal(t, http.StatusTooManyRequests, send(c))
	assert.Equal(t, http.StatusNoContent, send(other))
}

// testOthers verifies that a customer cannot access other customers' data.
func testOthers(t *testing.T, all *fixture.Customers) {
	c, stranger := all.New(), all.New()
	require.Equal(t, http.StatusOK, c.Put(t, "/relations/phonenumber", "phone_number", "0687654321").Status)
	t.Run("6-customer-own-data", func(t *testing.T) {
		assert.Equal(t, stranger.Debtor, stranger.Get(t, "/relations")["debtor_number"])
		assert.Equal(t, "", stranger.Get(t, "/relations/phonenumber?request=status")["phone_number"])
		require.Equal(t, http.StatusOK, stranger.Put(t, "/relations/phonenumber", "phone_number", "0687654321").Status,
			"a pending change of another relation has no effect")
	})
	t.Run("another label has no relation with this debtor number", func(t *testing.T) {
		beta := c.Portal.SignIn(portaltest.Account{Label: "beta", Relation: c.Relation, Username: "beta.klant", Email: "b@voorbeeld.example",
			Name: "B", Role: portaltest.RoleCustomer, Locale: "nl"})
		a := c.Portal.Do(portaltest.Call{Host: "beta.localhost", Path: "/relations", Bearer: beta.Bearer})
		assert.Equal(t, http.StatusNotFound, a.Status)
		a = c.Portal.Do(portaltest.Call{Host: "beta.localhost", Path: "/relations", Bearer: c.Bearer})
		assert.Equal(t, http.StatusUnauthorized, a.Status, "a token is bound to its label")
	})
	t.Run("6-impersonator-api,6-impersonator-acts-for", func(t *testing.T) {
		impersonator := fixture.Customer{Caller: c.Portal.Impersonator("alpha", c.Relation)}
		assert.Equal(t, c.Debtor, impersonator.Get(t, "/relations")["debtor_number"])
		for path, field := range map[string]string{"/relations/phonenumber": "phone_number", "/relations/email": "change_email",
			"/account": "change_username"} {
			a := impersonator.Put(t, path, field, "0699999999")
			assert.Equal(t, http.StatusForbidden, a.Status, path)
		}
		a := impersonator.Do(http.MethodPost, "/relations/contact", map[string]string{"subject": "other", "message": "Hallo"})
		assert.Equal(t, http.StatusForbidden, a.Status)
	})
	t.Run("every operation requires a token", func(t *testing.T) {
		for _, path := range []string{"/relations", "/relations/addresses", "/relations/phonenumber", "/relations/email", "/account",
			"/staff/contacts"} {
			assert.Equal(t, http.StatusUnauthorized, c.Portal.Do(portaltest.Call{Path: path}).Status, path)
		}
		a := c.Do(http.MethodPost, "/account/changes/x/decide", map[string]string{"state": "PROCESSED", "by": "me"})
		assert.Equal(t, http.StatusNotFound, a.Status, "operations for siblings are not mounted")
	})
}
