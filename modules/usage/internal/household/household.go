// Package household generates measurements for the demo.
package household

import (
	"encoding/json"
	"iter"
	"math"
	"time"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Household is a demo connection with its usage. The usage on a day is calculated only from the day and the EAN code, so that it is the
// same in every run.
type Household struct {
	EAN       string  `json:"ean_code"`
	Commodity string  `json:"commodity" enum:"ELECTRICITY,GAS"`
	Yearly    float64 `json:"yearly" doc:"Usage per year in kWh or m³, without the production of the panels"`
	Solar     float64 `json:"solar_kwp,omitempty" doc:"Peak power of the panels in kW"`
	FromDays  int     `json:"from_days" doc:"Number of measured days until today"`
	Business  bool    `json:"business,omitempty" doc:"Whether the usage is that of a business: by day, little in the weekend"`
	// ReadingDays is set if readings go back further than the measurements.
	ReadingDays int `json:"reading_days,omitempty" doc:"Number of days until today with readings, if that is more than from_days"`
	// Available data.
	Readings     bool `json:"readings,omitempty" doc:"Whether to generate meter readings: monthly, or half-yearly for a conventional meter"`
	Conventional bool `json:"conventional,omitempty" doc:"Whether the meter is conventional, without intervals"`
}

// gas is the commodity of households that use gas.
const gas = "GAS"

// installedAt is the day on which the demo meters were installed.
var installedAt = value.Day{Year: 2022, Month: time.January, Day: 1}

// Hours is a record of kind interval_day with one value per hour of the day, which has 23 to 25 hours.
type Hours struct {
	EAN                                               string
	Day                                               value.Day
	Normal, Low, FeedInNormal, FeedInLow, Consumption []demodata.Amount
}

// Name implements demodata.Meter.
func (h Household) Name() string { return "household " + h.EAN }

// Days implements demodata.Meter: the number of measured days.
func (h Household) Days() int { return h.FromDays }

// Records implements demodata.Meter. It returns readings, and hours of complete days.
func (h Household) Records(from value.Day, now time.Time) iter.Seq[demodata.Record] {
	return func(yield func(demodata.Record) bool) {
		today := value.DayOf(now)
		if !from.Before(today) {
			return
		}
		read := from
		if first := today.AddDays(-h.ReadingDays); !today.AddDays(-h.FromDays).Before(from) && first.Before(from) {
			read = first // the first import, not an update
		}
		for data := range h.ReadingRecords(read, today.AddDays(1), now.Location()) {
			if !yield(demodata.Record{Kind: meter.KindReading, Data: data}) {
				return
			}
		}
		for data := range h.IntervalRecords(from, today, now.Location()) {
			if !yield(demodata.Record{Kind: meter.KindIntervalDay, Data: data}) {
				return
			}
		}
	}
}

// json encodes the record without reflection, because the first start of a demo creates thousands of records.
func (d *Hours) json() json.RawMessage {
	b := append(make([]byte, 0, 1000), `{"ean_code":"`...)
	b = append(append(append(b, d.EAN...), `","day":"`...), d.Day.String()...)
	b = append(b, '"')
	for _, series := range []struct {
		name   string
		values []demodata.Amount
	}{{"normal", d.Normal}, {"low", d.Low}, {"feedin_normal", d.FeedInNormal}, {"feedin_low", d.FeedInLow}, {"consumption", d.Consumption}} {
		if series.values == nil {
			continue
		}
		b = append(append(append(b, `,"`...), series.name...), `":[`...)
		for i, v := range series.values {
			if i > 0 {
				b = append(b, ',')
			}
			b = v.Append(b)
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

// Home is a household with the values needed to calculate its days.
type Home struct {
	Household
	demodata.Place
	scale float64
}

// In returns the home in a time zone. This is slow, because it adds up the weights of a year.
func (h Household) In(loc *time.Location) *Home {
	x := &Home{Household: h, Place: demodata.NewPlace(h.EAN, loc)}
	x.scale = x.yearly()
	return x
}

// IntervalRecords returns the records of the days from (inclusive) to until (exclusive). As with real meters, a few days and hours are
// missing.
func (h Household) IntervalRecords(from, until value.Day, loc *time.Location) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		x := h.In(loc)
		for d := from; !h.Conventional && d.Before(until); d = d.AddDays(1) {
			n := demodata.DayNumber(d)
			if (n+int(x.Chance(0, 0)*311))%311 == 0 {
				continue
			}
			used := x.Day(d)
			if (n+int(x.Chance(1, 0)*173))%173 == 0 { // three hours of this day are missing
				for _, series := range [][]demodata.Amount{used.Normal, used.Low, used.FeedInNormal, used.FeedInLow, used.Consumption} {
					for i := 13; i < 16 && i < len(series); i++ {
						series[i] = demodata.Missing
					}
				}
			}
			if !yield(used.json()) {
				return
			}
		}
	}
}

// reading is a record of kind reading: the meter reading at the start of a day.
type reading struct {
	EAN          string           `json:"ean_code"`
	Day          value.Day        `json:"measurement_date"`
	Normal       *demodata.Amount `json:"consumption_normal,omitempty"`
	Low          *demodata.Amount `json:"consumption_low,omitempty"`
	FeedInNormal *demodata.Amount `json:"feedin_normal,omitempty"`
	FeedInLow    *demodata.Amount `json:"feedin_low,omitempty"`
}

// ReadingRecords returns the readings of the days from (inclusive) to until (exclusive). They match the intervals, including the usage of
// missing intervals.
func (h Household) ReadingRecords(from, until value.Day, loc *time.Location) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		if !h.Readings {
			return
		}
		x := h.In(loc)
		at := [4]demodata.Amount{}
		for i := range at {
			at[i] = demodata.Thousandths(math.Floor(h.Yearly * (1 + 4*x.Chance(3, i))))
		}
		for d := installedAt; d.Before(until); d = d.AddDays(1) {
			if first := d.Day == 1 && (!h.Conventional || d.Month%6 == 1); first && !d.Before(from) {
				now := at
				r := reading{EAN: h.EAN, Day: d, Normal: &now[0]}
				if h.Commodity != gas {
					r.Low = &now[1]
				}
				if h.Solar > 0 {
					r.FeedInNormal, r.FeedInLow = &now[2], &now[3]
				}
				b, _ := json.Marshal(r) // numbers and strings cannot fail
				if !yield(b) {
					return
				}
			}
			used := x.Day(d)
			for i, series := range [][]demodata.Amount{used.Normal, used.Low, used.FeedInNormal, used.FeedInLow} {
				for _, v := range series {
					at[i] += v
				}
			}
			for _, v := range used.Consumption {
				at[0] += v
			}
		}
	}
}

// Day returns the hourly measurements of a day, without the gaps of real meters.
func (h *Home) Day(d value.Day) Hours {
	out := Hours{EAN: h.EAN, Day: d}
	w := h.weather(d)
	values := func() []demodata.Amount { return make([]demodata.Amount, len(w.Hours)) }
	if h.Commodity == gas {
		out.Consumption = values()
	} else {
		out.Normal, out.Low = values(), values()
		if h.Solar > 0 {
			out.FeedInNormal, out.FeedInLow = values(), values()
		}
	}
	for i, hour := range w.Hours {
		used := h.weight(&w, hour) * h.scale
		if h.Commodity == gas {
			out.Consumption[i] = demodata.Thousandths(used)
			continue
		}
		// Production and usage within an hour overlap only partly, so a quarter of the overlap still passes the meter in both directions.
		produced := h.Sun(&w.Weather, i, h.Solar)
		overlap := math.Min(used, produced) * 0.75
		consumption, feedIn := out.Normal, out.FeedInNormal
		if w.Rest || hour >= 23 || hour < 7 { // the low tariff
			consumption, feedIn = out.Low, out.FeedInLow
		}
		consumption[i] = demodata.Thousandths(used - overlap)
		if feedIn != nil {
			feedIn[i] = demodata.Thousandths(produced - overlap)
		}
	}
	return out
}

// yearly returns the factor that scales the weights of the year 2025 to the yearly usage.
func (h *Home) yearly() float64 {
	sum, first := 0.0, value.Day{Year: 2025, Month: time.January, Day: 1}
	for d, end := first, first.AddMonths(12); d.Before(end); d = d.AddDays(1) {
		w := h.weather(d)
		for _, hour := range w.Hours {
			sum += h.weight(&w, hour)
		}
	}
	return h.Yearly / sum
}

// Relative usage by hour of the day, 1 on average.
var (
	workday = [24]float64{.55, .5, .48, .47, .48, .55, .85, 1.1, 1.05, .85, .8, .8, .9, .85, .8, .85, 1.05, 1.5, 1.85, 1.75, 1.6, 1.45, 1.1,
		.75}
	weekend = [24]float64{.65, .55, .5, .48, .48, .5, .6, .8, 1.05, 1.25, 1.3, 1.25, 1.3, 1.2, 1.1, 1.1, 1.25, 1.55, 1.75, 1.6, 1.5, 1.4,
		1.15, .85}
	trade   = [24]float64{.35, .35, .35, .4, .6, 1.1, 1.5, 1.8, 1.9, 1.9, 1.85, 1.8, 1.7, 1.75, 1.75, 1.7, 1.5, 1.1, .7, .5, .4, .38, .35, .35}
	heating = [24]float64{.25, .22, .2, .2, .22, .6, 1.9, 2.3, 1.6, 1.1, .9, .8, .8, .8, .85, 1, 1.4, 1.9, 2, 1.8, 1.5, 1.1, .5, .3}
)

// homeDay contains the weather and the activity in a home on a day.
type homeDay struct {
	demodata.Weather
	busy float64 // activity of the residents, around 1
	away bool
}

// weather returns the weather and the activity on a day.
func (h *Home) weather(d value.Day) homeDay {
	w := h.Weather(d)
	return homeDay{w, (0.8 + 0.4*h.Chance(w.Number, 8)) * (0.9 + 0.2*h.Spell(w.Number, 60)),
		h.isAway(float64(d.DaysSince(value.Day{Year: d.Year, Month: time.January, Day: 1})))}
}

// weight returns the relative usage of an hour, without a unit.
func (h *Home) weight(w *homeDay, hour int) float64 {
	wobble := w.busy * (0.7 + 0.6*h.Chance(w.Number, hour+10))
	if h.Commodity == gas {
		outside := 10.6 - 7.6*w.Season + 9*(w.Warm-0.5) + 2.2*math.Cos(2*math.Pi*float64(hour-15)/24) // °C
		cold := math.Max(0, 16.5-outside)
		tap := 0.35 * workday[hour] // warm water, independent of the season
		if h.Business && w.Rest {
			return (0.5*cold*heating[hour] + tap*0.2) * wobble
		}
		return (cold*heating[hour] + tap) * wobble
	}
	winter, away := 1+0.22*w.Season, 1.0
	if w.away {
		away = 0.35 // only standby usage
	}
	shape := workday[hour]
	switch {
	case h.Business && w.Rest:
		shape = 0.4
	case h.Business:
		shape = trade[hour]
	case w.Rest:
		shape = weekend[hour]
	}
	return winter * away * shape * wobble
}

// isAway reports whether the residents are on holiday on a day of the year: two weeks every summer.
func (h *Home) isAway(day float64) bool {
	from := 190 + 35*h.Chance(2, 0)
	return !h.Business && day >= from && day < from+14
}
