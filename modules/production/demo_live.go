package production

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"slices"
	"text/template"
	"time"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/value"
)

const measureInterval = 5 * time.Minute

// counterStart is the day on which the counters of the demo projects started at zero.
var counterStart = value.Day{Year: 2025, Month: time.January, Day: 1}

// record returns the record of kind production_project.
func (p DemoProject) record() json.RawMessage {
	// numbers and strings always encode
	b, _ := json.Marshal(map[string]any{"project_code": p.Code, "rated_power": p.Power, "weather_station": p.Station})
	return b
}

// Measured returns the records between after (exclusive) and until (inclusive), for demodata.Live.
func (p DemoProject) Measured(after, until time.Time) iter.Seq[demodata.Record] {
	return func(yield func(demodata.Record) bool) {
		for data := range p.Measurements(after, until) {
			if !yield(demodata.Record{Kind: kindMeasurement, Data: data}) {
				return
			}
		}
	}
}

// Measurements returns a record every five minutes for one meter of the project, between from (exclusive) and until (inclusive). The time
// zone of until determines the days.
func (p DemoProject) Measurements(from, until time.Time) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		loc, x := until.Location(), p.place(until.Location())
		meter := "Omvormer 1"
		if p.Type == wind {
			meter = "Turbine 1"
		}
		today, counter := value.Day{}, 0.0
		for at := from.Truncate(measureInterval).Add(measureInterval); !at.After(until); at = at.Add(measureInterval) {
			d := value.DayOf(at.In(loc))
			if d != today {
				today, counter = d, p.counted(x, d)
			}
			w := x.Weather(d)
			passed, n, made := at.Sub(d.In(loc)), 0, counter
			for ; passed >= time.Hour && n < len(w.Hours)-1; n, passed = n+1, passed-time.Hour {
				made += p.hour(x, &w, n)
			}
			power := p.hour(x, &w, n)
			m := map[string]any{"project_code": p.Code, "meter": meter, "at": at.UTC().Format(time.RFC3339), "source": "demo",
				"counter": round3(made + power*passed.Hours()),
				// Gusts and clouds change the power by up to 5%; it never exceeds the rated power.
				"power": round3(math.Min(p.Power, power*(0.95+0.1*x.Spell(int(at.Unix()/60), 7))))}
			if p.Type == wind {
				speed := math.Round(p.speed(x, &w, n)*10) / 10
				m["wind_speed"], m["wind_direction"] = speed, math.Round(180+120*demodata.Spell(9, w.Number, 3))
				m["rpm"] = math.Round(math.Min(18, math.Max(0, speed-3)*2.2)*10) / 10
			}
			b, _ := json.Marshal(m) // numbers and strings always encode
			if !yield(b) {
				return
			}
		}
	}
}

// counted returns the counter of the project at the start of a day, in kWh.
func (p DemoProject) counted(x demodata.Place, until value.Day) (sum float64) {
	for d := counterStart; d.Before(until); d = d.AddDays(1) {
		w := x.Weather(d)
		for n := range w.Hours {
			sum += p.hour(x, &w, n)
		}
	}
	return sum
}

func round3(x float64) float64 { return math.Round(x*1000) / 1000 }

// yields returns template functions for participation records: {{peak "W-GRUTTO" 120 86000}} is last year's production of 120 of 86,000
// shares in peak hours (working days from 7:00 to 23:00), in kWh, and {{offpeak …}} is the production in all other hours.
func yields(folder fs.FS, now time.Time) template.FuncMap {
	cache := map[string][2]float64{}
	part := func(which int) func(string, int, int) (string, error) {
		return func(code string, own, of int) (string, error) {
			if _, done := cache[code]; !done {
				all, err := demodata.Descriptions[DemoProject](folder, projectFile)
				if err != nil {
					return "", err
				}
				i := slices.IndexFunc(all, func(p DemoProject) bool { return p.Code == code })
				if i < 0 || of <= 0 {
					return "", errors.New("no project " + code + " in " + projectFile + ".json, or no shares of it")
				}
				cache[code] = all[i].settled(now.Year()-1, now.Location())
			}
			return fmt.Sprintf("%.2f", cache[code][which]*float64(own)/float64(of)), nil
		}
	}
	return template.FuncMap{"peak": part(0), "offpeak": part(1)}
}

// settled returns the production of the project in a year, in peak hours and in all other hours, in kWh. It adds up the hours that the
// charts show, so that settlements match the charts.
func (p DemoProject) settled(year int, loc *time.Location) (out [2]float64) {
	x := p.place(loc)
	for d := (value.Day{Year: year, Month: time.January, Day: 1}); d.Year == year; d = d.AddDays(1) {
		w := x.Weather(d)
		for n, hour := range w.Hours {
			which := 1
			if !w.Rest && hour >= 7 && hour < 23 {
				which = 0
			}
			if made := p.measured(x, &w, n); made != demodata.Missing {
				out[which] += float64(made) / 1000
			}
		}
	}
	return out
}
