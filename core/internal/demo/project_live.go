package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"text/template"
	"time"

	"github.com/wattle-portal/wattle/core/internal/imports"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	kindProductionProject = "production_project"
	kindMeasurement       = "measurement"

	measureEvery = 5 * time.Minute
	measureSince = 2 * time.Hour // at a start: what came in while nobody looked
)

// counting is when the counters of the demo's projects began to count.
var counting = value.Day{Year: 2025, Month: time.January, Day: 1}

// Run has the projects measured while the demo runs, until the context ends. What cannot be stored now is stored by the next round.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			for _, l := range s.Labels.All() {
				if err := s.measure(ctx, l, 2*measureEvery); err != nil && ctx.Err() == nil {
					s.Log.Debug("the projects of the demo could not be measured", "label", l.Key, "error", err)
				}
			}
		}
	}
}

// measure stores what the meters of a label's projects said in the last while. Again is no harm.
func (s *Service) measure(ctx context.Context, l *label.Label, since time.Duration) error {
	if _, on := l.Modules["production"]; !on {
		return nil
	}
	all, err := projectsIn(l)
	if err != nil || len(all) == 0 {
		return err
	}
	order, target := s.Import(l.Key)
	if !slices.Contains(order, kindMeasurement) {
		return nil
	}
	return s.measureAll(ctx, l, all, target, since)
}

func (s *Service) measureAll(ctx context.Context, l *label.Label, all []Project, target imports.Target, since time.Duration) error {
	now := s.Now().In(l.Location)
	for _, p := range all {
		if err := take(ctx, target, kindMeasurement, numbered(p.Measurements(now.Add(-since), now))); err != nil {
			return err
		}
	}
	return nil
}

// record is the project for module production.
func (p Project) record() json.RawMessage {
	b, _ := json.Marshal(map[string]any{"project_code": p.Code, "rated_power": p.Power, "weather_station": p.Station}) // numbers and texts always encode
	return b
}

// Measurements are the records of one meter of the project, every five minutes from one moment until another, in whose zone the days are.
func (p Project) Measurements(from, until time.Time) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		loc, x := until.Location(), p.home(until.Location())
		meter := "Omvormer 1"
		if p.Type == wind {
			meter = "Turbine 1"
		}
		today, counter := value.Day{}, 0.0
		for at := from.Truncate(measureEvery).Add(measureEvery); !at.After(until); at = at.Add(measureEvery) {
			d := value.DayOf(at.In(loc))
			if d != today {
				today, counter = d, p.counted(x, d)
			}
			w := x.weather(d)
			passed, n, made := at.Sub(d.In(loc)), 0, counter
			for ; passed >= time.Hour && n < len(w.hours)-1; n, passed = n+1, passed-time.Hour {
				made += p.hour(x, &w, n)
			}
			power := p.hour(x, &w, n)
			m := map[string]any{"project_code": p.Code, "meter": meter, "at": at.UTC().Format(time.RFC3339), "source": "demo",
				"counter": round3(made + power*passed.Hours()),
				// Gusts and clouds: a little more and a little less, none of it more than there is.
				"power": round3(math.Min(p.Power, power*(0.95+0.1*spell(x.seed, int(at.Unix()/60), 7))))}
			if p.Type == wind {
				speed := math.Round(p.speed(x, &w, n)*10) / 10
				m["wind_speed"], m["wind_direction"] = speed, math.Round(180+120*spell(9, w.n, 3))
				m["rpm"] = math.Round(math.Min(18, math.Max(0, speed-3)*2.2)*10) / 10
			}
			b, _ := json.Marshal(m) // numbers and texts always encode
			if !yield(b) {
				return
			}
		}
	}
}

// counted is what the counter of the project stands at when a day begins, in kWh.
func (p Project) counted(x *home, until value.Day) (sum float64) {
	for d := counting; d.Before(until); d = d.AddDays(1) {
		w := x.weather(d)
		for n := range w.hours {
			sum += p.hour(x, &w, n)
		}
	}
	return sum
}

func round3(x float64) float64 { return math.Round(x*1000) / 1000 }

// yields are functions for records of participations: {{peak "W-GRUTTO" 120 86000}} is what 120 of 86,000 shares made last year in peak
// hours (working days from 7 to 23 o'clock), in kWh, and {{offpeak …}} what they made in all others.
func (s *Service) yields(l *label.Label) (template.FuncMap, error) {
	all, err := projectsIn(l)
	if err != nil {
		return nil, err
	}
	known := map[string][2]float64{}
	part := func(which int) func(string, int, int) (string, error) {
		return func(code string, own, of int) (string, error) {
			if _, done := known[code]; !done {
				i := slices.IndexFunc(all, func(p Project) bool { return p.Code == code })
				if i < 0 || of <= 0 {
					return "", errors.New("no project " + code + " in " + projectFile + ", or no shares of it")
				}
				known[code] = all[i].year(s.Now().In(l.Location).Year()-1, l.Location)
			}
			return fmt.Sprintf("%.2f", known[code][which]*float64(own)/float64(of)), nil
		}
	}
	return template.FuncMap{"peak": part(0), "offpeak": part(1)}, nil
}

// year is what the project makes in a year in peak hours and in all others, in kWh.
func (p Project) year(year int, loc *time.Location) (out [2]float64) {
	x := p.home(loc)
	for d := (value.Day{Year: year, Month: time.January, Day: 1}); d.Year == year; d = d.AddDays(1) {
		w := x.weather(d)
		for n, hour := range w.hours {
			which := 1
			if !w.rest && hour >= 7 && hour < 23 {
				which = 0
			}
			out[which] += p.hour(x, &w, n)
		}
	}
	return out
}
