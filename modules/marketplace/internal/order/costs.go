package order

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
)

// Charges are the administration costs, by project code, that a label charges with an order; nil: it charges none.
type Charges map[string][]project.Cost

// On returns the administration costs of an order of shares of some projects with a transfer date. The costs of each project are charged
// once, regardless of the number of its offers and shares in the order (9-order-costs).
func (c Charges) On(transfer value.Day, projects []string) (sum value.Cents) {
	for _, code := range slices.Compact(slices.Sorted(slices.Values(projects))) {
		sum += project.CostOn(c[code], transfer)
	}
	return sum
}

// ProjectsOf returns the project codes of basket lines.
func ProjectsOf(lines []BasketLine) (codes []string) {
	for _, l := range lines {
		if l.offer != nil {
			codes = append(codes, l.offer.ProjectCode)
		}
	}
	return codes
}
