package offer

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// events maps each offer status to the type of the event that announces it.
var events = map[state.Status]string{
	Created: marketplaceapi.EventOfferCreated, Approved: marketplaceapi.EventOfferApproved, Active: marketplaceapi.EventOfferActive,
	Sold: marketplaceapi.EventOfferSold, Rejected: marketplaceapi.EventOfferRejected, Revoked: marketplaceapi.EventOfferRevoked,
}

// Publish publishes the event of the offer's status.
func Publish(ctx context.Context, tx module.Tx, row *Offer) error {
	return module.Publish(ctx, tx, events[row.Status], row.ID, marketplaceapi.OfferChanged{Offer: row.ID, Reference: row.Reference,
		Relation: row.RelationID, Project: row.ProjectCode, Type: row.Type, Shares: row.Shares, Left: row.Left, Price: row.Price, Date: row.Date,
		Reason: row.RejectionReason})
}
