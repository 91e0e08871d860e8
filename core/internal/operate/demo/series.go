package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	liveWindow    = 10 * time.Minute // measurements of this period are stored every minute; storing one again is harmless
	catchUpWindow = 2 * time.Hour    // measurements of this period are stored at startup, to cover the time when no process was running
)

// modulesOf returns the modules of a label that contribute to the demo.
func (s *Service) modulesOf(l *label.Label) iter.Seq[module.Manifest] {
	return func(yield func(module.Manifest) bool) {
		for _, m := range s.Modules {
			if _, on := l.Modules[m.Key]; on && !yield(m) {
				return
			}
		}
	}
}

// texts returns the placeholders for a label's demo.
func (s *Service) texts(l *label.Label) demodata.Texts {
	shapes, now := "", s.Now().In(l.Location)
	for _, m := range s.Modules {
		shapes += m.Demo.Shapes
	}
	out := demodata.NewTexts(now, shapes)
	for _, m := range s.Modules {
		if m.Demo.Functions != nil {
			out = out.WithFuncs(m.Demo.Functions(os.DirFS(filepath.Join(l.Dir, "demo")), now))
		}
	}
	return out
}

// meters returns the meters in a label's demo folder, for the modules that the label has.
func (s *Service) meters(l *label.Label) (all []demodata.Meter, err error) {
	for m := range s.modulesOf(l) {
		for _, series := range m.Demo.Series {
			descriptions, err := demodata.Descriptions[json.RawMessage](os.DirFS(filepath.Join(l.Dir, "demo")), series.Name)
			if err != nil {
				return nil, err
			}
			for _, d := range descriptions {
				meter, err := series.Read(d)
				if err != nil {
					return nil, fmt.Errorf("%s.json: %w", series.Name, err)
				}
				all = append(all, meter)
			}
		}
	}
	return all, nil
}

// importMeasurements imports the measurements of the label's meters from the last import until now.
func (s *Service) importMeasurements(ctx context.Context, l *label.Label, before parts, order []string, target imports.Target) (done []part,
	err error) {
	all, err := s.meters(l)
	if err != nil {
		return nil, err
	}
	now := s.Now().In(l.Location)
	for _, m := range all {
		description, err := json.Marshal(m)
		if err != nil {
			return done, err
		}
		name, sum, from := m.Name(), sum(description), value.DayOf(now).AddDays(-m.Days())
		if !before.isNew(name, sum) {
			from = value.DayOf(before[name].At.In(l.Location))
		}
		if err := takeKinds(ctx, order, target, m.Records(from, now)); err != nil {
			return done, err
		}
		done = append(done, s.part(l, name, sum))
	}
	return done, s.live(ctx, all, order, target, now, catchUpWindow)
}

func (s *Service) live(ctx context.Context, all []demodata.Meter, order []string, target imports.Target, now time.Time,
	since time.Duration) error {
	for _, m := range all {
		if m, is := m.(demodata.Live); is {
			if err := takeKinds(ctx, order, target, m.Measured(now.Add(-since), now)); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeKinds passes records to their modules. It skips record kinds that no module accepts.
func takeKinds(ctx context.Context, order []string, target imports.Target, records iter.Seq[demodata.Record]) error {
	next, stop := iter.Pull(records)
	defer stop()
	r, more := next()
	for more {
		kind, line := r.Kind, 0
		run := func(yield func(record.Row, error) bool) {
			for more && r.Kind == kind {
				line++
				row := record.Row{Line: line, Data: r.Data}
				r, more = next()
				if !yield(row, nil) {
					return
				}
			}
		}
		if !slices.Contains(order, kind) {
			for range run {
			}
			continue
		}
		if err := take(ctx, target, kind, run); err != nil {
			return err
		}
	}
	return nil
}

// Run stores the measurements of live meters, and the demos of labels that are added later, until the context ends. Data that cannot be
// stored in one round is stored in the next.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	behind := false
	load := func() {
		err := s.Store.Locked(ctx, s.Load) // 9-demo-lock
		if behind = err != nil; behind && ctx.Err() == nil {
			s.Log.Warn("the demo of a label could not be loaded; it is tried again in a minute", "error", err)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.changed:
			load()
		case <-tick.C:
			if behind {
				load()
			}
			for _, l := range s.Labels.All() {
				if err := s.measure(ctx, l, liveWindow); err != nil && ctx.Err() == nil {
					s.Log.Debug("the meters of the demo could not be read", "label", l.Key, "error", err)
				}
			}
		}
	}
}

// measure stores the measurements of the meters over the last period of the given length.
func (s *Service) measure(ctx context.Context, l *label.Label, since time.Duration) error {
	all, err := s.meters(l)
	if err != nil || len(all) == 0 {
		return err
	}
	order, target := s.Import(l.Key)
	return s.live(ctx, all, order, target, s.Now().In(l.Location), since)
}
