package production

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/wattle-portal/wattle/core/module"
)

// dayRow is what a project made on a day.
type dayRow struct {
	bun.BaseModel `bun:"table:production_days,alias:d"`
	LabelKey      string     `bun:",pk"`
	ProjectCode   string     `bun:",pk"`
	Day           module.Day `bun:",pk"`
	Total         int64
	Hours         string    // JSON of hours
	hours         []*amount // once read
}

// in is what was made in an hour of the day, -1: in all of it.
func (d *dayRow) in(slot int) (made amount, there bool) {
	switch {
	case slot < 0:
		return amount(d.Total), true
	case slot >= len(d.hours) || d.hours[slot] == nil:
		return 0, false
	}
	return *d.hours[slot], true
}

// dayTotal is a day without its hours: no more than a chart of years needs.
type dayTotal struct {
	bun.BaseModel `bun:"table:production_days,alias:d"`
	Day           module.Day
	Total         int64
}

const between = "AND d.project_code = ? AND d.day >= ? AND d.day < ? ORDER BY d.day"

// daysOf are the days of a project from one to another (exclusive), oldest first, without their hours. What a project makes is no
// one member's: it is narrowed to the label.
func daysOf(ctx context.Context, db module.DB, project string, from, until module.Day) ([]dayRow, error) {
	var found []dayTotal
	err := db.Find(ctx, module.Label(ctx), &found, between, project, from.String(), until.String())
	out := make([]dayRow, len(found))
	for i, d := range found {
		out[i] = dayRow{Day: d.Day, Total: d.Total}
	}
	return out, err
}

// hoursBetween are those days with their hours.
func hoursBetween(ctx context.Context, db module.DB, project string, from, until module.Day) (found []dayRow, err error) {
	err = db.Find(ctx, module.Label(ctx), &found, between, project, from.String(), until.String())
	for i := range found {
		if err == nil {
			err = found[i].read()
		}
	}
	return found, err
}

func (d *dayRow) read() error {
	if err := json.Unmarshal([]byte(d.Hours), &d.hours); err != nil {
		return fmt.Errorf("production: hours of %s on %s: %w", d.ProjectCode, d.Day, err)
	}
	return nil
}

// newest is the last day of a project of which something is known; nil without any.
func newest(ctx context.Context, db module.DB, project string) (*dayRow, error) {
	var found []dayRow
	err := db.Find(ctx, module.Label(ctx), &found, "AND d.project_code = ? ORDER BY d.day DESC LIMIT 1", project)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], found[0].read()
}

// reach is the end of the last hour of a day that was measured.
func (d *dayRow) reach(loc *time.Location) time.Time {
	last := len(d.hours) - 1
	for last >= 0 && d.hours[last] == nil {
		last--
	}
	return d.Day.In(loc).Add(time.Duration(last+1) * time.Hour)
}

// dayKey says whose day it is.
type dayKey struct {
	project string
	day     module.Day
}

// keep lays hours over what is stored of their days: what is new holds, where it says nothing the old stays.
func keep(ctx context.Context, tx bun.IDB, incoming map[dayKey][]*amount) error {
	label := module.Label(ctx).Key()
	var projects []string
	var days []module.Day
	for k := range incoming {
		projects, days = append(projects, k.project), append(days, k.day)
	}
	slices.Sort(projects)
	slices.SortFunc(days, func(a, b module.Day) int { return a.DaysSince(b) })
	if tx.Dialect().Name() == dialect.PG { // or two imports would each lay their hours over the same older ones; SQLite has one writer
		if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtext('production_days'), hashtext(?))", label); err != nil {
			return err
		}
	}
	var found []dayRow
	if err := tx.NewSelect().Model(&found).ApplyQueryBuilder(module.Label(ctx).Where).Where("d.project_code IN ?", bun.Tuple(slices.Compact(projects))).
		Where("d.day IN ?", bun.Tuple(slices.Compact(days))).Scan(ctx); err != nil {
		return err
	}
	rows := make([]dayRow, 0, len(incoming))
	known := map[dayKey][]*amount{}
	for _, d := range found {
		if err := d.read(); err != nil {
			return err
		}
		known[dayKey{d.ProjectCode, d.Day}] = d.hours
	}
	for k, hours := range incoming {
		if old := known[k]; len(old) == len(hours) {
			hours = slices.Clone(hours) // the transaction may run again
			for i, a := range hours {
				if a == nil {
					hours[i] = old[i]
				}
			}
		}
		text, err := json.Marshal(hours)
		if err != nil {
			return err
		}
		row := dayRow{LabelKey: label, ProjectCode: k.project, Day: k.day, Hours: string(text)}
		for _, a := range hours {
			if a != nil {
				row.Total += int64(*a)
			}
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b dayRow) int { // as they are stored
		if by := strings.Compare(a.ProjectCode, b.ProjectCode); by != 0 {
			return by
		}
		return a.Day.DaysSince(b.Day)
	})
	_, err := tx.NewInsert().Model(&rows).On("CONFLICT (label_key, project_code, day) DO UPDATE").
		Set("total = EXCLUDED.total").Set("hours = EXCLUDED.hours").Exec(ctx)
	return err
}
