package offer

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// HandleDue activates an offer on its date.
func (s *Service) HandleDue(ctx context.Context, e module.Event) error {
	var due marketplaceapi.OfferDue
	if err := json.Unmarshal(e.Data, &due); err != nil {
		return err
	}
	return s.activateDue(ctx, due.Offer)
}

func (s *Service) activateDue(ctx context.Context, id string) error {
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		row, err := Lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if row.Status != Approved || row.Date.After(module.Today(ctx, s.host.Now())) { // already activated, retracted, or the clock was set back
			return nil
		}
		return s.activate(ctx, tx, &row)
	})
}

// Sweep activates the offers whose event was lost.
func (s *Service) Sweep(ctx context.Context) error {
	rows := module.Label(ctx, "a job opens the offers of all members")
	var due []Offer
	if err := s.host.DB.Find(ctx, rows, &due, "AND status = ? AND date <= ? ORDER BY date, id LIMIT 500", string(Approved),
		module.Today(ctx, s.host.Now()).String()); err != nil {
		return err
	}
	var failed error
	for _, row := range due {
		failed = errors.Join(failed, s.activateDue(ctx, row.ID))
	}
	return failed
}
