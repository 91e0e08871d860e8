package account

import (
	"bytes"
	"cmp"
	"encoding/json"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/problem"
)

// AddressType says what an address is for (3-address-type-enum).
type AddressType string

// The two types of address.
const (
	Invoice  AddressType = "INVOICE"
	Shipping AddressType = "SHIPPING"
)

// Address is one of a relation's addresses (3-address-fields).
type Address struct {
	Type        AddressType  `json:"address_type" enum:"INVOICE,SHIPPING"`
	Street      string       `json:"street"`
	Number      string       `json:"house_number"`
	Extension   string       `json:"house_number_extension"`
	ZipCode     string       `json:"zip_code" doc:"Dutch postal code as 1234AB, or that of another country"`
	City        string       `json:"city"`
	Connections []Connection `json:"connections" nullable:"false"`
}

// Connection is a connection that stands at an address; module usage knows the rest of it.
type Connection struct {
	EAN       string `json:"ean_code"`
	Commodity string `json:"commodity" enum:"ELECTRICITY,GAS"`
}

// UnmarshalJSON reads an address as Address writes it, and with the camel-case names that some back offices send
// (3-address-camel-case). Where both are there the snake-case one holds. A house number may be a number.
func (a *Address) UnmarshalJSON(data []byte) error {
	type plain Address
	in := struct {
		*plain
		Number    text `json:"house_number"`
		CamelType text `json:"addressType"`
		CamelNum  text `json:"houseNumber"`
		CamelExt  text `json:"houseNumberExtension"`
		CamelZip  text `json:"zipCode"`
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

// text is a string that may come as a JSON number.
type text string

// UnmarshalJSON gets one valid JSON value. The plain cases are read in place: an import of 100,000 relations has a million of them.
func (t *text) UnmarshalJSON(data []byte) error {
	switch first := data[0]; {
	case first == '"' && bytes.IndexByte(data, '\\') < 0 && utf8.Valid(data):
		*t = text(data[1 : len(data)-1])
		return nil
	case first == '-' || '0' <= first && first <= '9':
		*t = text(data)
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// check says what keeps an address from being stored.
func (a Address) check() (field, code string) {
	if a.Type != Invoice && a.Type != Shipping {
		return "address_type", problem.CodeInvalid
	}
	return "", ""
}
