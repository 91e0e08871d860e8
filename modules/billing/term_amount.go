package billing

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/value"
)

const maxMonths = 24 // maximum number of months until the annual statement; a later date is treated as invalid data

// Periodical is the term amount of an agreement: the amount collected every month, a pending change, and the expected result of the year
// (3-periodical-fields).
type Periodical struct {
	Agreement string      `json:"agreement_identifier_with_sequence" doc:"Id of the agreement"`
	Current   value.Cents `json:"current_amount" doc:"Current term amount in euros per month"`
	// Both are set and equal while a change is pending: the first is the name in responses, the second in requests
	// (3-periodical-names-reconcile).
	Requested     *value.Cents `json:"requested_new_amount,omitempty" doc:"Requested amount in euros, while a change is pending"`
	RequestAmount *value.Cents `json:"request_periodical_payment_amount,omitempty" doc:"Same as requested_new_amount, under the name in requests"`
	RequestedOn   *value.Day   `json:"requested_on,omitempty" doc:"Day of the request, while a change is pending"`
	// Min and Max come with the agreement's record from the back office (record.go).
	Min            value.Cents   `json:"min_amount" doc:"Lowest term amount that can be requested, in euros"`
	Max            value.Cents   `json:"max_amount" doc:"Highest term amount that can be requested, in euros"`
	Proposed       value.Cents   `json:"proposed_amount" doc:"Recommended term amount in euros per month"`
	Method         PaymentMethod `json:"payment_method" enum:"DEFAULT,DIRECT_DEBIT_BUSINESS,DIRECT_DEBIT_CONSUMER,IDEAL,INVOICE" doc:"How the customer pays"`
	NextCollection value.Day     `json:"next_collection,omitzero" doc:"Day of the next collection; absent: none planned"`
	CountsFrom     value.Day     `json:"counts_from,omitzero" doc:"Day of the first collection with an amount that is requested today, or with the pending one, if it is processed within the usual two working days; absent: not known"`
	YearEnd        *YearEnd      `json:"year_end,omitempty" doc:"Figures of the year; absent if there are none or the year is settled"`
	Reason         string        `json:"reason,omitempty" doc:"Code of the reason why the amount cannot be changed, also the id of its text; absent if it can"`
}

// YearEnd contains the figures from which Outcome calculates the annual statement for any term amount.
type YearEnd struct {
	ExpectedCost value.Cents `json:"expected_cost" doc:"Expected cost of the year in euros"`
	Paid         value.Cents `json:"paid" doc:"Euros collected in this year until now"`
	MonthsLeft   int         `json:"months_left" doc:"Number of collections left before the annual statement"`
	// MonthsUnchanged is included in MonthsLeft: a new amount is collected only after these months (9-term-amount-forecast).
	MonthsUnchanged int       `json:"months_unchanged" doc:"Number of the collections left that have the current amount, because an amount that is requested today, or the pending one, counts later"`
	SettlesOn       value.Day `json:"settles_on" doc:"Day of the annual statement"`
}

// Outcome returns the balance of the annual statement if the term amount changes from current to amount: a positive balance is refunded, a
// negative one must be paid (9-term-amount-forecast).
func (y YearEnd) Outcome(current, amount value.Cents) value.Cents {
	return y.Paid + current*value.Cents(y.MonthsUnchanged) + amount*value.Cents(y.MonthsLeft-y.MonthsUnchanged) - y.ExpectedCost
}

// Advice returns the lowest term amount in whole euros that leaves nothing to pay at the annual statement, limited to the range of the
// agreement. If a new amount would take effect only after the annual statement, it returns the proposal of the back office
// (9-term-amount-advice).
func (y YearEnd) Advice(d Details) value.Cents {
	changed := value.Cents(y.MonthsLeft - y.MonthsUnchanged)
	if changed <= 0 {
		return d.Proposed
	}
	due := -y.Outcome(d.Current, 0)
	euros := due / (100 * changed)
	if due > euros*100*changed {
		euros++
	}
	return min(max(euros*100, d.Min), d.Max)
}

// collections are the monthly collections of a term amount.
type collections struct {
	next    value.Day  // a collection, before which YearEnd.Paid was collected; zero if none is planned
	changed value.Day  // first collection with an amount requested today, or with the pending one
	end     *value.Day // end of the agreement; nothing is collected after it
	current value.Cents
}

// ForDay returns the figures on a day: each collection before it adds the current amount. ok is false once the year is settled.
func (y YearEnd) ForDay(today value.Day, c collections) (_ YearEnd, ok bool) {
	if !y.SettlesOn.After(today) {
		return y, false
	}
	y.MonthsLeft, y.MonthsUnchanged = 0, 0
	for i := range maxMonths {
		switch day := c.next.AddMonths(i); {
		case c.next.IsZero() || !day.Before(y.SettlesOn) || c.end != nil && day.After(*c.end):
			return y, true
		case day.Before(today): // a collection today still counts as left
			y.Paid += c.current
		case day.Before(c.changed):
			y.MonthsUnchanged++
			y.MonthsLeft++
		default:
			y.MonthsLeft++
		}
	}
	return y, true
}

// NextCollection returns the first monthly collection from today on, calculated from a known collection.
func NextCollection(collection, today value.Day) value.Day {
	if collection.IsZero() || !collection.Before(today) {
		return collection
	}
	months := (today.Year-collection.Year)*12 + int(today.Month-collection.Month)
	if on := collection.AddMonths(months); !on.Before(today) {
		return on
	}
	return collection.AddMonths(months + 1)
}

// usualWorkingDays is the number of working days in which a requested term amount is usually processed, as shown to customers.
const usualWorkingDays = 2

// CountsFrom returns the day of the first collection with a term amount that was requested on a day: the first one after the working days
// in which a request is usually processed (9-term-amount-from). It returns the zero day if no collection is known or the request takes
// longer than usual.
func CountsFrom(requested, today, collection value.Day) value.Day {
	processed := requested
	for left := usualWorkingDays; left > 0; {
		processed = processed.AddDays(1)
		if day := processed.In(time.UTC).Weekday(); day != time.Saturday && day != time.Sunday {
			left--
		}
	}
	if collection.IsZero() || processed.Before(today) {
		return value.Day{}
	}
	return NextCollection(collection, processed.AddDays(1))
}

// Amount is an amount in a request, before validation. It may be a number or a string, so that too many decimals get a problem code of this
// module.
type Amount string

// UnmarshalJSON accepts a number or a string; null results in "".
func (a *Amount) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		var s string
		err := json.Unmarshal(b, &s)
		*a = Amount(strings.TrimSpace(s))
		return err
	}
	if *a = Amount(b); *a == "null" {
		*a = ""
	}
	return nil
}

// Schema returns the OpenAPI schema of an amount.
func (Amount) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Description: "Euros, at most two decimals"}
}

// CheckTermAmount validates a new term amount against the current details (5.6-amount-decimals, 5.6-amount-range, 5.6-amount-differs).
func CheckTermAmount(entered Amount, now Details) (value.Cents, []string) {
	amount, err := value.ParseCents(string(entered))
	switch {
	case entered == "":
		return 0, []string{codeAmountRequired}
	case err != nil:
		return 0, []string{codeAmountDecimals}
	case amount < now.Min, amount > now.Max:
		return 0, []string{codeAmountRange}
	case amount == now.Current:
		return 0, []string{codeAmountUnchanged}
	}
	return amount, nil
}

// pendingAmount is a requested term amount that the back office has not decided yet, with the day of the request.
type pendingAmount struct {
	amount value.Cents
	on     value.Day
}

// termAmount returns the term amount on the day today of an agreement that has one; pending is nil if no change is pending.
func (a *storedAgreement) termAmount(today value.Day, pending *pendingAmount) Periodical {
	d := a.Periodical.Details
	p := Periodical{Agreement: a.ID, Current: d.Current, Min: d.Min, Max: d.Max, Proposed: d.Proposed, Method: a.Periodical.Method,
		Reason: fixedReason(&a.Agreement, today, pending != nil)}
	if pending != nil {
		p.Requested, p.RequestAmount, p.RequestedOn = &pending.amount, &pending.amount, &pending.on
	}
	if p.Reason == codeTermEnded { // nothing is collected anymore
		return p
	}
	if next := NextCollection(a.NextCollection, today); !hasEnded(&a.Agreement, next) {
		p.NextCollection = next
	}
	requested := today
	if pending != nil {
		requested = pending.on
	}
	if from := CountsFrom(requested, today, a.NextCollection); !hasEnded(&a.Agreement, from) && (p.Reason == "" || pending != nil) {
		p.CountsFrom = from
	}
	p.YearEnd = a.yearEnd(today, requested)
	return p
}

// yearEnd returns the year's figures on the day today for an agreement with a term amount, or nil if there are none. requested is the day
// on which a new amount is or was requested.
func (a *storedAgreement) yearEnd(today, requested value.Day) *YearEnd {
	if a.YearEnd == nil || hasEnded(&a.Agreement, today) {
		return nil
	}
	changed := CountsFrom(requested, today, a.NextCollection)
	if changed.IsZero() { // the request takes longer than usual: today at the earliest
		changed = NextCollection(a.NextCollection, today.AddDays(1))
	}
	y, ok := a.YearEnd.ForDay(today, collections{next: a.NextCollection, changed: changed, end: a.Period.To,
		current: a.Periodical.Details.Current})
	if !ok {
		return nil
	}
	return &y
}

// soleCurrent returns the id of the only current agreement with a term amount, or "" if there are none or several.
func soleCurrent(agreements []*storedAgreement) (id string) {
	for _, a := range agreements {
		if a.Current && id != "" {
			return ""
		}
		if a.Current {
			id = a.ID
		}
	}
	return id
}

// hasEnded reports whether an agreement has ended, so that nothing is delivered or collected on the day today or later.
func hasEnded(a *Agreement, today value.Day) bool {
	return a.Status == statusTerminated || a.Status == "CANCELLED" || a.Period.To != nil && a.Period.To.Before(today)
}

// fixedReason returns the code of the reason why a term amount cannot be changed, or "".
func fixedReason(a *Agreement, today value.Day, pending bool) string {
	switch d := a.Periodical.Details; {
	case pending:
		return codeTermPending
	case hasEnded(a, today):
		return codeTermEnded
	case d.Min >= d.Max:
		return codeTermFixed
	}
	return ""
}
