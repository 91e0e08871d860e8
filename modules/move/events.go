package move

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/move/moveapi"
)

// kindMove is the only kind of change request: its key is the agreement, its data a Move, it is effective from start_date on.
const kindMove = "move.request"

// event is the move as it is published.
func (m Move) event() moveapi.Move {
	out := moveapi.Move{Agreement: m.Agreement, Commodities: make([]string, len(m.Commodities)), Old: m.Old.event(), New: m.New.event(),
		Start: m.Start, Stop: m.Stop, Residential: m.Residential, Type: m.Type, Unchecked: m.Unchecked}
	for i, c := range m.Commodities {
		out.Commodities[i] = string(c)
	}
	for _, copied := range []struct {
		from *Address
		to   **moveapi.Address
	}{{m.NewInvoice, &out.NewInvoice}, {m.NewPostal, &out.NewPostal}} {
		if copied.from != nil {
			*copied.to = new(copied.from.event())
		}
	}
	return out
}

func (a Address) event() moveapi.Address {
	return moveapi.Address{Street: a.Street, HouseNumber: string(a.Number), HouseNumberExtension: a.Extension, ZipCode: a.ZipCode, City: a.City}
}

// decided ends a move. Where the customer lives changes in the back office, whose records bring it here; the customer hears of it.
func (s *service) decided(ctx context.Context, tx module.Tx, c module.Change) error {
	var m Move
	if err := json.Unmarshal(c.Data, &m); err != nil {
		return fmt.Errorf("move: data of change %s: %w", c.ID, err)
	}
	to, err := endMove(ctx, tx, c)
	if err != nil {
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

// Handle takes no events: this module wants none.
func (s *service) Handle(_ context.Context, e module.Event) error {
	return fmt.Errorf("move: does not handle %s", e.Type)
}
