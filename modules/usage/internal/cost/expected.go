package cost

import (
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/forecast"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// ExpectedCost is the cost of a month until now, and the expected cost of the whole month with its band.
type ExpectedCost struct {
	SoFar     *value.Cents `json:"so_far" nullable:"true" doc:"Cost until the last completely measured day in euros; null: not known"`
	Estimated bool         `json:"estimated" doc:"Whether so_far contains days that were not measured, at what is expected of them"`
	Expected  value.Cents  `json:"expected" doc:"Cost of the whole month in euros"`
	Low       value.Cents  `json:"low" doc:"Lower end of the band"`
	High      value.Cents  `json:"high" doc:"Upper end of the band"`
	LastYear  *value.Cents `json:"last_year" nullable:"true" doc:"Cost of the same month a year before in euros; null: not known"`
}

// Add adds the cost of another connection.
func (c *ExpectedCost) Add(o ExpectedCost) {
	c.Estimated = c.Estimated || o.Estimated
	c.Expected, c.Low, c.High = c.Expected+o.Expected, c.Low+o.Low, c.High+o.High
	c.SoFar, c.LastYear = sumOf(c.SoFar, o.SoFar), sumOf(c.LastYear, o.LastYear)
}

// sumOf returns the sum of two amounts, or nil if either is unknown.
func sumOf(a, b *value.Cents) *value.Cents {
	if a == nil || b == nil {
		return nil
	}
	return new(*a + *b)
}

// Expect returns the expected cost of the whole month of a forecast, or the reasons why it is unknown (9-forecast-cost).
func Expect(t Tariff, month meter.Span, f forecast.Forecast) (*ExpectedCost, []Unknown) {
	mean, low, high := Of(t, month, f.Mean), Of(t, month, f.Low), Of(t, month, f.High)
	for _, c := range []Cost{mean, low, high} {
		if c.Total == nil {
			return nil, c.Unknown
		}
	}
	out := ExpectedCost{Expected: *mean.Total, Low: min(*mean.Total, *low.Total, *high.Total), High: max(*mean.Total, *low.Total, *high.Total)}
	return &out, []Unknown{}
}
