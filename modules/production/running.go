package production

import "github.com/wattle-portal/wattle/core/value"

// Running is how long a project produced on some days (9-production-running). It contains no member data.
type Running struct {
	From      value.Day `json:"from" doc:"First day"`
	Until     value.Day `json:"until" doc:"Last day"`
	Hours     int       `json:"hours" doc:"Hours of these days that were measured"`
	Producing int       `json:"producing" doc:"Measured hours in which the project produced"`
	Made      float64   `json:"production" doc:"Energy of the measured hours in kWh"`
}

// running counts the measured hours of the days between from and until (exclusive), and the hours with production. An hour that was not
// measured is in neither.
func running(from, until value.Day, days []dayRow) Running {
	out, wh := Running{From: from, Until: until.AddDays(-1)}, int64(0)
	for _, d := range days {
		for _, made := range d.hours {
			if made == nil {
				continue
			}
			out.Hours++
			if *made > 0 {
				out.Producing++
			}
			wh += int64(*made)
		}
	}
	out.Made = float64(wh) / 1000
	return out
}
