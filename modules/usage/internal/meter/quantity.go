package meter

import "github.com/wattle-portal/wattle/core/value"

// Quantity contains the measured amounts of one day, or of the days between two meter readings.
type Quantity struct {
	From, Until value.Day // first day, and the day after the last
	Amounts
	Partial bool // whether part of it was not measured
}

// Span returns the days of the quantity.
func (q Quantity) Span() Span { return Span{From: q.From, Until: q.Until} }

// Used returns the usage in Wh or dm³; zero if none was measured.
func (q Quantity) Used() Amount {
	if q.Consumption != nil {
		return *q.Consumption
	}
	return OrZero(q.Normal) + OrZero(q.Low)
}

// Fed returns the feed-in in Wh; zero if none was measured.
func (q Quantity) Fed() Amount { return OrZero(q.FeedinNormal) + OrZero(q.FeedinLow) }

// MinComparable is the minimum fraction of the measured days that must be comparable with last year; with fewer, gaps would distort the
// comparison. The usage page applies the same limit (series.rules.ts).
const MinComparable = 0.75
