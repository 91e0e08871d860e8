// Package imports brings a back office's records in: NDJSON or CSV files, a few hundred rows a transaction, with pauses between
// them so that customers who are at work meanwhile do not notice. Records are upserted by natural key, so a run that was cut off
// is simply done again.
package imports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/imports/dryrun"
	"github.com/wattle-portal/wattle/core/internal/mapping"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/record"
)

// Bounds of a batch, which is one transaction. Bytes keep a batch of long records from becoming a long transaction.
const (
	BatchRows  = 500
	BatchBytes = 2 << 20
)

// ErrKind is a kind of record that no module of the label accepts.
var ErrKind = errors.New("imports: no module of this label takes records of this kind")

// Target stores one batch of a kind. Rows that it refuses are left out, the others are stored. An error means that nothing of the
// batch was stored.
type Target func(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error)

// Options say what to import.
type Options struct {
	Label string
	// Kind of the records; empty: every file's name tells ("03-connection.ndjson" holds records of the kind "connection").
	Kind string
	// Order lists the kinds that there are, in the order in which they must come in. Files are imported in that order.
	Order []string
	// DryRun checks everything and keeps nothing. Records are judged by what is stored, not by what stands in the same files.
	DryRun bool
	Files  []string
	// Mapping says how the lines of CSV files become records; it knows their kind. Nil: the columns are the records' fields.
	Mapping *mapping.Mapping
	// Settings are what the operator gave with --set for the mapping.
	Settings map[string]string
	// Zone is the label's clock, for times that a file has without offset.
	Zone *time.Location
	// Progress shows how far it is: a bar on a terminal, a line per file elsewhere. Nil: nothing.
	Progress io.Writer
	// Pause keeps as much time between two transactions as the former held the writer, which leaves customers half of the
	// database (docs/decisions/0008). The next records are read meanwhile.
	Pause bool
}

// Report says what came of an import.
type Report struct {
	Rows     int      // records read
	Refused  int      // of them not taken
	Rejected []string // files that hold the refused ones
}

// ExitCode is that of the command: 0, or 2 when records were refused.
func (r Report) ExitCode() int {
	if r.Refused > 0 {
		return 2
	}
	return 0
}

type file struct {
	path, kind string
}

// Run imports files into target. Refused records go to FILE.rejected.ndjson beside their file with line, reason and the record,
// and without refusals there is no such file. An error ends the run: what
// came before it is stored, and the same command may be given again.
func Run(ctx context.Context, o Options, target Target) (Report, error) {
	var report Report
	files, err := plan(o)
	if err != nil {
		return report, err
	}
	if o.DryRun {
		ctx = dryrun.With(ctx)
	}
	for _, f := range files {
		if err := runFile(ctx, o, f, target, &report); err != nil {
			return report, err
		}
	}
	return report, nil
}

func plan(o Options) ([]file, error) {
	var out []file
	for _, path := range o.Files {
		kind := o.Kind
		switch {
		case o.Mapping != nil:
			kind = o.Mapping.Kind
		case kind == "":
			kind = KindOf(path)
		}
		if !slices.Contains(o.Order, kind) {
			return nil, fmt.Errorf("%w: %q (of %s); it takes: %s", ErrKind, kind, filepath.Base(path), strings.Join(o.Order, ", "))
		}
		out = append(out, file{path, kind})
	}
	slices.SortStableFunc(out, func(a, b file) int { return slices.Index(o.Order, a.kind) - slices.Index(o.Order, b.kind) })
	if o.Mapping != nil {
		for _, f := range out {
			if err := o.fits(f.path); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

var numbered = regexp.MustCompile(`^\d+[-_. ]+`)

// KindOf reads the kind of record out of a file's name: "labels/x/03-connection.ndjson" is "connection".
func KindOf(path string) string {
	name, _, _ := strings.Cut(numbered.ReplaceAllString(filepath.Base(path), ""), ".")
	return name
}

func runFile(ctx context.Context, o Options, f file, target Target, report *Report) (err error) {
	in, err := os.Open(f.path)
	if err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	defer func() { _ = in.Close() }() // only read
	info, err := in.Stat()
	if err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	bar := newProgress(o.Progress, filepath.Base(f.path), info.Size())
	refused := &rejects{path: f.path + ".rejected.ndjson"}
	if err := refused.clear(); err != nil {
		return err
	}
	b := &batch{ctx: ctx, o: o, kind: f.kind, target: target, refused: refused}
	from := o.source(in, info.Size())
	err = func() error {
		for {
			record, err := from.Record()
			if errors.Is(err, io.EOF) {
				return b.flush()
			}
			if bad, ok := errors.AsType[*BadRow](err); ok {
				b.rows++
				err = refused.add(rejection{Line: bad.Line, Reason: bad.Code, Text: cut(bad.Text), number: b.rows})
			} else if err == nil {
				err = b.add(record)
			}
			if err != nil {
				return err
			}
			bar.at(from.Offset(), b.rows, refused.count)
		}
	}()
	err = errors.Join(err, refused.close())
	bar.done(b.rows, refused.count, err == nil)
	report.Rows += b.rows
	report.Refused += refused.count
	if refused.count > 0 {
		report.Rejected = append(report.Rejected, refused.path)
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("imports: %s: stopped; all up to line %d is stored, give the same command again to go on: %w", f.path, b.stored, err)
	}
	if err != nil {
		return fmt.Errorf("imports: %s, after line %d: %w", f.path, b.stored, err)
	}
	return nil
}

type batch struct {
	ctx     context.Context
	o       Options
	kind    string
	target  Target
	refused *rejects
	pending []record.Row
	lines   []origin // of pending
	bytes   int
	rows    int       // read so far
	stored  int       // line up to which all is stored or refused
	resume  time.Time // when the next batch may begin
}

// origin is where a record that is pending comes from.
type origin struct {
	line, of, number int
	text             string
	columns          *mapping.Lines
}

func (b *batch) add(r Record) error {
	b.rows++
	for _, x := range r.Refused {
		if err := b.refused.add(rejection{Line: r.Line, Field: x.Field, Column: x.Column, Reason: x.Code, Hint: x.Hint,
			Record: r.Data, Text: cut(r.Text), number: b.rows}); err != nil {
			return err
		}
	}
	if len(r.Refused) > 0 {
		return nil
	}
	if r.columns != nil {
		r.Row.Line = b.rows // a line can give several records, and a refusal must tell which
	}
	b.pending, b.bytes = append(b.pending, r.Row), b.bytes+len(r.Data)+len(r.Text)
	b.lines = append(b.lines, origin{r.Line, r.Of, b.rows, r.Text, r.columns})
	if len(b.pending) < BatchRows && b.bytes < BatchBytes {
		return nil
	}
	return b.flush()
}

func (b *batch) flush() error {
	if err := b.ctx.Err(); err != nil || len(b.pending) == 0 {
		return err
	}
	if err := b.rest(); err != nil {
		return err
	}
	start := time.Now()
	ctx, hold := store.WithHold(context.WithoutCancel(b.ctx)) // a stop comes between two batches (9-stop-under-load)
	refusals, err := b.target(ctx, b.kind, b.pending)
	if err != nil {
		return err
	}
	if b.o.Pause && !b.o.DryRun {
		b.resume = resume(start, time.Now(), hold)
	}
	for _, r := range refusals {
		i, there := slices.BinarySearchFunc(b.pending, r.Line, func(row record.Row, line int) int { return row.Line - line })
		if !there {
			return fmt.Errorf("the module refused line %d, which it was not given", r.Line)
		}
		from := b.lines[i]
		x := rejection{Line: from.line, Field: r.Field, Reason: r.Code, Record: b.pending[i].Data, Text: cut(from.text), number: from.number}
		if from.columns != nil {
			x.Column = from.columns.Column(from.of, r.Field)
		}
		if err := b.refused.add(x); err != nil {
			return err
		}
	}
	b.stored = b.lines[len(b.lines)-1].line
	b.pending, b.lines, b.bytes = b.pending[:0:0], b.lines[:0], 0 // a module may keep the rows
	return nil
}

// resume is when the next batch may begin, so that between two transactions others get as much time as the former held the
// writer. What a batch does before it asks for the writer (decoding, checking) is part of that time, and so is no pause. A module
// in another process does not tell: the whole batch counts as held.
func resume(start, end time.Time, hold *store.Hold) time.Time {
	if hold.Requested.IsZero() {
		return end.Add(end.Sub(start))
	}
	return hold.Released.Add(hold.Total - hold.Requested.Sub(start))
}

// rest waits until the next batch may begin.
func (b *batch) rest() error {
	left := time.Until(b.resume)
	if left <= 0 {
		return nil
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-b.ctx.Done():
		return b.ctx.Err()
	}
}
