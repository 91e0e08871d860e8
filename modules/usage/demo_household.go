package usage

import (
	"encoding/json"
	"iter"
	"math"
	"time"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/value"
)

// DemoHousehold says how a connection of the demo uses energy. What it used on a day follows from that day and the EAN alone, so it
// is the same in every run.
type DemoHousehold struct {
	EAN       string  `json:"ean_code"`
	Commodity string  `json:"commodity" enum:"ELECTRICITY,GAS"`
	Yearly    float64 `json:"yearly" doc:"kWh or m³ that the home uses in a year, whatever its panels give"`
	Solar     float64 `json:"solar_kwp,omitempty" doc:"Peak power of the panels in kW"`
	FromDays  int     `json:"from_days" doc:"Since how many days it is measured"`
	Business  bool    `json:"business,omitempty" doc:"Works by day and rests in the weekend"`
	// What is known of it.
	Readings     bool `json:"readings,omitempty" doc:"Also the standings of the meter: on the first of every month, of a conventional one every half year"`
	Conventional bool `json:"conventional,omitempty" doc:"The meter tells no hours"`
}

const gas = "GAS"

// installedAt is the day on which the meters of the demo began to count.
var installedAt = value.Day{Year: 2022, Month: time.January, Day: 1}

// intervalDay is a record of that kind: one value per hour of the day, of which there are 23 to 25.
type intervalDay struct {
	EAN                                               string
	Day                                               value.Day
	Normal, Low, FeedInNormal, FeedInLow, Consumption []demodata.Amount
}

// Part names the meter (demodata.Meter).
func (h DemoHousehold) Part() string { return "household " + h.EAN }

// Days is since how many days it is measured.
func (h DemoHousehold) Days() int { return h.FromDays }

// Records are the readings and the hours until yesterday; a day that is not over has none.
func (h DemoHousehold) Records(from value.Day, now time.Time) iter.Seq[demodata.Record] {
	return func(yield func(demodata.Record) bool) {
		today := value.DayOf(now)
		if !from.Before(today) {
			return
		}
		for data := range h.Standings(from, today.AddDays(1), now.Location()) {
			if !yield(demodata.Record{Kind: kindReading, Data: data}) {
				return
			}
		}
		for data := range h.Intervals(from, today, now.Location()) {
			if !yield(demodata.Record{Kind: kindIntervalDay, Data: data}) {
				return
			}
		}
	}
}

// json is the record. There are thousands of them at a first start, so no reflection.
func (d *intervalDay) json() json.RawMessage {
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

// home is a household while its days are made.
type home struct {
	DemoHousehold
	demodata.Place
	scale float64
}

func (h DemoHousehold) in(loc *time.Location) *home {
	x := &home{DemoHousehold: h, Place: demodata.NewPlace(h.EAN, loc)}
	x.scale = x.yearly()
	return x
}

// Intervals are the records of the days from (inclusive) to until (exclusive). Now and then a day is missing, and a few hours of one,
// as happens with real meters.
func (h DemoHousehold) Intervals(from, until value.Day, loc *time.Location) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		x := h.in(loc)
		for d := from; !h.Conventional && d.Before(until); d = d.AddDays(1) {
			n := demodata.Number(d)
			if (n+int(x.Chance(0, 0)*311))%311 == 0 {
				continue
			}
			used := x.day(d)
			if (n+int(x.Chance(1, 0)*173))%173 == 0 { // three hours of this day were lost
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

// reading is a record of that kind: what the meter showed at the begin of a day.
type reading struct {
	EAN          string           `json:"ean_code"`
	Day          value.Day        `json:"measurement_date"`
	Normal       *demodata.Amount `json:"consumption_normal,omitempty"`
	Low          *demodata.Amount `json:"consumption_low,omitempty"`
	FeedInNormal *demodata.Amount `json:"feedin_normal,omitempty"`
	FeedInLow    *demodata.Amount `json:"feedin_low,omitempty"`
}

// Standings are the readings of the days from (inclusive) to until (exclusive). They go with Intervals: the meter counts on while
// nobody hears it.
func (h DemoHousehold) Standings(from, until value.Day, loc *time.Location) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		if !h.Readings {
			return
		}
		x := h.in(loc)
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
				b, _ := json.Marshal(r) // numbers and texts always encode
				if !yield(b) {
					return
				}
			}
			used := x.day(d)
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

func (h *home) day(d value.Day) intervalDay {
	out := intervalDay{EAN: h.EAN, Day: d}
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
		// Panels and home rarely meet within the hour: of what both have, a quarter still passes the meter both ways.
		given := h.Sun(&w.Weather, i, h.Solar)
		both := math.Min(used, given) * 0.75
		taken, fed := out.Normal, out.FeedInNormal
		if w.Rest || hour >= 23 || hour < 7 { // the low rate
			taken, fed = out.Low, out.FeedInLow
		}
		taken[i] = demodata.Thousandths(used - both)
		if fed != nil {
			fed[i] = demodata.Thousandths(given - both)
		}
	}
	return out
}

// yearly is what makes the weights of one year, that of 2025, add up to what the home uses in a year.
func (h *home) yearly() float64 {
	sum, first := 0.0, value.Day{Year: 2025, Month: time.January, Day: 1}
	for d, end := first, first.AddMonths(12); d.Before(end); d = d.AddDays(1) {
		w := h.weather(d)
		for _, hour := range w.Hours {
			sum += h.weight(&w, hour)
		}
	}
	return h.Yearly / sum
}

// Shares of a home's use by hour of the day, 1 on average.
var (
	workday = [24]float64{.55, .5, .48, .47, .48, .55, .85, 1.1, 1.05, .85, .8, .8, .9, .85, .8, .85, 1.05, 1.5, 1.85, 1.75, 1.6, 1.45, 1.1, .75}
	weekend = [24]float64{.65, .55, .5, .48, .48, .5, .6, .8, 1.05, 1.25, 1.3, 1.25, 1.3, 1.2, 1.1, 1.1, 1.25, 1.55, 1.75, 1.6, 1.5, 1.4, 1.15, .85}
	trade   = [24]float64{.35, .35, .35, .4, .6, 1.1, 1.5, 1.8, 1.9, 1.9, 1.85, 1.8, 1.7, 1.75, 1.75, 1.7, 1.5, 1.1, .7, .5, .4, .38, .35, .35}
	heating = [24]float64{.25, .22, .2, .2, .22, .6, 1.9, 2.3, 1.6, 1.1, .9, .8, .8, .8, .85, 1, 1.4, 1.9, 2, 1.8, 1.5, 1.1, .5, .3}
)

// homeDay is the weather of a day, and what the home does on it.
type homeDay struct {
	demodata.Weather
	busy float64 // around 1: who is at home, and what they do
	away bool
}

func (h *home) weather(d value.Day) homeDay {
	w := h.Weather(d)
	return homeDay{w, (0.8 + 0.4*h.Chance(w.Number, 8)) * (0.9 + 0.2*h.Spell(w.Number, 60)),
		h.away(float64(d.DaysSince(value.Day{Year: d.Year, Month: time.January, Day: 1})))}
}

// weight is how much of its year a home uses in an hour, in a measure of its own.
func (h *home) weight(w *homeDay, hour int) float64 {
	wobble := w.busy * (0.7 + 0.6*h.Chance(w.Number, hour+10))
	if h.Commodity == gas {
		outside := 10.6 - 7.6*w.Season + 9*(w.Warm-0.5) + 2.2*math.Cos(2*math.Pi*float64(hour-15)/24) // °C
		cold := math.Max(0, 16.5-outside)
		tap := 0.35 * workday[hour] // the shower knows no season
		if h.Business && w.Rest {
			return (0.5*cold*heating[hour] + tap*0.2) * wobble
		}
		return (cold*heating[hour] + tap) * wobble
	}
	winter, away := 1+0.22*w.Season, 1.0
	if w.away {
		away = 0.35 // only the fridge is at home
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

// away reports whether the home is on holiday on a day of the year: two weeks of every summer.
func (h *home) away(day float64) bool {
	from := 190 + 35*h.Chance(2, 0)
	return !h.Business && day >= from && day < from+14
}
