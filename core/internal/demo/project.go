package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/wattle-portal/wattle/core/internal/imports"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/value"
)

// Project says how a wind or solar project of the demo makes energy. What it made on a day follows from that day and its code alone,
// under the weather of the households.
type Project struct {
	Code     string  `json:"project_code"`
	Type     string  `json:"project_type" enum:"WIND,SOLAR"`
	Power    float64 `json:"kw" doc:"Peak power in kW"`
	FromDays int     `json:"from_days" doc:"Since how many days it is measured"`
	Station  string  `json:"weather_station,omitempty" doc:"Whose weather it has; the label's without"`
}

const (
	kindProductionDay = "production_day"
	projectFile       = "production.json"
	wind              = "WIND"
)

// projects makes up what the projects made until this hour, from where they were when it was last done.
func (s *Service) projects(ctx context.Context, l *label.Label, before parts, order []string, target imports.Target) (done []part, err error) {
	if !slices.Contains(order, kindProductionDay) {
		return nil, nil
	}
	all, err := projectsIn(l)
	if err != nil {
		return nil, err
	}
	now := s.Now().In(l.Location)
	today := value.DayOf(now)
	for _, p := range all {
		entry, _ := json.Marshal(p) // it was read from JSON
		if slices.Contains(order, kindProductionProject) {
			if err := take(ctx, target, kindProductionProject, numbered(slices.Values([]json.RawMessage{p.record()}))); err != nil {
				return done, err
			}
		}
		name, sum, from := "production "+p.Code, sum(entry), today.AddDays(-p.FromDays)
		if !before.new(name, sum) {
			from = value.DayOf(before[name].At.In(l.Location)) // the day that was cut off then
		}
		if err := take(ctx, target, kindProductionDay, numbered(p.Days(from, now))); err != nil {
			return done, err
		}
		done = append(done, s.part(l, name, sum))
	}
	if slices.Contains(order, kindMeasurement) {
		err = s.measureAll(ctx, l, all, target, measureSince)
	}
	return done, err
}

// projectsIn are the projects of a label whose hours are made up.
func projectsIn(l *label.Label) (all []Project, err error) {
	text, err := os.ReadFile(filepath.Join(l.Dir, "demo", projectFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", projectFile, err)
	}
	return all, nil
}

// home is what the weather at the project is made of.
func (p Project) home(loc *time.Location) *home {
	return &home{Household: Household{EAN: p.Code, Solar: p.Power}, seed: seed(p.Code), loc: loc}
}

// Days are the records of the days from one until a moment, in whose zone the days are. Now and then a day is missing, and a few
// hours of one, as happens with real meters.
func (p Project) Days(from value.Day, until time.Time) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		x := p.home(until.Location())
		for d := from; !d.After(value.DayOf(until)); d = d.AddDays(1) {
			n := number(d)
			if (n+int(x.chance(0, 0)*401))%401 == 0 {
				continue
			}
			w := x.weather(d)
			b := append(append(append(make([]byte, 0, 400), `{"project_code":`...), strconv.Quote(p.Code)...), `,"day":"`...)
			b = append(append(b, d.String()...), `","hours":[`...)
			lost, known := (n+int(x.chance(1, 0)*97))%97 == 0, 0
			for i := range w.hours {
				if i > 0 {
					b = append(b, ',')
				}
				made := unheard
				end := d.In(until.Location()).Add(time.Duration(i+1) * time.Hour)
				if !end.After(until) && !(lost && i >= 10 && i < 13) {
					made, known = thousandths(p.hour(x, &w, i)), known+1
				}
				b = made.append(b)
			}
			if known > 0 && !yield(append(b, "]}"...)) {
				return
			}
		}
	}
}

// hour is what is made in the nth hour of a day, in kWh.
func (p Project) hour(x *home, w *weather, n int) float64 {
	if p.Type != wind {
		return x.sun(w, n) * 0.85
	}
	// A mill begins at 3 m/s and gives all it has from 12.
	return p.Power * math.Pow(math.Min(1, math.Max(0, (p.speed(x, w, n)-3)/9)), 1.8)
}

// speed is how hard the wind blows in the nth hour of a day, in m/s: fronts pass within days, gusts within hours; winters blow harder.
func (p Project) speed(x *home, w *weather, n int) float64 {
	front := spell(5, w.n, 3)*(1-float64(n)/24) + spell(5, w.n+1, 3)*float64(n)/24
	return math.Max(0, 2.2+9.5*front+1.2*w.season+2.4*(spell(x.seed, w.n*24+n, 4)-0.5))
}
