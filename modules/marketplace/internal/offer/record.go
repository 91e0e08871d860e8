package offer

import (
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/fields"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// ImportKind is the kind of an offer record.
const ImportKind = "market_offer"

// RecordKind describes the offer records.
var RecordKind = record.Kind{
	Name: ImportKind, Doc: "An offer of shares that was made before the portal. The natural key is identifier.",
	Fields: offerFields{}, Required: []string{"identifier", "debtor_number", "date", "price_per_share", "shares"},
	Values: map[string][]string{"offer_publication_type": {Public, Direct}, "status": record.Texts(statuses), "rejection_reason": Rejections},
	Example: `{"identifier":"offer-1","debtor_number":"10001","participation_identifier":"P-10001","project_code":"WND-01","offer_publication_type":"PUBLIC","status":"SOLD",
		"date":"2026-02-01","price_per_share":"200.00","shares":"5"}`,
}

// offerFields are the fields of an offer, as the back office sends them.
type offerFields struct {
	Identifier    record.Loose `json:"identifier"`
	Reference     record.Loose `json:"reference"`
	Debtor        record.Loose `json:"debtor_number"`
	Participation record.Loose `json:"participation_identifier"`
	Project       record.Loose `json:"project_code"`
	Type          record.Loose `json:"offer_publication_type"`
	Status        record.Loose `json:"status"`
	Date          record.Loose `json:"date"`
	Price         record.Loose `json:"price_per_share"`
	Shares        record.Loose `json:"shares"`
	Rejection     record.Loose `json:"rejection_reason"`
	Code          record.Loose `json:"direct_offer_code"`
	BuyerEmail    record.Loose `json:"buyer_email_address"`
	Buyer         record.Loose `json:"buyer_debtor_number"`
	Created       record.Loose `json:"created"`
}

// importedOffer is the offer in a record.
type importedOffer struct {
	line                                           int
	identifier, reference, debtor                  string
	participation, project, kind, rejection, email string
	code, buyer                                    string
	status                                         state.Status
	date                                           value.Day
	created                                        fields.Moment
	price                                          value.Cents
	shares                                         int64
}

var statuses = []state.Status{Created, Approved, Active, Sold, Rejected, Revoked}

// readOffer reads an offer from a record.
func readOffer(row record.Row) (o importedOffer, _ []record.Refusal) {
	var in offerFields
	c, ok := fields.Read(row, &in)
	if !ok {
		return o, c.Refusals()
	}
	o = importedOffer{line: row.Line, identifier: c.ID("identifier", in.Identifier), reference: in.Reference.Text(),
		debtor: c.Required("debtor_number", in.Debtor), participation: in.Participation.Text(), project: in.Project.Text(),
		kind: in.Type.Text(), rejection: in.Rejection.Text(), email: in.BuyerEmail.Text(), code: strings.ToUpper(in.Code.Text()),
		buyer: in.Buyer.Text(), status: state.Status(in.Status.Text()), date: c.Day("date", in.Date), created: c.Moment("created", in.Created),
		price: c.Cents("price_per_share", in.Price), shares: c.Count("shares", in.Shares)}
	if o.kind == "" {
		o.kind = Public
	}
	if o.status == "" {
		o.status = Created
	}
	if o.participation == "" && o.project == "" {
		c.Refuse("participation_identifier", problem.CodeRequired)
	}
	if o.kind != Public && o.kind != Direct {
		c.Refuse("offer_publication_type", problem.CodeInvalid)
	}
	if !slices.Contains(statuses, o.status) {
		c.Refuse("status", problem.CodeInvalid)
	}
	if o.status == Rejected && len(CheckReason(o.rejection)) > 0 {
		c.Refuse("rejection_reason", CodeReasonUnknown)
	}
	if o.shares == 0 || o.price%100 != 0 {
		field := "shares"
		if o.shares > 0 {
			field = "price_per_share"
		}
		c.Refuse(field, problem.CodeInvalid)
	}
	if _, fits := CodeHash(o.code); o.code != "" && (o.kind != Direct || !fits) {
		c.Refuse("direct_offer_code", problem.CodeInvalid)
	}
	return o, c.Refusals()
}
