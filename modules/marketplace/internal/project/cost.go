package project

import (
	"github.com/wattle-portal/wattle/core/value"
)

// Cost is the administration cost of a project from a day on (3-project-admin-costs).
type Cost struct {
	From   value.Day   `json:"from_date" doc:"First day on which the costs apply"`
	Amount value.Cents `json:"amount" doc:"Costs in euros"`
}

// CostOn returns the cost that applies on a day: the one with the latest from_date that is not after the day, and of several with that
// date the last listed; 0 when there is none yet.
func CostOn(costs []Cost, on value.Day) (amount value.Cents) {
	var from value.Day
	for _, c := range costs {
		if !c.From.After(on) && !c.From.Before(from) {
			from, amount = c.From, c.Amount
		}
	}
	return amount
}
