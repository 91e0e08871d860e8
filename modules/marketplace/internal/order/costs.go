package order

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
)

// Cost is the administration cost of a project from a day on (3-project-admin-costs).
type Cost struct {
	From   value.Day   `json:"from_date" doc:"First day on which the costs apply"`
	Amount value.Cents `json:"amount" doc:"Costs in euros"`
}

// CostOn returns the cost that applies on a day: the one with the highest from_date not after it, and of two with the same date the later
// one; 0 when there is none yet.
func CostOn(costs []Cost, on value.Day) (amount value.Cents) {
	var from value.Day
	for _, c := range costs {
		if !c.From.After(on) && !c.From.Before(from) {
			from, amount = c.From, c.Amount
		}
	}
	return amount
}

// Charges are the administration costs of projects, by project code, that a label charges with an order; nil: it charges none.
type Charges map[string][]Cost

// On returns the administration costs of an order of shares of some projects with a transfer date: those of each project once, however many
// offers and shares of it are in the order (9-order-costs).
func (c Charges) On(transfer value.Day, projects []string) (sum value.Cents) {
	for _, code := range slices.Compact(slices.Sorted(slices.Values(projects))) {
		sum += CostOn(c[code], transfer)
	}
	return sum
}

// ProjectsOf returns the project codes of lines of a basket.
func ProjectsOf(lines []BasketLine) (codes []string) {
	for _, l := range lines {
		if l.offer != nil {
			codes = append(codes, l.offer.ProjectCode)
		}
	}
	return codes
}
