package marketplace

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

// Types of an offer (3-enum-publication-type, 3-publication-type-mapping).
const (
	typePublic  = "PUBLIC"  // anybody may buy it
	typeDirect  = "DIRECT"  // whoever redeems its code
	typePrivate = "PRIVATE" // handed over to one member for nothing: a transfer
)

// Offer types of the form (3-offer-type-enum).
const (
	formPublic   = "public"
	formPersonal = "personal"
)

// Items of the market (4-offer-item-status-enum, 4-offer-status-reconcile).
const (
	itemAvailable   = "AVAILABLE"
	itemReserved    = "RESERVED"
	itemCompleted   = "COMPLETED"
	itemTransferred = "TRANSFERRED"
	itemClosed      = "CLOSED"
)

// Why an offer is rejected (4-rejection-reasons, 4-rejection-provider-value).
const (
	rejectUnknown  = "PARTICIPATION_UNKNOWN"
	rejectSeveral  = "MULTIPLE_PARTICIPATIONS_PROJECT"
	rejectShares   = "INSUFFICIENT_SHARES"
	rejectSelling  = "SELLING_NOT_ALLOWED"
	rejectProvider = "REJECTED_BY_PROVIDER"
)

var rejections = []string{rejectUnknown, rejectSeveral, rejectShares, rejectSelling, rejectProvider}

// judge says why an offer is to be rejected, at approval or when it comes from a back office; empty when it is fine. participations
// is how many of the seller's it could be about (4-rejection-triggers).
func judge(participations int, enough, selling bool) string {
	switch {
	case participations == 0:
		return rejectUnknown
	case participations > 1:
		return rejectSeveral
	case !enough:
		return rejectShares
	case !selling:
		return rejectSelling
	}
	return ""
}

// checkReason refuses a reason for rejecting an offer that is none of those that there are.
func checkReason(reason string) (wrong []problem.FieldError) {
	if !slices.Contains(rejections, reason) {
		wrong = []problem.FieldError{{Field: "reason", Code: codeReasonUnknown}}
	}
	return wrong
}

// itemStatus is how the market shows the status of an offer (4-offer-status-reconcile). All of an ACTIVE offer is RESERVED only while
// orders that are not paid hold all that is left of it.
func (o offerRow) itemStatus() string {
	switch o.Status {
	case offerActive:
		if o.Left == 0 {
			return itemReserved
		}
		return itemAvailable
	case offerSold:
		switch o.Transferred {
		case 0:
			return cmp.Or(map[bool]string{o.Shares == 0: itemClosed}[true], itemCompleted) // every buyer has withdrawn
		case o.Shares:
			return itemTransferred
		}
		return itemCompleted
	case offerRejected, offerRevoked:
		return itemClosed
	}
	return string(o.Status)
}

// MarketOffer is an offer as the market shows it (3-market-offer-fields).
type MarketOffer struct {
	Reference     string      `json:"reference" doc:"As people see it"`
	Identifier    string      `json:"identifier"`
	Date          value.Day   `json:"date" doc:"From which it can be bought"`
	ProjectCode   string      `json:"project_code"`
	ProjectName   string      `json:"project_name"`
	ProjectType   string      `json:"project_type"`
	ProjectEnd    *value.Day  `json:"project_end_date" nullable:"true"`
	Place         string      `json:"place"`
	Shares        int64       `json:"shares" doc:"That can be bought or retracted; of an offer that has ended all that were offered"`
	Offered       int64       `json:"shares_offered" doc:"All of them"`
	Sold          int64       `json:"shares_sold" doc:"Of which paid"`
	Price         value.Cents `json:"price_per_share"`
	Status        string      `json:"status" doc:"CREATED, APPROVED, AVAILABLE, RESERVED, COMPLETED, TRANSFERRED or CLOSED"`
	Rejection     string      `json:"rejection_reason" doc:"For the owner: why it was rejected"`
	Private       bool        `json:"private_offer"`
	Type          string      `json:"offer_publication_type" enum:"PUBLIC,DIRECT,PRIVATE"`
	Code          string      `json:"direct_offer_code" doc:"For the owner: the code of a DIRECT offer"`
	Participation string      `json:"participation_identifier" doc:"For the owner"`
	Address       *Address    `json:"address" doc:"For the owner: where the shares are"`
	OldAddress    *Address    `json:"old_address" doc:"For the owner: where they were before a transfer"`
	Mine          bool        `json:"my_offer"`
	MineToo       bool        `json:"myOffer" doc:"The same as my_offer"` // 3-market-offer-my-offer-alias
}

// market is the offer as its owner sees it, or somebody else; p is nil where its participation is not known.
func (o offerRow) market(mine bool, project projectDocument, p *ledger.Participation, at *Address) MarketOffer {
	m := MarketOffer{Reference: o.Reference, Identifier: o.ID, Date: o.Date, ProjectCode: o.ProjectCode, ProjectName: cmp.Or(project.Name, o.ProjectName),
		ProjectType: project.Type, ProjectEnd: maybe(project.End), Place: project.Place, Shares: o.Left, Offered: o.Shares, Sold: o.Held + o.Transferred,
		Price: o.Price, Status: o.itemStatus(), Private: o.Type != typePublic, Type: o.Type, Mine: mine}
	if o.Status == offerSold || o.Status == offerRejected || o.Status == offerRevoked {
		m.Shares = o.Shares
	}
	m.MineToo = m.Mine
	if !m.Mine {
		return m
	}
	m.Rejection, m.Code, m.Address, m.OldAddress = o.RejectionReason, o.Code, at, at
	if p != nil {
		m.Participation = p.ParticipationIdentifier
	}
	return m
}

// NewOffer is an offer as a seller asks for it (3-offer-create-fields). The server treats one with buyer_email_address as personal
// (7.6-post-offers-type-reconcile).
type NewOffer struct {
	Participation string      `json:"participation_identifier"`
	Type          string      `json:"offer_type,omitempty" enum:"public,personal,"`
	BuyerEmail    string      `json:"buyer_email_address,omitempty"`
	Date          string      `json:"date" format:"date"`
	Shares        json.Number `json:"number_of_shares"`
	Price         json.Number `json:"price" doc:"Euros a share; fractions are cut off"`
	ProjectCode   string      `json:"project_code,omitempty"`
}

// Bounds are what an offer is held against.
type Bounds struct {
	Free     int64          `json:"free"` // shares that can be offered
	Settings []OfferSetting `json:"member_offer_settings"`
	Days     int            `json:"days"` // how far ahead its date may be
}

// Check says what is wrong with an offer (5.7-offer-*), at most one code a field.
func (o NewOffer) Check(b Bounds, today value.Day) (wrong []problem.FieldError) {
	refuse := func(field, code string) { wrong = append(wrong, problem.FieldError{Field: field, Code: code}) }
	s := latest(b.Settings, today)
	switch {
	case o.Participation == "":
		refuse("participation_identifier", codeRequired)
	case s == nil || !s.AllowSelling:
		refuse("participation_identifier", codeSelling)
	}
	switch o.Type {
	case "":
		refuse("offer_type", codeRequired)
	case formPublic, formPersonal:
	default:
		refuse("offer_type", codeInvalidInput)
	}
	if o.Type == formPersonal {
		switch email := strings.TrimSpace(o.BuyerEmail); {
		case email == "":
			refuse("buyer_email_address", codeRequired)
		case !value.IsEmail(email):
			refuse("buyer_email_address", codeInvalidInput)
		}
	}
	if _, code := dateWithin(o.Date, today, b.Days); code != "" {
		refuse("date", code)
	}
	if _, code := sharesWithin(o.Shares, b.Free); code != "" {
		refuse("number_of_shares", code)
	}
	price, ok := floorPrice(o.Price)
	switch {
	case o.Price == "":
		refuse("price", codeRequired)
	case !ok:
		refuse("price", codeInvalidInput)
	case s == nil:
	case price > s.Max:
		refuse("price", codeMaxPrice)
	case price < 0 || o.Type != formPersonal && price < s.Min: // 5.7-offer-price-personal
		refuse("price", codeMinPrice)
	}
	return wrong
}

// dateWithin reads the date of an offer: from today up to and including days ahead (5.7-offer-date-horizon).
func dateWithin(s string, today value.Day, days int) (on value.Day, code string) {
	if strings.TrimSpace(s) == "" {
		return on, codeRequired
	}
	on, err := value.ParseDay(s)
	switch {
	case err != nil:
		return on, codeInvalidInput
	case on.Before(today) || on.After(today.AddDays(days)):
		return on, codeDateRange
	}
	return on, ""
}

var (
	whole   = regexp.MustCompile(`^\d{1,9}(?:\.0+)?$`)
	decimal = regexp.MustCompile(`^(-?)(\d{1,9})(?:\.(\d+))?$`)
)

// sharesWithin reads a number of shares: a whole number from 1 up to free (5.7-offer-shares).
func sharesWithin(s json.Number, free int64) (n int64, code string) {
	if !whole.MatchString(string(s)) {
		return 0, codeInvalidInput
	}
	digits, _, _ := strings.Cut(string(s), ".")
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil || n < 1:
		return 0, codeInvalidInput
	case n > free:
		return n, codeNotEnough
	}
	return n, ""
}

// floorPrice cuts the fractions of a euro off (5.7-offer-price-floor), before anything is compared (5.7-offer-price-floor-order).
func floorPrice(s json.Number) (value.Cents, bool) {
	part := decimal.FindStringSubmatch(string(s))
	if part == nil {
		return 0, false
	}
	euros, err := strconv.ParseInt(part[2], 10, 64)
	if err != nil {
		return 0, false
	}
	if part[1] == "-" {
		if euros = -euros; strings.Trim(part[3], "0") != "" {
			euros--
		}
	}
	return value.Cents(euros * 100), true
}

// retracted is where retracting n shares leads: REVOKED when nothing of the offer remains, SOLD when what remains is sold.
func (o offerRow) retracted(n int64) status {
	switch {
	case n < o.Left || o.Reserved > 0:
		return o.Status
	case o.Held+o.Transferred > 0:
		return offerSold
	}
	return offerRevoked
}

// alphabet of codes and references: nothing in it is easily taken for something else.
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

// unguessable is a random text of the alphabet.
func unguessable(length int) string {
	b := make([]byte, length)
	_, _ = rand.Read(b) // never fails
	for i := range b {
		b[i] = alphabet[int(b[i])%len(alphabet)] // 256 is a multiple of its length
	}
	return string(b)
}

// codeHash is what the code of an offer is looked up by, however it was typed. ok is false for what cannot be one.
func codeHash(code string) (hash string, ok bool) {
	code = strings.ToUpper(strings.TrimSpace(code))
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:]), utf8.RuneCountInString(code) == codeLength
}

// digestOf tells one request from another under the same idempotency key.
func digestOf(request any) string {
	data, err := json.Marshal(request)
	if err != nil {
		panic(fmt.Sprintf("marketplace: a request has no JSON: %v", err)) // it came as JSON
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
