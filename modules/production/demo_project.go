package production

import (
	"encoding/json"
	"iter"
	"math"
	"strconv"
	"time"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/value"
)

// DemoProject describes a wind or solar project of the demo. Its production on a day is derived from that day, its code and the weather of
// the demo households.
type DemoProject struct {
	Code     string  `json:"project_code"`
	Type     string  `json:"project_type" enum:"WIND,SOLAR"`
	Power    float64 `json:"kw" doc:"Peak power in kW"`
	FromDays int     `json:"from_days" doc:"Number of days with production before today"`
	Station  string  `json:"weather_station,omitempty" doc:"Name of its weather station; default: the station of the label"`
}

const (
	projectFile = "production" // production.json in the demo folder of a label
	wind        = "WIND"
)

// Name implements demodata.Meter.
func (p DemoProject) Name() string { return "production " + p.Code }

// Days implements demodata.Meter: the number of days with production before today.
func (p DemoProject) Days() int { return p.FromDays }

// Records returns the project itself and its hours until now. The day from was incomplete in the previous run, so it is generated again.
func (p DemoProject) Records(from value.Day, now time.Time) iter.Seq[demodata.Record] {
	return func(yield func(demodata.Record) bool) {
		if !yield(demodata.Record{Kind: kindProject, Data: p.record()}) {
			return
		}
		for data := range p.Produced(from, now) {
			if !yield(demodata.Record{Kind: kindDay, Data: data}) {
				return
			}
		}
	}
}

// place returns the location of the project, which determines its weather.
func (p DemoProject) place(zone *time.Location) demodata.Place {
	return demodata.NewPlace(p.Code, zone)
}

// Produced returns the records of the days between from and until (inclusive). The time zone of until determines the days. Some days, and
// some hours of a day, are missing, as with real meters.
func (p DemoProject) Produced(from value.Day, until time.Time) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		x := p.place(until.Location())
		for d := from; !d.After(value.DayOf(until)); d = d.AddDays(1) {
			w := x.Weather(d)
			b := append(append(append(make([]byte, 0, 400), `{"project_code":`...), strconv.Quote(p.Code)...), `,"day":"`...)
			b = append(append(b, d.String()...), `","hours":[`...)
			known := 0
			for i := range w.Hours {
				if i > 0 {
					b = append(b, ',')
				}
				made := p.measured(x, &w, i)
				if end := d.In(until.Location()).Add(time.Duration(i+1) * time.Hour); end.After(until) {
					made = demodata.Missing
				}
				if made != demodata.Missing {
					known++
				}
				b = made.Append(b)
			}
			if known > 0 && !yield(append(b, "]}"...)) {
				return
			}
		}
	}
}

// measured returns the energy that the meter recorded in the nth hour of a day. Measurements are missing on one day in 401, and around noon
// on one day in 97.
func (p DemoProject) measured(x demodata.Place, w *demodata.Weather, n int) demodata.Amount {
	lost := func(which, every int) bool { return (w.Number+int(x.Chance(which, 0)*float64(every)))%every == 0 }
	if lost(0, 401) || n >= 10 && n < 13 && lost(1, 97) {
		return demodata.Missing
	}
	return demodata.Thousandths(p.hour(x, w, n))
}

// hour returns the production in the nth hour of a day, in kWh.
func (p DemoProject) hour(x demodata.Place, w *demodata.Weather, n int) float64 {
	if p.Type != wind {
		return x.Sun(w, n, p.Power) * 0.85
	}
	// A turbine starts at 3 m/s and reaches its rated power at 12 m/s.
	return p.Power * math.Pow(math.Min(1, math.Max(0, (p.speed(x, w, n)-3)/9)), 1.8)
}

// speed returns the wind speed in the nth hour of a day, in m/s. Fronts last for days and gusts for hours; winters are windier.
func (p DemoProject) speed(x demodata.Place, w *demodata.Weather, n int) float64 {
	front := demodata.Spell(5, w.Number, 3)*(1-float64(n)/24) + demodata.Spell(5, w.Number+1, 3)*float64(n)/24
	return math.Max(0, 2.2+9.5*front+1.2*w.Season+2.4*(x.Spell(w.Number*24+n, 4)-0.5))
}
