package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/mail"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/account"
)

// customers makes customers of label alpha in a running portal, each with a relation record of their own.
type customers struct {
	*apptest.Server
	t *testing.T
	n int
}

// customer is one of them.
type customer struct {
	s                          *apptest.Server
	debtor, username, relation string
	token                      string
}

const relationRecord = `{"debtor_number":%q,"relation_since":"2016-03-14","salutation":"MRS","initials":"F.A.","prefix":"de","last_name":"Boer",
	"email":"fenna@voorbeeld.example","phone_number":"0612345601","bank_account_number":"NL38WATT0000001117","bank_account_name":"F.A. de Boer",
	"company":{"coc_number":"90001024","vat_number":"NL900010240B01","name":"Bakkerij Ouwehand","eanCode":"871600000000000017","timeOfUse":"T_7_23"},
	"addresses":[{"address_type":"INVOICE","street":"Dam","house_number":"1","zip_code":"1012JS","city":"Amsterdam"},
		{"addressType":"SHIPPING","street":"Molenweg","houseNumber":12,"houseNumberExtension":"bis","zipCode":"9861GT","city":"Grootegast",
			"connections":[{"ean_code":"871600000000000017","commodity":"ELECTRICITY"}]}]}`

func (c *customers) new() customer {
	c.t.Helper()
	c.n++
	debtor := fmt.Sprintf("10240%03d", c.n)
	target, _, err := c.Importer("alpha")
	require.NoError(c.t, err)
	refused, err := target(c.t.Context(), "relation", []record.Row{{Line: 1, Data: json.RawMessage(fmt.Sprintf(relationRecord, debtor))}})
	require.NoError(c.t, err)
	require.Empty(c.t, refused)
	return c.account(debtor, "klant."+debtor)
}

// account signs in a customer of the relation with a debtor number.
func (c *customers) account(debtor, username string) customer {
	c.t.Helper()
	relation := account.RelationID("alpha", debtor)
	return customer{c.Server, debtor, username, relation, c.SignIn(identity.Account{Label: "alpha", Relation: relation, Username: username,
		Email: "fenna@voorbeeld.example", Name: "Fenna de Boer", Role: identity.Customer, Locale: "nl"})}
}

func (c customer) do(method, path string, body any) apptest.Answer {
	return c.s.Do(apptest.Call{Method: method, Path: path, Bearer: c.token, Body: body})
}

// get answers a JSON object.
func (c customer) get(t *testing.T, path string) (out map[string]any) {
	t.Helper()
	a := c.do(http.MethodGet, path, nil)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(t, &out)
	return out
}

func (c customer) put(t *testing.T, path, field, value string) apptest.Answer {
	t.Helper()
	return c.do(http.MethodPut, path, map[string]string{field: value})
}

// decide lets staff decide the one pending change of a customer's kind.
func decide(t *testing.T, c customer, kind, state string) {
	t.Helper()
	staff, id := c.s.Staff("alpha"), ""
	soon(t, c.s, func() bool {
		var list struct {
			Items []struct{ ID, Relation string }
		}
		a := c.s.Do(apptest.Call{Path: "/staff/changes?state=PENDING&kind=" + kind, Bearer: staff})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &list)
		for _, change := range list.Items {
			if change.Relation == c.relation {
				id = change.ID
			}
		}
		return id != ""
	})
	a := c.s.Do(apptest.Call{Method: http.MethodPost, Path: "/staff/changes/" + id + "/decision", Bearer: staff,
		Body: map[string]string{"state": state, "reason": "Telefonisch bevestigd"}})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
}

// soon waits for what follows from something that was queued; the portal works its queue in the background.
func soon(t *testing.T, s *apptest.Server, done func() bool) {
	t.Helper()
	require.Eventually(t, func() bool {
		require.NoError(t, s.Outbox.Work(t.Context()))
		return done()
	}, 2*time.Minute, 10*time.Millisecond)
}

// becomes waits until a field of an answer has a value.
func (c customer) becomes(t *testing.T, path, field string, want any) {
	t.Helper()
	soon(t, c.s, func() bool { return c.get(t, path)[field] == want })
}

// mailTo waits for a mail to an address and gives all of them, newest first.
func mailTo(t *testing.T, s *apptest.Server, address string) (found []mail.Message) {
	t.Helper()
	soon(t, s, func() bool {
		all, err := s.Mail.List(t.Context())
		require.NoError(t, err)
		found = slices.DeleteFunc(all, func(m mail.Message) bool { return m.Mail.To != address })
		return len(found) > 0
	})
	return found
}

func keys(m map[string]any) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func TestAccount(t *testing.T) {
	t.Parallel()
	apptest.Each(t, apptest.Options{Modules: []module.Module{account.Module}}, func(t *testing.T, s *apptest.Server) {
		c := &customers{Server: s, t: t}
		t.Run("relation", func(t *testing.T) { relation(t, c) })
		t.Run("phone", func(t *testing.T) { phone(t, c) })
		t.Run("email", func(t *testing.T) { email(t, c) })
		t.Run("username", func(t *testing.T) { username(t, c) })
		t.Run("contact", func(t *testing.T) { contact(t, c) })
		t.Run("contact too often", func(t *testing.T) { contactTooOften(t, c) })
		t.Run("others", func(t *testing.T) { others(t, c) })
	})
}

func relation(t *testing.T, all *customers) {
	c := all.new()
	t.Run("7.1-get-relations,3-relation-fields,3-company-extra-fields", func(t *testing.T) {
		r := c.get(t, "/relations")
		assert.Equal(t, []string{"addresses", "bank_account_name", "bank_account_number", "company", "debtor_number", "email", "initials",
			"last_name", "phone_number", "prefix", "relation_since", "salutation"}, keys(r))
		assert.Equal(t, c.debtor, r["debtor_number"])
		assert.Equal(t, "2016-03-14", r["relation_since"])
		assert.Equal(t, map[string]any{"coc_number": "90001024", "vat_number": "NL900010240B01", "name": "Bakkerij Ouwehand",
			"eanCode": "871600000000000017", "timeOfUse": "T_7_23"}, r["company"])
	})
	t.Run("7.1-get-addresses,3-address-fields,3-address-camel-case,3-mixed-case-reconcile", func(t *testing.T) {
		var list []map[string]any
		c.do(http.MethodGet, "/relations/addresses", nil).JSON(t, &list)
		require.Len(t, list, 2)
		assert.Equal(t, map[string]any{"address_type": "SHIPPING", "street": "Molenweg", "house_number": "12", "house_number_extension": "bis",
			"zip_code": "9861GT", "city": "Grootegast",
			"connections": []any{map[string]any{"ean_code": "871600000000000017", "commodity": "ELECTRICITY"}}}, list[1])
		assert.Equal(t, []any{}, list[0]["connections"])
	})
	t.Run("not there yet", func(t *testing.T) {
		nobody := all.account("404", "nog.niemand")
		for _, path := range []string{"/relations", "/relations/addresses", "/relations/phonenumber", "/relations/email"} {
			a := nobody.do(http.MethodGet, path, nil)
			assert.Equal(t, http.StatusNotFound, a.Status, path)
			assert.Equal(t, problem.CodeNotFound, a.Code(), path)
		}
	})
}

func phone(t *testing.T, all *customers) {
	const path, status = "/relations/phonenumber", "/relations/phonenumber?request=status"
	c := all.new()
	t.Run("7.1-get-phone,7.1-status-none-pending", func(t *testing.T) {
		assert.Equal(t, map[string]any{"phone_number": "0612345601"}, c.get(t, path))
		assert.Equal(t, map[string]any{"phone_number": ""}, c.get(t, status))
	})
	t.Run("7.1-put-phone,5.4-phone-request-format,5.4-phone-request-format-reconcile", func(t *testing.T) {
		for _, wrong := range []string{"", "12345", "06-87654321", "0031687654321", "+310687654321"} {
			a := c.put(t, path, "phone_number", wrong)
			assert.Equal(t, http.StatusNotAcceptable, a.Status, wrong)
			assert.Equal(t, "account.phone_invalid", a.Code(), wrong)
		}
		a := c.put(t, path, "phone_number", "+31687654321")
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	})
	t.Run("3-pending-change-fields,7.1-status-none-pending", func(t *testing.T) {
		assert.Equal(t, map[string]any{"phone_number": "0687654321"}, c.get(t, status))
		assert.Equal(t, map[string]any{"phone_number": "0612345601"}, c.get(t, path), "the old number holds until then")
	})
	t.Run("4-pending-second-change", func(t *testing.T) {
		a := c.put(t, path, "phone_number", "0611111111")
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, problem.CodePending, a.Code())
		assert.Equal(t, "0687654321", c.get(t, status)["phone_number"])
	})
	t.Run("4-pending-processed", func(t *testing.T) {
		decide(t, c, "account.phone", module.Processed)
		assert.Equal(t, "", c.get(t, status)["phone_number"])
		assert.Equal(t, "0687654321", c.get(t, path)["phone_number"])
		assert.Equal(t, "0687654321", c.get(t, "/relations")["phone_number"])
	})
	t.Run("a rejected change leaves the number as it was", func(t *testing.T) {
		require.Equal(t, http.StatusOK, c.put(t, path, "phone_number", "+32470123456").Status)
		decide(t, c, "account.phone", module.Rejected)
		assert.Equal(t, "", c.get(t, status)["phone_number"])
		assert.Equal(t, "0687654321", c.get(t, path)["phone_number"])
	})
	t.Run("the same number is no change", func(t *testing.T) {
		a := c.put(t, path, "phone_number", "+31687654321")
		assert.Equal(t, http.StatusBadRequest, a.Status)
		assert.Equal(t, "account.unchanged", a.Code())
	})
}

func email(t *testing.T, all *customers) {
	const path, status = "/relations/email", "/relations/email?request=status"
	c := all.new()
	address := "nieuw." + c.debtor + "@voorbeeld.example"
	t.Run("7.1-get-email,7.1-status-none-pending", func(t *testing.T) {
		assert.Equal(t, map[string]any{"email": "fenna@voorbeeld.example"}, c.get(t, path))
		assert.Equal(t, map[string]any{"change_email": ""}, c.get(t, status))
	})
	t.Run("7.1-put-email,5.3-email-normalise,5.3-email-pattern", func(t *testing.T) {
		for _, wrong := range []string{"", "fenna", "fenna@voorbeeld", "fenna@voorbeeld.x"} {
			a := c.put(t, path, "change_email", wrong)
			assert.Equal(t, http.StatusBadRequest, a.Status, wrong)
			assert.Equal(t, "account.email_invalid", a.Code(), wrong)
		}
		a := c.put(t, path, "change_email", " "+strings.Replace(address, "@", " @", 1))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	})
	t.Run("3-pending-change-fields,4-pending-second-change", func(t *testing.T) {
		assert.Equal(t, map[string]any{"change_email": address}, c.get(t, status))
		a := c.put(t, path, "change_email", "anders@voorbeeld.example")
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, address, c.get(t, status)["change_email"])
		assert.Equal(t, "fenna@voorbeeld.example", c.get(t, path)["email"])
	})
	t.Run("7.1-email-change-confirm,4-pending-processed", func(t *testing.T) {
		asked := mailTo(t, c.s, "fenna@voorbeeld.example")
		assert.NotContains(t, fmt.Sprint(asked[0].Mail), address)
		sent := mailTo(t, c.s, address)
		require.Len(t, sent, 1)
		link := regexp.MustCompile(`^/verify/([^/]+)$`).FindStringSubmatch(sent[0].Mail.Button.Path)
		require.NotNil(t, link)
		a := c.s.Do(apptest.Call{Method: http.MethodPost, Path: "/emailverification/verify/" + link[1]})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		c.becomes(t, status, "change_email", "")
		assert.Equal(t, address, c.get(t, path)["email"])
		assert.Equal(t, address, c.get(t, "/relations")["email"])
	})
	t.Run("7.1-email-change-confirm", func(t *testing.T) {
		second := all.new()
		require.Equal(t, http.StatusOK, second.put(t, path, "change_email", "tweede@voorbeeld.example").Status)
		decide(t, second, "account.email", module.Processed)
		assert.Equal(t, "tweede@voorbeeld.example", second.get(t, path)["email"], "staff may process it without the link")
	})
	t.Run("a link does nothing once the change was rejected", func(t *testing.T) {
		third := all.new()
		require.Equal(t, http.StatusOK, third.put(t, path, "change_email", "derde@voorbeeld.example").Status)
		sent := mailTo(t, third.s, "derde@voorbeeld.example")
		require.Len(t, sent, 1)
		decide(t, third, "account.email", module.Rejected)
		a := third.s.Do(apptest.Call{Method: http.MethodPost, Path: "/emailverification" + sent[0].Mail.Button.Path})
		require.Equal(t, http.StatusOK, a.Status, "it still proves that somebody reads there")
		require.NoError(t, third.s.Outbox.Work(t.Context()))
		assert.Equal(t, "fenna@voorbeeld.example", third.get(t, path)["email"])
	})
}

func username(t *testing.T, all *customers) {
	c, other := all.new(), all.new()
	wanted := "fenna." + c.debtor
	t.Run("7.1-get-account,3-account-fields", func(t *testing.T) {
		assert.Equal(t, map[string]any{"user_name": c.username}, c.get(t, "/account"))
	})
	t.Run("5.5-username-min,5.5-username-unique,7.1-put-username", func(t *testing.T) {
		a := c.put(t, "/account", "change_username", " fenna ")
		assert.Equal(t, http.StatusBadRequest, a.Status)
		assert.Equal(t, "account.username_too_short", a.Code())
		a = c.put(t, "/account", "change_username", strings.ToUpper(other.username))
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, "account.username_taken", a.Code())
		a = c.put(t, "/account", "change_username", strings.ToUpper(wanted))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	})
	t.Run("3-account-fields,3-pending-change-fields,5.5-username-unique", func(t *testing.T) {
		assert.Equal(t, map[string]any{"user_name": c.username, "change_username": wanted}, c.get(t, "/account"))
		a := other.put(t, "/account", "change_username", wanted)
		assert.Equal(t, "account.username_taken", a.Code(), "asked for is as good as taken")
	})
	t.Run("4-pending-second-change", func(t *testing.T) {
		a := c.put(t, "/account", "change_username", "nog.een.naam")
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, problem.CodePending, a.Code())
		assert.Equal(t, wanted, c.get(t, "/account")["change_username"])
	})
	t.Run("one household, two accounts, each with a username of its own", func(t *testing.T) {
		partner := all.account(c.debtor, "partner."+c.debtor)
		assert.Equal(t, map[string]any{"user_name": "partner." + c.debtor}, partner.get(t, "/account"))
	})
	t.Run("4-pending-processed", func(t *testing.T) {
		decide(t, c, "account.username", module.Processed)
		c.becomes(t, "/account", "user_name", wanted)
		assert.Equal(t, map[string]any{"user_name": wanted}, c.get(t, "/account"))
		a := c.s.Do(apptest.Call{Method: http.MethodPost, Path: "/auth/sign-in", Body: map[string]string{"username": wanted, "password": apptest.Password}})
		assert.Equal(t, http.StatusOK, a.Status)
	})
	t.Run("a rejected name is free again", func(t *testing.T) {
		name := "weer.vrij." + c.debtor
		require.Equal(t, http.StatusOK, other.put(t, "/account", "change_username", name).Status)
		decide(t, other, "account.username", module.Rejected)
		assert.Equal(t, map[string]any{"user_name": other.username}, other.get(t, "/account"))
		soon(t, c.s, func() bool { return c.put(t, "/account", "change_username", name).Status == http.StatusOK })
	})
}

func contact(t *testing.T, all *customers) {
	t.Run("7.1-post-contact,2.1-contact-form-fields", func(t *testing.T) {
		c := all.new()
		a := c.do(http.MethodPost, "/relations/contact", map[string]string{})
		assert.Equal(t, http.StatusBadRequest, a.Status)
		var p problem.Problem
		a.JSON(t, &p)
		assert.Equal(t, []problem.FieldError{{Field: "subject", Code: problem.CodeRequired}, {Field: "message", Code: problem.CodeRequired}}, p.Errors)

		text := "De molen piept <b>\r\nSubject: nep"
		a = c.do(http.MethodPost, "/relations/contact", map[string]string{"subject": "suggestion", "message": text})
		require.Equal(t, http.StatusNoContent, a.Status, string(a.Body))

		info := map[string]any{}
		c.s.Do(apptest.Call{Path: "/labels/alpha/info"}).JSON(t, &info)
		mails := mailTo(t, c.s, info["email"].(string))
		assert.Equal(t, []string{text}, mails[0].Mail.Lines)
		assert.Contains(t, mails[0].Mail.After, "Klantnummer "+c.debtor)

		var list []account.Contact
		answer := c.s.Do(apptest.Call{Path: "/staff/contacts", Bearer: c.s.Staff("alpha")})
		require.Equal(t, http.StatusOK, answer.Status, string(answer.Body))
		answer.JSON(t, &list)
		require.NotEmpty(t, list)
		assert.Equal(t, c.relation, list[0].RelationID)
		assert.Equal(t, text, list[0].Message)
		assert.WithinDuration(t, c.s.Clock.Now(), list[0].At, time.Minute)
		assert.Equal(t, http.StatusForbidden, c.do(http.MethodGet, "/staff/contacts", nil).Status)

		query := fmt.Sprintf("/staff/contacts?at=%s&id=%s", list[0].At.Format(time.RFC3339Nano), list[0].ID)
		answer = c.s.Do(apptest.Call{Path: query, Bearer: c.s.Staff("alpha")})
		answer.JSON(t, &list)
		assert.Empty(t, list, "the page after the last message")
	})
}

func contactTooOften(t *testing.T, all *customers) {
	c, other := all.new(), all.new()
	send := func(c customer) int {
		return c.do(http.MethodPost, "/relations/contact", map[string]string{"subject": "other", "message": "Nog een keer"}).Status
	}
	for range 10 {
		require.Equal(t, http.StatusNoContent, send(c))
	}
	assert.Equal(t, http.StatusTooManyRequests, send(c))
	assert.Equal(t, http.StatusNoContent, send(other))
}

// others shows that a customer reaches nothing of anybody else.
func others(t *testing.T, all *customers) {
	c, stranger := all.new(), all.new()
	require.Equal(t, http.StatusOK, c.put(t, "/relations/phonenumber", "phone_number", "0687654321").Status)
	t.Run("6-customer-own-data", func(t *testing.T) {
		assert.Equal(t, stranger.debtor, stranger.get(t, "/relations")["debtor_number"])
		assert.Equal(t, "", stranger.get(t, "/relations/phonenumber?request=status")["phone_number"])
		require.Equal(t, http.StatusOK, stranger.put(t, "/relations/phonenumber", "phone_number", "0687654321").Status, "a change of somebody else is no obstacle")
	})
	t.Run("another label has no relation with this debtor number", func(t *testing.T) {
		there := c.s.SignIn(identity.Account{Label: "beta", Relation: c.relation, Username: "beta.klant", Email: "b@voorbeeld.example", Name: "B",
			Role: identity.Customer, Locale: "nl"})
		a := c.s.Do(apptest.Call{Host: "beta.localhost", Path: "/relations", Bearer: there})
		assert.Equal(t, http.StatusNotFound, a.Status)
		a = c.s.Do(apptest.Call{Host: "beta.localhost", Path: "/relations", Bearer: c.token})
		assert.Equal(t, http.StatusUnauthorized, a.Status, "a token is bound to its label")
	})
	t.Run("6-impersonator-api,6-impersonator-acts-for", func(t *testing.T) {
		guest := customer{s: c.s, token: c.s.Impersonator("alpha", c.relation)}
		assert.Equal(t, c.debtor, guest.get(t, "/relations")["debtor_number"])
		for path, field := range map[string]string{"/relations/phonenumber": "phone_number", "/relations/email": "change_email", "/account": "change_username"} {
			a := guest.put(t, path, field, "0699999999")
			assert.Equal(t, http.StatusForbidden, a.Status, path)
		}
		a := guest.do(http.MethodPost, "/relations/contact", map[string]string{"subject": "other", "message": "Hallo"})
		assert.Equal(t, http.StatusForbidden, a.Status)
	})
	t.Run("nothing without a token", func(t *testing.T) {
		for _, path := range []string{"/relations", "/relations/addresses", "/relations/phonenumber", "/relations/email", "/account", "/staff/contacts"} {
			assert.Equal(t, http.StatusUnauthorized, c.s.Do(apptest.Call{Path: path}).Status, path)
		}
		a := c.do(http.MethodPost, "/account/changes/x/decide", map[string]string{"state": "PROCESSED", "by": "me"})
		assert.Equal(t, http.StatusNotFound, a.Status, "operations for siblings are not mounted")
	})
}
