package staff_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/test/fixture"
)

const recentPath = "/staff/recent-customers"

func testRecent(t *testing.T, o *office) {
	t.Run("9-staff-recent", func(t *testing.T) {
		recent := func(c portaltest.Caller) (out []string) {
			t.Helper()
			for _, r := range fixture.Body[[]fixture.Object](t, c.Do(http.MethodGet, recentPath, nil), http.StatusOK) {
				out = append(out, r["relation"].(string))
			}
			return out
		}
		colleague := func(label, name string) portaltest.Caller {
			return o.SignIn(portaltest.Account{Label: label, Username: name, Email: name + "@" + label + ".example", Name: name,
				Role: portaltest.RoleStaff})
		}
		one, other := colleague("alpha", "een"), colleague("alpha", "ander")
		var ids []string
		var last fixture.Customer
		for range 7 {
			last = o.New()
			ids = append(ids, last.Relation)
		}
		open := func(c portaltest.Caller, relation string, status int) {
			t.Helper()
			require.Equal(t, status, c.Do(http.MethodGet, "/staff/customers/"+relation, nil).Status)
		}
		assert.JSONEq(t, "[]", string(one.Do(http.MethodGet, recentPath, nil).Body), "nobody was opened")
		for _, id := range ids {
			open(one, id, http.StatusOK)
		}
		newest := slices.Clone(ids[2:])
		slices.Reverse(newest)
		assert.Equal(t, newest, recent(one), "the five opened last, the last one first")
		open(one, ids[3], http.StatusOK)
		open(one, "nobody", http.StatusNotFound)
		require.Equal(t, http.StatusOK, one.Do(http.MethodPost, searchPath, fixture.Object{"q": last.Debtor}).Status)
		assert.Equal(t, []string{ids[3], ids[6], ids[5], ids[4], ids[2]}, recent(one), "each once; a search opens nobody")

		first := fixture.Body[[]fixture.Object](t, one.Do(http.MethodGet, recentPath, nil), http.StatusOK)[1]
		assert.Equal(t, fixture.Object{"relation": last.Relation, "debtor_number": last.Debtor, "name": "Bakkerij Ouwehand"}, first)

		assert.Empty(t, recent(other), "those of a colleague")
		open(other, ids[0], http.StatusOK)
		assert.Equal(t, ids[:1], recent(other))
		assert.Empty(t, recent(colleague("beta", "een")), "another label")
		assert.Equal(t, http.StatusForbidden, last.Do(http.MethodGet, recentPath, nil).Status, "a customer")
		assert.Equal(t, http.StatusForbidden, o.APIKey("alpha", "een").Do(http.MethodGet, recentPath, nil).Status, "a back office")
		assert.Equal(t, http.StatusUnauthorized, o.Anonymous("alpha").Do(http.MethodGet, recentPath, nil).Status)
	})
}
