package usage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

// Kinds of record, in the order in which they must come in.
const (
	kindConnection  = "connection"   // natural key ean_code
	kindReading     = "reading"      // ean_code, measurement_date and meter_number
	kindInterval    = "interval"     // ean_code and start
	kindIntervalDay = "interval_day" // ean_code and day: a whole day of intervals, for bulk
)

// Import stores a batch of records of one kind.
func (s *service) Import(ctx context.Context, kind string, rows []record.Row) (refused []record.Refusal, err error) {
	loc, err := location(ctx)
	if err != nil {
		return nil, err
	}
	b := &batch{service: s, today: module.Today(ctx, s.host.Now()), loc: loc}
	switch kind {
	case kindConnection:
		err = b.connections(ctx, rows)
	case kindReading:
		err = b.readings(ctx, rows)
	case kindInterval:
		err = b.intervals(ctx, rows)
	case kindIntervalDay:
		err = b.intervalDays(ctx, rows)
	default:
		err = fmt.Errorf("usage: does not import %q", kind)
	}
	slices.SortStableFunc(b.refused, func(x, y record.Refusal) int { return x.Line - y.Line })
	return b.refused, err
}

// location is the label's zone.
func location(ctx context.Context) (*time.Location, error) {
	loc, err := time.LoadLocation(module.ScopeOf(ctx).Zone)
	if err != nil {
		return nil, fmt.Errorf("usage: the label's zone: %w", err)
	}
	return loc, nil
}

// batch is one call of Import.
type batch struct {
	*service
	today   value.Day
	loc     *time.Location
	refused []record.Refusal
}

func (b *batch) refuse(line int, wrong fault) {
	b.refused = append(b.refused, record.Refusal{Line: line, Field: wrong.field, Code: wrong.code})
}

// decode reads records; those that are no record of their kind are refused.
func decode[R any](b *batch, rows []record.Row) (records []R, lines []int) {
	for _, row := range rows {
		var r R
		if err := json.Unmarshal(row.Data, &r); err != nil {
			wrong := fault{code: problem.CodeMalformed}
			if is, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
				wrong = fault{is.Field, problem.CodeInvalid}
			}
			b.refuse(row.Line, wrong)
			continue
		}
		records, lines = append(records, r), append(lines, row.Line)
	}
	return records, lines
}

type connectionRecord struct {
	DebtorNumber string `json:"debtor_number"`
	Connection
}

// connections stores connections whole. Of two records with the same EAN the later holds.
func (b *batch) connections(ctx context.Context, rows []record.Row) error {
	records, lines := decode[connectionRecord](b, rows)
	all := module.Label(ctx, "an import holds connections of the whole label")
	label := all.Key()
	var batch []connectionRow
	place := map[string]int{}
	for i, r := range records {
		field, code := r.check()
		if code == "" && r.DebtorNumber == "" {
			field, code = "debtor_number", problem.CodeRequired
		}
		if code != "" {
			b.refuse(lines[i], fault{field, code})
			continue
		}
		if r.Delivery == nil {
			r.Delivery = map[string]bool{}
		}
		row := connectionRow{LabelKey: label, RelationID: RelationID(label, r.DebtorNumber), Connection: r.Connection}
		if at, twice := place[r.EANCode]; twice {
			batch[at] = row
			continue
		}
		place[r.EANCode] = len(batch)
		batch = append(batch, row)
	}
	if len(batch) == 0 {
		return nil
	}
	return b.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		return upsert(ctx, tx, all, &batch, "label_key, ean_code", "relation_id", "commodity", "ean_group_number", "location_id",
			"meter_type", "meter_number", "capacity", "address", "agreement_identifier", "delivery")
	})
}

// known finds the connection of every record, and refuses those without one. what gives a record's EAN.
func known[R any](ctx context.Context, b *batch, records []R, lines []int, what func(*R) string) (found []*Connection, err error) {
	eans := map[string]bool{}
	var names []string
	for i := range records {
		if ean := what(&records[i]); ean != "" && !eans[ean] {
			eans[ean], names = true, append(names, ean)
		}
	}
	connections, err := connectionsNamed(ctx, b.host.DB, names)
	if err != nil {
		return nil, err
	}
	found = make([]*Connection, len(records))
	for i := range records {
		ean := what(&records[i])
		c, ok := connections[ean]
		switch {
		case ean == "":
			b.refuse(lines[i], fault{"ean_code", problem.CodeRequired})
		case !ok:
			b.refuse(lines[i], fault{"ean_code", codeUnknownEAN})
		default:
			found[i] = &c
		}
	}
	return found, nil
}

// readings stores what meters showed, and the days that lie between two of them. Records of a batch are judged in the order of
// the file, which may be that of time or the other way round.
func (b *batch) readings(ctx context.Context, rows []record.Row) error {
	records, lines := decode[readingRecord](b, rows)
	for i := range records {
		if records[i].EANCode == "" {
			records[i].EANCode = records[i].EANNumber
		}
	}
	found, err := known(ctx, b, records, lines, func(r *readingRecord) string { return r.EANCode })
	if err != nil {
		return err
	}
	type mark struct {
		standing
		line       int
		correction bool
	}
	by, order := map[string][]mark{}, []string{}
	for i, c := range found {
		if c == nil {
			continue
		}
		s, wrong := records[i].read(*c, b.today, b.loc)
		if wrong != nil {
			b.refuse(lines[i], *wrong)
			continue
		}
		if by[c.EANCode] == nil {
			order = append(order, c.EANCode)
		}
		by[c.EANCode] = append(by[c.EANCode], mark{s, lines[i], records[i].Correction})
	}
	connections := map[string]Connection{}
	for _, c := range found {
		if c != nil {
			connections[c.EANCode] = *c
		}
	}
	all := module.Label(ctx, "an import holds readings of the whole label")
	before := b.refused
	return b.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		b.refused = before[:len(before):len(before)] // the transaction may run again
		var changed []readingRow
		incoming := map[dayKey]Profile{}
		for _, ean := range order {
			marks := by[ean]
			first, last := marks[0].Day, marks[0].Day
			for _, m := range marks {
				if m.Day.Before(first) {
					first = m.Day
				}
				if m.Day.After(last) {
					last = m.Day
				}
			}
			standings, err := standingsAround(ctx, tx, ean, first, last)
			if err != nil {
				return err
			}
			taken := map[string]bool{} // of this batch
			for _, m := range marks {
				key := m.Day.String() + "\x00" + m.MeterNumber
				if taken[key] {
					b.refuse(m.line, fault{"measurement_date", codeDuplicate})
					continue
				}
				there, wrong := accept(standings, m.standing, m.correction)
				if wrong != nil {
					b.refuse(m.line, *wrong)
					continue
				}
				if taken[key] = true; there {
					continue
				}
				standings = replace(standings, m.standing)
				changed = append(changed, readingRow{LabelKey: all.Key(), standing: m.standing})
			}
			for day, p := range measuredBetween(connections[ean], standings) {
				incoming[dayKey{ean, day}] = p
			}
		}
		if len(changed) == 0 {
			return nil
		}
		if err := upsert(ctx, tx, all, &changed, "label_key, ean_code, day, meter_number", "normal", "low", "feedin_normal", "feedin_low"); err != nil {
			return err
		}
		_, err := mergeDays(ctx, tx, incoming) // days that are known by the hour stay so
		return err
	})
}

// intervals stores single intervals. A later delivery of the same interval corrects it; the same one twice in a batch is refused,
// for then a file has lost the offset of the hour that comes twice.
func (b *batch) intervals(ctx context.Context, rows []record.Row) error {
	records, lines := decode[intervalRecord](b, rows)
	found, err := known(ctx, b, records, lines, func(r *intervalRecord) string { return r.EANCode })
	if err != nil {
		return err
	}
	type slot struct {
		dayKey
		slot int
	}
	incoming, taken, of := map[dayKey]Profile{}, map[slot]bool{}, map[dayKey][]int{}
	for i, c := range found {
		if c == nil {
			continue
		}
		one, wrong := records[i].read(*c, b.today, b.loc)
		key := dayKey{c.EANCode, one.day}
		p, there := incoming[key]
		switch {
		case wrong != nil:
		case there && p.Seconds != one.seconds:
			wrong = &fault{"seconds", codeSeconds}
		case taken[slot{key, one.slot}]:
			wrong = &fault{"start", codeDuplicate}
		}
		if wrong != nil {
			b.refuse(lines[i], *wrong)
			continue
		}
		if !there {
			p = newProfile(one.seconds, slotsOf(one.day, one.seconds, b.loc))
		}
		for register, a := range one.amounts {
			if a != nil {
				p.set(register, one.slot, *a)
			}
		}
		incoming[key], taken[slot{key, one.slot}], of[key] = p, true, append(of[key], lines[i])
	}
	return b.merge(ctx, incoming, of, "seconds")
}

// intervalDays stores whole days. The same day twice in a batch is refused.
func (b *batch) intervalDays(ctx context.Context, rows []record.Row) error {
	records, lines := decode[intervalDayRecord](b, rows)
	found, err := known(ctx, b, records, lines, func(r *intervalDayRecord) string { return r.EANCode })
	if err != nil {
		return err
	}
	incoming, of := map[dayKey]Profile{}, map[dayKey][]int{}
	for i, c := range found {
		if c == nil {
			continue
		}
		day, p, wrong := records[i].read(*c, b.today, b.loc)
		key := dayKey{c.EANCode, day}
		if wrong == nil && of[key] != nil {
			wrong = &fault{"day", codeDuplicate}
		}
		if wrong != nil {
			b.refuse(lines[i], *wrong)
			continue
		}
		incoming[key], of[key] = p, []int{lines[i]}
	}
	return b.merge(ctx, incoming, of, "seconds")
}

// merge stores days and refuses the lines of those that are known in shorter intervals.
func (b *batch) merge(ctx context.Context, incoming map[dayKey]Profile, of map[dayKey][]int, field string) error {
	if len(incoming) == 0 {
		return nil
	}
	var coarser map[dayKey]bool
	err := b.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		coarser, err = mergeDays(ctx, tx, incoming)
		return err
	})
	for key := range coarser {
		for _, line := range of[key] {
			b.refuse(line, fault{field, codeCoarser})
		}
	}
	return err
}
