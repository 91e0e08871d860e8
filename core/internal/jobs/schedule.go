package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/outbox"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// maxTicks is how many ticks of one schedule are made up for after a standstill; older ones are left out.
const maxTicks = 100

// last is the newest tick of a schedule that an event was made for.
type last struct {
	bun.BaseModel `bun:"table:jobs_ticks,alias:t"`

	Label string    `bun:"label_key,pk"`
	Type  string    `bun:"type,pk"`
	At    time.Time `bun:"last_at"`
}

// ParseSchedule reads a cron expression of five fields, or @daily and the like.
func ParseSchedule(expression string) (cron.Schedule, error) { return cron.ParseStandard(expression) }

// schedules publishes an event for every tick of a module's schedule that has passed, once per label, in the label's zone. Its id
// follows from label, type and tick, so that two replicas and a repetition after a crash make one event. A schedule that is new to
// a label begins now.
func (j *Jobs) schedules(ctx context.Context) error {
	var rows []last
	if err := j.Store.Read().NewSelect().Model(&rows).Scan(ctx); err != nil {
		return err
	}
	known := make(map[[2]string]time.Time, len(rows))
	for _, r := range rows {
		known[[2]string{r.Label, r.Type}] = r.At
	}
	now := j.Clock.Now().Truncate(time.Microsecond)
	var errs []error
	for _, m := range j.Modules() {
		var events []outbox.Row
		var moved []last
		for eventType, expression := range m.Schedule {
			schedule, err := ParseSchedule(expression)
			if err != nil || !strings.HasPrefix(eventType, m.Key+".") {
				j.Log.Error("jobs: schedule refused", "module", m.Key, "type", eventType, "schedule", expression, "error", err)
				continue
			}
			for _, l := range j.Labels.All() {
				if _, on := l.Modules[m.Key]; !on && m.Key != "core" {
					continue
				}
				from, there := known[[2]string{l.Key, eventType}]
				if !there {
					moved = append(moved, last{Label: l.Key, Type: eventType, At: now})
					continue
				}
				ticks := between(schedule, from, now, l.Location)
				for _, at := range ticks {
					row, err := event(l, eventType, at)
					if err != nil {
						return err
					}
					events = append(events, row)
				}
				if len(ticks) > 0 {
					moved = append(moved, last{Label: l.Key, Type: eventType, At: ticks[len(ticks)-1]})
				}
			}
		}
		errs = append(errs, j.publish(ctx, m.Key, events, moved))
	}
	return errors.Join(errs...)
}

// publish first hands over the events and then remembers that it did.
func (j *Jobs) publish(ctx context.Context, moduleKey string, events []outbox.Row, moved []last) error {
	for len(events) > 0 {
		n := min(len(events), outbox.Batch)
		if err := j.Outbox.Relay(ctx, moduleKey, events[:n]); err != nil {
			return err
		}
		events = events[n:]
	}
	if len(moved) == 0 {
		return nil
	}
	return j.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(&moved).On("CONFLICT (label_key, type) DO UPDATE").Set("last_at = EXCLUDED.last_at").
			Where("t.last_at < EXCLUDED.last_at").Exec(ctx) // another replica may be further
		return err
	})
}

// between lists the ticks after from up to now, the newest maxTicks of them. After a long standstill it looks back further and
// further, so that a dense schedule is not walked through from its beginning.
func between(s cron.Schedule, from, now time.Time, zone *time.Location) (ticks []time.Time) {
	if zone == nil {
		zone = time.UTC
	}
	for back := 48 * time.Hour; ; back *= 2 {
		begin := now.Add(-back)
		if begin.Before(from) {
			begin = from
		}
		ticks = ticks[:0]
		for t := s.Next(begin.In(zone)); !t.IsZero() && !t.After(now); t = s.Next(t) {
			ticks = append(ticks, t.UTC())
		}
		if len(ticks) >= maxTicks || begin.Equal(from) {
			return ticks[max(0, len(ticks)-maxTicks):]
		}
	}
}

func event(l *label.Label, eventType string, at time.Time) (outbox.Row, error) {
	e := module.Event{ID: value.StableID(l.Key, eventType, at.Format(time.RFC3339)), Type: eventType, Label: l.Key, Key: eventType,
		Seq: at.Unix(), At: at, Data: json.RawMessage(`{"tick":"` + at.In(l.Location).Format(time.RFC3339) + `"}`)}
	payload, err := json.Marshal(e)
	return outbox.Row{Label: e.Label, ID: e.ID, Kind: store.RowEvent, Seq: e.Seq, At: at, Payload: payload}, err
}
