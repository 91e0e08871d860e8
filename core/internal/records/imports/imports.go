// Package imports imports the records of a back office from NDJSON or CSV files or from files in an external format. It imports a few
// hundred rows in each transaction and pauses in between, so that customers do not notice. Records are upserted by natural key, so an
// interrupted run can be repeated.
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
	"syscall"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
	"github.com/wattle-portal/wattle/core/internal/records/formats"
	"github.com/wattle-portal/wattle/core/internal/records/imports/dryrun"
	"github.com/wattle-portal/wattle/core/internal/storage/fault"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// Limits of a batch, which is one transaction. The limit in bytes keeps the transaction short when records are long. Larger batches share
// the commit, the pages that several rows change, and the steps that a module takes per batch. They have AloneRows while nobody else
// writes, and BulkRows in a bulk import.
const (
	BatchRows  = 500
	AloneRows  = 1000
	BulkRows   = 2500
	BatchBytes = 2 << 20
)

// ErrKind is returned for a record kind that no module of the label accepts.
var ErrKind = errors.New("imports: no module of this label takes records of this kind")

// Target stores one batch of a kind. It skips the rows that it refuses and stores the others. If it returns an error, it has stored
// nothing.
type Target func(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error)

// Database is the database to which an import writes; store.Importing implements it.
type Database interface {
	// WrittenByOthers reports whether others have written since its last call. If not, pauses are short and transactions have AloneRows.
	WrittenByOthers(ctx context.Context) (bool, error)
}

// Options describes which files to import, and how.
type Options struct {
	Label string
	// Kind of the records; empty: taken from the file names ("03-connection.ndjson" contains records of the kind "connection").
	Kind string
	// Order lists all kinds in the order in which files must be imported.
	Order []string
	// DryRun checks everything but stores nothing. Records are checked against stored records, not against other records in the files.
	DryRun bool
	Files  []string
	// Mapping converts the lines of CSV files to records; it contains their kind. Nil: the columns are the fields of the records.
	Mapping *mapping.Mapping
	// Format is the built-in format of the files (formats.Names); it replaces Mapping.
	Format string
	// Settings contains the values that the operator gave with --set for the mapping or the format.
	Settings map[string]string
	// Kinds describes record kinds, to give reasons in words; a kind may be missing.
	Kinds map[string]record.Kind
	// Rejects is a file to which refused rows are written in the format of the imported file, with their reasons, so that they can be
	// corrected and imported again. It requires a single file. Empty: none.
	Rejects string
	// NoFiles keeps refused records out of FILE.rejected.ndjson; the report still has their reasons.
	NoFiles bool
	// KeepGoing continues when the first records are all refused for the same reason.
	KeepGoing bool
	// Zone is the label's time zone, for times in a file without offset.
	Zone *time.Location
	// Progress receives the progress: a bar on a terminal, otherwise lines of text. Nil: none.
	Progress io.Writer
	// Pause waits between two transactions for as long as the previous one held the writer, which leaves half of the database's time to
	// customers (docs/decisions/0008). The next records are read in the meantime.
	Pause bool
	// Database reports writes of others. Nil: pauses and batch sizes are the same as when others write all the time.
	Database Database
	// Bulk uses larger batches without pauses; it is for a database that no portal uses. The stored records are the same
	// (docs/decisions/0057).
	Bulk bool
}

// Report contains the result of an import.
type Report struct {
	Rows     int      // records read
	Refused  int      // records that were refused
	Rejected []string // files with the refused records
	Reasons  []string // reasons of refusals with their counts, the most frequent first
	Notes    []string // notes for the operator about the files, in sentences
	Warned   int      // number of stored records with a value that looks wrong
	Warnings []string // values that look wrong with their counts, the most frequent first
}

// Summary returns the result of a run, or of a dry run, in a sentence.
func (r Report) Summary(took time.Duration, isDry bool) string {
	verb, stored := "stored", r.Rows-r.Refused
	if isDry {
		verb = "could be stored"
	}
	rounded := took.Round(time.Second)
	if took < 10*time.Second {
		rounded = took.Round(time.Millisecond)
	}
	all := words.Count(r.Rows, "record", "records")
	said := fmt.Sprintf("%d of %s %s in %s, %d a second", stored, all, verb, rounded, perSecond(r.Rows, took))
	if r.Warned > 0 {
		said += fmt.Sprintf("; %d with a value that looks wrong", r.Warned)
	}
	return said
}

// perSecond returns the number of rows per second, or 0 for less than a millisecond.
func perSecond(rows int, took time.Duration) int {
	if took < time.Millisecond {
		return 0
	}
	return int(float64(rows) / took.Seconds())
}

// ExitCode returns the exit code of the command: 0, or 2 when records were refused.
func (r Report) ExitCode() int {
	if r.Refused > 0 {
		return 2
	}
	return 0
}

type file struct {
	path, kind string
}

// Run imports files into target. It writes refused records with line, reason and content to FILE.rejected.ndjson next to their file, and
// creates no such file when there are none. An error ends the run: records that were imported before it are stored, and the same command
// may be repeated.
func Run(ctx context.Context, o Options, target Target) (Report, error) {
	var report Report
	files, err := plan(o)
	if err != nil {
		return report, err
	}
	if o.Rejects != "" && len(files) != 1 {
		return report, errors.New("imports: --rejects is for one file")
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
		case o.Format != "":
			var err error
			if kind, err = formats.Kind(o.Format); err != nil {
				return nil, fmt.Errorf("imports: %w", err)
			}
		case kind == "":
			kind = KindOf(path)
		}
		if !slices.Contains(o.Order, kind) {
			return nil, fmt.Errorf("%w: %q (of %s); it takes: %s", ErrKind, kind, filepath.Base(path), strings.Join(o.Order, ", "))
		}
		out = append(out, file{path, kind})
	}
	slices.SortStableFunc(out, func(a, b file) int { return slices.Index(o.Order, a.kind) - slices.Index(o.Order, b.kind) })
	for _, f := range out {
		if err := o.recognize(f.path, f.kind); err != nil {
			return nil, err
		}
		var err error
		switch {
		case o.Mapping != nil:
			err = o.fits(f.path)
		case o.Format != "":
			err = o.fitsFormat(f.path)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

var numbered = regexp.MustCompile(`^\d+[-_. ]+`)

// KindOf returns the record kind in a file name: "connection" for "labels/x/03-connection.ndjson".
func KindOf(path string) string {
	name, _, _ := strings.Cut(numbered.ReplaceAllString(filepath.Base(path), ""), ".")
	return name
}

func runFile(ctx context.Context, o Options, f file, target Target, report *Report) (err error) {
	in, err := os.Open(f.path)
	if err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	defer func() { _ = in.Close() }() // the file is open only for reading
	info, err := in.Stat()
	if err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	refused := &rejects{path: f.path + ".rejected.ndjson", isOff: o.NoFiles}
	if err := refused.clear(); err != nil {
		return err
	}
	from, err := o.source(in, info.Size())
	if err != nil {
		return err
	}
	b := &batch{ctx: ctx, o: o, kind: f.kind, target: target, refused: refused, pace: newPace(o.Database)}
	if o.Rejects != "" {
		if b.rejects, err = o.newRejectWriter(in.Name()); err != nil {
			return err
		}
	}
	bar := newProgress(o.Progress, filepath.Base(f.path), info.Size())
	err = func() error {
		for {
			record, err := from.Record()
			if errors.Is(err, io.EOF) {
				return b.flush()
			}
			if bad, ok := errors.AsType[*BadRow](err); ok {
				b.rows++
				err = b.refuse(bad.Text, true, rejection{Line: bad.Line, Reason: bad.Code, Hint: bad.hint(), Text: cut(bad.Text), number: b.rows,
					isGeneral: bad.Hint == ""})
			} else if err == nil {
				err = b.add(record)
			}
			if err != nil {
				return err
			}
			if err := b.hopeless(); err != nil {
				return err
			}
			if b.rejects != nil {
				b.rejects.head(from)
			}
			bar.at(from.Offset(), b.rows, refused.count)
		}
	}()
	err = errors.Join(err, refused.close(), b.rejects.close())
	bar.done(b.rows, refused.count, err == nil)
	report.Rows += b.rows
	report.Refused += refused.count
	report.Reasons = append(report.Reasons, b.tally.lines()...)
	report.Notes = append(report.Notes, o.notes(f, from)...)
	report.Warned += b.warned.refused
	report.Warnings = append(report.Warnings, b.warned.lines()...)
	if refused.count > 0 && !o.NoFiles {
		report.Rejected = append(report.Rejected, refused.path)
		if b.rejects != nil {
			report.Rejected = append(report.Rejected, b.rejects.path)
		}
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("imports: %s: stopped; all up to line %d is stored, give the same command again to go on: %w", f.path, b.stored, err)
	}
	if errors.Is(err, syscall.ENOSPC) || fault.Of(err) == fault.Full {
		return fmt.Errorf("imports: %s: a disk is full; all up to line %d is stored and nothing is lost. Make room, then give the same command again: "+
			"what is stored already does not change: %w", f.path, b.stored, err)
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
	rejects *rejectWriter // nil: not requested
	tally   tally
	warned  tally // warnings about stored records
	pending []record.Row
	lines   []origin        // origins of the pending rows
	keys    map[string]bool // natural keys of the pending rows, with a format
	hints   map[hintKey]string
	bytes   int
	rows    int // records read so far
	stored  int // all lines up to this one are stored or refused
	pace    *pace
}

// origin is the place in the file that a pending record comes from.
type origin struct {
	line, of, number int
	text             string // the line, with a mapping
	source           string // the row in the format of its file, for Options.Rejects; empty: none
	columns          *mapping.Lines
}

// source returns the row of a record for Options.Rejects, or an empty string without such a file.
func (b *batch) source(r Record) string {
	switch {
	case b.rejects == nil:
		return ""
	case r.source != "":
		return r.source
	}
	return string(r.Data)
}

func (b *batch) add(r Record) error {
	b.rows++
	for _, x := range r.Refused {
		if err := b.refuse(b.source(r), false, rejection{Line: r.Line, Field: x.Field, Column: x.Column, Reason: x.Code, Hint: x.Hint,
			Record: r.Data, Text: cut(r.Text), number: b.rows}); err != nil {
			return err
		}
	}
	if len(r.Refused) > 0 {
		return nil
	}
	if b.keys[r.key] {
		if err := b.flush(); err != nil {
			return err
		}
	}
	if r.key != "" {
		if b.keys == nil {
			b.keys = map[string]bool{}
		}
		b.keys[r.key] = true
	}
	if r.columns != nil || r.key != "" {
		r.Row.Line = b.rows // a line can contain several records, and a refusal must identify one
	}
	b.pending, b.bytes = append(b.pending, r.Row), b.bytes+len(r.Data)+len(r.Text)
	b.lines = append(b.lines, origin{r.Line, r.Of, b.rows, r.Text, b.source(r), r.columns})
	if len(b.pending) < b.limit() && b.bytes < BatchBytes {
		return nil
	}
	return b.flush()
}

// limit returns the maximum number of rows of the next transaction.
func (b *batch) limit() int {
	switch {
	case b.o.Bulk:
		return BulkRows
	case b.pauses() && b.pace.isAlone(time.Now()):
		return AloneRows
	}
	return BatchRows
}

// pauses reports whether the import pauses between two transactions.
func (b *batch) pauses() bool { return b.o.Pause && !b.o.DryRun && !b.o.Bulk }

// refuse writes a refusal of a row. bad means that the row is not a record.
func (b *batch) refuse(text string, bad bool, x rejection) error {
	if err := b.refused.add(x); err != nil {
		return err
	}
	if b.tally.add(x); b.rejects != nil {
		b.rejects.add(x.Line, text, bad, x.words())
	}
	return nil
}

// hopeless returns an error when all records so far were refused for the same reason.
func (b *batch) hopeless() error {
	if len(b.pending) > 0 || b.o.KeepGoing || !b.tally.isHopeless() {
		return nil
	}
	return fmt.Errorf("%w: its first %d records were all refused for the same reason (%s); --keep-going reads the others too", ErrHopeless,
		b.tally.refused, b.tally.lines()[0])
}

// ErrHopeless is returned when the first records of a file are all refused for the same reason.
var ErrHopeless = errors.New("nothing is stored")

// hasAccepted reports whether the module accepted one of the rows.
func hasAccepted(rows []record.Row, refusals []record.Refusal) bool {
	refused := map[int]bool{}
	for _, r := range refusals {
		refused[r.Line] = true
	}
	return len(refused) < len(rows)
}

// hintKey identifies refusals that have the same hint.
type hintKey struct{ field, code string }

// hint returns why a module refused a field, in words: its allowed values, an accepted value, or what the code means.
func (b *batch) hint(r record.Refusal) string {
	key := hintKey{r.Field, r.Code}
	hint, known := b.hints[key]
	if !known {
		if b.hints == nil || len(b.hints) >= maxHints {
			b.hints = map[hintKey]string{}
		}
		hint = b.o.explain(b.kind, r.Field, r.Code)
		b.hints[key] = hint
	}
	return hint
}

// maxHints is the maximum number of hints that are kept: the fields of a list have numbers in their names.
const maxHints = 1000

// explain returns why a field of a kind was refused.
func (o Options) explain(kind, field, code string) string {
	k, known := o.Kinds[kind]
	said, isGeneral := problem.Sentence(code), code == problem.CodeInvalid || code == problem.CodeRequired
	if !known {
		return said
	}
	switch allowed := k.Allowed(field); {
	case allowed != nil && isGeneral:
		return "one of " + strings.Join(allowed, ", ")
	case allowed != nil:
		return said + ": one of " + strings.Join(allowed, ", ")
	case !isGeneral:
		return said
	}
	if sample := k.Sample(field, time.Now()); sample != "" && code == problem.CodeInvalid {
		return fmt.Sprintf("it must be a value such as %s (wattle import schema %s)", sample, kind)
	}
	return fmt.Sprintf("%s (wattle import schema %s)", said, kind)
}

// flush stores the pending rows, in several transactions if others started to write after the rows were read.
func (b *batch) flush() error {
	for len(b.pending) > 0 {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		if b.pauses() {
			if err := b.pace.pause(b.ctx); err != nil {
				return err
			}
		}
		if err := b.store(min(len(b.pending), b.limit())); err != nil {
			return err
		}
	}
	clear(b.keys)
	b.pending, b.lines, b.bytes = nil, b.lines[:0], 0 // a new array, because a module may keep the rows
	return b.ctx.Err()
}

// store stores the first n pending rows in a transaction.
func (b *batch) store(n int) error {
	rows, lines := b.pending[:n:n], b.lines[:n]
	start := time.Now()
	ctx, hold := store.WithHold(context.WithoutCancel(b.ctx)) // a shutdown does not interrupt a batch (9-stop-under-load)
	var warnings []record.Refusal
	ctx = record.OnWarning(ctx, func(w record.Refusal) { warnings = append(warnings, w) })
	refusals, err := b.target(ctx, b.kind, rows)
	if err != nil {
		return err
	}
	about := func(r record.Refusal) (from origin, x rejection, err error) {
		i, exists := slices.BinarySearchFunc(rows, r.Line, func(row record.Row, line int) int { return row.Line - line })
		if !exists {
			return from, x, fmt.Errorf("the module refused line %d, which it was not given", r.Line)
		}
		from = lines[i]
		x = rejection{Line: from.line, Field: r.Field, Reason: r.Code, Record: rows[i].Data, Text: cut(from.text), number: from.number,
			isGeneral: true}
		if from.columns != nil {
			x.Column = from.columns.Column(from.of, r.Field)
		}
		return from, x, nil
	}
	isRefused := map[int]bool{}
	for _, r := range refusals {
		isRefused[r.Line] = true
		from, x, err := about(r)
		if err != nil {
			return err
		}
		x.Hint = b.hint(r)
		if err := b.refuse(from.source, false, x); err != nil {
			return err
		}
	}
	warnings = slices.DeleteFunc(warnings, func(w record.Refusal) bool { return isRefused[w.Line] })
	slices.SortStableFunc(warnings, func(a, b record.Refusal) int { return a.Line - b.Line }) // tally counts such a record once
	for _, w := range warnings {
		_, x, err := about(w)
		if err != nil {
			return err
		}
		if w.Code != problem.CodeInvalid { // its sentence is about a refusal
			x.Hint = problem.Sentence(w.Code)
		}
		b.warned.add(x)
	}
	b.tally.accepts = b.tally.accepts || hasAccepted(rows, refusals)
	if b.rejects != nil {
		if err := b.rejects.write(lines[n-1].line); err != nil {
			return err
		}
	}
	b.stored = lines[n-1].line
	b.pending, b.lines = b.pending[n:], b.lines[n:]
	return b.pace.setPause(ctx, start, hold)
}
