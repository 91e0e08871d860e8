package move

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// storeMoves stores moves: as planned when later is true, otherwise as made.
func (s *Service) storeMoves(ctx context.Context, tx module.Tx, moves []*Row, later bool, now time.Time) error {
	handovers := make([]ledger.Handover, len(moves))
	for i, m := range moves {
		m.State, m.EndedAt = Planned, nil // the transaction may be retried
		if err := insert(ctx, tx, m); err != nil {
			return err
		}
		if later {
			handovers[i] = m.handover()
			continue
		}
		made, err := s.makeMove(ctx, tx, m, now)
		if err != nil {
			return err
		}
		handovers[i] = made
	}
	if !later {
		return ledger.MoveFree(ctx, tx, now, handovers...)
	}
	if err := ledger.PlanMove(ctx, tx, now, handovers...); err != nil {
		return err
	}
	for _, m := range moves {
		if err := s.publishMove(ctx, tx, m, marketplaceapi.EventMovePlanned); err != nil {
			return err
		}
		data, err := json.Marshal(marketplaceapi.MoveDue{Move: m.ID})
		if err != nil {
			return err
		}
		if err := tx.Publish(ctx, module.Event{Type: marketplaceapi.EventMoveDue, Key: m.ID, Due: m.Date.In(state.Zone(ctx)),
			Data: data}); err != nil {
			return err
		}
	}
	return nil
}

// handover returns the move as a ledger handover.
func (m *Row) handover() ledger.Handover {
	return ledger.Handover{From: m.FromParticipation, To: m.ToParticipation, Shares: m.Shares, Ref: m.ID, On: m.Date}
}

// makeMove ends a move as DONE and returns the handover that the caller records in the ledger.
func (s *Service) makeMove(ctx context.Context, tx module.Tx, m *Row, now time.Time) (made ledger.Handover, err error) {
	if m.ToParticipation, err = s.targetOf(ctx, tx, m); err != nil {
		return made, err
	}
	if err := end(ctx, tx, m, done, now); err != nil {
		return made, err
	}
	return m.handover(), s.publishMove(ctx, tx, m, marketplaceapi.EventSharesMoved)
}

// targetOf returns the participation that receives the shares of a move: the chosen one, or the one at the address.
func (s *Service) targetOf(ctx context.Context, tx module.Tx, m *Row) (string, error) {
	if m.ToParticipation != "" {
		return m.ToParticipation, nil
	}
	from, err := participation.ByID(ctx, tx, []string{m.FromParticipation})
	if err != nil {
		return "", err
	}
	var at participation.Address
	if err := json.Unmarshal([]byte(m.Address), &at); err != nil {
		return "", fmt.Errorf("marketplace: address of move %s: %w", m.ID, err)
	}
	return participation.Open(ctx, tx, m.RelationID, from[m.FromParticipation].ProjectCode, at)
}

// publishMove publishes an event about a move. Once the move is made, it also notifies the member.
func (s *Service) publishMove(ctx context.Context, tx module.Tx, m *Row, event string) error {
	from, err := participation.ByID(ctx, tx, []string{m.FromParticipation})
	if err != nil {
		return err
	}
	code := from[m.FromParticipation].ProjectCode
	data := marketplaceapi.SharesMoved{Relation: m.RelationID, Project: code, From: m.FromParticipation, To: m.ToParticipation,
		Shares: m.Shares, Day: m.Date}
	if err := module.Publish(ctx, tx, event, m.ID, data); err != nil || event != marketplaceapi.EventSharesMoved {
		return err
	}
	var at participation.Address
	if err := json.Unmarshal([]byte(m.Address), &at); err != nil {
		return fmt.Errorf("marketplace: address of move %s: %w", m.ID, err)
	}
	name, err := project.Name(ctx, tx, code)
	if err != nil {
		return err
	}
	return notice.Send(ctx, tx, notice.Notice{Kind: notice.Moved, Relation: m.RelationID, Project: name, Shares: m.Shares, Day: m.Date,
		Address: at.Line()})
}
