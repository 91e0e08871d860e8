package marketplace

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

var (
	errOffered = problem.Fail(http.StatusConflict, codeSharesOffered)
)

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

// moveShares moves shares of the member to other addresses: today at once, later as a future move (7.6-post-move-shares). It moves all items
// or none.
func (s *service) moveShares(ctx context.Context, in *moveInput) (*movesAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	digest := digestOf(in.Body)
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
	moves := make([]*moveRow, len(in.Body.Items))
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
	case errors.Is(err, errSent):
		return s.sentMoves(ctx, rows, in.Key, digest)
	case errors.Is(err, error(ledger.ErrShares)): // offered since they were read
		return nil, errOffered
	case err != nil:
		return nil, err
	}
	out := make([]moveRow, len(moves))
	for i, m := range moves {
		out[i] = *m
	}
	return s.shownMoves(ctx, out)
}

// newMove returns the move of an item of a checked request.
func newMove(from, to ledger.Participation, item MoveItem, day value.Day, now time.Time) (*moveRow, error) {
	old, err := participation.DocumentOf(from)
	if err != nil {
		return nil, err
	}
	at := participation.Address{}
	if item.Address != nil {
		at = *item.Address
	} else {
		there, err := participation.DocumentOf(to)
		if err != nil {
			return nil, err
		}
		at = there.Address
	}
	m := &moveRow{LabelKey: from.LabelKey, ID: value.NewID(), RelationID: from.RelationID, State: movePlanned, Date: day, FromParticipation: from.ID,
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

// storeMoves stores planned moves, and makes those of today.
func (s *service) storeMoves(ctx context.Context, tx module.Tx, moves []*moveRow, later bool, now time.Time) error {
	handovers := make([]ledger.Handover, len(moves))
	for i, m := range moves {
		m.State, m.EndedAt = movePlanned, nil // fn may run again
		if err := insertMove(ctx, tx, m); err != nil {
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
		if err := tx.Publish(ctx, module.Event{Type: marketplaceapi.EventMoveDue, Key: m.ID, Due: m.Date.In(state.Zone(ctx)), Data: data}); err != nil {
			return err
		}
	}
	return nil
}

// handover returns the move as the ledger takes it.
func (m *moveRow) handover() ledger.Handover {
	return ledger.Handover{From: m.FromParticipation, To: m.ToParticipation, Shares: m.Shares, Ref: m.ID, On: m.Date}
}

// makeMove ends a move as DONE and returns what the caller enters in the ledger.
func (s *service) makeMove(ctx context.Context, tx module.Tx, m *moveRow, now time.Time) (made ledger.Handover, err error) {
	if m.ToParticipation, err = s.targetOf(ctx, tx, m); err != nil {
		return made, err
	}
	if err := endMove(ctx, tx, m, moveDone, now); err != nil {
		return made, err
	}
	return m.handover(), s.publishMove(ctx, tx, m, marketplaceapi.EventSharesMoved)
}

// targetOf returns the participation that gets the shares of a move: the chosen one, or the one at the address.
func (s *service) targetOf(ctx context.Context, tx module.Tx, m *moveRow) (string, error) {
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

// publishMove publishes an event about a move and, once it is made, notifies the member.
func (s *service) publishMove(ctx context.Context, tx module.Tx, m *moveRow, event string) error {
	from, err := participation.ByID(ctx, tx, []string{m.FromParticipation})
	if err != nil {
		return err
	}
	code := from[m.FromParticipation].ProjectCode
	data := marketplaceapi.SharesMoved{Relation: m.RelationID, Project: code, From: m.FromParticipation, To: m.ToParticipation, Shares: m.Shares, Day: m.Date}
	if err := module.Publish(ctx, tx, event, m.ID, data); err != nil || event != marketplaceapi.EventSharesMoved {
		return err
	}
	var at participation.Address
	if err := json.Unmarshal([]byte(m.Address), &at); err != nil {
		return fmt.Errorf("marketplace: address of move %s: %w", m.ID, err)
	}
	name, err := projectName(ctx, tx, code)
	if err != nil {
		return err
	}
	return notice.Send(ctx, tx, notice.Notice{Kind: notice.Moved, Relation: m.RelationID, Project: name, Shares: m.Shares, Day: m.Date, Address: at.Line()})
}

// sentMoves returns the answer to an earlier request with the same key; nil when there was none. It returns 422 when that request differs.
func (s *service) sentMoves(ctx context.Context, rows module.Rows, key, digest string) (*movesAnswer, error) {
	if key == "" {
		return nil, nil
	}
	found, err := movesUnder(ctx, s.host.DB, rows, key)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if found[0].Digest != digest {
		return nil, order.ErrKeyReused
	}
	return s.shownMoves(ctx, found)
}

func (s *service) listMoves(ctx context.Context, _ *struct{}) (*movesAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	found, err := futureMoves(ctx, s.host.DB, rows, module.Today(ctx, s.host.Now()))
	if err != nil {
		return nil, err
	}
	return s.shownMoves(ctx, found)
}

func (s *service) shownMoves(ctx context.Context, moves []moveRow) (*movesAnswer, error) {
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

// cancelMove cancels a planned move; cancelling it again changes nothing. It returns 409 once the move is made.
func (s *service) cancelMove(ctx context.Context, in *moveID) (*struct{}, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		m, err := lockMove(ctx, tx, rows, in.ID)
		if err != nil || m.State == moveCancelled {
			return err
		}
		if m.State != movePlanned {
			return state.ErrTransition
		}
		now := s.host.Now()
		if err := endMove(ctx, tx, m, moveCancelled, now); err != nil {
			return err
		}
		if err := s.publishMove(ctx, tx, m, marketplaceapi.EventMoveCancelled); err != nil {
			return err
		}
		return ledger.CancelMove(ctx, tx, now, ledger.Lot{Participation: m.FromParticipation, Shares: m.Shares, Ref: m.ID})
	})
}
