package staff_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/test/fixture"
)

func testSearch(t *testing.T, o *office) {
	require.Empty(t, fixture.Records(t, o.Portal, "relation",
		person("700001", "J.", "", "Janssen-Böhmer", "jb@klant.example"), person("700002", "A.", "van der", "Velde", "Velde@Klant.example"),
		person("700003", "B.", "de", "Jong", "jong@klant.example"), person("P7XYZ", "C.", "", "Zwart", "zwart@klant.example"),
		fixture.With(person("700005", "D.", "", "Smid", "firma@klant.example"),
			fixture.Object{"company": fixture.Object{"name": "Bakkerij de Molen B.V."}}),
		fixture.With(person("700006", "E.", "", "Bakkerij", "e@klant.example"),
			fixture.Object{"company": fixture.Object{"name": "Bakkerij Bakkerij"}})))
	for i := range 7 {
		require.Empty(t, fixture.Records(t, o.Portal, "relation", person(fmt.Sprint("7100", i), string(rune('A'+i))+".", "", "Pietersen",
			fmt.Sprintf("p%d@klant.example", i))))
	}
	o.Account("700002", "velde.login")
	o.SignIn(portaltest.Account{Label: "alpha", Relation: account.RelationID("alpha", "700003"), Username: "jong",
		Email: "heel.anders@klant.example", Role: portaltest.RoleCustomer})
	find := func(q string) (debtors []string) {
		for _, c := range o.found(t, fixture.Object{"q": q}).Items {
			debtors = append(debtors, c["debtor_number"].(string))
		}
		return debtors
	}
	for q, want := range map[string][]string{
		"700001": {"700001"}, "p7xyz": {"P7XYZ"}, " 700001 ": {"700001"}, "70000": nil,
		"velde@klant.example": {"700002"}, "VELDE@KLANT.EXAMPLE": {"700002"}, "heel.anders@klant.example": {"700003"},
		"niemand@klant.example": nil,
		"velde":                 {"700002"}, "van der Velde": {"700002"}, "A. van der Velde": {"700002"}, "Anton van der Velde": {"700002"},
		"VELDE A":        {"700002"},
		"janssen-bohmer": {"700001"}, "Janssen-Böhmer": {"700001"}, "jans": {"700001"}, "bohmer": nil,
		"jong": {"700003"}, "bakkerij de": {"700005", "700006"}, "bakkerij": {"700005", "700006"}, "smid": {"700005"},
		"%": nil, "__": nil, "' OR 1=1 --": nil, "\\\\": nil,
	} {
		if q == "%" {
			q = "%%"
		}
		if want == nil {
			assert.Empty(t, find(q), q)
			continue
		}
		assert.Equal(t, want, find(q), q)
	}
	velde := o.found(t, fixture.Object{"q": "700002"}).Items[0]
	assert.Equal(t, fixture.Object{"relation": account.RelationID("alpha", "700002"), "debtor_number": "700002", "name": "A. van der Velde",
		"email": "Velde@Klant.example", "phone": "", "place": "Assen", "username": "velde.login", "may_impersonate": true}, velde)
	assert.Equal(t, false, o.found(t, fixture.Object{"q": "700001"}).Items[0]["may_impersonate"], "no account")

	t.Run("9-staff-search-address", func(t *testing.T) {
		for debtor, home := range map[string][2]string{"700011": {"12", "B"}, "700012": {"12", "A"}, "700013": {"120", ""}, "700014": {"9", ""}} {
			require.Empty(t, fixture.Records(t, o.Portal, "relation", fixture.With(person(debtor, "G.", "", "Buur", debtor+"@klant.example"),
				fixture.Object{"addresses": []fixture.Object{{"address_type": "INVOICE", "zip_code": "1000AA", "house_number": "1"},
					{"address_type": "SHIPPING", "zip_code": "9799 xk", "house_number": home[0], "house_number_extension": home[1]}}})))
		}
		for q, want := range map[string][]string{"9799XK 12": {"700012", "700011"}, "9799xk12a": {"700012"}, " 9799 XK, 9": {"700014"},
			"9799 XK 12-b": {"700011"}, "9799XK 1": nil, "9798XK": nil, "1000AA 1": nil, "9799 X": nil} {
			assert.Equal(t, want, find(q), q)
		}
		var got []string
		for page, search := 1, (fixture.Object{"q": "9799 XK"}); page == 1 || search["after"] != ""; page++ {
			out := o.found(t, search)
			for _, c := range out.Items {
				got = append(got, c["debtor_number"].(string))
			}
			search["after"] = out.Next
		}
		assert.Equal(t, []string{"700012", "700011", "700013", "700014"}, got, "over several pages")
		searches := o.log(t, "action=staff.customers_searched")
		assert.Equal(t, "address", searches[0]["kind"])
		for _, s := range searches {
			delete(s, "hash") // its digits may be those of a postal code, like those of the time
			delete(s, "at")
		}
		assert.NotContains(t, fmt.Sprint(searches), "9799")
	})
	t.Run("9-queue-customer", func(t *testing.T) {
		numbers := func(label string) (out map[string]string) {
			t.Helper()
			a := o.Do(portaltest.Call{Host: label + ".localhost", Path: "/staff/customer-numbers?relations=" +
				account.RelationID("alpha", "700002") + "&relations=gone&relations=" + account.RelationID("alpha", "700005"),
				Bearer: o.Staff(label).Bearer})
			require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			var all []map[string]string
			a.JSON(t, &all)
			out = map[string]string{}
			for _, one := range all {
				out[one["relation"]] = one["debtor_number"] + " " + one["name"]
			}
			return out
		}
		assert.Equal(t, map[string]string{account.RelationID("alpha", "700002"): "700002 A. van der Velde",
			account.RelationID("alpha", "700005"): "700005 Bakkerij de Molen B.V."},
			numbers("alpha"))
		assert.Empty(t, numbers("beta"), "customers of another label")
		assert.Equal(t, http.StatusBadRequest, o.ask(http.MethodGet, "/staff/customer-numbers", nil).Status)
		assert.Equal(t, http.StatusForbidden, o.Do(portaltest.Call{Path: "/staff/customer-numbers?relations=x", Bearer: o.New().Bearer}).Status,
			"customers")
	})
	t.Run("9-staff-search-logged", func(t *testing.T) {
		var got []string
		logged := len(o.log(t, "action=staff.customers_searched&limit=200"))
		for page, search := 1, (fixture.Object{"q": "pieters"}); page == 1 || search["after"] != ""; page++ {
			out := o.found(t, search)
			assert.LessOrEqual(t, len(out.Items), 3)
			for _, c := range out.Items {
				got = append(got, c["name"].(string))
			}
			search["after"] = out.Next
			assert.Len(t, o.log(t, "action=staff.customers_searched&limit=200"), logged+page, "each page is logged")
		}
		assert.Equal(t, http.StatusBadRequest, o.ask(http.MethodPost, searchPath, fixture.Object{"q": "pieters", "after": ""}).Status)
		assert.Equal(t, http.StatusNotFound, o.ask(http.MethodGet, "/staff/customers?q=jong", nil).Status,
			"addresses are kept by servers and proxies")
		assert.Equal(t, http.StatusBadRequest, o.ask(http.MethodPost, searchPath+"?q=pieters", fixture.Object{}).Status)
		assert.NotContains(t, fmt.Sprint(o.log(t, "action=staff.customers_searched&limit=200")), "pieters")
		assert.Equal(t, []string{"A. Pietersen", "B. Pietersen", "C. Pietersen", "D. Pietersen", "E. Pietersen", "F. Pietersen", "G. Pietersen"},
			got)
	})
	for name, search := range map[string]fixture.Object{"no text": {}, "empty": {"q": ""}, "one letter": {"q": "a"},
		"junk cursor": {"q": "jong", "after": "junk"},
		"long":        {"q": strings.Repeat("x", 300)}} {
		assert.Equal(t, http.StatusBadRequest, o.ask(http.MethodPost, searchPath, search).Status, name)
	}
	var out foundCustomers
	o.Do(portaltest.Call{Method: http.MethodPost, Host: "beta.localhost", Path: searchPath, Bearer: o.Staff("beta").Bearer,
		Body: fixture.Object{"q": "700002"}}).JSON(t, &out)
	assert.Equal(t, []fixture.Object{}, out.Items, "a customer of another label")
}

const searchPath = "/staff/customers/search"

type foundCustomers struct {
	Items []fixture.Object
	Next  string
}

// found searches customers.
func (o *office) found(t *testing.T, search fixture.Object) (out foundCustomers) {
	t.Helper()
	a := o.ask(http.MethodPost, searchPath, search)
	require.Equal(t, http.StatusOK, a.Status, "%v: %s", search, a.Body)
	a.JSON(t, &out)
	return out
}
