// Package move moves shares of a member to another address: immediately, or as a planned move on a later day.
package move

import (
	"fmt"
	"math"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
)

// Error codes of moves.
const (
	codeSharesOffered = "marketplace.shares_offered" // 409: a move would leave fewer shares than are offered
	codeSameAddress   = "marketplace.same_address"   // 400: the shares are already at that address
	codeDatePast      = "marketplace.date_past"      // 5.8-date-min
	codeDateInvalid   = "marketplace.date_invalid"
)

// MoveForm is the form for moving shares to another address (3-move-shares-fields).
type MoveForm struct {
	Participation string   `json:"participation_identifier"`
	Shares        *float64 `json:"number_of_shares"` // as the member typed it
	Date          string   `json:"date"`
	AddressType   string   `json:"address_type"`
	AddressKey    string   `json:"address_key"` // an existing address: the identifier of its participation
	participation.Address
}

const (
	maxItems = 50 // maximum number of items in a request
)

// Values of address_type (3-move-shares-address-type).
const (
	addressExisting = "existing"
	addressNew      = "new"
)

// Check returns the errors of the form, at most one for each field. share is the number of shares of the participation (5.8-shares-range).
func (m MoveForm) Check(today value.Day, share int64) (fieldErrors []problem.FieldError) {
	refuse := func(field, code string) {
		fieldErrors = append(fieldErrors, problem.FieldError{Field: field, Code: code})
	}
	if m.Participation == "" {
		refuse("participation_identifier", offer.CodeRequired)
	}
	switch n := m.Shares; {
	case n == nil:
		refuse("number_of_shares", offer.CodeRequired)
	case *n != math.Trunc(*n), *n < 1, *n > float64(share):
		refuse("number_of_shares", offer.CodeInvalidInput)
	}
	if code := checkDate(m.Date, today); code != "" {
		refuse("date", code)
	}
	switch m.AddressType {
	case "":
		refuse("address_type", offer.CodeRequired)
	case addressExisting: // 5.8-existing-address
		if m.AddressKey == "" {
			refuse("address_key", offer.CodeRequired)
		}
	case addressNew: // 5.8-new-address
		for _, f := range m.Parts() {
			if strings.TrimSpace(f.Value) == "" {
				refuse(f.Field, offer.CodeRequired)
			}
		}
	default:
		refuse("address_type", offer.CodeInvalidInput)
	}
	return fieldErrors
}

// checkDate returns the error code for the day of a move (5.8-date-min).
func checkDate(text string, today value.Day) string {
	if text == "" {
		return offer.CodeRequired
	}
	switch day, err := value.ParseDay(text); {
	case err != nil:
		return codeDateInvalid
	case day.Before(today):
		return codeDatePast
	}
	return ""
}

// CheckLeft refuses a move that would leave fewer shares than are offered or in planned moves (5.8-shares-offered-reconcile).
func CheckLeft(b ledger.Balance, shares int64) string {
	if shares > b.Free() {
		return codeSharesOffered
	}
	return ""
}

// MoveRequest is the body of moveShares (7.6-post-move-shares).
type MoveRequest struct {
	Date  string     `json:"date" doc:"YYYY-MM-DD; today moves the shares at once"`
	Items []MoveItem `json:"items" minItems:"1" maxItems:"50" nullable:"false" doc:"The moves, each with its destination"`
}

// MoveItem is a number of shares and their destination: another participation of the member, or an address.
type MoveItem struct {
	Participation string                 `json:"participationIdentifier" doc:"Participation that the shares leave"`
	Shares        *float64               `json:"shares" doc:"Whole number of shares"`
	To            string                 `json:"toParticipationIdentifier,omitempty" doc:"Participation of the member that receives the shares; absent: see address"`
	Address       *participation.Address `json:"address,omitempty" doc:"Address that the shares move to, instead of toParticipationIdentifier"`
}

// form returns the item as a completed form.
func (i MoveItem) form(date string) MoveForm {
	f := MoveForm{Participation: i.Participation, Shares: i.Shares, Date: date, AddressKey: i.To}
	switch {
	case i.To != "" && i.Address != nil: // exactly one of the two is required
		f.AddressType = "both"
	case i.To != "":
		f.AddressType = addressExisting
	case i.Address != nil:
		f.AddressType, f.Address = addressNew, *i.Address
	}
	return f
}

// itemFields maps the fields of the form to those of an item.
var itemFields = map[string]string{"participation_identifier": "participationIdentifier", "number_of_shares": "shares", "date": "",
	"address_type": "address", "address_key": "toParticipationIdentifier", "city": "address.city", "house_number": "address.house_number",
	"postal_code": "address.postal_code", "street_name": "address.street_name"}

// Check checks a request against the member's participations, which are keyed by identifier. It returns at most one error for each field.
func (r MoveRequest) Check(today value.Day, own map[string]ledger.Participation) (fieldErrors []problem.FieldError) {
	if code := checkDate(r.Date, today); code != "" {
		fieldErrors = append(fieldErrors, problem.FieldError{Field: "date", Code: code})
	}
	switch n := len(r.Items); {
	case n == 0:
		return append(fieldErrors, problem.FieldError{Field: "items", Code: offer.CodeRequired})
	case n > maxItems:
		return append(fieldErrors, problem.FieldError{Field: "items", Code: offer.CodeInvalidInput})
	}
	for n, item := range r.Items {
		refuse := func(field, code string) {
			fieldErrors = append(fieldErrors, problem.FieldError{Field: fmt.Sprintf("items.%d.%s", n, field), Code: code})
		}
		from, known := own[item.Participation]
		if item.Participation != "" && !known {
			refuse("participationIdentifier", participation.CodeUnknown)
			continue
		}
		for _, w := range item.form(r.Date).Check(today, from.Share) {
			if field := itemFields[w.Field]; field != "" {
				refuse(field, w.Code)
			}
		}
		if item.Address != nil && !item.Address.Plain() {
			refuse("address", offer.CodeInvalidInput)
		}
		to, exists := own[item.To]
		switch {
		case item.To != "" && (!exists || to.ProjectCode != from.ProjectCode): // shares cannot move to a participation of another project
			refuse("toParticipationIdentifier", participation.CodeUnknown)
		case item.To != "" && to.AddressKey == from.AddressKey:
			refuse("toParticipationIdentifier", codeSameAddress)
		case item.To == "" && item.Address != nil && item.Address.Key() == from.AddressKey:
			refuse("address", codeSameAddress)
		}
	}
	return fieldErrors
}
