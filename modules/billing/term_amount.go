package billing

import (
	"encoding/json"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/value"
)

const maxMonths = 24 // that a settlement can lie ahead; a date that is further away is no plan

// Periodical is the term amount of an agreement: what is collected every month, what is asked for instead, and what the year is
// going to bring (3-periodical-fields).
type Periodical struct {
	Agreement string      `json:"agreement_identifier_with_sequence"`
	Current   value.Cents `json:"current_amount"`
	// Both while a change is pending, and equal: answers speak of the one, the form of the other (3-periodical-names-reconcile).
	Requested      *value.Cents  `json:"requested_new_amount,omitempty" doc:"While a change is pending: the amount that is asked for"`
	Wanted         *value.Cents  `json:"request_periodical_payment_amount,omitempty" doc:"The same, by the name that both PUT calls take"`
	RequestedOn    *value.Day    `json:"requested_on,omitempty"`
	Min            value.Cents   `json:"min_amount"`
	Max            value.Cents   `json:"max_amount"`
	Proposed       value.Cents   `json:"proposed_amount"`
	Method         PaymentMethod `json:"payment_method" enum:"DEFAULT,DIRECT_DEBIT_BUSINESS,DIRECT_DEBIT_CONSUMER,IDEAL,INVOICE"`
	NextCollection value.Day     `json:"next_collection,omitzero" doc:"Absent when none is planned"`
	YearEnd        *YearEnd      `json:"year_end,omitempty" doc:"Absent when the back office gave no figures, or the year is settled"`
	Reason         string        `json:"reason,omitempty" doc:"Why the amount cannot be changed; absent when it can. Also the id of the translated text"`
}

// YearEnd are the figures from which the outcome of the year follows for any term amount: see Outcome.
type YearEnd struct {
	ExpectedCost value.Cents `json:"expected_cost" doc:"What the year is expected to cost"`
	Paid         value.Cents `json:"paid" doc:"Collected in this year up to now"`
	MonthsLeft   int         `json:"months_left" doc:"Times that the term amount is still collected before the settlement"`
	SettlesOn    value.Day   `json:"settles_on"`
}

// Outcome is what the settlement of the year brings with a term amount from now on: above zero you get it back, below zero you pay.
func (y YearEnd) Outcome(amount value.Cents) value.Cents {
	return y.Paid + amount*value.Cents(y.MonthsLeft) - y.ExpectedCost
}

// Advice is the least number of whole euros a month with which nothing is left to pay at the settlement, or the nearest amount that
// may be chosen. Without a month in which it could be paid it is what the back office proposes (9-term-amount-advice).
func (y YearEnd) Advice(d Details) value.Cents {
	if y.MonthsLeft <= 0 {
		return d.Proposed
	}
	due := y.ExpectedCost - y.Paid
	euros := due / value.Cents(100*y.MonthsLeft)
	if due > euros*value.Cents(100*y.MonthsLeft) {
		euros++
	}
	return min(max(euros*100, d.Min), d.Max)
}

// On are the figures on a day, made of those that the back office gave: paid up to the collection of next, which is still to come
// then. What has been collected since was the current amount, once a month. ok is false once the year is settled.
func (y YearEnd) On(today, next value.Day, current value.Cents) (_ YearEnd, ok bool) {
	if !y.SettlesOn.After(today) {
		return y, false
	}
	y.MonthsLeft = 0
	for i := range maxMonths {
		switch on := next.AddMonths(i); {
		case next.IsZero() || !on.Before(y.SettlesOn):
			return y, true
		case on.Before(today): // that of today is still to come
			y.Paid += current
		default:
			y.MonthsLeft++
		}
	}
	return y, true
}

// NextCollection is the first day from today on that lies whole months after a collection that is known.
func NextCollection(known, today value.Day) value.Day {
	if known.IsZero() || !known.Before(today) {
		return known
	}
	months := (today.Year-known.Year)*12 + int(today.Month-known.Month)
	if on := known.AddMonths(months); !on.Before(today) {
		return on
	}
	return known.AddMonths(months + 1)
}

// Amount is an amount as a request has it, not judged yet: a number or a text, so that too many decimals get our own code.
type Amount string

// UnmarshalJSON takes a number or a text; null and nothing are empty.
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

// Schema describes an amount to OpenAPI.
func (Amount) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Description: "Euros, at most two decimals"}
}

// CheckTermAmount judges a new term amount against the present ones (5.6-amount-decimals, 5.6-amount-range, 5.6-amount-differs).
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

// wanted is a term amount that waits for the back office.
type wanted struct {
	amount value.Cents
	on     value.Day
}

// termAmount is the term amount of an agreement that has one, on a day; pending is nil when no change is.
func (a *agreed) termAmount(today value.Day, pending *wanted) Periodical {
	d := a.Periodical.Details
	p := Periodical{Agreement: a.ID, Current: d.Current, Min: d.Min, Max: d.Max, Proposed: d.Proposed, Method: a.Periodical.Method,
		Reason: fixed(&a.Agreement, today, pending != nil)}
	if pending != nil {
		p.Requested, p.Wanted, p.RequestedOn = &pending.amount, &pending.amount, &pending.on
	}
	if p.Reason == codeTermEnded { // nothing is collected any more
		return p
	}
	p.NextCollection = NextCollection(a.NextCollection, today)
	p.YearEnd = a.yearEnd(today)
	return p
}

// yearEnd are the figures of the year on a day, of an agreement with a term amount; nil when there are none any more.
func (a *agreed) yearEnd(today value.Day) *YearEnd {
	if a.YearEnd == nil || ended(&a.Agreement, today) {
		return nil
	}
	y, ok := a.YearEnd.On(today, a.NextCollection, a.Periodical.Details.Current)
	if !ok {
		return nil
	}
	return &y
}

// soleCurrent is the one agreement with a term amount that holds today; empty when there is none, or more than one.
func soleCurrent(agreements []*agreed) (id string) {
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

// ended reports whether nothing is delivered, and so nothing collected, from a day on.
func ended(a *Agreement, today value.Day) bool {
	return a.Status == statusTerminated || a.Status == "CANCELLED" || a.Period.To != nil && a.Period.To.Before(today)
}

// fixed says why the term amount of an agreement cannot be changed, or nothing.
func fixed(a *Agreement, today value.Day, pending bool) string {
	switch d := a.Periodical.Details; {
	case pending:
		return codeTermPending
	case ended(a, today):
		return codeTermEnded
	case d.Min >= d.Max:
		return codeTermFixed
	}
	return ""
}
