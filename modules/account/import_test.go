package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/test/fixture"
)

// Importing a debtor number several times, in one batch or in several, stores one relation: the last record.
func TestImportRelations(t *testing.T) {
	t.Parallel()
	portaltest.Each(t, portaltest.Options{Modules: []module.Module{account.Module}}, func(t *testing.T, s *portaltest.Portal) {
		refused := s.Import("alpha", "relation",
			`{"debtor_number":"7","last_name":"Eerst","email":"een@voorbeeld.example"}`,
			`{"debtor_number":"7","last_name":"Daarna","addresses":[{"addressType":"SHIPPING","houseNumber":12}]}`,
			`{"debtor_number":"8","addresses":[{"address_type":"POSTAL"}]}`,
			`{"debtor_number":"9","relation_since":"2026-02-30"}`,
			`{"debtor_number":"10","company":{"name":"Molen B.V.","timeOfUse":"T_0_12"}}`,
			`{"last_name":"Zonder"}`,
			`[1]`)
		require.Equal(t, []record.Refusal{
			{Line: 3, Field: "addresses.0.address_type", Code: "invalid"}, {Line: 4, Code: "malformed"},
			{Line: 5, Field: "company.timeOfUse", Code: "invalid"}, {Line: 6, Field: "debtor_number", Code: "required"}, {Line: 7, Code: "invalid"}},
			refused)
		c := (&fixture.Customers{Portal: s, T: t}).Account("7", "klant.7")
		got := c.Get(t, "/relations")
		require.Equal(t, "Daarna", got["last_name"])
		require.Equal(t, "", got["email"], "a record replaces the whole relation")
		require.Len(t, got["addresses"], 1)

		require.Empty(t, s.Import("alpha", "relation", `{"debtor_number":"7","last_name":"Later"}`))
		got = c.Get(t, "/relations")
		require.Equal(t, "Later", got["last_name"])
		require.Empty(t, got["addresses"])
	})
}
