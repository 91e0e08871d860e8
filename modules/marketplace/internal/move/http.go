package move

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

var errOffered = problem.Fail(http.StatusConflict, codeSharesOffered)

// Service moves shares.
type Service struct{ host module.Host }

// New returns the service for a host.
func New(h module.Host) *Service { return &Service{h} }

// Routes registers the move operations.
func (s *Service) Routes(api huma.API) {
	const get, post = http.MethodGet, http.MethodPost
	create := operation.New(post, "/participations/move", "moveShares", "Move shares to another address",
		// 7.6-move-shares-path
		"For customers. Moves all items or none: today at once, a later day as a future move. Problems: 400 by field; 409 shares_offered when fewer shares would stay than are offered.")
	create.SkipValidateBody = true // Check reports errors by field
	module.Route(api, create, module.Customer, module.Write, s.moveShares)
	module.Route(api, operation.New(get, "/participations/moves", "listMoves", "List the planned moves of shares, next first",
		"For customers. Returns the member's moves after today."), module.Customer, module.Read, s.listMoves) // 7.6-get-future-moves
	cancel := operation.New(http.MethodDelete, "/participations/moves/{id}", "cancelMove", "Cancel a planned move of shares",
		"For customers. Problems: 404 for an unknown move; 409 transition once it is made.")
	cancel.DefaultStatus = http.StatusNoContent
	module.Route(api, cancel, module.Customer, module.Write, s.cancelMove)
}

// Move is a move of shares (3-future-move-fields).
type Move struct {
	ID            string                `json:"id" doc:"Id of the move"`
	Participation string                `json:"participation_identifier" doc:"Participation that the shares come from"`
	Date          value.Day             `json:"date" doc:"Day on which the shares move"`
	Shares        int64                 `json:"shares" doc:"Number of shares that move"`
	Address       participation.Address `json:"address" doc:"Address that the shares move to"`
	OldAddress    participation.Address `json:"old_address" doc:"Address that the shares leave"`
}

type moveInput struct {
	Key  string `header:"Idempotency-Key" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9._~-]+$" doc:"Sending the same request again with the same key makes the moves once"`
	Body MoveRequest
}

type movesAnswer struct {
	Body []Move `nullable:"false"`
}

// moveShares moves shares of the member to other addresses: immediately if the date is today, otherwise as a planned move
// (7.6-post-move-shares). It moves all items or none.
func (s *Service) moveShares(ctx context.Context, in *moveInput) (*movesAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	digest := operation.Digest(in.Body)
	if sent, err := s.sentMoves(ctx, rows, in.Key, digest); err != nil || sent != nil {
		return sent, err
	}
	own, err := participation.Own(ctx, s.host.DB, rows)
	if err != nil {
		return nil, err
	}
	now := s.host.Now()
	today := module.Today(ctx, now)
	if err := problem.Refuse(in.Body.Check(today, own)...); err != nil {
		return nil, err
	}
	day, err := value.ParseDay(in.Body.Date)
	if err != nil {
		return nil, err
	}
	moves := make([]*Row, len(in.Body.Items))
	taken := map[string]int64{}
	for n, item := range in.Body.Items {
		from := own[item.Participation]
		if moves[n], err = newMove(from, own[item.To], item, day, now); err != nil {
			return nil, err
		}
		moves[n].Item, moves[n].Digest = int64(n), digest
		if in.Key != "" {
			moves[n].IdempotencyKey = &in.Key
		}
		if taken[from.ID] += moves[n].Shares; CheckLeft(from.Balance, taken[from.ID]) != "" {
			return nil, errOffered
		}
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		return s.storeMoves(ctx, tx, moves, day.After(today), now)
	})
	switch {
	case errors.Is(err, operation.ErrSent):
		return s.sentMoves(ctx, rows, in.Key, digest)
	case errors.Is(err, error(ledger.ErrShares)): // offered since the shares were read
		return nil, errOffered
	case err != nil:
		return nil, err
	}
	out := make([]Row, len(moves))
	for i, m := range moves {
		out[i] = *m
	}
	return s.shownMoves(ctx, out)
}

// newMove returns the move for an item of a checked request.
func newMove(from, to ledger.Participation, item MoveItem, day value.Day, now time.Time) (*Row, error) {
	old, err := participation.DocumentOf(from)
	if err != nil {
		return nil, err
	}
	at := participation.Address{}
	if item.Address != nil {
		at = *item.Address
	} else {
		target, err := participation.DocumentOf(to)
		if err != nil {
			return nil, err
		}
		at = target.Address
	}
	m := &Row{LabelKey: from.LabelKey, ID: value.NewID(), RelationID: from.RelationID, State: Planned, Date: day, FromParticipation: from.ID,
		ToParticipation: to.ID, Shares: int64(*item.Shares), CreatedAt: state.StoredTime(now)}
	if m.Address, err = encoded(at); err != nil {
		return nil, err
	}
	m.OldAddress, err = encoded(old.Address)
	return m, err
}

func encoded(v any) (string, error) {
	data, err := json.Marshal(v)
	return string(data), err
}

// sentMoves returns the moves of an earlier request with the same key; nil when there were none. It returns 422 when that request differs.
func (s *Service) sentMoves(ctx context.Context, rows module.Rows, key, digest string) (*movesAnswer, error) {
	if key == "" {
		return nil, nil
	}
	found, err := sentUnder(ctx, s.host.DB, rows, key)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if found[0].Digest != digest {
		return nil, operation.ErrKeyReused
	}
	return s.shownMoves(ctx, found)
}

func (s *Service) listMoves(ctx context.Context, _ *struct{}) (*movesAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	found, err := readPlanned(ctx, s.host.DB, rows, module.Today(ctx, s.host.Now()))
	if err != nil {
		return nil, err
	}
	return s.shownMoves(ctx, found)
}

func (s *Service) shownMoves(ctx context.Context, moves []Row) (*movesAnswer, error) {
	ids := make([]string, len(moves))
	for i, m := range moves {
		ids[i] = m.FromParticipation
	}
	from, err := participation.ByID(ctx, s.host.DB, ids)
	if err != nil {
		return nil, err
	}
	out := &movesAnswer{Body: make([]Move, len(moves))}
	for i, m := range moves {
		shown := Move{ID: m.ID, Participation: from[m.FromParticipation].ParticipationIdentifier, Date: m.Date, Shares: m.Shares}
		if err := cmp.Or(json.Unmarshal([]byte(m.Address), &shown.Address), json.Unmarshal([]byte(m.OldAddress), &shown.OldAddress)); err != nil {
			return nil, fmt.Errorf("marketplace: addresses of move %s: %w", m.ID, err)
		}
		out.Body[i] = shown
	}
	return out, nil
}

type moveID struct {
	ID string `path:"id" maxLength:"64" doc:"Id of the move"`
}

// cancelMove cancels a planned move. Cancelling it again changes nothing. It returns 409 when the move has been made.
func (s *Service) cancelMove(ctx context.Context, in *moveID) (*struct{}, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		m, err := lock(ctx, tx, rows, in.ID)
		if err != nil || m.State == cancelled {
			return err
		}
		if m.State != Planned {
			return state.ErrTransition
		}
		now := s.host.Now()
		if err := end(ctx, tx, m, cancelled, now); err != nil {
			return err
		}
		if err := s.publishMove(ctx, tx, m, marketplaceapi.EventMoveCancelled); err != nil {
			return err
		}
		return ledger.CancelMove(ctx, tx, now, ledger.Lot{Participation: m.FromParticipation, Shares: m.Shares, Ref: m.ID})
	})
}
