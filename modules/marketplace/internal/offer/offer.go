// Package offer contains the rules of offers, their statuses and the four numbers of their shares. Only Reserve, Release, Sell, Return and
// Transfer move shares between those numbers, each in one conditional update; the caller makes the same movement in the ledger. Lock an
// offer before its participation, and several offers in the order of their ids.
package offer

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Buyable reports whether a member may buy shares of an offer: it is for sale to this member, and is not the member's own.
func (o *Offer) Buyable(buyer string) bool {
	if o == nil || o.Status != Active || o.RelationID == buyer {
		return false
	}
	switch o.Type {
	case Public:
		return true
	case Direct:
		return o.BuyerRelation == buyer
	}
	return false // a transfer to one member is not a purchase
}

// Visible reports whether a member may view an offer: their own, one that is for sale to every member, or one whose code they have
// redeemed, even before its date.
func (o *Offer) Visible(member string) bool {
	if o == nil {
		return false
	}
	switch {
	case o.RelationID == member:
		return true
	case o.Type == Public:
		return o.Status == Active
	case o.Type == Direct:
		return o.BuyerRelation == member && (o.Status == Active || o.Status == Approved)
	}
	return false
}

// IsDue reports whether the offer is a transfer that can be made now.
func (o Offer) IsDue() bool { return o.Type == Private && o.Status == Active && o.Left > 0 }

// Offer types (3-enum-publication-type, 3-publication-type-mapping).
const (
	Public  = "PUBLIC"  // anybody may buy it
	Direct  = "DIRECT"  // the member who redeems its code
	Private = "PRIVATE" // transferred to one member free of charge
)

// Offer types in the form (3-offer-type-enum).
const (
	FormPublic   = "public"
	FormPersonal = "personal"
)

// Offer statuses on the market (4-offer-item-status-enum, 4-offer-status-reconcile).
const (
	itemAvailable   = "AVAILABLE"
	itemReserved    = "RESERVED"
	itemCompleted   = "COMPLETED"
	itemTransferred = "TRANSFERRED"
	itemClosed      = "CLOSED"
)

// Reasons why an offer is rejected (4-rejection-reasons, 4-rejection-provider-value).
const (
	RejectUnknown  = "PARTICIPATION_UNKNOWN"
	RejectSeveral  = "MULTIPLE_PARTICIPATIONS_PROJECT"
	RejectShares   = "INSUFFICIENT_SHARES"
	RejectSelling  = "SELLING_NOT_ALLOWED"
	RejectProvider = "REJECTED_BY_PROVIDER"
)

var Rejections = []string{RejectUnknown, RejectSeveral, RejectShares, RejectSelling, RejectProvider}

// RejectionReason returns why an offer is rejected, at approval or import; empty when it meets the rules. participations is the number of
// the seller's participations that match the offer (4-rejection-triggers).
func RejectionReason(participations int, enough, selling bool) string {
	switch {
	case participations == 0:
		return RejectUnknown
	case participations > 1:
		return RejectSeveral
	case !enough:
		return RejectShares
	case !selling:
		return RejectSelling
	}
	return ""
}

// CheckReason refuses an unknown reason for rejecting an offer.
func CheckReason(reason string) (fieldErrors []problem.FieldError) {
	if !slices.Contains(Rejections, reason) {
		fieldErrors = []problem.FieldError{{Field: "reason", Code: CodeReasonUnknown}}
	}
	return fieldErrors
}

// ItemStatus returns the status of an offer on the market (4-offer-status-reconcile). An ACTIVE offer is RESERVED only while unpaid orders
// hold all of its remaining shares.
func (o Offer) ItemStatus() string {
	switch o.Status {
	case Active:
		if o.Left == 0 {
			return itemReserved
		}
		return itemAvailable
	case Sold:
		switch o.Transferred {
		case 0:
			return cmp.Or(map[bool]string{o.Shares == 0: itemClosed}[true], itemCompleted) // closed if every buyer has withdrawn
		case o.Shares:
			return itemTransferred
		}
		return itemCompleted
	case Rejected, Revoked:
		return itemClosed
	}
	return string(o.Status)
}

// NewOffer is the request of a seller (3-offer-create-fields). With buyer_email_address the offer is personal
// (7.6-post-offers-type-reconcile).
type NewOffer struct {
	Participation string      `json:"participation_identifier" doc:"Participation of the shares"`
	Type          string      `json:"offer_type,omitempty" enum:"public,personal," doc:"personal: redeemed by a code; by default personal if buyer_email_address is given, otherwise public"`
	BuyerEmail    string      `json:"buyer_email_address,omitempty" doc:"E-mail address to which the code is sent; required for a personal offer"`
	Date          string      `json:"date" format:"date" doc:"First day on which the offer can be bought"`
	Shares        json.Number `json:"number_of_shares" doc:"Number of shares on offer, a whole number"`
	Price         json.Number `json:"price" doc:"Euros a share; cents are truncated"`
	ProjectCode   string      `json:"project_code,omitempty" doc:"Code of the project; refused if the participation belongs to another project"`
}

// Bounds are the limits of an offer.
type Bounds struct {
	Free     int64                  `json:"free"` // shares that can be offered
	Settings []project.OfferSetting `json:"member_offer_settings"`
	Days     int                    `json:"days"` // maximum number of days from today to the offer's date
}

// Check returns the errors of an offer (5.7-offer-*), at most one for each field.
func (o NewOffer) Check(b Bounds, today value.Day) (fieldErrors []problem.FieldError) {
	refuse := func(field, code string) {
		fieldErrors = append(fieldErrors, problem.FieldError{Field: field, Code: code})
	}
	s := project.Latest(b.Settings, today)
	switch {
	case o.Participation == "":
		refuse("participation_identifier", CodeRequired)
	case s == nil || !s.AllowSelling:
		refuse("participation_identifier", codeSelling)
	}
	switch o.Type {
	case "":
		refuse("offer_type", CodeRequired)
	case FormPublic, FormPersonal:
	default:
		refuse("offer_type", CodeInvalidInput)
	}
	if o.Type == FormPersonal {
		switch email := strings.TrimSpace(o.BuyerEmail); {
		case email == "":
			refuse("buyer_email_address", CodeRequired)
		case !value.IsEmail(email):
			refuse("buyer_email_address", CodeInvalidInput)
		}
	}
	if _, code := DateWithin(o.Date, today, b.Days); code != "" {
		refuse("date", code)
	}
	if _, code := SharesWithin(o.Shares, b.Free); code != "" {
		refuse("number_of_shares", code)
	}
	price, ok := FloorPrice(o.Price)
	switch {
	case o.Price == "":
		refuse("price", CodeRequired)
	case !ok:
		refuse("price", CodeInvalidInput)
	case s == nil:
	case price > s.Max:
		refuse("price", codeMaxPrice)
	case price < 0 || o.Type != FormPersonal && price < s.Min: // 5.7-offer-price-personal
		refuse("price", codeMinPrice)
	}
	return fieldErrors
}

// DateWithin parses the date of an offer: from today to at most days ahead, inclusive (5.7-offer-date-horizon).
func DateWithin(s string, today value.Day, days int) (on value.Day, code string) {
	if strings.TrimSpace(s) == "" {
		return on, CodeRequired
	}
	on, err := value.ParseDay(s)
	switch {
	case err != nil:
		return on, CodeInvalidInput
	case on.Before(today) || on.After(today.AddDays(days)):
		return on, codeDateRange
	}
	return on, ""
}

var (
	wholeNumber = regexp.MustCompile(`^\d{1,9}(?:\.0+)?$`)
)

// SharesWithin parses a number of shares: a whole number from 1 up to free (5.7-offer-shares).
func SharesWithin(s json.Number, free int64) (n int64, code string) {
	if !wholeNumber.MatchString(string(s)) {
		return 0, CodeInvalidInput
	}
	digits, _, _ := strings.Cut(string(s), ".")
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil || n < 1:
		return 0, CodeInvalidInput
	case n > free:
		return n, CodeNotEnough
	}
	return n, ""
}

// Retracted returns the status after n shares are retracted: REVOKED when no shares of the offer remain, SOLD when the rest is sold.
func (o Offer) Retracted(n int64) state.Status {
	switch {
	case n < o.Left || o.Reserved > 0:
		return o.Status
	case o.Held+o.Transferred > 0:
		return Sold
	}
	return Revoked
}

// alphabet contains the characters of codes and references, without letters and digits that look alike.
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

// RandomString returns a random string of characters from alphabet.
func RandomString(length int) string {
	b := make([]byte, length)
	_, _ = rand.Read(b) // reading random bytes never fails
	for i := range b {
		b[i] = alphabet[int(b[i])%len(alphabet)] // unbiased: 256 is a multiple of the alphabet's length
	}
	return string(b)
}

// CodeHash returns the hash by which the code of an offer is found, however the code was typed. ok is false if the string is not a code.
func CodeHash(code string) (hash string, ok bool) {
	code = strings.ToUpper(strings.TrimSpace(code))
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:]), utf8.RuneCountInString(code) == CodeLength
}
