package move

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
)

// kindMove is the only kind of change request: its key is the agreement, its data a Move, it is effective from start_date on.
const kindMove = "move.request"

// Events; the key is the id of the change.
const (
	eventRequested = "move.requested" // {relation, move}
	eventProcessed = "move.processed" // {relation, move}
	eventRejected  = "move.rejected"  // {relation, move, reason}
)

// told is what the events carry.
type told struct {
	Relation string `json:"relation"`
	Move     Move   `json:"move"`
	Reason   string `json:"reason,omitempty"`
}

// decided ends a move. Where the customer lives changes in the back office, whose records bring it here; the customer hears of it.
func (s *service) decided(ctx context.Context, tx module.Tx, c module.Change) error {
	out := told{Relation: c.Relation, Reason: c.Reason}
	if err := json.Unmarshal(c.Data, &out.Move); err != nil {
		return fmt.Errorf("move: data of change %s: %w", c.ID, err)
	}
	to, err := endMove(ctx, tx, c)
	if err != nil {
		return err
	}
	event, mail := eventProcessed, mailProcessed
	if c.State == module.Rejected {
		event, mail = eventRejected, mailRejected
	}
	if err := module.Publish(ctx, tx, event, c.ID, out); err != nil {
		return err
	}
	return to.mail(ctx, tx, mail, out.Move, c.Reason)
}

// Handle takes no events: this module wants none.
func (s *service) Handle(_ context.Context, e module.Event) error {
	return fmt.Errorf("move: does not handle %s", e.Type)
}
