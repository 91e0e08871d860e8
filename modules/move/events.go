package move

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/move/moveapi"
)

// kindMove is the kind of the change request: its key is the agreement, its data a Move, its effective day start_date.
const kindMove = "move.request"

// event returns the move as data of an event.
func (m Move) event() moveapi.Move {
	out := moveapi.Move{Agreement: m.Agreement, Commodities: make([]string, len(m.Commodities)), Old: m.Old.event(), New: m.New.event(),
		Start: m.Start, Stop: m.Stop, Residential: m.Residential, Type: m.Type, Unchecked: m.Unchecked}
	for i, c := range m.Commodities {
		out.Commodities[i] = string(c)
	}
	for _, cp := range []struct {
		from *Address
		to   **moveapi.Address
	}{{m.NewInvoice, &out.NewInvoice}, {m.NewPostal, &out.NewPostal}} {
		if cp.from != nil {
			*cp.to = new(cp.from.event())
		}
	}
	return out
}

func (a Address) event() moveapi.Address {
	return moveapi.Address{Street: a.Street, HouseNumber: string(a.Number), HouseNumberExtension: a.Extension, ZipCode: a.ZipCode,
		City: a.City}
}

// decide decides a move. The mail goes to the mailbox of now: that of the request may be somebody else's by the time of the decision, and
// the mail contains where the customer will live. Account is called first, because no sibling may be called in a transaction.
func (s *service) decide(ctx context.Context, in *module.DecideInput) (*module.DecideOutput, error) {
	row, err := moveOf(ctx, s.host.DB, in.ID)
	if err != nil {
		return nil, err
	}
	to := recipient{Locale: row.Locale}
	if to.Email, err = s.emailOf(ctx, row.RelationID); err != nil {
		return nil, err
	}
	out := &module.DecideOutput{}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		d := module.Decision{ID: in.ID, State: in.Body.State, By: in.Body.By, Reason: in.Body.Reason}
		out.Body, err = module.Decide(ctx, tx, d, func(ctx context.Context, tx module.Tx,
			c module.Change) error {
			return applyDecision(ctx, tx, c, to)
		})
		return err
	})
	return out, err
}

// applyDecision stores the decision about a move, publishes the event and mails the customer. Addresses and agreements change when the
// back office sends new records.
func applyDecision(ctx context.Context, tx module.Tx, c module.Change, to recipient) error {
	var m Move
	if err := json.Unmarshal(c.Data, &m); err != nil {
		return fmt.Errorf("move: data of change %s: %w", c.ID, err)
	}
	if err := saveDecision(ctx, tx, c); err != nil {
		return err
	}
	event, mail := moveapi.EventProcessed, mailProcessed
	if c.State == module.Rejected {
		event, mail = moveapi.EventRejected, mailRejected
	}
	if err := module.Publish(ctx, tx, event, c.ID, moveapi.Decided{Relation: c.Relation, Move: m.event(), Reason: c.Reason}); err != nil {
		return err
	}
	return to.mail(ctx, tx, mail, m, c.Reason)
}

// Handle implements module.Instance; the module handles no events.
func (s *service) Handle(_ context.Context, e module.Event) error {
	return fmt.Errorf("move: unexpected event %s", e.Type)
}
