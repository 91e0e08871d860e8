package marketplace

import (
	"strings"

	"github.com/wattle-portal/wattle/core/module"
)

// Address is where shares are.
type Address struct {
	StreetName   string `json:"street_name" maxLength:"200"`
	HouseNumber  string `json:"house_number" maxLength:"20"`
	HousePostfix string `json:"house_postfix" maxLength:"20" required:"false"`
	PostalCode   string `json:"postal_code" maxLength:"20"`
	City         string `json:"city" maxLength:"200"`
}

// Key is the same for the same address, however it was typed.
func (a Address) Key() string {
	plain := func(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), "")) }
	return strings.Join([]string{plain(a.PostalCode), plain(a.HouseNumber), plain(a.HousePostfix)}, "-")
}

// participationDocument is what is stored of a participation beside its key and its balance.
type participationDocument struct {
	Address          Address    `json:"address"`
	Supplier         string     `json:"supplier,omitempty"`
	SupplierFromDate module.Day `json:"supplier_from_date,omitzero"`
	SupplierToDate   module.Day `json:"supplier_to_date,omitzero"`
	MutationDate     module.Day `json:"mutation_date,omitzero"`
	EAN              string     `json:"ean,omitempty"`
}
