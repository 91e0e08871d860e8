package marketplace

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/access"
)

// importAccess is the kind of a record of who may trade: {"debtor_number", "state": "APPROVED" or "REJECTED"}.
const importAccess = "market_access"

// importAccesses stores who may trade. It does not change a request that waits for staff.
func (s *service) importAccesses(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	wide := module.Label(ctx, "an import holds the access of all members")
	type customer struct {
		debtor string
		line   int
	}
	label, batch, place, customers := wide.Key(), []access.Decision{}, map[string]int{}, []customer{}
	for _, row := range rows {
		var in accessFields
		c, ok := open(row, &in)
		if ok {
			debtor, decided := c.Required("debtor_number", in.Debtor), access.State(c.Required("state", in.State))
			if decided != "" && decided != access.Approved && decided != access.Rejected {
				c.Refuse("state", problem.CodeInvalid)
			}
			if len(c.Refusals()) == 0 {
				customers = append(customers, customer{debtor, row.Line})
				stored := access.Decision{Relation: relationID(label, debtor), State: decided}
				if at, twice := place[stored.Relation]; twice {
					batch[at] = stored
					continue
				}
				place[stored.Relation] = len(batch)
				batch = append(batch, stored)
			}
		}
		refused = append(refused, c.Refusals()...)
	}
	if len(batch) == 0 {
		return refused, nil
	}
	warnOfStrangers(ctx, s, "debtor_number", customers, func(c customer) (string, int) { return c.debtor, c.line })
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		return access.Import(ctx, tx, batch, s.host.Now())
	})
}
