// Package transfer transfers shares to another member free of charge, as a PRIVATE offer: staff approve it, and the receiver gets the
// shares on its date.
package transfer

import (
	"encoding/json"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
)

// NewTransfer is the request to transfer shares to another member free of charge (7.6-transfers-payload).
type NewTransfer struct {
	Participation string      `json:"participation_identifier" doc:"Participation of the shares"`
	Shares        json.Number `json:"number_of_shares" doc:"Number of shares to transfer, a whole number"`
	BuyerEmail    string      `json:"buyer_email_address" doc:"E-mail address of the receiver"`
	Date          string      `json:"date" format:"date" doc:"Day on which the shares are transferred"`
}

// offer returns the transfer as a personal offer without a price, whose rules apply.
func (t NewTransfer) offer() offer.NewOffer {
	return offer.NewOffer{Participation: t.Participation, Type: offer.FormPersonal, BuyerEmail: strings.TrimSpace(t.BuyerEmail),
		Date: t.Date, Shares: t.Shares, Price: "0"}
}

// Check returns the errors of a transfer, at most one for each field.
func (t NewTransfer) Check(b offer.Bounds, today value.Day) []problem.FieldError {
	return t.offer().Check(b, today)
}

// TransformSchema changes the type of the number of shares to number.
func (NewTransfer) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return offer.Numbers(s, "number_of_shares")
}
