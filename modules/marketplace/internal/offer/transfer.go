package offer

import (
	"encoding/json"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// NewTransfer is what a member asks for who hands shares to another member, for nothing (7.6-transfers-payload).
type NewTransfer struct {
	Participation string      `json:"participation_identifier"`
	Shares        json.Number `json:"number_of_shares"`
	BuyerEmail    string      `json:"buyer_email_address" doc:"Of the receiver"`
	Date          string      `json:"date" format:"date" doc:"On which the shares are handed over"`
}

// offer is the transfer as an offer to one person for nothing: its rules are those of offers.
func (t NewTransfer) offer() NewOffer {
	return NewOffer{Participation: t.Participation, Type: FormPersonal, BuyerEmail: strings.TrimSpace(t.BuyerEmail), Date: t.Date, Shares: t.Shares, Price: "0"}
}

// Check says what is wrong with a transfer, at most one code a field.
func (t NewTransfer) Check(b Bounds, today value.Day) []problem.FieldError {
	return t.offer().Check(b, today)
}
