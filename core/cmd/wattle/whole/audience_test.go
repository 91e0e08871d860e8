package whole_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/demo"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/address"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/move"
	"github.com/wattle-portal/wattle/test/fixture"
)

// Four groups of users use one installation; each has access to its own data only.
func TestAudiences(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Labels: []apptest.Label{{Key: "alpha"},
		{Key: "beta", Kind: portaltest.Participants}}})
	customer, member := s.Customer("alpha", "r1"), s.Customer("beta", "r2")
	support, staff := s.Impersonator("beta", "r2"), s.Staff("beta")
	t.Run("1-audiences", func(t *testing.T) {
		for _, c := range []struct {
			who, host, bearer, method, path string
			want                            int
		}{
			{"a customer of electricity and gas", "alpha", customer, "GET", "/agreements", 200},
			{"a member of a project", "beta", member, "GET", "/sustainable/market", 200},
			{"an impersonator of the member", "beta", support, "GET", "/sustainable/market", 200},
			{"an impersonator writes nothing", "beta", support, "POST", "/sustainable/offers", 403},
			{"staff", "beta", staff, "GET", "/staff/changes", 200},
			{"staff decide on offers", "beta", staff, "GET", "/sustainable/staff/offers", 200},
			{"a member does not", "beta", member, "GET", "/sustainable/staff/offers", 403},
			{"nor does an impersonator", "beta", support, "GET", "/sustainable/staff/offers", 403},
			{"a member of one label is nobody at another", "alpha", member, "GET", "/agreements", 401},
		} {
			a := s.Do(apptest.Call{Host: c.host + ".localhost", Bearer: c.bearer, Method: c.method, Path: c.path})
			assert.Equal(t, c.want, a.Status, "%s: %s %s %s", c.who, c.method, c.path, a.Body)
		}
	})
}

// What a signed-in customer views and changes, through the calls of its screens.
func TestCustomerDomains(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Config: config.Config{Demo: true}})
	a := s.Do(apptest.Call{Method: http.MethodPost, Path: "/dev/customers", Body: `{"sample":true}`})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	var c demo.Customer
	a.JSON(t, &c)
	a = s.Do(apptest.Call{Method: http.MethodPost, Path: "/auth/sign-in",
		Body: fixture.Object{"username": c.Username, "password": c.Password}})
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	var session struct {
		Token string `json:"id_token"`
	}
	a.JSON(t, &session)
	cookie, _, _ := strings.Cut(a.Header.Get("Set-Cookie"), ";")
	agreement := c.Debtor + "02-1"
	t.Run("1-customer-domains", func(t *testing.T) {
		for _, x := range []struct {
			domain, method, path string
			body                 any
			want                 int
		}{
			{"agreements", "GET", "/agreements", nil, 200},
			{"invoices", "GET", "/agreements/" + agreement + "/invoices", nil, 200},
			{"the latest invoices", "GET", "/latestInvoices", nil, 200},
			{"usage and production", "GET", "/connections", nil, 200},
			{"this month's usage", "GET", "/usage/summary", nil, 200},
			{"production", "GET", "/sustainable/projects", nil, 200},
			{"contact details", "GET", "/relations", nil, 200},
			{"e-mail", "PUT", "/relations/email", fixture.Object{"change_email": "nieuw-" + c.Key + "@voorbeeld.example"}, 200},
			{"phone", "PUT", "/relations/phonenumber", fixture.Object{"phone_number": "0687654399"}, 200},
			{"username", "PUT", "/account", fixture.Object{"change_username": "ander." + c.Key}, 200},
			{"IBAN", "GET", "/relations/bankAccountNumber", nil, 204},
			{"IBAN", "PUT", "/relations/bankAccountNumber", fixture.NewBankAccount("NL91ABNA0417164300", "F. Boer", "2026-12-01"), 200},
			{"monthly advance", "GET", "/periodicalPayments", nil, 200},
			{"monthly advance", "PUT", "/periodicalPayments/" + agreement, fixture.WantedAmount(150), 200},
			{"house move", "GET", "/moves", nil, 200},
			{"house move", "PUT", "/move", fixture.Object{"agreement_identifier_with_sequence": agreement,
				"commodities": []string{"GAS", "ELECTRICITY"},
				"old_address": fixture.Object{"zip_code": "9700AA", "house_number": "1", "street": "Proeflaan", "city": "Groningen"},
				"new_address": fixture.Object{"zip_code": "9731AB", "house_number": "7", "street": "Lindelaan", "city": "Groningen"},
				"start_date":  "2026-12-01", "is_residential": true, "address_type": "SHIPPING"}, 204},
			{"historical-meter-data consent", "GET", "/smartmeterreadings/historicaldata?consentGiven=true", nil, 200},
			{"notifications", "GET", "/sustainable/notifications", nil, 200},
			{"contact", "POST", "/relations/contact", fixture.Object{"subject": "other", "message": "Dag"}, 204},
		} {
			if x.domain == "notifications" && !slices.ContainsFunc(modules.All, func(m module.Module) bool { return m.Key == "notifications" }) {
				continue
			}
			a := s.Do(apptest.Call{Method: x.method, Path: x.path, Body: x.body})
			assert.Equal(t, http.StatusUnauthorized, a.Status, "%s before sign-in: %s %s %s", x.domain, x.method, x.path, a.Body)
			a = s.Do(apptest.Call{Method: x.method, Path: x.path, Bearer: session.Token, Body: x.body})
			assert.Equal(t, x.want, a.Status, "%s: %s %s %s", x.domain, x.method, x.path, a.Body)
		}
		var portal struct {
			Operations map[string]struct{ Access string }
		}
		s.Do(apptest.Call{Path: "/portal"}).JSON(t, &portal)
		assert.Equal(t, "customer", portal.Operations["core.changePassword"].Access)
		changed := s.Do(apptest.Call{Method: http.MethodPost, Path: "/auth/change-password", Bearer: session.Token,
			Header: map[string]string{"Cookie": cookie}, Body: fixture.Object{"old_password": c.Password, "new_password": "Kx7-qvmw-Zz9"}})
		assert.Equal(t, 204, changed.Status, "password: %s", changed.Body)
	})
}

// A customer can make each of five changes; an impersonator can make none, and a label without the module does not have the
// operation.
func TestCustomersEdit(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Config: config.Config{Demo: true}})
	made := func(body string) (out demo.Customer) {
		a := s.Do(apptest.Call{Method: http.MethodPost, Path: "/dev/customers", Body: body})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &out)
		return out
	}
	token := func(path string, body any) string {
		a := s.Do(apptest.Call{Method: http.MethodPost, Path: path, Body: body})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		var session struct {
			Token string `json:"id_token"`
		}
		a.JSON(t, &session)
		return session.Token
	}
	c := made(`{"sample":true,"impersonator":true}`)
	support := token("/auth/impersonate", map[string]string{"code": c.Code})
	customer := token("/auth/sign-in", map[string]string{"username": c.Username, "password": c.Password})
	agreement := c.Debtor + "02-1"
	abilities := []struct {
		name, method, path string
		body               fixture.Object
		want               int
	}{
		{"contact details", http.MethodPut, "/relations/phonenumber", fixture.Object{"phone_number": "0687654399"}, 200},
		{"contact details", http.MethodPut, "/relations/email", fixture.Object{"change_email": "nieuw@voorbeeld.example"}, 200},
		{"contact details", http.MethodPut, "/account", fixture.Object{"change_username": "nieuwe.naam"}, 200},
		{"bank account", http.MethodPut, "/relations/bankAccountNumber", fixture.NewBankAccount("NL91ABNA0417164300", "F. Boer", "2026-12-01"),
			200},
		{"periodical payment", http.MethodPut, "/periodicalPayments/" + agreement, fixture.WantedAmount(150), 200},
		{"move", http.MethodPut, "/move", fixture.Object{"agreement_identifier_with_sequence": agreement,
			"commodities": []string{"GAS", "ELECTRICITY"},
			"old_address": fixture.Object{"zip_code": "9700AA", "house_number": "1", "street": "Proeflaan", "city": "Groningen"},
			"new_address": fixture.Object{"zip_code": "9731AB", "house_number": "7", "street": "Lindelaan", "city": "Groningen"},
			"start_date":  "2026-12-01", "stop_date": "2026-12-03", "is_residential": true, "address_type": "SHIPPING"}, 204},
		{"marketplace", http.MethodPost, "/sustainable/offers", fixture.Object{"participation_identifier": "P-" + c.Key, "project_code": "Z-" +
			c.Key,
			"date": "2026-11-20", "number_of_shares": 5, "price": 40}, 201},
	}
	without := apptest.Start(t, apptest.Options{Modules: []module.Module{account.Module, address.Module, billing.Module, move.Module}})
	stranger := without.Customer("alpha", "r1")
	t.Run("6-customer-edits", func(t *testing.T) {
		for _, x := range abilities {
			a := s.Do(apptest.Call{Method: x.method, Path: x.path, Bearer: support, Body: x.body})
			assert.Equal(t, []any{403, "read_only"}, []any{a.Status, a.Code()}, x.name)
			a = s.Do(apptest.Call{Method: x.method, Path: x.path, Bearer: customer, Body: x.body})
			assert.Equal(t, x.want, a.Status, "%s: %s", x.name, a.Body)
			if x.name == "marketplace" {
				assert.Equal(t, http.StatusNotFound, without.Do(apptest.Call{Method: x.method, Path: x.path, Bearer: stranger, Body: x.body}).Status)
			}
		}
	})
}

// The developer mode that a browser stores gives no access, and only a demo reports that it is one.
func TestDeveloperMode(t *testing.T) {
	t.Parallel()
	live := apptest.Start(t, apptest.Options{Modules: []module.Module{account.Module}})
	playground := apptest.Start(t, apptest.Options{Modules: []module.Module{account.Module}, Config: config.Config{Demo: true}})
	t.Run("1-developer-mode-guard", func(t *testing.T) {
		for s, want := range map[*apptest.Server]bool{live: false, playground: true} {
			var portal struct{ Demo bool }
			s.Do(apptest.Call{Path: "/portal"}).JSON(t, &portal)
			assert.Equal(t, want, portal.Demo)
			stored := s.Customer("alpha", "r1")
			assert.Equal(t, http.StatusOK, s.Do(apptest.Call{Path: "/account", Bearer: stored}).Status)
			for _, bad := range []string{"forged", stored[:len(stored)-8] + "AAAAAAAA", s.Customer("beta", "r2")} {
				assert.Equal(t, http.StatusUnauthorized, s.Do(apptest.Call{Path: "/account", Bearer: bad}).Status)
			}
		}
	})
}
