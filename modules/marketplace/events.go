package marketplace

import (
	"context"
	"errors"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Kinds of change request. Their key is the offer or the relation.
const (
	kindOffer  = "marketplace.offer"
	kindAccess = "marketplace.access"
)

// schedule: the sweep does what a lost event would have done.
var schedule = map[string]string{
	marketplaceapi.EventSwept: "*/10 * * * *",
	marketplaceapi.EventAudit: "30 3 * * *",
}

// handled are the types of the events that Handle accepts.
var handled = []string{marketplaceapi.EventOfferDue, marketplaceapi.EventTransferDue, marketplaceapi.EventMoveDue, marketplaceapi.EventNotice, marketplaceapi.EventSwept, marketplaceapi.EventAudit,
	marketplaceapi.EventOrdersPlaced, marketplaceapi.EventOrdersRemind, marketplaceapi.EventOrdersExpire, marketplaceapi.EventOrdersTransfer, marketplaceapi.EventRefund}

// Handle handles the events of handled. Each handler is idempotent.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	switch e.Type {
	case marketplaceapi.EventOfferDue:
		return s.offerDue(ctx, e)
	case marketplaceapi.EventTransferDue:
		return s.transferDue(ctx, e)
	case marketplaceapi.EventMoveDue:
		return s.moveDue(ctx, e)
	case marketplaceapi.EventNotice:
		return s.mailNotice(ctx, e)
	case marketplaceapi.EventOrdersPlaced:
		return s.ordersPlaced(ctx, e)
	case marketplaceapi.EventOrdersRemind:
		return s.ordersRemind(ctx, e)
	case marketplaceapi.EventOrdersExpire:
		return s.ordersExpire(ctx, e)
	case marketplaceapi.EventOrdersTransfer:
		return s.ordersTransfer(ctx, e)
	case marketplaceapi.EventRefund:
		return s.refundDue(ctx, e)
	case marketplaceapi.EventSwept:
		return s.swept(ctx)
	case marketplaceapi.EventAudit:
		return s.auditDue(ctx)
	}
	return fmt.Errorf("marketplace: does not handle %s", e.Type)
}

// swept does all work that is due. Payment providers are asked last: one that is slow takes the time that is left.
func (s *service) swept(ctx context.Context) error {
	return errors.Join(s.sweepOffers(ctx), s.sweepOrders(ctx), s.sweepTransfers(ctx), s.sweepMoves(ctx), s.sweepMoney(ctx))
}

// decided handles every decision on a change of this module.
func (s *service) decided(ctx context.Context, tx module.Tx, c module.Change) error {
	switch c.Kind {
	case kindOffer:
		return s.offerDecided(ctx, tx, c)
	case kindAccess:
		return s.accessDecided(ctx, tx, c)
	}
	return fmt.Errorf("marketplace: a decision on %s", c.Kind)
}
