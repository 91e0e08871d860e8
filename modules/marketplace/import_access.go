package marketplace

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// importAccess is a record of who may trade where staff let members in: {"debtor_number", "state": "APPROVED" or "REJECTED"}.
const importAccess = "market_access"

// importAccesses stores who may trade. A wish that waits for staff is left to them.
func (s *service) importAccesses(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	wide := module.Label(ctx, "an import holds the access of all members")
	label, batch, place := wide.Key(), []accessRow{}, map[string]int{}
	for _, row := range rows {
		var in struct {
			Debtor loose `json:"debtor_number"`
			State  loose `json:"state"`
		}
		c, ok := open(row, &in)
		if ok {
			debtor, state := c.Filled("debtor_number", in.Debtor), AccessState(c.Filled("state", in.State))
			if state != "" && state != accessApproved && state != accessRejected {
				c.Refuse("state", problem.CodeInvalid)
			}
			if len(c.Wrong()) == 0 {
				stored := accessRow{LabelKey: label, RelationID: relationID(label, debtor), State: string(state), At: cut(s.host.Now())}
				if at, twice := place[stored.RelationID]; twice {
					batch[at] = stored
					continue
				}
				place[stored.RelationID] = len(batch)
				batch = append(batch, stored)
			}
		}
		refused = append(refused, c.Wrong()...)
	}
	if len(batch) == 0 {
		return refused, nil
	}
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := wide.Insert(tx, &batch).On("CONFLICT (label_key, relation_id) DO UPDATE").Set("state = EXCLUDED.state").Set("at = EXCLUDED.at").
			Where("x.state <> ?", accessPending).Exec(ctx)
		return err
	})
}
