package demo

import (
	"encoding/json"
	"hash/fnv"
	"iter"
	"math"
	"strconv"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Household says how a connection of the demo uses energy. What it used on a day follows from that day and the EAN alone, so it
// is the same in every run.
type Household struct {
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

const (
	kindIntervalDay = "interval_day"
	kindReading     = "reading"
	gas             = "GAS"
	latitude        = 52.2 * math.Pi / 180
	longitude       = 5.3 // degrees east
)

// hung is when the meters of the demo began to count.
var hung = value.Day{Year: 2022, Month: time.January, Day: 1}

// intervalDay is a record of that kind: one value per hour of the day, of which there are 23 to 25.
type intervalDay struct {
	EAN                                               string
	Day                                               value.Day
	Normal, Low, FeedInNormal, FeedInLow, Consumption []amount
}

// amount is kWh or m³ in thousandths; negative where the meter was not heard.
type amount int64

const unheard amount = -1

// append writes a number with three decimals, or null.
func (a amount) append(b []byte) []byte {
	if a < 0 {
		return append(b, "null"...)
	}
	b = append(strconv.AppendInt(b, int64(a)/1000, 10), '.')
	return append(b, byte('0'+a/100%10), byte('0'+a/10%10), byte('0'+a%10))
}

// MarshalJSON writes it as append does.
func (a amount) MarshalJSON() ([]byte, error) { return a.append(nil), nil }

// json is the record. There are thousands of them at a first start, so no reflection.
func (d *intervalDay) json() json.RawMessage {
	b := append(make([]byte, 0, 1000), `{"ean_code":"`...)
	b = append(append(append(b, d.EAN...), `","day":"`...), d.Day.String()...)
	b = append(b, '"')
	for _, series := range []struct {
		name   string
		values []amount
	}{{"normal", d.Normal}, {"low", d.Low}, {"feedin_normal", d.FeedInNormal}, {"feedin_low", d.FeedInLow}, {"consumption", d.Consumption}} {
		if series.values == nil {
			continue
		}
		b = append(append(append(b, `,"`...), series.name...), `":[`...)
		for i, v := range series.values {
			if i > 0 {
				b = append(b, ',')
			}
			b = v.append(b)
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

// home is a household while its days are made.
type home struct {
	Household
	seed  uint64
	scale float64
	loc   *time.Location
}

func (h Household) in(loc *time.Location) *home {
	x := &home{Household: h, seed: seed(h.EAN), loc: loc}
	x.scale = x.yearly()
	return x
}

// Days are the records of the days from (inclusive) to until (exclusive). Now and then a day is missing, and a few hours of one,
// as happens with real meters.
func (h Household) Days(from, until value.Day, loc *time.Location) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		x := h.in(loc)
		for d := from; !h.Conventional && d.Before(until); d = d.AddDays(1) {
			n := number(d)
			if (n+int(x.chance(0, 0)*311))%311 == 0 {
				continue
			}
			used := x.day(d)
			if (n+int(x.chance(1, 0)*173))%173 == 0 { // three hours of this day were lost
				for _, series := range [][]amount{used.Normal, used.Low, used.FeedInNormal, used.FeedInLow, used.Consumption} {
					for i := 13; i < 16 && i < len(series); i++ {
						series[i] = unheard
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
	EAN          string    `json:"ean_code"`
	Day          value.Day `json:"measurement_date"`
	Normal       *amount   `json:"consumption_normal,omitempty"`
	Low          *amount   `json:"consumption_low,omitempty"`
	FeedInNormal *amount   `json:"feedin_normal,omitempty"`
	FeedInLow    *amount   `json:"feedin_low,omitempty"`
}

// Standings are the readings of the days from (inclusive) to until (exclusive). They go with Days: the meter counts on while
// nobody hears it.
func (h Household) Standings(from, until value.Day, loc *time.Location) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		if !h.Readings {
			return
		}
		x := h.in(loc)
		at := [4]amount{}
		for i := range at {
			at[i] = thousandths(math.Floor(h.Yearly * (1 + 4*x.chance(3, i))))
		}
		for d := hung; d.Before(until); d = d.AddDays(1) {
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
			for i, series := range [][]amount{used.Normal, used.Low, used.FeedInNormal, used.FeedInLow} {
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

// number counts days.
func number(d value.Day) int {
	return d.DaysSince(value.Day{Year: 2000, Month: time.January, Day: 1})
}

func (h *home) day(d value.Day) intervalDay {
	out := intervalDay{EAN: h.EAN, Day: d}
	w := h.weather(d)
	values := func() []amount { return make([]amount, len(w.hours)) }
	if h.Commodity == gas {
		out.Consumption = values()
	} else {
		out.Normal, out.Low = values(), values()
		if h.Solar > 0 {
			out.FeedInNormal, out.FeedInLow = values(), values()
		}
	}
	for i, hour := range w.hours {
		used := h.weight(&w, hour) * h.scale
		if h.Commodity == gas {
			out.Consumption[i] = thousandths(used)
			continue
		}
		// Panels and home rarely meet within the hour: of what both have, a quarter still passes the meter both ways.
		given := h.sun(&w, i)
		both := math.Min(used, given) * 0.75
		taken, fed := out.Normal, out.FeedInNormal
		if w.rest || hour >= 23 || hour < 7 { // the low rate
			taken, fed = out.Low, out.FeedInLow
		}
		taken[i] = thousandths(used - both)
		if fed != nil {
			fed[i] = thousandths(given - both)
		}
	}
	return out
}

func thousandths(v float64) amount { return amount(math.Round(v * 1000)) }

// yearly is what makes the weights of one year, that of 2025, add up to what the home uses in a year.
func (h *home) yearly() float64 {
	sum, first := 0.0, value.Day{Year: 2025, Month: time.January, Day: 1}
	for d, end := first, first.AddMonths(12); d.Before(end); d = d.AddDays(1) {
		w := h.weather(d)
		for _, hour := range w.hours {
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

// weather is what the hours of a day have in common.
type weather struct {
	n           int     // of the day
	hours       []int   // what the clock says at the begin of each, 23 to 25 of them
	utc         int     // and what it says in Greenwich at the first
	rest        bool    // a Saturday or Sunday
	season      float64 // 1 in the middle of January, -1 in the middle of July
	warm, clear float64 // between 0 and 1; a spell that every home of the country shares
	busy        float64 // around 1: who is at home, and what they do
	away        bool
	decline     float64 // of the sun
}

func (h *home) weather(d value.Day) weather {
	begin := d.In(h.loc)
	hours := make([]int, d.AddDays(1).In(h.loc).Sub(begin)/time.Hour)
	for i := range hours {
		hours[i] = i
		if len(hours) != 24 {
			hours[i] = begin.Add(time.Duration(i) * time.Hour).Hour()
		}
	}
	rest := begin.Weekday() == time.Saturday || begin.Weekday() == time.Sunday
	n, day := number(d), float64(d.DaysSince(value.Day{Year: d.Year, Month: time.January, Day: 1}))
	return weather{n: n, hours: hours, utc: begin.UTC().Hour(), rest: rest, season: math.Cos(2 * math.Pi * (day - 16) / 365.25), warm: 0.6*spell(1, n, 5) + 0.4*spell(3, n, 40), busy: (0.8 + 0.4*h.chance(n, 8)) * (0.9 + 0.2*spell(h.seed, n, 60)), clear: spell(2, n, 2), away: h.away(day),
		decline: 23.45 * math.Pi / 180 * math.Sin(2*math.Pi*(day-80)/365.25)}
}

// weight is how much of its year a home uses in an hour, in a measure of its own.
func (h *home) weight(w *weather, hour int) float64 {
	wobble := w.busy * (0.7 + 0.6*h.chance(w.n, hour+10))
	if h.Commodity == gas {
		outside := 10.6 - 7.6*w.season + 9*(w.warm-0.5) + 2.2*math.Cos(2*math.Pi*float64(hour-15)/24) // °C
		cold := math.Max(0, 16.5-outside)
		tap := 0.35 * workday[hour] // the shower knows no season
		if h.Business && w.rest {
			return (0.5*cold*heating[hour] + tap*0.2) * wobble
		}
		return (cold*heating[hour] + tap) * wobble
	}
	winter, away := 1+0.22*w.season, 1.0
	if w.away {
		away = 0.35 // only the fridge is at home
	}
	shape := workday[hour]
	switch {
	case h.Business && w.rest:
		shape = 0.4
	case h.Business:
		shape = trade[hour]
	case w.rest:
		shape = weekend[hour]
	}
	return winter * away * shape * wobble
}

// away reports whether the home is on holiday on a day of the year: two weeks of every summer.
func (h *home) away(day float64) bool {
	from := 190 + 35*h.chance(2, 0)
	return !h.Business && day >= from && day < from+14
}

// sun is what the panels give in the nth hour of a day, in kWh: the arc of the sun, under the clouds of the day.
func (h *home) sun(w *weather, nth int) float64 {
	if h.Solar == 0 {
		return 0
	}
	turn := (float64(w.utc+nth)+0.5-12)*math.Pi/12 + longitude*math.Pi/180
	height := math.Sin(latitude)*math.Sin(w.decline) + math.Cos(latitude)*math.Cos(w.decline)*math.Cos(turn)
	if height <= 0 {
		return 0
	}
	return h.Solar * 1.1 * math.Pow(height, 1.2) * (0.25 + 0.75*w.clear) * (0.8 + 0.2*h.chance(w.n, nth+40))
}

// spell is between 0 and 1 and changes slowly, over some days: days of fine weather come together.
func spell(what uint64, n, days int) float64 {
	step, part := n/days, float64(n%days)/float64(days)
	slow := chance(what, step, 0)*(1-part) + chance(what, step+1, 0)*part
	return 0.6*slow + 0.4*chance(what, n, 1)
}

func (h *home) chance(n, what int) float64 { return chance(h.seed, n, what) }

func seed(key string) uint64 {
	f := fnv.New64a()
	_, _ = f.Write([]byte(key)) // never fails
	return f.Sum64()
}

// chance is between 0 and 1, always the same for the same three: the last step of murmur3.
func chance(seed uint64, n, what int) float64 {
	x := seed + uint64(n)*0x9e3779b97f4a7c15 + uint64(what+1)*0xc2b2ae3d27d4eb4f
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}
