package demodata

import (
	"hash/fnv"
	"math"
	"strconv"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

const (
	latitude  = 52.2 * math.Pi / 180
	longitude = 5.3 // degrees east
)

// Amount is an amount in thousandths of a kWh or m³. It is never negative, except for Missing.
type Amount int64

// Missing is an amount that was not measured.
const Missing Amount = -1

// Thousandths converts a number of kWh or m³ to an Amount.
func Thousandths(v float64) Amount { return Amount(math.Round(v * 1000)) }

// Append appends the amount as a number with three decimals, or null for Missing.
func (a Amount) Append(b []byte) []byte {
	if a < 0 {
		return append(b, "null"...)
	}
	b = append(strconv.AppendInt(b, int64(a)/1000, 10), '.')
	return append(b, byte('0'+a/100%10), byte('0'+a/10%10), byte('0'+a%10))
}

// MarshalJSON encodes the amount as Append does.
func (a Amount) MarshalJSON() ([]byte, error) { return a.Append(nil), nil }

// Place is the location of a meter. Its random values are computed from the day and the key of the place, so they are the same in every
// run. All places have the same weather.
type Place struct {
	seed uint64
	zone *time.Location
}

// NewPlace returns the place with a key, such as an EAN or the code of a project.
func NewPlace(key string, zone *time.Location) Place {
	f := fnv.New64a()
	_, _ = f.Write([]byte(key)) // never fails
	return Place{f.Sum64(), zone}
}

// Chance returns a number between 0 and 1 that is always the same for the same place and arguments.
func (p Place) Chance(n, what int) float64 { return chance(p.seed, n, what) }

// Spell returns a number between 0 and 1 that changes slowly with n, over the given number of steps, and differs per place.
func (p Place) Spell(n, steps int) float64 { return Spell(p.seed, n, steps) }

// Weather is the weather of one day, with its calendar data.
type Weather struct {
	Number int     // number of the day since 2000
	Hours  []int   // the local hour at the start of each hour of the day, 23 to 25 of them
	Rest   bool    // a Saturday or Sunday
	Season float64 // 1 in the middle of January, -1 in the middle of July
	// Warm and Clear are between 0 and 1; they change slowly and are the same for every place.
	Warm, Clear float64

	utc         int // UTC hour at the start of the day
	declination float64
}

// DayNumber returns the number of days since 2000.
func DayNumber(d value.Day) int {
	return d.DaysSince(value.Day{Year: 2000, Month: time.January, Day: 1})
}

// Weather returns the weather of a day.
func (p Place) Weather(d value.Day) Weather {
	begin := d.In(p.zone)
	hours := make([]int, d.AddDays(1).In(p.zone).Sub(begin)/time.Hour)
	for i := range hours {
		hours[i] = i
		if len(hours) != 24 {
			hours[i] = begin.Add(time.Duration(i) * time.Hour).Hour()
		}
	}
	isWeekend := begin.Weekday() == time.Saturday || begin.Weekday() == time.Sunday
	n, day := DayNumber(d), float64(d.DaysSince(value.Day{Year: d.Year, Month: time.January, Day: 1}))
	return Weather{Number: n, Hours: hours, Rest: isWeekend, Season: math.Cos(2 * math.Pi * (day - 16) / 365.25),
		Warm: 0.6*Spell(1, n, 5) + 0.4*Spell(3, n, 40), Clear: Spell(2, n, 2), utc: begin.UTC().Hour(),
		declination: 23.45 * math.Pi / 180 * math.Sin(2*math.Pi*(day-80)/365.25)}
}

// Sun returns the output in kWh of solar panels in the nth hour of a day. It depends on the peak power in kW, the height of the sun and the
// clouds of the day.
func (p Place) Sun(w *Weather, nth int, peak float64) float64 {
	if peak == 0 {
		return 0
	}
	turn := (float64(w.utc+nth)+0.5-12)*math.Pi/12 + longitude*math.Pi/180
	height := math.Sin(latitude)*math.Sin(w.declination) + math.Cos(latitude)*math.Cos(w.declination)*math.Cos(turn)
	if height <= 0 {
		return 0
	}
	return peak * 1.1 * math.Pow(height, 1.2) * (0.25 + 0.75*w.Clear) * (0.8 + 0.2*p.Chance(w.Number, nth+40))
}

// Spell returns a number between 0 and 1 that changes slowly with n, over the given number of steps, so that fine days follow each other.
// Different values of what give independent series.
func Spell(what uint64, n, steps int) float64 {
	step, part := n/steps, float64(n%steps)/float64(steps)
	slow := chance(what, step, 0)*(1-part) + chance(what, step+1, 0)*part
	return 0.6*slow + 0.4*chance(what, n, 1)
}

// chance returns a number between 0 and 1 that is always the same for the same arguments. It is the final mix of MurmurHash3.
func chance(seed uint64, n, what int) float64 {
	x := seed + uint64(n)*0x9e3779b97f4a7c15 + uint64(what+1)*0xc2b2ae3d27d4eb4f
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}
