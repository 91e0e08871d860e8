package production

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// dayRow is the production of a project on a day.
type dayRow struct {
	bun.BaseModel `bun:"table:production_days,alias:d"`
	LabelKey      string    `bun:",pk"`
	ProjectCode   string    `bun:",pk"`
	Day           value.Day `bun:",pk"`
	Total         int64
	Hours         string    // JSON of imported hours
	Counted       string    // JSON of hours counted from meters; empty if none
	Running       int64     // hours with production
	imported      []*amount // set by read, like the next two fields
	counted       []*amount
	hours         []*amount // imported if not nil, otherwise counted
}

// energy returns the energy of an hour of the day, or of the whole day if slot is -1. ok is false when nothing was measured.
func (d *dayRow) energy(slot int) (made amount, ok bool) {
	switch {
	case slot < 0:
		return amount(d.Total), true
	case slot >= len(d.hours) || d.hours[slot] == nil:
		return 0, false
	}
	return *d.hours[slot], true
}

// dayTotal is a day without its hours, for charts with periods of a day or longer.
type dayTotal struct {
	bun.BaseModel `bun:"table:production_days,alias:d"`
	Day           value.Day
	Total         int64
}

const daysBetween = "AND d.project_code = ? AND d.day >= ? AND d.day < ? ORDER BY d.day"

// daysOf returns the days of a project between from and until (exclusive), oldest first, without their hours. Production belongs to the
// label, not to a member.
func daysOf(ctx context.Context, db module.DB, project string, from, until value.Day) ([]dayRow, error) {
	var found []dayTotal
	err := db.Find(ctx, module.Label(ctx, "what a project makes belongs to the label"), &found, daysBetween, project, from.String(),
		until.String())
	out := make([]dayRow, len(found))
	for i, d := range found {
		out[i] = dayRow{Day: d.Day, Total: d.Total}
	}
	return out, err
}

// hoursBetween returns the same days with their hours.
func hoursBetween(ctx context.Context, db module.DB, project string, from, until value.Day) (found []dayRow, err error) {
	err = db.Find(ctx, module.Label(ctx, "what a project makes belongs to the label"), &found, daysBetween, project, from.String(),
		until.String())
	for i := range found {
		if err == nil {
			err = found[i].read()
		}
	}
	return found, err
}

func (d *dayRow) read() error {
	err := json.Unmarshal([]byte(d.Hours), &d.imported)
	if err == nil && d.Counted != "" {
		err = json.Unmarshal([]byte(d.Counted), &d.counted)
	}
	if err != nil {
		return fmt.Errorf("production: hours of %s on %s: %w", d.ProjectCode, d.Day, err)
	}
	d.join()
	return nil
}

// join combines imported and counted hours.
func (d *dayRow) join() {
	d.hours = slices.Clone(d.imported)
	for i, a := range d.counted {
		if i < len(d.hours) && d.hours[i] == nil {
			d.hours[i] = a
		}
	}
}

// write sets the columns of the row from its hours.
func (d *dayRow) write() error {
	d.join()
	d.Total, d.Running = 0, 0
	for _, a := range d.hours {
		if a != nil {
			d.Total += int64(*a)
			d.Running += min(1, max(0, int64(*a)))
		}
	}
	hours, err := json.Marshal(d.imported)
	if err != nil {
		return err
	}
	d.Hours, d.Counted = string(hours), ""
	if d.counted != nil {
		counted, err := json.Marshal(d.counted)
		if err != nil {
			return err
		}
		d.Counted = string(counted)
	}
	return nil
}

// newest returns the last day of a project, or nil.
func newest(ctx context.Context, db module.DB, project string) (*dayRow, error) {
	rows := module.Label(ctx, "what a project makes belongs to the label")
	var found []dayRow
	err := db.Find(ctx, rows, &found, "AND d.project_code = ? ORDER BY d.day DESC LIMIT 1", project)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], found[0].read()
}

// dayKey identifies a day of a project.
type dayKey struct {
	project string
	day     value.Day
}

// lock serializes the transactions that change a label's hours, because concurrent transactions would each merge with the same old values.
func lock(ctx context.Context, tx module.Tx) error { return tx.Lock(ctx, "days") }

// saveImported stores imported hours. A new value replaces the stored one; nil leaves the stored one.
func saveImported(ctx context.Context, tx module.Tx, incoming map[dayKey][]*amount) error {
	if err := lock(ctx, tx); err != nil {
		return err
	}
	return change(ctx, tx, slices.Collect(maps.Keys(incoming)), func(k dayKey, d *dayRow) {
		hours := slices.Clone(incoming[k]) // the transaction may be retried
		if len(d.imported) == len(hours) {
			for i, a := range hours {
				if a == nil {
					hours[i] = d.imported[i]
				}
			}
		}
		d.imported = hours
	})
}

// addCounted adds energy to counted hours. A missing hour starts at zero.
func addCounted(ctx context.Context, tx module.Tx, loc *time.Location, project string, more map[slot]int64) error {
	days := map[dayKey][]slot{}
	for s := range more {
		k := dayKey{project, s.day}
		days[k] = append(days[k], s)
	}
	return change(ctx, tx, slices.Collect(maps.Keys(days)), func(k dayKey, d *dayRow) {
		n := hoursOf(k.day, loc)
		if d.imported == nil {
			d.imported = make([]*amount, n)
		}
		if len(d.counted) != n {
			d.counted = make([]*amount, n)
		}
		for _, s := range days[k] {
			was := amount(0)
			if a := d.counted[s.hour]; a != nil {
				was = *a
			}
			d.counted[s.hour] = new(was + amount(more[s]))
		}
	})
}

// change calls alter for each day and stores the days. The caller holds the lock.
func change(ctx context.Context, tx module.Tx, keys []dayKey, alter func(dayKey, *dayRow)) error {
	slices.SortFunc(keys, func(a, b dayKey) int { // in the order of the primary key
		if by := strings.Compare(a.project, b.project); by != 0 {
			return by
		}
		return a.day.DaysSince(b.day)
	})
	for chunk := range slices.Chunk(keys, 500) {
		if err := changeChunk(ctx, tx, chunk, alter); err != nil {
			return err
		}
	}
	return nil
}

func changeChunk(ctx context.Context, tx module.Tx, keys []dayKey, alter func(dayKey, *dayRow)) error {
	all := module.Label(ctx, "what a project makes belongs to the label")
	var projects []string
	var days []value.Day
	for _, k := range keys {
		projects, days = append(projects, k.project), append(days, k.day)
	}
	slices.SortFunc(days, func(a, b value.Day) int { return a.DaysSince(b) })
	var found []dayRow
	if err := all.Select(tx, &found).Where("d.project_code IN ?", bun.Tuple(slices.Compact(projects))).
		Where("d.day IN ?", bun.Tuple(slices.Compact(days))).Scan(ctx); err != nil {
		return err
	}
	existing := map[dayKey]*dayRow{}
	for i := range found {
		if err := found[i].read(); err != nil {
			return err
		}
		existing[dayKey{found[i].ProjectCode, found[i].Day}] = &found[i]
	}
	rows := make([]dayRow, len(keys))
	for i, k := range keys {
		if d := existing[k]; d != nil {
			rows[i] = *d
		} else {
			rows[i] = dayRow{LabelKey: all.Key(), ProjectCode: k.project, Day: k.day}
		}
		alter(k, &rows[i])
		if err := rows[i].write(); err != nil {
			return err
		}
	}
	_, err := all.Insert(tx, &rows).On("CONFLICT (label_key, project_code, day) DO UPDATE").
		Set("total = EXCLUDED.total").Set("hours = EXCLUDED.hours").Set("counted = EXCLUDED.counted").Set("running = EXCLUDED.running").Exec(ctx)
	return err
}
