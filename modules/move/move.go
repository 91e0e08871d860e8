package move

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Request is a move request from the browser (3-move-request-fields).
type Request struct {
	Commodities []Commodity `json:"commodities,omitempty" enum:"ELECTRICITY,GAS" nullable:"false" doc:"Ignored: the agreement's commodities at the old address are used"`
	New         NewAddress  `json:"new_address" doc:"Address that the customer moves to"`
	Old         Address     `json:"old_address" doc:"Address that the customer leaves: one of the agreement"`
	Agreement   string      `json:"agreement_identifier_with_sequence,omitempty" doc:"Id of the agreement; optional if only one can be moved from the old address"`
	Dates
	Residential *bool    `json:"is_residential,omitempty" default:"true" doc:"Whether somebody lives at the new address"`
	Type        string   `json:"address_type,omitempty" enum:"INVOICE,SHIPPING" default:"SHIPPING" doc:"INVOICE: only invoices are sent to the new address; SHIPPING: the agreement supplies it"`
	NewInvoice  *Address `json:"new_invoice_address,omitempty" doc:"A copy of new_address, if invoices are to be sent there after the move"`
	NewPostal   *Address `json:"new_postal_address,omitempty" doc:"A copy of new_address, if letters are to be sent there after the move"`
}

// NewAddress is the new address as sent.
type NewAddress struct {
	Street    string  `json:"street,omitempty" doc:"Used only while the register is down"`
	Number    Number  `json:"house_number" doc:"Digits only"`
	Extension *string `json:"house_number_extension,omitempty" nullable:"false" doc:"Empty: the address without one; absent: not chosen"`
	ZipCode   string  `json:"zip_code" doc:"Postal code, with or without a space"`
	City      string  `json:"city,omitempty" doc:"Used only while the register is down"`
	Unchecked bool    `json:"unchecked,omitempty" doc:"Whether street and city were entered by hand because the register was down"`
}

// Address returns the new address without a check.
func (n NewAddress) Address() Address {
	a := Address{Street: n.Street, Number: n.Number, ZipCode: value.NormalizeZipCode(n.ZipCode), City: n.City}
	if n.Extension != nil {
		a.Extension = *n.Extension
	}
	return a
}

// Move is a filed move: the data of the change request, which staff read.
type Move struct {
	Agreement   string      `json:"agreement_identifier_with_sequence" doc:"Id of the agreement"`
	Commodities []Commodity `json:"commodities" nullable:"false" doc:"Commodities of the agreement at the old address"`
	Old         Address     `json:"old_address" doc:"Address that the customer leaves"`
	New         Address     `json:"new_address" doc:"Address that the customer moves to"`
	Start       value.Day   `json:"start_date" doc:"First day at the new address"`
	Stop        *value.Day  `json:"stop_date" nullable:"true" doc:"Last day of delivery at the old address; null: determined by start_date"`
	Residential bool        `json:"is_residential" doc:"Whether somebody lives at the new address"`
	Type        string      `json:"address_type" enum:"INVOICE,SHIPPING" doc:"INVOICE: only invoices are sent to the new address; SHIPPING: the agreement supplies it"`
	NewInvoice  *Address    `json:"new_invoice_address,omitempty" doc:"A copy of new_address, if invoices are to be sent there after the move"`
	NewPostal   *Address    `json:"new_postal_address,omitempty" doc:"A copy of new_address, if letters are to be sent there after the move"`
	Unchecked   bool        `json:"unchecked" doc:"Whether the new address or its connections could not be checked"`
}

// Filed is a move with its state and decision.
type Filed struct {
	ID      string     `json:"id" doc:"Id of the change request"`
	State   string     `json:"state" enum:"PENDING,PROCESSED,REJECTED" doc:"State of the change request"`
	Filed   time.Time  `json:"filed" doc:"Time of the request"`
	Decided *time.Time `json:"decided" nullable:"true" doc:"Time of the decision; null: pending"`
	Reason  string     `json:"reason" doc:"Reason that staff gave for the decision"`
	Move
}

// CheckForm validates a request without calling other modules: required fields (5.2-old-address-required, 5.2-new-address-required), days
// and enumerations.
func (r Request) CheckForm(today value.Day) (fieldErrors []problem.FieldError) {
	refuse := func(field, code string) {
		fieldErrors = append(fieldErrors, problem.FieldError{Field: field, Code: code})
	}
	if r.Old.ZipCode == "" || r.Old.Number == "" {
		refuse("old_address", codeRequired)
	}
	if value.NormalizeZipCode(r.New.ZipCode) == "" {
		refuse("new_address.zip_code", codeRequired)
	}
	if tidy(string(r.New.Number)) == "" {
		refuse("new_address.house_number", codeRequired)
	}
	if r.Type != "" && !slices.Contains(addressTypes, r.Type) {
		refuse("address_type", problem.CodeInvalid)
	}
	for _, cp := range []struct {
		field   string
		address *Address
	}{{"new_invoice_address", r.NewInvoice}, {"new_postal_address", r.NewPostal}} {
		if cp.address != nil && cp.address.Key() != r.New.Address().Key() { // 3-move-extra-addresses
			refuse(cp.field, problem.CodeInvalid)
		}
	}
	_, _, dates := r.Dates.Check(today)
	return append(fieldErrors, dates...)
}

var addressTypes = []string{"SHIPPING", "INVOICE"}

// Move returns the move to file for a request with a valid form. The new address a comes from the register or, unchecked, from
// CheckManual; old address and commodities come from the agreement.
func (r Request) Move(from Agreement, a Address, unchecked bool, today value.Day) Move {
	start, stop, _ := r.Dates.Check(today)
	old := from.addressAt(r.Old.Key())
	m := Move{Agreement: from.ID, Commodities: CommoditiesOf(old.Connections), Old: old.Address, New: a, Start: start, Stop: stop,
		Residential: r.Residential == nil || *r.Residential, Type: r.Type, Unchecked: unchecked} // 3-move-residential-default
	if m.Type == "" {
		m.Type = addressTypes[0]
	}
	if r.NewInvoice != nil {
		m.NewInvoice = &a
	}
	if r.NewPostal != nil {
		m.NewPostal = &a
	}
	return m
}

// stringOrNumber returns a JSON string or number as a string, and "" for null.
func stringOrNumber(b []byte) (text string, err error) {
	switch {
	case string(b) == "null":
		return "", nil
	case b[0] == '-' || '0' <= b[0] && b[0] <= '9':
		return string(b), nil
	case b[0] == '"':
		err = json.Unmarshal(b, &text)
		return text, err
	}
	return "", fmt.Errorf("move: neither a string nor a number")
}
