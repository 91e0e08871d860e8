package move

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/move/moveapi"
)

// kindMove is the kind of a move's change request. Its key is the agreement, its data is a Move, and its effective day is start_date.
const kindMove = "move.request"

// event returns the move as event data.
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

// decide decides a move. The email is sent to the customer's current address: by now, the address at the time of the request may belong to
// somebody else, and the email contains the customer's new home address. Module account is called first, because siblings may not be called
// in a transaction.
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

// applyDecision stores the decision about a move, publishes the event and emails the customer. Addresses and agreements change when the
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
