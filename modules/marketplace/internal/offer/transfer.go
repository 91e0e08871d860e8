package offer

import (
	"encoding/json"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// NewTransfer is the request to transfer shares to another member for nothing (7.6-transfers-payload).
type NewTransfer struct {
	Participation string      `json:"participation_identifier" doc:"Participation of the shares"`
	Shares        json.Number `json:"number_of_shares" doc:"Number of shares to transfer, a whole number"`
	BuyerEmail    string      `json:"buyer_email_address" doc:"E-mail address of the receiver"`
	Date          string      `json:"date" format:"date" doc:"Day on which the shares are transferred"`
}

// offer returns the transfer as a personal offer for nothing, whose rules it follows.
func (t NewTransfer) offer() NewOffer {
	return NewOffer{Participation: t.Participation, Type: FormPersonal, BuyerEmail: strings.TrimSpace(t.BuyerEmail), Date: t.Date, Shares: t.Shares, Price: "0"}
}

// Check returns what is wrong with a transfer, at most one code for each field.
func (t NewTransfer) Check(b Bounds, today value.Day) []problem.FieldError {
	return t.offer().Check(b, today)
}
