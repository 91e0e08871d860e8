package share

import (
	"github.com/wattle-portal/wattle/core/value"
)

// SharesFrom is the number of shares since a day.
type SharesFrom struct {
	From value.Day `json:"from_date" doc:"First day on which the numbers hold"`
	Own  int64     `json:"own" doc:"Shares of the caller"`
	All  int64     `json:"all" doc:"Shares of all members"`
}

// always is the first day of shares whose start is unknown.
var always = value.Day{Year: 1900, Month: 1, Day: 1}

// runningTotals returns the running totals of changes by day. A correction counts from its own day.
func runningTotals(changes []SharesFrom) []SharesFrom {
	out := []SharesFrom{}
	for _, c := range changes {
		n := len(out) - 1
		if n >= 0 {
			c.Own, c.All = c.Own+out[n].Own, c.All+out[n].All
		}
		if n >= 0 && out[n].From == c.From {
			out[n] = c
			continue
		}
		out = append(out, c)
	}
	return out
}
