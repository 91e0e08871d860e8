package move

import (
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	fieldStart = "start_date"
	fieldStop  = "stop_date"

	minNoticeDays = 2 // days between today and the first day at the new address (5.2-start-min-two-days)
)

// Dates are the days of a move as sent. They are strings, so that an invalid day gets its own problem code.
type Dates struct {
	Start string `json:"start_date" doc:"First day at the new address as YYYY-MM-DD, at least two days after today"`
	Stop  string `json:"stop_date,omitempty" doc:"Last day of delivery at the old address as YYYY-MM-DD; empty: determined by start_date"`
}

// Check validates the days (5.2-start-required, 5.2-date-invalid, 5.2-date-past, 5.2-start-min-two-days, 5.2-start-before-stop) and
// returns at most one problem per field.
func (d Dates) Check(today value.Day) (start value.Day, stop *value.Day, fieldErrors []problem.FieldError) {
	refuse := func(field, code string) {
		fieldErrors = append(fieldErrors, problem.FieldError{Field: field, Code: code})
	}
	start, err := value.ParseDay(d.Start)
	switch {
	case d.Start == "":
		refuse(fieldStart, codeRequired)
	case err != nil:
		refuse(fieldStart, codeDateFormat)
	case start.Before(today): // before minTwoDays, which such a day also violates (5.2-past-precedence-reconcile)
		refuse(fieldStart, codeNoPastDate)
	case start.Before(today.AddDays(minNoticeDays)):
		refuse(fieldStart, codeMinTwoDays)
	}
	if d.Stop == "" { // 5.2-stop-optional
		return start, nil, fieldErrors
	}
	end, stopErr := value.ParseDay(d.Stop)
	switch {
	case stopErr != nil:
		refuse(fieldStop, codeDateFormat)
	case end.Before(today):
		refuse(fieldStop, codeNoPastDate)
	case start.After(end): // an invalid start is before every day
		refuse(fieldStop, codeStartBeforeStop)
	}
	return start, &end, fieldErrors
}
