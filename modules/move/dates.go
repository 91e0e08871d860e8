package move

import (
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	fieldStart = "start_date"
	fieldStop  = "stop_date"

	notice = 2 // days between today and the first day at the new address (5.2-start-min-two-days)
)

// Dates are the days of a move as they are sent: YYYY-MM-DD, texts, so that a day that is none gets its own code.
type Dates struct {
	Start string `json:"start_date" doc:"YYYY-MM-DD: first day at the new address, the day after tomorrow at the earliest"`
	Stop  string `json:"stop_date,omitempty" doc:"YYYY-MM-DD: last day of delivery at the old address; empty: it is settled with start_date"`
}

// Check judges the days (5.2-start-required, 5.2-date-invalid, 5.2-date-past, 5.2-start-min-two-days, 5.2-start-before-stop): at
// most one code a field.
func (d Dates) Check(today value.Day) (start value.Day, stop *value.Day, wrong []problem.FieldError) {
	refuse := func(field, code string) { wrong = append(wrong, problem.FieldError{Field: field, Code: code}) }
	start, err := value.ParseDay(d.Start)
	switch {
	case d.Start == "":
		refuse(fieldStart, codeRequired)
	case err != nil:
		refuse(fieldStart, codeDateFormat)
	case start.Before(today): // before minTwoDays, which it breaks too (5.2-past-precedence-reconcile)
		refuse(fieldStart, codeNoPastDate)
	case start.Before(today.AddDays(notice)):
		refuse(fieldStart, codeMinTwoDays)
	}
	if d.Stop == "" { // 5.2-stop-optional
		return start, nil, wrong
	}
	end, stopErr := value.ParseDay(d.Stop)
	switch {
	case stopErr != nil:
		refuse(fieldStop, codeDateFormat)
	case end.Before(today):
		refuse(fieldStop, codeNoPastDate)
	case start.After(end): // a start that is no day comes before all of them
		refuse(fieldStop, codeStartBeforeStop)
	}
	return start, &end, wrong
}
