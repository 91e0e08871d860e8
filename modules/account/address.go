package account

import (
	"bytes"
	"cmp"
	"encoding/json"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// AddressType is the purpose of an address (3-address-type-enum).
type AddressType string

// The two address types.
const (
	Invoice  AddressType = "INVOICE"
	Shipping AddressType = "SHIPPING"
)

// Address is an address of a relation (3-address-fields).
type Address struct {
	Type        AddressType  `json:"address_type" enum:"INVOICE,SHIPPING" doc:"INVOICE: invoices are sent there; SHIPPING: an address of delivery"`
	Street      string       `json:"street" doc:"Name of the street"`
	Number      string       `json:"house_number" doc:"House number without its extension"`
	Extension   string       `json:"house_number_extension" doc:"Empty: none"`
	ZipCode     string       `json:"zip_code" doc:"Postal code; Dutch ones as 1234AB"`
	City        string       `json:"city" doc:"Name of the city"`
	Connections []Connection `json:"connections" nullable:"false" doc:"Connections at the address"`
}

// Connection is a connection at an address. Module usage stores its other data.
type Connection struct {
	EAN       string `json:"ean_code" doc:"EAN code of the connection, 18 digits"`
	Commodity string `json:"commodity" enum:"ELECTRICITY,GAS" doc:"What is supplied over the connection"`
}

// UnmarshalJSON accepts snake-case names, and the camel-case names that some back offices send (3-address-camel-case). If a field has both,
// the snake-case one is used. A house number may be a JSON number.
func (a *Address) UnmarshalJSON(data []byte) error {
	type plain Address
	in := struct {
		*plain
		Number    stringOrNumber `json:"house_number"`
		CamelType stringOrNumber `json:"addressType"`
		CamelNum  stringOrNumber `json:"houseNumber"`
		CamelExt  stringOrNumber `json:"houseNumberExtension"`
		CamelZip  stringOrNumber `json:"zipCode"`
	}{plain: (*plain)(a)}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	a.Type = cmp.Or(a.Type, AddressType(in.CamelType))
	a.Number = string(cmp.Or(in.Number, in.CamelNum))
	a.Extension = cmp.Or(a.Extension, string(in.CamelExt))
	a.ZipCode = cmp.Or(a.ZipCode, string(in.CamelZip))
	if a.Connections == nil {
		a.Connections = []Connection{}
	}
	return nil
}

// stringOrNumber is a string that may be a number in JSON.
type stringOrNumber string

// UnmarshalJSON accepts one valid JSON string, number or null. Simple values are read without the decoder: an import of 100,000 relations
// contains a million of them.
func (t *stringOrNumber) UnmarshalJSON(data []byte) error {
	switch first := data[0]; {
	case first == '"' && bytes.IndexByte(data, '\\') < 0 && utf8.Valid(data):
		*t = stringOrNumber(data[1 : len(data)-1])
		return nil
	case first == '-' || '0' <= first && first <= '9':
		*t = stringOrNumber(data)
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// looksLikeZipCode reports whether a postal code has a plausible length: 2000 in Belgium, 1234 AB in the Netherlands, SW1A 1AA elsewhere.
// An address has no country, so not every postal code has to match the Dutch pattern.
func looksLikeZipCode(code string) bool {
	n := utf8.RuneCountInString(value.NormalizeZipCode(code))
	return n >= minZipCode && n <= maxZipCode
}

// Minimum and maximum length of a European postal code without spaces.
const (
	minZipCode = 4
	maxZipCode = 8
)

// check validates an address before it is stored. It returns the invalid field and the problem code.
func (a Address) check() (field, code string) {
	if a.Type != Invoice && a.Type != Shipping {
		return "address_type", problem.CodeInvalid
	}
	return "", ""
}
