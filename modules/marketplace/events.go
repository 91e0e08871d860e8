package marketplace

import (
	"context"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
)

// Kinds of change request. Their key is the offer, and the relation.
const (
	kindOffer  = "marketplace.offer"
	kindAccess = "marketplace.access"
)

// Events that this module sends to itself.
const (
	eventOfferDue = "marketplace.offer_due" // an offer's day has come: {offer}, due on that day
	eventSwept    = "marketplace.swept"     // on schedule: whatever is due and has been missed
	eventAudit    = "marketplace.audit_due" // on schedule
)

// schedule: the sweep catches what an event that got lost would have done.
var schedule = map[string]string{
	eventSwept: "*/10 * * * *",
	eventAudit: "30 3 * * *",
}

// handled are the types of the events that Handle takes.
var handled = []string{eventOfferDue, eventSwept, eventAudit}

// Handle takes the events of handled. Each handler is idempotent.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	switch e.Type {
	case eventOfferDue:
		return s.offerDue(ctx, e)
	case eventSwept:
		return s.swept(ctx)
	case eventAudit:
		return s.auditDue(ctx)
	}
	return fmt.Errorf("marketplace: does not handle %s", e.Type)
}

// swept does whatever is due.
func (s *service) swept(ctx context.Context) error {
	return s.sweepOffers(ctx)
}

// decided is told of every decision on a change of this module.
func (s *service) decided(ctx context.Context, tx module.Tx, c module.Change) error {
	switch c.Kind {
	case kindOffer:
		return s.offerDecided(ctx, tx, c)
	}
	return fmt.Errorf("marketplace: a decision on %s", c.Kind)
}
