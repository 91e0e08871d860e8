package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// HandleDue makes a planned move of shares on its day.
func (s *Service) HandleDue(ctx context.Context, e module.Event) error {
	var due marketplaceapi.MoveDue
	if err := json.Unmarshal(e.Data, &due); err != nil {
		return fmt.Errorf("marketplace: data of event %s: %w", e.ID, err)
	}
	return s.endPlanned(ctx, due.Move)
}

// endPlanned makes a planned move that is due. It does nothing if the move was already made or cancelled.
func (s *Service) endPlanned(ctx context.Context, id string) error {
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		m, err := lock(ctx, tx, module.Label(ctx, "an event ends a move of another's relation on its day"), id)
		if errors.Is(err, problem.ErrNotFound) {
			return nil
		}
		now := s.host.Now()
		if err != nil || m.State != Planned || m.Date.After(module.Today(ctx, now)) {
			return err
		}
		made, err := s.makeMove(ctx, tx, m, now)
		if err != nil {
			return err
		}
		return ledger.MakeMove(ctx, tx, now, made)
	})
}

// Sweep makes at most limit moves that are due. When one fails, the others are still made.
func (s *Service) Sweep(ctx context.Context, limit int) error {
	ids, err := due(ctx, s.host.DB, module.Today(ctx, s.host.Now()), limit)
	for _, id := range ids {
		err = errors.Join(err, s.endPlanned(ctx, id))
	}
	return err
}
