package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// maxTicks is the number of missed ticks of one schedule for which events are published after an outage; older ones are skipped.
const maxTicks = 100

// lastTick is the newest tick of a schedule for which an event was published.
type lastTick struct {
	bun.BaseModel `bun:"table:jobs_ticks,alias:t"`

	Label string    `bun:"label_key,pk"`
	Type  string    `bun:"type,pk"`
	At    time.Time `bun:"last_at"`
}

// ParseSchedule parses a cron expression of five fields, or a descriptor such as @daily.
func ParseSchedule(expression string) (cron.Schedule, error) { return cron.ParseStandard(expression) }

// schedules publishes an event for every past tick of a module's schedule, once per label, in the label's time zone. The id of the event is
// derived from label, type and tick, so that two replicas, or a repetition after a crash, publish a single event. A schedule that is new to
// a label starts now.
func (j *Jobs) schedules(ctx context.Context) error {
	var rows []lastTick
	if err := j.Store.Read().NewSelect().Model(&rows).Scan(ctx); err != nil {
		return err
	}
	lastRuns := make(map[[2]string]time.Time, len(rows))
	for _, r := range rows {
		lastRuns[[2]string{r.Label, r.Type}] = r.At
	}
	now := j.Clock.Now().Truncate(time.Microsecond)
	var errs []error
	for _, m := range j.Modules() {
		var events []outbox.Row
		var moved []lastTick
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
				if j.IsServed != nil && !j.IsServed(l, m) {
					continue
				}
				from, found := lastRuns[[2]string{l.Key, eventType}]
				if !found {
					moved = append(moved, lastTick{Label: l.Key, Type: eventType, At: now})
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
					moved = append(moved, lastTick{Label: l.Key, Type: eventType, At: ticks[len(ticks)-1]})
				}
			}
		}
		errs = append(errs, j.publish(ctx, m.Key, events, moved))
	}
	return errors.Join(errs...)
}

// publish passes the events to the outbox and then stores their last ticks.
func (j *Jobs) publish(ctx context.Context, moduleKey string, events []outbox.Row, moved []lastTick) error {
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
			Where("t.last_at < EXCLUDED.last_at").Exec(ctx) // another replica may have stored a later tick
		return err
	})
}

// between returns the ticks after from up to now, at most the newest maxTicks. It starts with the last two days and doubles the period
// until there are enough ticks, because a frequent schedule may have very many ticks.
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
