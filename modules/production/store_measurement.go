package production

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// measurementRow is a stored measurement.
type measurementRow struct {
	bun.BaseModel `bun:"table:production_measurements,alias:m"`
	LabelKey      string `bun:",pk"`
	ProjectCode   string `bun:",pk"`
	Meter         string `bun:",pk"`
	MeasuredAt    int64  `bun:",pk"` // Unix time in ms
	Power         *int64 // W
	Counter       *int64 // Wh
	RPM           *float64
	WindSpeed     *float64
	WindDirection *float64
	Source        string
	Quality       Quality
	Made          *int64 // Wh since the previous mark; nil if this mark does not count
}

// meterRow is the newest measurement of a meter.
type meterRow struct {
	bun.BaseModel `bun:"table:production_meters,alias:n"`
	LabelKey      string `bun:",pk"`
	ProjectCode   string `bun:",pk"`
	Meter         string `bun:",pk"`
	MeasuredAt    int64
	Power         *int64 // W: measured, or computed from the counter
	RPM           *float64
	WindSpeed     *float64
	WindDirection *float64
	Source        string
	Quality       Quality
}

// saveMeasurements stores valid measurements of the call's label, and updates hours and newest values. It counts measurements without a new
// value as repeated.
func saveMeasurements(ctx context.Context, tx module.Tx, loc *time.Location, now time.Time, projects map[string]projectRow,
	incoming []measurementRow) (stored, repeated int, err error) {
	if err := lock(ctx, tx); err != nil {
		return 0, 0, err
	}
	byMeter := map[meterKey][]measurementRow{}
	for _, row := range incoming {
		k := meterKey{row.ProjectCode, row.Meter}
		byMeter[k] = append(byMeter[k], row)
	}
	more := map[string]map[slot]int64{}
	meters := slices.SortedFunc(maps.Keys(byMeter), func(a, b meterKey) int {
		return cmp.Or(cmp.Compare(a.project, b.project), cmp.Compare(a.meter, b.meter))
	})
	for _, k := range meters {
		m := meter{key: k, rated: projects[k.project].RatedPower, made: map[slot]int64{}}
		if err := m.load(ctx, tx, byMeter[k]); err != nil {
			return 0, 0, err
		}
		n := m.merge(byMeter[k], loc)
		stored, repeated = stored+n, repeated+len(byMeter[k])-n
		if n == 0 {
			continue
		}
		if err := m.save(ctx, tx); err != nil {
			return 0, 0, err
		}
		if err := m.purge(ctx, tx, now.Add(-retention).UnixMilli()); err != nil {
			return 0, 0, err
		}
		if more[k.project] == nil {
			more[k.project] = map[slot]int64{}
		}
		for s, wh := range m.made {
			more[k.project][s] += wh
		}
	}
	for _, project := range slices.Sorted(maps.Keys(more)) {
		if err := addCounted(ctx, tx, loc, project, more[project]); err != nil {
			return 0, 0, err
		}
	}
	return stored, repeated, nil
}

// meter is a meter whose measurements are being stored, with all rows that the new measurements can affect.
type meter struct {
	key     meterKey
	rated   int64
	base    *mark            // the mark before rows; nil if rows contains all marks
	rows    []measurementRow // sorted by time
	changed map[int64]bool   // by time: rows that differ from the stored ones
	made    map[slot]int64   // Wh to add to each hour, possibly negative
}

func (row measurementRow) mark() mark { return mark{row.MeasuredAt, *row.Counter} }

func measured(ctx context.Context, tx module.Tx, k meterKey, into *[]measurementRow) *bun.SelectQuery {
	rows := module.Label(ctx, "what a project makes belongs to the label")
	return rows.Select(tx, into).Where("m.project_code = ? AND m.meter = ?", k.project, k.meter)
}

// load reads the rows that the new measurements can affect. Whether a mark counts depends on the marks before it and on the one after it,
// so all marks up to the second-to-last one before the new ones stay unchanged.
func (m *meter) load(ctx context.Context, tx module.Tx, incoming []measurementRow) error {
	first := slices.MinFunc(incoming, func(a, b measurementRow) int { return cmp.Compare(a.MeasuredAt, b.MeasuredAt) }).MeasuredAt
	var back []measurementRow
	if err := measured(ctx, tx, m.key, &back).Where("m.measured_at < ? AND m.counter IS NOT NULL",
		first).OrderExpr("m.measured_at DESC").Limit(3).Scan(ctx); err != nil {
		return err
	}
	from := int64(-1)
	if len(back) == 3 {
		base := back[1]
		if base.Made == nil { // at least one of two successive marks counts
			base = back[2]
		}
		m.base, from = new(base.mark()), base.MeasuredAt
	}
	return measured(ctx, tx, m.key, &m.rows).Where("m.measured_at > ?", from).OrderExpr("m.measured_at").Scan(ctx)
}

// merge adds new measurements to the rows and returns how many of them have new values.
func (m *meter) merge(incoming []measurementRow, loc *time.Location) (n int) {
	m.count(loc, -1)
	m.changed = map[int64]bool{}
	positions := make(map[int64]int, len(m.rows))
	for i, row := range m.rows {
		positions[row.MeasuredAt] = i
	}
	for _, row := range incoming {
		i, found := positions[row.MeasuredAt]
		switch {
		case !found:
			positions[row.MeasuredAt] = len(m.rows)
			m.rows = append(m.rows, row)
		case !m.rows[i].equals(m.rows[i].merge(row)):
			m.rows[i] = m.rows[i].merge(row)
		default:
			continue
		}
		m.changed[row.MeasuredAt] = true
		n++
	}
	slices.SortFunc(m.rows, func(a, b measurementRow) int { return cmp.Compare(a.MeasuredAt, b.MeasuredAt) })
	var marks []mark
	var at []int
	for i, row := range m.rows {
		if row.Counter != nil {
			marks, at = append(marks, row.mark()), append(at, i)
		}
	}
	before := m.base
	for i, counts := range chain(m.rated, m.base, marks) {
		row, made := &m.rows[at[i]], (*int64)(nil)
		if counts {
			made = new(int64(0))
			if before != nil {
				*made = rise(m.rated, *before, marks[i])
			}
			before = &marks[i]
		}
		if !same(row.Made, made) {
			row.Made, m.changed[row.MeasuredAt] = made, true
		}
	}
	m.count(loc, 1)
	return n
}

// count adds the energy between the marks to the hours, or subtracts it if sign is -1.
func (m *meter) count(loc *time.Location, sign int64) {
	before := m.base
	for _, row := range m.rows {
		if row.Made == nil {
			continue
		}
		now := row.mark()
		if before != nil {
			spread(loc, *before, now, *row.Made, func(s slot, wh int64) { m.made[s] += sign * wh })
		}
		before = &now
	}
}

// save stores the changed rows and the newest row of the meter.
func (m *meter) save(ctx context.Context, tx module.Tx) error {
	all := module.Label(ctx, "what a project makes belongs to the label")
	var changed []measurementRow
	for _, row := range m.rows {
		if m.changed[row.MeasuredAt] {
			row.LabelKey = all.Key()
			changed = append(changed, row)
		}
	}
	for chunk := range slices.Chunk(changed, 500) {
		if _, err := all.Insert(tx, &chunk).On("CONFLICT (label_key, project_code, meter, measured_at) DO UPDATE").
			Set("power = EXCLUDED.power").Set("counter = EXCLUDED.counter").Set("rpm = EXCLUDED.rpm").Set("wind_speed = EXCLUDED.wind_speed").
			Set("wind_direction = EXCLUDED.wind_direction").Set("source = EXCLUDED.source").Set("quality = EXCLUDED.quality").Set("made = EXCLUDED.made").
			Exec(ctx); err != nil {
			return err
		}
	}
	newest := m.newest()
	newest.LabelKey = all.Key()
	_, err := all.Insert(tx, &newest).On("CONFLICT (label_key, project_code, meter) DO UPDATE").
		Set("measured_at = EXCLUDED.measured_at").Set("power = EXCLUDED.power").Set("rpm = EXCLUDED.rpm").Set("wind_speed = EXCLUDED.wind_speed").
		Set("wind_direction = EXCLUDED.wind_direction").Set("source = EXCLUDED.source").Set("quality = EXCLUDED.quality").Exec(ctx)
	return err
}

// newest returns the last measurement. If its power was not measured, it is computed from the rise of the counter since the previous mark,
// provided that mark is at most an hour earlier.
func (m *meter) newest() meterRow {
	last := m.rows[len(m.rows)-1]
	out := meterRow{ProjectCode: m.key.project, Meter: m.key.meter, MeasuredAt: last.MeasuredAt, Power: last.Power, RPM: last.RPM,
		WindSpeed: last.WindSpeed, WindDirection: last.WindDirection, Source: last.Source, Quality: last.Quality}
	if out.Power != nil || last.Made == nil {
		return out
	}
	before := m.base
	for _, row := range m.rows[:len(m.rows)-1] {
		if row.Made != nil {
			before = new(row.mark())
		}
	}
	if before != nil && last.MeasuredAt-before.at <= time.Hour.Milliseconds() {
		out.Power = new(*last.Made * time.Hour.Milliseconds() / (last.MeasuredAt - before.at))
	}
	return out
}

// metersOf returns the meters of projects by code, newest measurement first.
func metersOf(ctx context.Context, db module.Querier, projects []string) (map[string][]meterRow, error) {
	var found []meterRow
	err := module.Label(ctx, "what a project makes belongs to the label").Select(db, &found).Where("n.project_code IN (?)",
		bun.List(projects)).
		OrderExpr("n.project_code, n.measured_at DESC, n.meter").Scan(ctx)
	out := map[string][]meterRow{}
	for _, m := range found {
		out[m.ProjectCode] = append(out[m.ProjectCode], m)
	}
	return out, err
}

// purge deletes the meter's measurements before a given time, except the newest counting one, from which the counter continues. Hours are
// kept.
func (m *meter) purge(ctx context.Context, tx module.Tx, before int64) error {
	all := module.Label(ctx, "what a project makes belongs to the label")
	_, err := all.Raw(tx, `DELETE FROM production_measurements WHERE label_key = ?0 AND project_code = ?1 AND meter = ?2 AND measured_at < (
		SELECT max(measured_at) FROM production_measurements WHERE label_key = ?0 AND project_code = ?1 AND meter = ?2 AND measured_at < ?3 AND made IS NOT NULL)`,
		m.key.project, m.key.meter, before).Exec(ctx)
	return err
}
