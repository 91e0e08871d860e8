package access

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/fields"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
)

// Import stores the decisions of a back office on access. It does not change a request that waits for staff.
func (s *Service) Import(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	wide := module.Label(ctx, "an import holds the access of all members")
	type customer struct {
		debtor string
		line   int
	}
	label, batch, place, customers := wide.Key(), []decision{}, map[string]int{}, []customer{}
	for _, row := range rows {
		var in accessFields
		c, ok := fields.Read(row, &in)
		if ok {
			debtor, decided := c.Required("debtor_number", in.Debtor), State(c.Required("state", in.State))
			if decided != "" && decided != Approved && decided != Rejected {
				c.Refuse("state", problem.CodeInvalid)
			}
			if len(c.Refusals()) == 0 {
				customers = append(customers, customer{debtor, row.Line})
				stored := decision{Relation: sibling.RelationID(label, debtor), State: decided}
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
	sibling.WarnUnknownCustomers(ctx, s.host.Client, "debtor_number", customers, func(c customer) (string, int) { return c.debtor, c.line })
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		return storeDecisions(ctx, tx, batch, s.host.Now())
	})
}
