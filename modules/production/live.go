package production

import (
	"math"
	"slices"
	"time"
)

// sums are totals over all days of a project, in Wh and hours.
type sums struct{ Total, Running, Year, YearRunning, Today, Days int64 }

// state contains all stored data of a project.
type state struct {
	code   string
	rated  int64 // W; 0: unknown
	sums   sums
	last   *dayRow    // the newest day; nil if nothing was counted or imported
	meters []meterRow // newest first
}

// kWh converts a sum of days to kWh. It returns nil if nothing was ever measured.
func (x state) kWh(wh int64) *float64 {
	if x.sums.Days == 0 {
		return nil
	}
	return new(float64(wh) / 1000)
}

// percentage returns the power as a percentage of the rated power, at most 100, or nil if either is unknown.
func (x state) percentage(kW *float64) *float64 {
	if kW == nil || x.rated == 0 {
		return nil
	}
	return new(math.Min(100, round(*kW*100_000/float64(x.rated), 1)))
}

// active returns the meters with a measurement at most maxLiveAge before the newest one. The power of other meters does not count.
func (x state) active() (out []meterRow) {
	for _, m := range x.meters {
		if x.meters[0].MeasuredAt-m.MeasuredAt <= maxLiveAge.Milliseconds() {
			out = append(out, m)
		}
	}
	return out
}

// present is the current power of a project.
type present struct {
	power   *float64 // kW
	at      *time.Time
	quality *Quality
}

// now returns the power from the meters, or from the last measured hour if that is newer. The returned time is never after now.
func (x state) now(loc *time.Location, now time.Time) (out present) {
	past := func(t time.Time) *time.Time {
		if t.After(now) {
			t = now
		}
		return new(t.UTC())
	}
	if x.last != nil {
		if end, wh, imported := x.last.lastHour(loc); imported || len(x.meters) == 0 { // counted hours are not newer than the meters
			out = present{power: new(float64(wh) / 1000), at: past(end)}
		}
	}
	active := x.active()
	if len(active) == 0 {
		return out
	}
	at := time.UnixMilli(active[0].MeasuredAt)
	if out.at != nil && at.Before(out.at.Add(-time.Hour)) { // the hours of a day are imported later than its measurements are pushed
		return out
	}
	watts, some := int64(0), false
	for _, m := range active {
		if m.Power != nil {
			watts, some = watts+*m.Power, true
		}
	}
	if !some {
		return present{power: out.power, at: past(at), quality: &active[0].Quality}
	}
	return present{power: new(math.Max(0, float64(watts)/1000)), at: past(at), quality: &active[0].Quality}
}

// lastHour returns the end of the last measured hour of the day, its energy in Wh, and whether the hour was imported.
func (d *dayRow) lastHour(loc *time.Location) (end time.Time, wh int64, imported bool) {
	last := len(d.hours) - 1
	for last >= 0 && d.hours[last] == nil {
		last--
	}
	if last < 0 {
		return d.Day.In(loc), 0, false
	}
	return d.Day.In(loc).Add(time.Duration(last+1) * time.Hour), int64(*d.hours[last]), d.imported[last] != nil
}

// beaufort converts a wind speed in m/s to a force on the Beaufort scale.
func beaufort(speed float64) int {
	n, _ := slices.BinarySearch([]float64{0.3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7}, math.Nextafter(speed, math.Inf(1)))
	return n
}

func round(x float64, decimals int) float64 {
	p := math.Pow10(decimals)
	return math.Round(x*p) / p
}
