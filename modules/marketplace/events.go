package marketplace

import (
	"context"
	"errors"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// schedule holds the cron expressions of scheduled events. The sweep makes up for lost events.
var schedule = map[string]string{
	marketplaceapi.EventSwept: "*/10 * * * *",
	marketplaceapi.EventAudit: "30 3 * * *",
}

// handled lists the event types that Handle accepts.
var handled = []string{
	marketplaceapi.EventOfferDue, marketplaceapi.EventTransferDue, marketplaceapi.EventMoveDue, marketplaceapi.EventNotice,
	marketplaceapi.EventSwept, marketplaceapi.EventAudit,
	marketplaceapi.EventOrdersPlaced, marketplaceapi.EventOrdersRemind, marketplaceapi.EventOrdersExpire, marketplaceapi.EventOrdersTransfer,
	marketplaceapi.EventRefund,
}

// maxSweep is the maximum number of items of each kind in one sweep; the next sweep continues.
const maxSweep = 200

// sweep does all work that is due. Payment providers are queried last, so that a slow one delays no other work.
func (s *service) sweep(ctx context.Context, _ module.Event) error {
	return errors.Join(s.offers.Sweep(ctx), s.settlements.SweepOrders(ctx, maxSweep), s.transfers.Sweep(ctx, maxSweep),
		s.moves.Sweep(ctx, maxSweep), s.settlements.SweepMoney(ctx, maxSweep))
}
