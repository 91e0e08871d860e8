package marketplace

import (
	"context"
	"errors"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// Kinds of change request. Their key is the offer, and the relation.
const (
	kindOffer  = "marketplace.offer"
	kindAccess = "marketplace.access"
)

// Events that this module sends to itself. Each is caught by the sweep too, so that nothing hangs on one that got lost.
const (
	eventOfferDue    = "marketplace.offer_due"    // an offer's day has come: {offer}, due on that day
	eventTransferDue = "marketplace.transfer_due" // a transfer to another member can be made: {offer}, due on its day
	eventMoveDue     = "marketplace.move_due"     // the day of a move of shares has come: {move}, due on that day
	eventNotice      = "marketplace.notice"       // somebody is to be told by mail: a notice; see tell
	eventSwept       = "marketplace.swept"        // on schedule: whatever is due and has been missed
	eventAudit       = "marketplace.audit_due"    // on schedule
)

// Events for others, such as a back office. Those about shares have the offer or the move as key, those about access the relation.
const (
	eventOfferRedeemed     = "marketplace.offer_redeemed"     // its code was used: {offer, reference, relation, buyer}
	eventSharesTransferred = "marketplace.shares_transferred" // handed over to another member: a sharesTold
	eventSharesMoved       = "marketplace.shares_moved"       // moved to another address: a sharesTold
	eventMovePlanned       = "marketplace.move_planned"       // a move is to come: a sharesTold
	eventMoveCancelled     = "marketplace.move_cancelled"     // and does not: a sharesTold
	eventAccessAsked       = "marketplace.access_asked"       // {relation}
	eventAccessApproved    = "marketplace.access_approved"    // {relation}
	eventAccessRejected    = "marketplace.access_rejected"    // {relation, reason}
)

// offerRedeemed says who may buy a personal offer, and nobody else.
type offerRedeemed struct {
	Offer     string `json:"offer"`
	Reference string `json:"reference"`
	Relation  string `json:"relation"`
	Buyer     string `json:"buyer"`
}

// sharesTold says which shares went where. From and To are ids of participations; To is empty while there is none.
type sharesTold struct {
	Relation string    `json:"relation"`           // whose shares they were
	Receiver string    `json:"receiver,omitempty"` // who has them now, when that is another
	Project  string    `json:"project"`
	From     string    `json:"from"`
	To       string    `json:"to,omitempty"`
	Shares   int64     `json:"shares"`
	Day      value.Day `json:"day"`
}

// schedule: the sweep catches what an event that got lost would have done.
var schedule = map[string]string{
	eventSwept: "*/10 * * * *",
	eventAudit: "30 3 * * *",
}

// handled are the types of the events that Handle takes.
var handled = []string{eventOfferDue, eventTransferDue, eventMoveDue, eventNotice, eventSwept, eventAudit,
	eventOrdersPlaced, eventOrdersRemind, eventOrdersExpire, eventOrdersTransfer, eventRefund}

// Handle takes the events of handled. Each handler is idempotent.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	switch e.Type {
	case eventOfferDue:
		return s.offerDue(ctx, e)
	case eventTransferDue:
		return s.transferDue(ctx, e)
	case eventMoveDue:
		return s.moveDue(ctx, e)
	case eventNotice:
		return s.notified(ctx, e)
	case eventOrdersPlaced:
		return s.ordersPlaced(ctx, e)
	case eventOrdersRemind:
		return s.ordersRemind(ctx, e)
	case eventOrdersExpire:
		return s.ordersExpire(ctx, e)
	case eventOrdersTransfer:
		return s.ordersTransfer(ctx, e)
	case eventRefund:
		return s.refundDue(ctx, e)
	case eventSwept:
		return s.swept(ctx)
	case eventAudit:
		return s.auditDue(ctx)
	}
	return fmt.Errorf("marketplace: does not handle %s", e.Type)
}

// swept does whatever is due.
func (s *service) swept(ctx context.Context) error {
	return errors.Join(s.sweepOffers(ctx), s.sweepOrders(ctx), s.sweepTransfers(ctx), s.sweepMoves(ctx))
}

// decided is told of every decision on a change of this module.
func (s *service) decided(ctx context.Context, tx module.Tx, c module.Change) error {
	switch c.Kind {
	case kindOffer:
		return s.offerDecided(ctx, tx, c)
	case kindAccess:
		return s.accessDecided(ctx, tx, c)
	}
	return fmt.Errorf("marketplace: a decision on %s", c.Kind)
}
