package demo

import (
	"encoding/json"
	"hash/fnv"
	"iter"
	"math"
	"strconv"
	"time"

	"github.com/wattle-portal/wattle/core/module"
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
}

const (
	kindIntervalDay = "interval_day"
	gas             = "GAS"
	latitude        = 52.2 * math.Pi / 180
	longitude       = 5.3 // degrees east
)

// intervalDay is a record of that kind: one value per hour of the day, of which there are 23 to 25.
type intervalDay struct {
	EAN          string     `json:"ean_code"`
	Day          module.Day `json:"day"`
	Normal       []amount   `json:"normal,omitempty"`
	Low          []amount   `json:"low,omitempty"`
	FeedInNormal []amount   `json:"feedin_normal,omitempty"`
	FeedInLow    []amount   `json:"feedin_low,omitempty"`
	Consumption  []amount   `json:"consumption,omitempty"`
}

// amount is kWh or m³ in thousandths; negative where the meter was not heard.
type amount int64

const unheard amount = -1

// MarshalJSON writes a number with three decimals, or null.
func (a amount) MarshalJSON() ([]byte, error) {
	if a < 0 {
		return []byte("null"), nil
	}
	b := make([]byte, 0, 12)
	b = append(strconv.AppendInt(b, int64(a)/1000, 10), '.')
	return append(b, byte('0'+a/100%10), byte('0'+a/10%10), byte('0'+a%10)), nil
}

// Days are the records of the days from (inclusive) to until (exclusive). Now and then a day is missing, and a few hours of one,
// as happens with real meters.
func (h Household) Days(from, until module.Day, loc *time.Location) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		scale := h.scale(loc)
		for d := from; d.Before(until); d = d.AddDays(1) {
			n := d.DaysSince(module.Day{Year: 2000, Month: time.January, Day: 1})
			if (n+int(h.chance(0, 0)*311))%311 == 0 {
				continue
			}
			b, _ := json.Marshal(h.day(d, n, scale, loc)) // numbers and texts always encode
			if !yield(b) {
				return
			}
		}
	}
}

func (h Household) day(d module.Day, n int, scale float64, loc *time.Location) intervalDay {
	out := intervalDay{EAN: h.EAN, Day: d}
	hours := int(d.AddDays(1).In(loc).Sub(d.In(loc)) / time.Hour)
	values := func() []amount { return make([]amount, hours) }
	quiet := (n+int(h.chance(1, 0)*173))%173 == 0 // three hours of this day were lost
	if h.Commodity == gas {
		out.Consumption = values()
	} else {
		out.Normal, out.Low = values(), values()
		if h.Solar > 0 {
			out.FeedInNormal, out.FeedInLow = values(), values()
		}
	}
	for i := range hours {
		at := d.In(loc).Add(time.Duration(i) * time.Hour)
		used := h.weight(n, at) * scale
		switch {
		case h.Commodity == gas:
			out.Consumption[i] = thousandths(used)
		default:
			// Panels and home rarely meet within the hour: of what both have, a quarter still passes the meter both ways.
			given := h.sun(n, at)
			both := math.Min(used, given) * 0.75
			taken, fed := out.Normal, out.FeedInNormal
			if cheap(at) {
				taken, fed = out.Low, out.FeedInLow
			}
			taken[i] = thousandths(used - both)
			if fed != nil {
				fed[i] = thousandths(given - both)
			}
		}
		if quiet && i >= 13 && i < 16 {
			for _, series := range [][]amount{out.Normal, out.Low, out.FeedInNormal, out.FeedInLow, out.Consumption} {
				if series != nil {
					series[i] = unheard
				}
			}
		}
	}
	return out
}

func thousandths(v float64) amount { return amount(math.Round(v * 1000)) }

// cheap reports whether an hour has the low rate: nights from 23 to 7 and the weekend.
func cheap(at time.Time) bool {
	return at.Weekday() == time.Saturday || at.Weekday() == time.Sunday || at.Hour() >= 23 || at.Hour() < 7
}

// scale makes the weights of one year, that of 2025, add up to what the home uses in a year.
func (h Household) scale(loc *time.Location) float64 {
	sum, first := 0.0, module.Day{Year: 2025, Month: time.January, Day: 1}
	n := first.DaysSince(module.Day{Year: 2000, Month: time.January, Day: 1})
	for at, end := first.In(loc), first.AddMonths(12).In(loc); at.Before(end); at = at.Add(time.Hour) {
		sum += h.weight(n+int(at.Sub(first.In(loc))/(24*time.Hour)), at)
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

// weight is how much of its year a home uses in an hour, in a measure of its own.
func (h Household) weight(n int, at time.Time) float64 {
	hour, rest := at.Hour(), at.Weekday() == time.Saturday || at.Weekday() == time.Sunday
	wobble := 0.75 + 0.5*h.chance(n, hour+2)
	if h.Commodity == gas {
		cold := math.Max(0, 16.5-temperature(n, at))
		tap := 0.35 * workday[hour] // the shower knows no season
		if h.Business && rest {
			return (0.5*cold*heating[hour] + tap*0.2) * wobble
		}
		return (cold*heating[hour] + tap) * wobble
	}
	winter := 1 + 0.22*math.Cos(season(at))
	away := 1.0
	if !h.Business && h.away(n) {
		away = 0.35 // on holiday only the fridge is at home
	}
	shape := workday[hour]
	switch {
	case h.Business && rest:
		shape = 0.4
	case h.Business:
		shape = trade[hour]
	case rest:
		shape = weekend[hour]
	}
	return winter * away * shape * wobble
}

// away reports whether the home is on holiday: two weeks of every summer.
func (h Household) away(n int) bool {
	const july = 190 // day of the year
	day := math.Mod(float64(n), 365.25) - july - 35*h.chance(2, 0)
	return day >= 0 && day < 14
}

// season is 0 in the middle of January and π in the middle of July.
func season(at time.Time) float64 { return 2 * math.Pi * float64(at.YearDay()-17) / 365.25 }

// temperature outside in °C: the season, a spell of weather that every home of the country shares, and the hour.
func temperature(n int, at time.Time) float64 {
	return 10.6 - 7.6*math.Cos(season(at)) + 7*(spell("warm", n, 5)-0.5) + 2.2*math.Cos(2*math.Pi*float64(at.Hour()-15)/24)
}

// sun is what the panels give in an hour, in kWh: the arc of the sun, under the clouds of the day.
func (h Household) sun(n int, at time.Time) float64 {
	if h.Solar == 0 {
		return 0
	}
	u := at.UTC().Add(30 * time.Minute)
	day := 2 * math.Pi * float64(u.YearDay()-81) / 365.25
	declination := 23.45 * math.Pi / 180 * math.Sin(day)
	turn := (float64(u.Hour())+float64(u.Minute())/60-12)*math.Pi/12 + longitude*math.Pi/180
	height := math.Sin(latitude)*math.Sin(declination) + math.Cos(latitude)*math.Cos(declination)*math.Cos(turn)
	if height <= 0 {
		return 0
	}
	clear := 0.25 + 0.75*spell("clear", n, 2)
	return h.Solar * 1.1 * math.Pow(height, 1.2) * clear * (0.8 + 0.2*h.chance(n, at.Hour()+30))
}

// spell is between 0 and 1 and changes slowly, over some days: days of fine weather come together.
func spell(what string, n, days int) float64 {
	step, part := n/days, float64(n%days)/float64(days)
	slow := chance(what, step, 0)*(1-part) + chance(what, step+1, 0)*part
	return math.Min(1, math.Max(0, 0.6*slow+0.4*chance(what, n, 1)))
}

func (h Household) chance(n, what int) float64 { return chance(h.EAN, n, what) }

// chance is between 0 and 1, always the same for the same three.
func chance(key string, n, what int) float64 {
	f := fnv.New64a()
	_, _ = f.Write(strconv.AppendInt(strconv.AppendInt(append([]byte(key), ' '), int64(n), 10), int64(what)+1000, 10)) // never fails
	x := f.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd // the last step of murmur3: FNV alone leaves neighbours alike
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}
