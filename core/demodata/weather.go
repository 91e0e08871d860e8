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

// Amount is kWh or m³ in thousandths, not negative but for Missing.
type Amount int64

// Missing is an amount that was not measured.
const Missing Amount = -1

// Thousandths rounds a number of kWh or m³.
func Thousandths(v float64) Amount { return Amount(math.Round(v * 1000)) }

// Append writes a number with three decimals, or null.
func (a Amount) Append(b []byte) []byte {
	if a < 0 {
		return append(b, "null"...)
	}
	b = append(strconv.AppendInt(b, int64(a)/1000, 10), '.')
	return append(b, byte('0'+a/100%10), byte('0'+a/10%10), byte('0'+a%10))
}

// MarshalJSON writes it as Append does.
func (a Amount) MarshalJSON() ([]byte, error) { return a.Append(nil), nil }

// Place is where something is measured. What happens there on a day follows from that day and the key of the place alone, so it is
// the same in every run; all places of the country share their weather.
type Place struct {
	seed uint64
	zone *time.Location
}

// NewPlace makes a place of its key, such as an EAN or the code of a project.
func NewPlace(key string, zone *time.Location) Place {
	f := fnv.New64a()
	_, _ = f.Write([]byte(key)) // never fails
	return Place{f.Sum64(), zone}
}

// Chance is between 0 and 1, always the same for the same place and numbers.
func (p Place) Chance(n, what int) float64 { return chance(p.seed, n, what) }

// Spell is between 0 and 1 and changes slowly, over so many steps: a spell of the place alone.
func (p Place) Spell(n, steps int) float64 { return Spell(p.seed, n, steps) }

// Weather is what the hours of a day have in common.
type Weather struct {
	Number int     // of the day, counted since 2000
	Hours  []int   // what the clock says at the begin of each, 23 to 25 of them
	Rest   bool    // a Saturday or Sunday
	Season float64 // 1 in the middle of January, -1 in the middle of July
	// Warm and Clear are between 0 and 1; a spell that every place of the country shares.
	Warm, Clear float64

	utc         int // what the clock says in Greenwich at the first hour
	declination float64
}

// Number counts days since 2000.
func Number(d value.Day) int {
	return d.DaysSince(value.Day{Year: 2000, Month: time.January, Day: 1})
}

// Weather is that of a day.
func (p Place) Weather(d value.Day) Weather {
	begin := d.In(p.zone)
	hours := make([]int, d.AddDays(1).In(p.zone).Sub(begin)/time.Hour)
	for i := range hours {
		hours[i] = i
		if len(hours) != 24 {
			hours[i] = begin.Add(time.Duration(i) * time.Hour).Hour()
		}
	}
	rest := begin.Weekday() == time.Saturday || begin.Weekday() == time.Sunday
	n, day := Number(d), float64(d.DaysSince(value.Day{Year: d.Year, Month: time.January, Day: 1}))
	return Weather{Number: n, Hours: hours, Rest: rest, Season: math.Cos(2 * math.Pi * (day - 16) / 365.25),
		Warm: 0.6*Spell(1, n, 5) + 0.4*Spell(3, n, 40), Clear: Spell(2, n, 2), utc: begin.UTC().Hour(),
		declination: 23.45 * math.Pi / 180 * math.Sin(2*math.Pi*(day-80)/365.25)}
}

// Sun is what panels of a peak power in kW give in the nth hour of a day, in kWh: the arc of the sun, under the clouds of the day.
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

// Spell is between 0 and 1 and changes slowly, over so many steps of n: days of fine weather come together. What tells spells apart.
func Spell(what uint64, n, steps int) float64 {
	step, part := n/steps, float64(n%steps)/float64(steps)
	slow := chance(what, step, 0)*(1-part) + chance(what, step+1, 0)*part
	return 0.6*slow + 0.4*chance(what, n, 1)
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
