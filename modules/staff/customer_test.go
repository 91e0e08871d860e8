package staff

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A customer as staff find and open it: who looks along needs an account, a firm without a person's name is called by its own.
func TestCustomer(t *testing.T) {
	assert.False(t, found{Relation: "r"}.customer("").MayImpersonate)
	assert.True(t, found{Relation: "r"}.customer("fenna").MayImpersonate)

	r := relation{DebtorNumber: "1", Initials: "F.A.", Prefix: "de", LastName: "Boer"}
	got := r.record("r", "")
	assert.Equal(t, "F.A. de Boer", got.Name)
	assert.Empty(t, got.Company)
	assert.False(t, got.MayImpersonate)
	assert.Equal(t, []Address{}, got.Addresses, "an empty list, not null")
	assert.Empty(t, got.Place)
	assert.True(t, r.record("r", "fenna").MayImpersonate)

	firm := relation{Company: &struct {
		Name string `json:"name"`
	}{"Molen B.V."}}
	assert.Equal(t, []string{"Molen B.V.", "Molen B.V."}, []string{firm.record("r", "").Name, firm.record("r", "").Company})
	firm.LastName = "Ouwehand"
	assert.Equal(t, "Ouwehand", firm.record("r", "").Name, "the person goes before the firm")

	far, home := Address{Type: "SHIPPING", City: "Assen"}, Address{Type: "INVOICE", City: "Leek"}
	for want, addresses := range map[string][]Address{"Leek": {far, home, far}, "Assen": {far, {Type: "SHIPPING", City: "Haren"}}} {
		r.Addresses = addresses
		assert.Equal(t, want, r.record("r", "").Place)
	}
}

// Of a search the log keeps what kind it was and nothing of a person.
func TestSearchKind(t *testing.T) {
	for q, want := range map[string]string{"fenna@voorbeeld.example": "email", "10240001": "number", "p7": "number", "de Boer": "name", "": "name"} {
		assert.Equal(t, want, searchKind(q), q)
	}
}
