package move

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Request is a move as the browser sends it (3-move-request-fields).
type Request struct {
	Commodities []Commodity `json:"commodities,omitempty" enum:"ELECTRICITY,GAS" nullable:"false" doc:"Not believed: those of the old address in the agreement are taken"`
	New         NewAddress  `json:"new_address"`
	Old         Address     `json:"old_address"`
	Agreement   string      `json:"agreement_identifier_with_sequence,omitempty" doc:"May be left out when one agreement can be moved from the old address"`
	Dates
	Residential *bool    `json:"is_residential,omitempty" default:"true"`
	Type        string   `json:"address_type,omitempty" enum:"INVOICE,SHIPPING" default:"SHIPPING"`
	NewInvoice  *Address `json:"new_invoice_address,omitempty" doc:"When sent, a copy of new_address: invoices go there from then on"`
	NewPostal   *Address `json:"new_postal_address,omitempty" doc:"When sent, a copy of new_address: post goes there from then on"`
}

// NewAddress is the address that is moved to, as it is sent.
type NewAddress struct {
	Street    string  `json:"street,omitempty" doc:"Taken only where the register cannot be reached"`
	Number    Number  `json:"house_number"`
	Extension *string `json:"house_number_extension,omitempty" nullable:"false" doc:"Empty: the address without one; absent: none was chosen"`
	ZipCode   string  `json:"zip_code"`
	City      string  `json:"city,omitempty" doc:"Taken only where the register cannot be reached"`
	Unchecked bool    `json:"unchecked,omitempty" doc:"Street and city were entered by hand, because the register could not be reached"`
}

// Address is the new address as it was sent, unchecked.
func (n NewAddress) Address() Address {
	a := Address{Street: n.Street, Number: n.Number, ZipCode: value.NormaliseZipCode(n.ZipCode), City: n.City}
	if n.Extension != nil {
		a.Extension = *n.Extension
	}
	return a
}

// Move is a move as it is filed: the data of the change, what staff see.
type Move struct {
	Agreement   string      `json:"agreement_identifier_with_sequence"`
	Commodities []Commodity `json:"commodities" nullable:"false"`
	Old         Address     `json:"old_address"`
	New         Address     `json:"new_address"`
	Start       value.Day   `json:"start_date" doc:"First day at the new address"`
	Stop        *value.Day  `json:"stop_date" nullable:"true" doc:"Last day of delivery at the old address; null: it is settled with start_date"`
	Residential bool        `json:"is_residential"`
	Type        string      `json:"address_type" enum:"INVOICE,SHIPPING"`
	NewInvoice  *Address    `json:"new_invoice_address,omitempty"`
	NewPostal   *Address    `json:"new_postal_address,omitempty"`
	Unchecked   bool        `json:"unchecked" doc:"Neither the address nor its connections could be checked"`
}

// Filed is a move that was asked for, with what became of it.
type Filed struct {
	ID      string     `json:"id"`
	State   string     `json:"state" enum:"PENDING,PROCESSED,REJECTED"`
	Filed   time.Time  `json:"filed"`
	Decided *time.Time `json:"decided" nullable:"true"`
	Reason  string     `json:"reason" doc:"What staff wrote to the decision"`
	Move
}

// CheckForm judges what can be judged without asking anybody: required fields (5.2-old-address-required, 5.2-new-address-required),
// days and enumerations.
func (r Request) CheckForm(today value.Day) (wrong []problem.FieldError) {
	refuse := func(field, code string) { wrong = append(wrong, problem.FieldError{Field: field, Code: code}) }
	if r.Old.ZipCode == "" || r.Old.Number == "" {
		refuse("old_address", codeRequired)
	}
	if value.NormaliseZipCode(r.New.ZipCode) == "" {
		refuse("new_address.zip_code", codeRequired)
	}
	if tidy(string(r.New.Number)) == "" {
		refuse("new_address.house_number", codeRequired)
	}
	if r.Type != "" && !slices.Contains(addressTypes, r.Type) {
		refuse("address_type", problem.CodeInvalid)
	}
	for _, copied := range []struct {
		field   string
		address *Address
	}{{"new_invoice_address", r.NewInvoice}, {"new_postal_address", r.NewPostal}} {
		if copied.address != nil && copied.address.Key() != r.New.Address().Key() { // 3-move-extra-addresses
			refuse(copied.field, problem.CodeInvalid)
		}
	}
	_, _, dates := r.Dates.Check(today)
	return append(wrong, dates...)
}

var addressTypes = []string{"SHIPPING", "INVOICE"}

// Move makes the move that is filed from a request whose form is fine. Commodities and addresses are not those of the request: a
// comes from the register or, unchecked, from CheckByHand, and the rest from the agreement.
func (r Request) Move(from Agreement, a Address, unchecked bool, today value.Day) Move {
	start, stop, _ := r.Dates.Check(today)
	old := from.at(r.Old.Key())
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

// loose reads a text, a number or null.
func loose(b []byte) (text string, err error) {
	switch {
	case string(b) == "null":
		return "", nil
	case b[0] == '-' || '0' <= b[0] && b[0] <= '9':
		return string(b), nil
	case b[0] == '"':
		err = json.Unmarshal(b, &text)
		return text, err
	}
	return "", fmt.Errorf("move: neither a text nor a number")
}
