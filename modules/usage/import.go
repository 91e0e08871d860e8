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
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/reading"
)

// Import implements module.Importer: it stores a batch of records of one kind.
func (s *service) Import(ctx context.Context, kind string, rows []record.Row) (refused []record.Refusal, err error) {
	loc, err := location(ctx)
	if err != nil {
		return nil, err
	}
	b := &batch{service: s, today: module.Today(ctx, s.host.Now()), loc: loc}
	switch kind {
	case meter.KindConnection:
		err = b.connections(ctx, rows)
	case meter.KindReading:
		err = b.readings(ctx, rows)
	case meter.KindInterval:
		err = b.intervals(ctx, rows)
	case meter.KindIntervalDay:
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

// batch is the state of one call of Import.
type batch struct {
	*service
	today   value.Day
	loc     *time.Location
	refused []record.Refusal
}

// refuse refuses the record on a line of the file.
func (b *batch) refuse(line int, field, code string) {
	b.refused = append(b.refused, record.Refusal{Line: line, Field: field, Code: code})
}

// decode parses records and refuses malformed ones.
func decode[R any](b *batch, rows []record.Row) (records []R, lines []int) {
	for _, row := range rows {
		var r R
		if err := json.Unmarshal(row.Data, &r); err != nil {
			field, code := "", problem.CodeMalformed
			if is, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
				field, code = is.Field, problem.CodeInvalid
			}
			b.refuse(row.Line, field, code)
			continue
		}
		records, lines = append(records, r), append(lines, row.Line)
	}
	return records, lines
}

// connections stores connections. The last of several records with the same EAN code is stored.
func (b *batch) connections(ctx context.Context, rows []record.Row) error {
	records, lines := decode[meter.ConnectionRecord](b, rows)
	all := module.Label(ctx, "an import contains connections of the whole label")
	label := all.Key()
	var batch []meter.OwnedConnection
	index, ofRelation := map[string]int{}, map[string][]int{} // ofRelation: lines by relation
	for i, r := range records {
		field, code := r.Check()
		if code == "" && r.DebtorNumber == "" {
			field, code = "debtor_number", problem.CodeRequired
		}
		if code != "" {
			b.refuse(lines[i], field, code)
			continue
		}
		if r.Delivery == nil {
			r.Delivery = map[string]bool{}
		}
		row := meter.OwnedConnection{RelationID: meter.RelationID(label, r.DebtorNumber), Connection: r.Connection}
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
	accountapi.New(b.host.Client).WarnUnknownCustomers(ctx, "debtor_number", ofRelation)
	return b.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		return meter.UpsertConnections(ctx, tx, all, batch)
	})
}

// matchConnections returns the connection of every record, or nil for refused records. ean returns the EAN code of a record.
func matchConnections[R any](ctx context.Context, b *batch, records []R, lines []int, ean func(*R) string) (found []*meter.Connection,
	err error) {
	eans := map[string]bool{}
	var codes []string
	for i := range records {
		if code := ean(&records[i]); code != "" && !eans[code] {
			eans[code], codes = true, append(codes, code)
		}
	}
	connections, err := meter.ConnectionsByEAN(ctx, b.host.DB, codes)
	if err != nil {
		return nil, err
	}
	found = make([]*meter.Connection, len(records))
	for i := range records {
		code := ean(&records[i])
		c, ok := connections[code]
		switch {
		case code == "":
			b.refuse(lines[i], "ean_code", problem.CodeRequired)
		case !ok:
			b.refuse(lines[i], "ean_code", meter.CodeUnknownEAN)
		default:
			found[i] = &c
		}
	}
	return found, nil
}

// readings stores meter readings, and the usage of days between readings on successive days. The records of a batch are validated in the
// order of the file, which may be sorted oldest or newest first.
func (b *batch) readings(ctx context.Context, rows []record.Row) error {
	records, lines := decode[reading.Record](b, rows)
	for i := range records {
		if records[i].EANCode == "" {
			records[i].EANCode = records[i].EANNumber
		}
	}
	found, err := matchConnections(ctx, b, records, lines, func(r *reading.Record) string { return r.EANCode })
	if err != nil {
		return err
	}
	type parsedReading struct {
		reading.Stored
		line       int
		correction bool
	}
	byEAN, order := map[string][]parsedReading{}, []string{}
	for i, c := range found {
		if c == nil {
			continue
		}
		s, recordErr := records[i].Parse(*c, b.today, b.loc)
		if recordErr != nil {
			b.refuse(lines[i], recordErr.Field, recordErr.Code)
			continue
		}
		if byEAN[c.EANCode] == nil {
			order = append(order, c.EANCode)
		}
		byEAN[c.EANCode] = append(byEAN[c.EANCode], parsedReading{s, lines[i], records[i].Correction})
	}
	connections := map[string]meter.Connection{}
	for _, c := range found {
		if c != nil {
			connections[c.EANCode] = *c
		}
	}
	all := module.Label(ctx, "an import contains readings of the whole label")
	before := b.refused
	return b.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		b.refused = before[:len(before):len(before)] // the transaction may be retried
		var changed []reading.Stored
		incoming := map[interval.Key]interval.Profile{}
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
			readings, err := reading.FindAround(ctx, tx, ean, first, last)
			if err != nil {
				return err
			}
			accepted := map[string]bool{} // keys accepted in this batch
			for _, m := range parsed {
				key := m.Day.String() + "\x00" + m.MeterNumber
				if accepted[key] {
					b.refuse(m.line, "measurement_date", meter.CodeDuplicate)
					continue
				}
				known, recordErr := reading.Check(readings, m.Stored, m.correction)
				if recordErr != nil {
					b.refuse(m.line, recordErr.Field, recordErr.Code)
					continue
				}
				if accepted[key] = true; known {
					continue
				}
				readings = reading.Replace(readings, m.Stored)
				changed = append(changed, m.Stored)
			}
			for day, p := range reading.DailyProfiles(connections[ean], readings) {
				incoming[interval.Key{EANCode: ean, Day: day}] = p
			}
		}
		if len(changed) == 0 {
			return nil
		}
		if err := reading.Upsert(ctx, tx, all, changed); err != nil {
			return err
		}
		_, err := interval.Merge(ctx, tx, incoming) // days that are stored in shorter intervals stay unchanged
		return err
	})
}

// intervals stores single intervals. A later import of an interval corrects it. An interval that occurs twice in a batch is refused,
// because the file probably does not contain the offset of the hour that is repeated when the clock is set back.
func (b *batch) intervals(ctx context.Context, rows []record.Row) error {
	records, lines := decode[interval.Record](b, rows)
	found, err := matchConnections(ctx, b, records, lines, func(r *interval.Record) string { return r.EANCode })
	if err != nil {
		return err
	}
	type slot struct {
		interval.Key
		slot int
	}
	incoming, seen, lineNumbers := map[interval.Key]interval.Profile{}, map[slot]bool{}, map[interval.Key][]int{}
	for i, c := range found {
		if c == nil {
			continue
		}
		one, recordErr := records[i].Parse(*c, b.today, b.loc)
		key := interval.Key{EANCode: c.EANCode, Day: one.Day}
		p, found := incoming[key]
		switch {
		case recordErr != nil:
		case found && p.Seconds != one.Seconds:
			recordErr = meter.Invalid("seconds", meter.CodeSeconds)
		case seen[slot{key, one.Slot}]:
			recordErr = meter.Invalid("start", meter.CodeDuplicate)
		}
		if recordErr != nil {
			b.refuse(lines[i], recordErr.Field, recordErr.Code)
			continue
		}
		if !found {
			p = interval.NewProfile(one.Seconds, interval.SlotCount(one.Day, one.Seconds, b.loc))
		}
		for register, a := range one.Amounts {
			if a != nil {
				p.Set(register, one.Slot, *a)
			}
		}
		incoming[key], seen[slot{key, one.Slot}], lineNumbers[key] = p, true, append(lineNumbers[key], lines[i])
	}
	return b.merge(ctx, incoming, lineNumbers, "seconds")
}

// intervalDays stores whole days. A day that occurs twice in a batch is refused.
func (b *batch) intervalDays(ctx context.Context, rows []record.Row) error {
	records, lines := decode[interval.DayRecord](b, rows)
	found, err := matchConnections(ctx, b, records, lines, func(r *interval.DayRecord) string { return r.EANCode })
	if err != nil {
		return err
	}
	incoming, lineNumbers := map[interval.Key]interval.Profile{}, map[interval.Key][]int{}
	for i, c := range found {
		if c == nil {
			continue
		}
		day, p, recordErr := records[i].Parse(*c, b.today, b.loc)
		key := interval.Key{EANCode: c.EANCode, Day: day}
		if recordErr == nil && lineNumbers[key] != nil {
			recordErr = meter.Invalid("day", meter.CodeDuplicate)
		}
		if recordErr != nil {
			b.refuse(lines[i], recordErr.Field, recordErr.Code)
			continue
		}
		incoming[key], lineNumbers[key] = p, []int{lines[i]}
	}
	return b.merge(ctx, incoming, lineNumbers, "seconds")
}

// merge stores days and refuses the lines of days that are already stored in shorter intervals.
func (b *batch) merge(ctx context.Context, incoming map[interval.Key]interval.Profile, lineNumbers map[interval.Key][]int,
	field string) error {
	if len(incoming) == 0 {
		return nil
	}
	var coarser map[interval.Key]bool
	err := b.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		coarser, err = interval.Merge(ctx, tx, incoming)
		return err
	})
	for key := range coarser {
		for _, line := range lineNumbers[key] {
			b.refuse(line, field, meter.CodeCoarser)
		}
	}
	return err
}
