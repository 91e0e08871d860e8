package outages

import (
	"database/sql/driver"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/problem"
)

// States of an outage.
const (
	statePlanned = "planned" // announced, but not started yet
	stateActive  = "active"
	stateEnded   = "ended"
)

// Problem codes, whose texts are in the React half, and limits.
const (
	codeArea          = "outages.area_invalid"
	codeEndBefore     = "outages.end_before_start"
	codeEndRequired   = "outages.end_required"
	maxAreas          = 500
	areaDigits        = 4 // the first four digits of a postal code identify a neighborhood
	maxOperatorLength = 80
	maxTextLength     = 1000
)

var areaForm = regexp.MustCompile(`^[1-9][0-9]{3}([A-Z]{2})?$`)

// areas contains postal codes: 1234AB, or 1234 for all that begin with it. A database column contains them separated by spaces.
type areas []string

// readAreas parses typed or imported areas. It returns them in upper case, sorted and without duplicates.
func readAreas(entered []string) areas {
	out := areas{}
	for _, one := range entered {
		for part := range strings.FieldsFuncSeq(joinPostalCodes(one), func(r rune) bool {
			return r == ' ' || r == ',' || r == ';' || r == '\n' ||
				r == '\t' || r == '\r'
		}) {
			out = append(out, strings.ToUpper(part))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var spacedPostalCode = regexp.MustCompile(`\b([1-9][0-9]{3}) ([A-Za-z]{2})\b`)

// joinPostalCodes removes the space that is usual in a postal code: 1234 AB.
func joinPostalCodes(s string) string { return spacedPostalCode.ReplaceAllString(s, "$1$2") }

// has reports whether a postal code is in the areas.
func (a areas) has(zipCode string) bool {
	return slices.Contains(a, zipCode) || len(zipCode) > areaDigits && slices.Contains(a, zipCode[:areaDigits])
}

// Value implements driver.Valuer.
func (a areas) Value() (driver.Value, error) { return strings.Join(a, " "), nil }

// Scan implements sql.Scanner.
func (a *areas) Scan(v any) error {
	switch v := v.(type) {
	case string:
		*a = strings.Fields(v)
	case []byte:
		*a = strings.Fields(string(v))
	default:
		return fmt.Errorf("outages: areas are %T", v)
	}
	return nil
}

// state returns the state of an outage at a given time. Planned work ends at its expected end; a fault ends when its end is reported.
func (o *outage) state(now time.Time) string {
	switch {
	case o.EndedAt != nil && !o.EndedAt.After(now), o.Planned && o.ExpectedEnd != nil && !o.ExpectedEnd.After(now):
		return stateEnded
	case o.StartsAt.After(now):
		return statePlanned
	}
	return stateActive
}

// isShown reports whether customers see an outage at a given time: from some days before its start until some days after its end.
func (o *outage) isShown(now time.Time, s Settings) bool {
	const day = 24 * time.Hour
	switch o.state(now) {
	case statePlanned:
		return !o.StartsAt.After(now.Add(time.Duration(s.AnnounceDays) * day))
	case stateEnded:
		return now.Before(o.end().Add(time.Duration(s.KeepDays) * day))
	}
	return true
}

// end returns the time at which an ended outage ended.
func (o *outage) end() time.Time {
	if o.EndedAt != nil {
		return *o.EndedAt
	}
	if o.ExpectedEnd != nil {
		return *o.ExpectedEnd
	}
	return o.StartsAt
}

// hasSameContent reports whether two reports have the same content.
func (o *outage) hasSameContent(as *outage) bool {
	same := func(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }
	return o.Commodity == as.Commodity && o.Planned == as.Planned && slices.Equal(o.Areas, as.Areas) && o.Operator == as.Operator &&
		o.TextNL == as.TextNL && o.TextEN == as.TextEN && o.StartsAt.Equal(as.StartsAt) && same(o.ExpectedEnd, as.ExpectedEnd) &&
		same(o.EndedAt, as.EndedAt)
}

// check returns the errors of an outage by field.
func (o *outage) check() (fieldErrors []problem.FieldError) {
	refuse := func(field, code string) {
		fieldErrors = append(fieldErrors, problem.FieldError{Field: field, Code: code})
	}
	switch {
	case len(o.Areas) == 0:
		refuse("areas", problem.CodeRequired)
	case len(o.Areas) > maxAreas:
		refuse("areas", problem.CodeTooLong)
	case slices.ContainsFunc(o.Areas, func(a string) bool { return !areaForm.MatchString(a) }):
		refuse("areas", codeArea)
	}
	if o.StartsAt.IsZero() {
		refuse("starts_at", problem.CodeRequired)
	}
	switch {
	case o.Planned && o.ExpectedEnd == nil:
		refuse("expected_end", codeEndRequired)
	case o.ExpectedEnd != nil && o.ExpectedEnd.Before(o.StartsAt):
		refuse("expected_end", codeEndBefore)
	}
	if o.EndedAt != nil && o.EndedAt.Before(o.StartsAt) {
		refuse("ended_at", codeEndBefore)
	}
	return fieldErrors
}

// changeFrom returns the change that subscribers are notified of when an outage replaces before, which is nil for a new outage: it was
// reported, it ended, or "" for no change.
func (o *outage) changeFrom(before *outage, now time.Time) string {
	ended := o.state(now) == stateEnded
	switch {
	case before == nil && !ended:
		return changeReported
	case before != nil && ended && before.state(now) != stateEnded:
		return changeEnded
	}
	return ""
}
