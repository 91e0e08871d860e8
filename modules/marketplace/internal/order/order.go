// Package order contains baskets and orders. An order and its shares change together: Place, Buy, Cancel, Expire, Undo, Complete and
// Revive change its status, its offers and the ledger in one transaction, and send the emails about it. Lock an order before its payments
// and offers. The caller decides what a payment means for an order.
package order

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Outcomes of placing an order (7.6-post-order, 7.6-order-waiver, 7.6-order-basket-stale).
const (
	PlacedSuccess     = "SUCCESS"
	placedNotWaived   = "WITHDRAWAL_NOT_WAIVED"
	placedEmpty       = "BASKET_EMPTY"
	placedDate        = "START_DATE_INVALID"
	placedUnavailable = "OFFER_UNAVAILABLE" // lines that could not be ordered are removed from the basket
	placedChanged     = "BASKET_CHANGED"    // the browser displays a basket that differs from the stored one
)

// Order is an order as its buyer sees it (3-order-fields).
type Order struct {
	Reference    string       `json:"deal_reference" doc:"Human-readable reference"`
	ID           string       `json:"deal_identifier" doc:"Id of the order in requests"`
	Status       state.Status `json:"status" doc:"CREATED, AWAITING_PAYMENT, BOUGHT, COMPLETED, EXPIRED or CANCELLED; clients must accept others (4-order-status-other)"`
	PrivateDeal  bool         `json:"private_deal" doc:"Whether it has shares of a personal offer"`
	PrivateOrder bool         `json:"private_order" doc:"Same as private_deal"`
	Amount       value.Cents  `json:"amount" doc:"Price of its shares"`
	Costs        value.Cents  `json:"administration_costs" doc:"Administration costs that are charged with it; 0 when the label charged none"`
	Due          value.Cents  `json:"amount_due" doc:"Amount due: amount plus administration_costs"`
	Shares       int64        `json:"shares" doc:"Number of shares of the order"`
	TransferDate value.Day    `json:"transfer_date" doc:"Day on which the shares are transferred"`
	Expires      time.Time    `json:"expiration_date" doc:"Time until which its shares are reserved"`
	Placed       time.Time    `json:"placed" doc:"Time of the order"`
	Paid         time.Time    `json:"paid,omitzero" doc:"Time of the payment; absent: not paid"`
	EndReason    string       `json:"end_reason,omitempty" doc:"Why the portal or staff cancelled it after it was paid: CHARGED_BACK, REFUNDED_OUTSIDE or BY_STAFF"`
	Withdraw     value.Day    `json:"withdraw_until,omitzero" doc:"Last day on which a BOUGHT order can be undone; absent when it cannot be"`
	Offers       []OrderOffer `json:"offers" nullable:"false" doc:"Shares that the order takes, by offer"`
}

// OrderOffer describes the shares that an order takes of one offer.
type OrderOffer struct {
	Identifier  string                `json:"identifier" doc:"Id of the offer"`
	Reference   string                `json:"reference" doc:"Reference of the offer for people"`
	ProjectCode string                `json:"project_code" doc:"Code of the project"`
	ProjectName string                `json:"project_name" doc:"Name of the project"`
	Shares      int64                 `json:"shares" doc:"Number of shares that the order takes of it"`
	Price       value.Cents           `json:"price_per_share" doc:"Price of a share in euros"`
	Status      state.Status          `json:"status" doc:"Status of the order (4-offer-item-further)"`
	Address     participation.Address `json:"address" doc:"Address that the shares get"`
}

// OrderRequest is what a buyer requests when ordering, in addition to the stored basket.
type OrderRequest struct {
	Waived bool
	Start  value.Day
	Seen   *BasketSeen
	Due    *value.Cents // amount due that the browser displayed; nil: it displayed none
	Buyer  string
}

// decideOrder returns the outcome of a request, given the lines of the basket and the shares that their offers have left. kept contains
// the lines that stay in the basket when the outcome is placedUnavailable.
func decideOrder(r OrderRequest, lines []BasketLine, today value.Day, set TransferSettings, charges Charges) (outcome string,
	kept []BasketLine) {
	if !r.Waived {
		return placedNotWaived, lines
	}
	if len(lines) == 0 {
		return placedEmpty, lines
	}
	for _, l := range lines {
		if l.isOrderable() {
			kept = append(kept, l)
		}
	}
	if len(kept) < len(lines) {
		return placedUnavailable, kept
	}
	basket := NewBasket(lines, today, set, charges)
	switch {
	case !basket.same(r.Seen):
		return placedChanged, lines
	case len(CheckTransferDate(r.Start, basket.First, today, set)) > 0:
		return placedDate, lines
	case r.Due != nil && *r.Due != basket.Total+charges.On(r.Start, ProjectsOf(lines)): // 9-order-costs-seen
		return placedChanged, lines
	}
	return PlacedSuccess, lines
}

// newReference returns an order reference that is short enough to be read out over the telephone.
func newReference() string { return "B-" + strings.ToUpper(value.NewID()[:10]) }

// byOffer sorts the lines of an order by offer: offers are locked in the order of their ids.
func byOffer(lines []Line) []Line {
	slices.SortFunc(lines, func(a, b Line) int { return cmp.Compare(a.OfferID, b.OfferID) })
	return lines
}

// Due returns the amount due for an order: its shares, and the administration costs that were charged when it was placed (9-order-costs).
func (o Row) Due() value.Cents { return o.Amount + o.AdministrationCosts }

// Show returns an order as its buyer sees it.
func (o Row) Show(lines []Line, zone *time.Location, today value.Day) Order {
	out := Order{Reference: o.Reference, ID: o.ID, Status: o.Status, PrivateDeal: o.PrivateDeal, PrivateOrder: o.PrivateDeal,
		Amount: o.Amount, Costs: o.AdministrationCosts, Due: o.Due(), Shares: o.Shares, TransferDate: o.TransferDate, Expires: o.ExpiresAt,
		Placed: o.PlacedAt, EndReason: o.EndReason, Offers: []OrderOffer{}}
	if o.PaidAt != nil {
		out.Paid = *o.PaidAt
	}
	if last := LastUndoDay(o, zone); !last.IsZero() && !last.Before(today) {
		out.Withdraw = last
	}
	for _, l := range lines {
		out.Offers = append(out.Offers, OrderOffer{Identifier: l.OfferID, Status: o.Status, Reference: l.OfferReference,
			ProjectCode: l.ProjectCode, ProjectName: l.ProjectName, Shares: l.Shares, Price: l.Price, Address: participation.AddressOf(l.Address)})
	}
	return out
}
