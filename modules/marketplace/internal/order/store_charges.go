package order

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
)

// ChargesOf reads the administration costs that the label charges with an order; nil when it does not charge them with orders.
func ChargesOf(ctx context.Context, db module.Querier, projects []string) (Charges, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil || !set.Order.AdministrationCosts {
		return nil, err
	}
	documents, err := project.ByCode(ctx, db, projects)
	out := Charges{}
	for code, p := range documents {
		out[code] = p.Costs
	}
	return out, err
}
