package staff

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// Impersonation requires an account; the name of a customer is that of the contact person or, without one, of the company.
func TestCustomer(t *testing.T) {
	assert.False(t, customer(accountapi.Found{Relation: "r"}, "").MayImpersonate)
	assert.True(t, customer(accountapi.Found{Relation: "r"}, "fenna").MayImpersonate)

	r := accountapi.Relation{DebtorNumber: "1", Initials: "F.A.", Prefix: "de", LastName: "Boer"}
	got := record(r, "r", "")
	assert.Equal(t, "F.A. de Boer", got.Name)
	assert.Empty(t, got.Company)
	assert.False(t, got.MayImpersonate)
	assert.Equal(t, []Address{}, got.Addresses, "an empty list, not null")
	assert.Empty(t, got.Place)
	assert.True(t, record(r, "r", "fenna").MayImpersonate)

	firm := accountapi.Relation{Company: accountapi.Company{Name: "Molen B.V."}}
	assert.Equal(t, []string{"Molen B.V.", "Molen B.V."}, []string{record(firm, "r", "").Name, record(firm, "r", "").Company})
	firm.LastName = "Ouwehand"
	assert.Equal(t, "Ouwehand", record(firm, "r", "").Name, "the person goes before the firm")

	far, home := accountapi.Address{AddressType: "SHIPPING", City: "Assen"}, accountapi.Address{AddressType: "INVOICE", City: "Leek"}
	for want, addresses := range map[string][]accountapi.Address{"Leek": {far, home, far},
		"Assen": {far, {AddressType: "SHIPPING", City: "Haren"}}} {
		r.Addresses = addresses
		assert.Equal(t, want, record(r, "r", "").Place)
	}
}
