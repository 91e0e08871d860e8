// Package forecast calculates the expected usage and feed-in of a connection in a month.
package forecast

import (
	"math/big"
	"slices"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Forecast is the expected usage and feed-in of a connection in a month (9-forecast-month).
type Forecast struct {
	Until  value.Day    // day after the last completely measured day of the month; the first day of the month if there is none
	Last   value.Day    // last day of the month that was measured at least partly; zero if there is none
	Gaps   []meter.Span // days before Until that were not measured completely
	Usage  Expected
	Feedin *Expected // nil if there is none this year and last year
	// Mean contains the expected quantity of each day of the month, including measured days. Low and High contain the ends of the band: in
	// Low, usage is at its lower end and feed-in at its upper end.
	Mean, Low, High []meter.Quantity
}

// Expected is the expected usage or feed-in of a month: everything measured until now, including partly measured days, the expected
// quantity of the whole month, and its band.
type Expected struct {
	SoFar    meter.Amount `json:"so_far" doc:"All that was measured until now, partly measured days included"`
	Added    meter.Amount `json:"added" doc:"What was not measured on days before the last one that was measured completely, at what is expected of them; not part of so_far, but cost.so_far counts it"`
	Expected meter.Amount `json:"expected" doc:"Expected of the whole month; never less than so_far"`
	Low      meter.Amount `json:"low" doc:"Lower end of the band"`
	High     meter.Amount `json:"high" doc:"Upper end of the band: four of five forecasts of as many days would have been off by less this year"`
}

// Reasons why there is no forecast.
const (
	noForecastHistory = "history" // fewer than twelve months were measured
	noForecastGaps    = "gaps"    // too much of the same month of last year is missing
	noForecastChanged = "changed" // there is usage or feed-in now, but there was none last year
)

// Parameters of a forecast (9-forecast-band, 9-forecast-none).
const (
	// minComparedDays is the minimum number of days that must be measured in both years.
	minComparedDays = 14
	// comparedDays is the number of days that are compared at the beginning of a year, when the year itself has fewer days.
	comparedDays = 28
	// bandPercent is the percentage of this year's forecasts that would have been within the band.
	bandPercent = 80
)

// direction is usage or feed-in.
type direction struct {
	isFeedin bool
	factor   *big.Rat // this year so far, divided by the same days of last year
	band     *big.Rat // error of a forecast as a fraction of it
}

// registers returns the registers of the direction. For electricity, Consumption is the sum of Normal and Low.
func (r *direction) registers(a *meter.Amounts) []**meter.Amount {
	if r.isFeedin {
		return []**meter.Amount{&a.FeedinNormal, &a.FeedinLow}
	}
	return []**meter.Amount{&a.Normal, &a.Low, &a.Consumption}
}

// of returns a day's amount in the direction.
func (r *direction) of(q meter.Quantity) meter.Amount {
	if r.isFeedin {
		return q.Fed()
	}
	return q.Used()
}

// Of returns the forecast of a month. It adds up the measured days and, for each other day, the usage of the same day last year multiplied
// by a factor: the usage of this year so far divided by that of the same days last year (9-forecast-month). A partly measured day is
// expected to have at least its measured usage. The band follows from the errors that such forecasts for as many days would have had this
// year. Days are sorted and cover about the last two years. If there is no forecast, Of returns the reason (9-forecast-none).
func Of(month meter.Span, days []meter.Quantity) (f Forecast, reason string) {
	measured, parts := map[value.Day]meter.Quantity{}, map[value.Day]meter.Quantity{}
	var first value.Day
	f.Until = month.From
	for _, q := range days {
		inMonth := !q.From.Before(month.From) && q.From.Before(month.Until)
		if inMonth && q.Amounts != (meter.Amounts{}) {
			if f.Last = q.From; q.Partial {
				parts[q.From] = q
			}
		}
		if q.Partial || q.Normal == nil && q.Low == nil && q.Consumption == nil {
			continue
		}
		if measured[q.From] = q; first.IsZero() {
			first = q.From
		}
		if inMonth {
			f.Until = q.Until
		}
	}
	if first.IsZero() || first.After(f.Until.AddMonths(-12)) {
		return f, noForecastHistory
	}
	pairs := comparedYears(measured, first, f.Until)
	if len(pairs) < minComparedDays {
		return f, noForecastHistory
	}
	missing, complete := 0, []meter.Quantity{}
	for d := month.From; d.Before(month.Until); d = d.AddDays(1) {
		if _, ok := measured[d]; ok {
			continue
		}
		missing++
		if past, ok := measured[d.AddMonths(-12)]; ok {
			complete = append(complete, past)
		}
	}
	if float64(len(complete)) < meter.MinComparable*float64(missing) {
		return f, noForecastGaps
	}
	average := averageOf(complete)
	f.Mean = make([]meter.Quantity, 0, month.Days())
	for d := month.From; d.Before(month.Until); d = d.AddDays(1) {
		q, ok := measured[d]
		if !ok {
			past, ok := measured[d.AddMonths(-12)]
			if !ok {
				past = average
			}
			q = meter.Quantity{From: d, Until: d.AddDays(1), Amounts: past.Amounts}
			if n := len(f.Gaps); !d.Before(f.Until) {
				// the day is still to come
			} else if n > 0 && f.Gaps[n-1].Until == d {
				f.Gaps[n-1].Until = q.Until
			} else {
				f.Gaps = append(f.Gaps, meter.Span{From: d, Until: q.Until})
			}
		}
		f.Mean = append(f.Mean, q)
	}
	f.Low, f.High = slices.Clone(f.Mean), slices.Clone(f.Mean)
	use, feedin := direction{}, direction{isFeedin: true}
	if !use.compare(pairs, missing) || !feedin.compare(pairs, missing) {
		return f, noForecastChanged
	}
	f.Usage = use.expect(&f, measured, parts)
	if e := feedin.expect(&f, measured, parts); e != (Expected{}) {
		f.Feedin = &e
	}
	return f, ""
}

// pair is a day of this year and the same day of last year.
type pair struct{ now, then meter.Quantity }

// comparedYears returns the days of this year so far that were measured in both years, oldest first. At the beginning of a year, it adds
// the last days of the previous year.
func comparedYears(measured map[value.Day]meter.Quantity, first, until value.Day) []pair {
	var out []pair
	newYear := meter.Yearly.Begin(until.AddDays(-1))
	for d := until.AddDays(-1); d.After(first) && (!d.Before(newYear) || len(out) < comparedDays); d = d.AddDays(-1) {
		now, ok := measured[d]
		then, both := measured[d.AddMonths(-12)]
		if ok && both {
			out = append(out, pair{now, then})
		}
	}
	slices.Reverse(out)
	return out
}

// averageOf returns the average of days.
func averageOf(days []meter.Quantity) (average meter.Quantity) {
	for _, q := range days {
		average.Add(q.Amounts)
	}
	for _, a := range []**meter.Amount{&average.Normal, &average.Low, &average.FeedinNormal, &average.FeedinLow, &average.Consumption} {
		if *a != nil {
			*a = times(**a, big.NewRat(1, int64(len(days))))
		}
	}
	return average
}

// times returns an amount multiplied by a factor.
func times(a meter.Amount, factor *big.Rat) *meter.Amount {
	n, _ := meter.Round(new(big.Rat).Mul(big.NewRat(int64(a), 1), factor))
	product := meter.Amount(n)
	return &product
}

// compare calculates factor and band from the pairs, for a forecast of a number of days; ok is false if the years cannot be compared.
func (r *direction) compare(pairs []pair, days int) (ok bool) {
	var now, then meter.Amount
	for _, p := range pairs {
		now, then = now+r.of(p.now), then+r.of(p.then)
	}
	r.factor, r.band = big.NewRat(1, 1), new(big.Rat)
	if then == 0 {
		return now == 0
	}
	r.factor = big.NewRat(int64(now), int64(then))
	// For each earlier day, compare the forecast for as many days, made from the days before it, with the actual amount.
	window := min(days, len(pairs)/2)
	var errors []*big.Rat // as fractions of the forecast
	now, then = 0, 0
	for i := 0; window > 0 && i+window <= len(pairs); i++ {
		if then > 0 && i >= min(minComparedDays, len(pairs)/2) {
			var was, before meter.Amount
			for _, p := range pairs[i : i+window] {
				was, before = was+r.of(p.now), before+r.of(p.then)
			}
			if forecast := new(big.Rat).Mul(big.NewRat(int64(before), 1), big.NewRat(int64(now), int64(then))); forecast.Sign() > 0 {
				deviation := new(big.Rat).Sub(big.NewRat(int64(was), 1), forecast)
				errors = append(errors, deviation.Quo(deviation.Abs(deviation), forecast))
			}
		}
		now, then = now+r.of(pairs[i].now), then+r.of(pairs[i].then)
	}
	if len(errors) > 0 {
		slices.SortFunc(errors, (*big.Rat).Cmp)
		r.band = errors[(len(errors)*bandPercent+99)/100-1]
	}
	if one := big.NewRat(1, 1); r.band.Cmp(one) > 0 {
		r.band = one
	}
	return true
}

// expect scales the days of the forecast that were not measured completely, and returns the totals of the month.
func (r *direction) expect(f *Forecast, measured, parts map[value.Day]meter.Quantity) (e Expected) {
	one := big.NewRat(1, 1)
	less, more := new(big.Rat).Sub(one, r.band), new(big.Rat).Add(one, r.band)
	if r.isFeedin {
		less, more = more, less
	}
	for i := range f.Mean {
		if _, ok := measured[f.Mean[i].From]; ok {
			e.SoFar += r.of(f.Mean[i])
			continue
		}
		part := parts[f.Mean[i].From]
		e.SoFar += r.of(part)
		for _, end := range []struct {
			day    *meter.Quantity
			factor *big.Rat
		}{{&f.Mean[i], r.factor}, {&f.Low[i], new(big.Rat).Mul(r.factor, less)}, {&f.High[i], new(big.Rat).Mul(r.factor, more)}} {
			for _, a := range r.registers(&end.day.Amounts) {
				if *a != nil {
					*a = times(**a, end.factor)
				}
			}
			if !r.isFeedin && (end.day.Normal != nil || end.day.Low != nil) {
				end.day.Consumption = meter.Sum(end.day.Normal, end.day.Low)
			}
			if r.of(*end.day) < r.of(part) {
				for at, a := range r.registers(&end.day.Amounts) {
					*a = *r.registers(&part.Amounts)[at]
				}
			}
		}
		if f.Mean[i].From.Before(f.Until) {
			e.Added += r.of(f.Mean[i]) - r.of(part)
		}
	}
	total := func(days []meter.Quantity) (all meter.Amount) {
		for _, q := range days {
			all += r.of(q)
		}
		return all
	}
	e.Expected, e.Low, e.High = total(f.Mean), total(f.Low), total(f.High)
	if r.isFeedin {
		e.Low, e.High = e.High, e.Low
	}
	return e
}
