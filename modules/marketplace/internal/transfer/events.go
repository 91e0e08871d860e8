package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// HandleDue transfers the shares of an approved transfer on its day.
func (s *Service) HandleDue(ctx context.Context, e module.Event) error {
	var due marketplaceapi.OfferDue
	if err := json.Unmarshal(e.Data, &due); err != nil {
		return fmt.Errorf("marketplace: data of event %s: %w", e.ID, err)
	}
	return sibling.Retry(s.handOver(ctx, due.Offer))
}

// Sweep makes at most limit transfers whose event was lost. When one fails, the others are still made.
func (s *Service) Sweep(ctx context.Context, limit int) error {
	ids, err := offer.TransfersDue(ctx, s.host.DB, limit)
	for _, id := range ids {
		err = errors.Join(err, s.handOver(ctx, id))
	}
	return err
}

// handOver transfers the shares of a transfer to its receiver. When the receiver no longer has an electricity contract, the offer is
// revoked and its shares are free again (5.7-transfer-contract).
func (s *Service) handOver(ctx context.Context, id string) error {
	found, err := offer.ByID(ctx, s.host.DB, id)
	if errors.Is(err, problem.ErrNotFound) || err == nil && !found.IsDue() { // already made, or retracted
		return nil
	}
	if err != nil {
		return err
	}
	delivered, err := s.hasElectricity(ctx, found.BuyerRelation)
	if err != nil {
		return err
	}
	home, _, err := s.homeOf(ctx, found.BuyerRelation)
	if err != nil {
		return err
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		row, err := offer.Lock(ctx, tx, id)
		if err != nil || !row.IsDue() {
			return err
		}
		if !delivered {
			n := row.Left
			if err := s.offers.Retract(ctx, tx, &row, n); err != nil {
				return err
			}
			return notice.Send(ctx, tx, notice.Notice{Kind: notice.TransferFailed, Relation: row.RelationID, Reference: row.Reference,
				Project: row.ProjectName, Shares: n})
		}
		return s.transfer(ctx, tx, row, home)
	})
}

// transfer moves the shares of an offer that is due.
func (s *Service) transfer(ctx context.Context, tx module.Tx, row offer.Offer, home participation.Address) error {
	to, err := participation.ReceiverID(ctx, tx, row.BuyerRelation, row.ProjectCode, home)
	if err != nil {
		return err
	}
	n, now := row.Left, s.host.Now()
	for _, step := range []func(context.Context, module.Tx, string, int64) error{offer.Reserve, offer.Sell, offer.Transfer} {
		if err := step(ctx, tx, row.ID, n); err != nil {
			return err
		}
	}
	today := module.Today(ctx, now)
	err = ledger.TransferOffered(ctx, tx, now, ledger.Handover{From: row.ParticipationID, To: to, Shares: n, Ref: row.ID, On: today})
	if err != nil {
		return err
	}
	if row, err = offer.Lock(ctx, tx, row.ID); err != nil {
		return err
	}
	mail := notice.Notice{Relation: row.RelationID, Reference: row.Reference, Project: row.ProjectName, Shares: n, Day: today}
	done, received := mail, mail
	done.Kind = notice.TransferDone
	received.Kind, received.Relation, received.From = notice.TransferReceived, row.BuyerRelation, row.RelationID
	return errors.Join(offer.Publish(ctx, tx, &row),
		module.Publish(ctx, tx, marketplaceapi.EventSharesTransferred, row.ID, marketplaceapi.SharesMoved{Relation: row.RelationID,
			Receiver: row.BuyerRelation, Project: row.ProjectCode,
			From: row.ParticipationID, To: to, Shares: n, Day: today}),
		notice.Send(ctx, tx, done), notice.Send(ctx, tx, received))
}
