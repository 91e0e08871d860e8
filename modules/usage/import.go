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
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// Kinds of record, in the order of their import.
const (
	kindConnection  = "connection"   // natural key ean_code
	kindReading     = "reading"      // ean_code, measurement_date and meter_number
	kindInterval    = "interval"     // ean_code and start
	kindIntervalDay = "interval_day" // ean_code and day: a whole day of intervals, for large imports
)

// Import implements module.Importer: it stores a batch of records of one kind.
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
		err = fmt.Errorf("usage: unknown kind of record %q", kind)
	}
	slices.SortStableFunc(b.refused, func(x, y record.Refusal) int { return x.Line - y.Line })
	return b.refused, err
}

// location returns the label's time zone.
func location(ctx context.Context) (*time.Location, error) {
	loc, err := time.LoadLocation(module.ScopeOf(ctx).Zone)
	if err != nil {
		return nil, fmt.Errorf("usage: time zone of the label: %w", err)
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

func (b *batch) refuse(line int, wrong recordError) {
	b.refused = append(b.refused, record.Refusal{Line: line, Field: wrong.field, Code: wrong.code})
}

// decode parses records and refuses malformed ones.
func decode[R any](b *batch, rows []record.Row) (records []R, lines []int) {
	for _, row := range rows {
		var r R
		if err := json.Unmarshal(row.Data, &r); err != nil {
			wrong := recordError{code: problem.CodeMalformed}
			if is, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
				wrong = recordError{is.Field, problem.CodeInvalid}
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

// connections stores connections. The last of several records with the same EAN code is stored.
func (b *batch) connections(ctx context.Context, rows []record.Row) error {
	records, lines := decode[connectionRecord](b, rows)
	all := module.Label(ctx, "an import contains connections of the whole label")
	label := all.Key()
	var batch []connectionRow
	index, ofRelation := map[string]int{}, map[string][]int{} // ofRelation: lines
	for i, r := range records {
		field, code := r.check()
		if code == "" && r.DebtorNumber == "" {
			field, code = "debtor_number", problem.CodeRequired
		}
		if code != "" {
			b.refuse(lines[i], recordError{field, code})
			continue
		}
		if r.Delivery == nil {
			r.Delivery = map[string]bool{}
		}
		row := connectionRow{LabelKey: label, RelationID: RelationID(label, r.DebtorNumber), Connection: r.Connection}
		ofRelation[row.RelationID] = append(ofRelation[row.RelationID], lines[i])
		if at, found := index[r.EANCode]; found {
			batch[at] = row
			continue
		}
		index[r.EANCode] = len(batch)
		batch = append(batch, row)
	}
	if len(batch) == 0 {
		return nil
	}
	accountapi.New(b.host.Client).WarnOfStrangers(ctx, "debtor_number", ofRelation)
	return b.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		return upsert(ctx, tx, all, &batch, "label_key, ean_code", "relation_id", "commodity", "ean_group_number", "location_id",
			"meter_type", "meter_number", "capacity", "address", "agreement_identifier", "delivery")
	})
}

// matchConnections returns the connection of every record, or nil for refused records. ean returns the EAN code of a record.
func matchConnections[R any](ctx context.Context, b *batch, records []R, lines []int, ean func(*R) string) (found []*Connection, err error) {
	eans := map[string]bool{}
	var codes []string
	for i := range records {
		if code := ean(&records[i]); code != "" && !eans[code] {
			eans[code], codes = true, append(codes, code)
		}
	}
	connections, err := connectionsByEAN(ctx, b.host.DB, codes)
	if err != nil {
		return nil, err
	}
	found = make([]*Connection, len(records))
	for i := range records {
		code := ean(&records[i])
		c, ok := connections[code]
		switch {
		case code == "":
			b.refuse(lines[i], recordError{"ean_code", problem.CodeRequired})
		case !ok:
			b.refuse(lines[i], recordError{"ean_code", codeUnknownEAN})
		default:
			found[i] = &c
		}
	}
	return found, nil
}

// visibleReadings stores meter readings, and the usage of days between readings on successive days. The records of a batch are validated in the
// order of the file, which may be ascending or descending in time.
func (b *batch) readings(ctx context.Context, rows []record.Row) error {
	records, lines := decode[readingRecord](b, rows)
	for i := range records {
		if records[i].EANCode == "" {
			records[i].EANCode = records[i].EANNumber
		}
	}
	found, err := matchConnections(ctx, b, records, lines, func(r *readingRecord) string { return r.EANCode })
	if err != nil {
		return err
	}
	type parsedReading struct {
		storedReading
		line       int
		correction bool
	}
	byEAN, order := map[string][]parsedReading{}, []string{}
	for i, c := range found {
		if c == nil {
			continue
		}
		s, wrong := records[i].parse(*c, b.today, b.loc)
		if wrong != nil {
			b.refuse(lines[i], *wrong)
			continue
		}
		if byEAN[c.EANCode] == nil {
			order = append(order, c.EANCode)
		}
		byEAN[c.EANCode] = append(byEAN[c.EANCode], parsedReading{s, lines[i], records[i].Correction})
	}
	connections := map[string]Connection{}
	for _, c := range found {
		if c != nil {
			connections[c.EANCode] = *c
		}
	}
	all := module.Label(ctx, "an import contains readings of the whole label")
	before := b.refused
	return b.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		b.refused = before[:len(before):len(before)] // the transaction may be retried
		var changed []readingRow
		incoming := map[dayKey]Profile{}
		for _, ean := range order {
			parsed := byEAN[ean]
			first, last := parsed[0].Day, parsed[0].Day
			for _, m := range parsed {
				if m.Day.Before(first) {
					first = m.Day
				}
				if m.Day.After(last) {
					last = m.Day
				}
			}
			readings, err := findReadingsAround(ctx, tx, ean, first, last)
			if err != nil {
				return err
			}
			accepted := map[string]bool{} // keys of this batch
			for _, m := range parsed {
				key := m.Day.String() + "\x00" + m.MeterNumber
				if accepted[key] {
					b.refuse(m.line, recordError{"measurement_date", codeDuplicate})
					continue
				}
				known, wrong := checkReading(readings, m.storedReading, m.correction)
				if wrong != nil {
					b.refuse(m.line, *wrong)
					continue
				}
				if accepted[key] = true; known {
					continue
				}
				readings = replaceReading(readings, m.storedReading)
				changed = append(changed, readingRow{LabelKey: all.Key(), storedReading: m.storedReading})
			}
			for day, p := range dailyProfiles(connections[ean], readings) {
				incoming[dayKey{ean, day}] = p
			}
		}
		if len(changed) == 0 {
			return nil
		}
		if err := upsert(ctx, tx, all, &changed, "label_key, ean_code, day, meter_number", "normal", "low", "feedin_normal", "feedin_low"); err != nil {
			return err
		}
		_, err := mergeDays(ctx, tx, incoming) // days that are stored in shorter intervals stay unchanged
		return err
	})
}

// intervals stores single intervals. A later import of an interval corrects it. The same interval twice in a batch is refused, because the
// file has probably lost the offset in the hour that is repeated when the clock is set back.
func (b *batch) intervals(ctx context.Context, rows []record.Row) error {
	records, lines := decode[intervalRecord](b, rows)
	found, err := matchConnections(ctx, b, records, lines, func(r *intervalRecord) string { return r.EANCode })
	if err != nil {
		return err
	}
	type slot struct {
		dayKey
		slot int
	}
	incoming, seen, lineNumbers := map[dayKey]Profile{}, map[slot]bool{}, map[dayKey][]int{}
	for i, c := range found {
		if c == nil {
			continue
		}
		one, wrong := records[i].parse(*c, b.today, b.loc)
		key := dayKey{c.EANCode, one.day}
		p, found := incoming[key]
		switch {
		case wrong != nil:
		case found && p.Seconds != one.seconds:
			wrong = &recordError{"seconds", codeSeconds}
		case seen[slot{key, one.slot}]:
			wrong = &recordError{"start", codeDuplicate}
		}
		if wrong != nil {
			b.refuse(lines[i], *wrong)
			continue
		}
		if !found {
			p = newProfile(one.seconds, slotCount(one.day, one.seconds, b.loc))
		}
		for register, a := range one.amounts {
			if a != nil {
				p.set(register, one.slot, *a)
			}
		}
		incoming[key], seen[slot{key, one.slot}], lineNumbers[key] = p, true, append(lineNumbers[key], lines[i])
	}
	return b.merge(ctx, incoming, lineNumbers, "seconds")
}

// intervalDays stores whole days. The same day twice in a batch is refused.
func (b *batch) intervalDays(ctx context.Context, rows []record.Row) error {
	records, lines := decode[intervalDayRecord](b, rows)
	found, err := matchConnections(ctx, b, records, lines, func(r *intervalDayRecord) string { return r.EANCode })
	if err != nil {
		return err
	}
	incoming, lineNumbers := map[dayKey]Profile{}, map[dayKey][]int{}
	for i, c := range found {
		if c == nil {
			continue
		}
		day, p, wrong := records[i].parse(*c, b.today, b.loc)
		key := dayKey{c.EANCode, day}
		if wrong == nil && lineNumbers[key] != nil {
			wrong = &recordError{"day", codeDuplicate}
		}
		if wrong != nil {
			b.refuse(lines[i], *wrong)
			continue
		}
		incoming[key], lineNumbers[key] = p, []int{lines[i]}
	}
	return b.merge(ctx, incoming, lineNumbers, "seconds")
}

// merge stores days and refuses the lines of days that are already stored in shorter intervals.
func (b *batch) merge(ctx context.Context, incoming map[dayKey]Profile, lineNumbers map[dayKey][]int, field string) error {
	if len(incoming) == 0 {
		return nil
	}
	var coarser map[dayKey]bool
	err := b.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		coarser, err = mergeDays(ctx, tx, incoming)
		return err
	})
	for key := range coarser {
		for _, line := range lineNumbers[key] {
			b.refuse(line, recordError{field, codeCoarser})
		}
	}
	return err
}
