// Package plan plans an import: it guesses the mappings of the CSV files in a folder, and imports the files into an empty database that it
// removes afterwards, so that an operator sees what would be refused before anything is stored.
package plan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/private"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/records/guess"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
)

// MappingsFile is the name of the file with the mappings in the folder of the CSV files.
const MappingsFile = "mappings.cue"

// Options describes what to plan.
type Options struct {
	Dir       string // folder with CSV files
	Label     string
	Labels    string            // folder of the labels
	Mappings  string            // file with the mappings; empty: MappingsFile in Dir
	Overwrite bool              // guess the mappings again, although the file exists
	Settings  map[string]string // values of --set
	Modules   []module.Module
	Progress  io.Writer // nil: none
	Now       time.Time // for the examples of kinds
}

// Plan is the result of planning an import.
type Plan struct {
	Mappings string   `json:"mappings"` // the file with the mappings
	IsNew    bool     `json:"new"`      // whether the mappings have been guessed now
	Files    []File   `json:"files"`    // in the order of their import
	Others   []string `json:"others"`   // files that are not CSV files
}

// File is a CSV file of a plan.
type File struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind,omitempty"` // empty: not recognized
	Mapping  string   `json:"mapping,omitempty"`
	Columns  int      `json:"columns"`
	Read     int      `json:"read"` // columns that the mapping reads
	Records  int      `json:"records"`
	Refused  int      `json:"refused"`
	Reasons  []string `json:"reasons,omitempty"`  // of refusals, with their counts
	Warnings []string `json:"warnings,omitempty"` // values that look wrong, with their counts
	Problem  string   `json:"problem,omitempty"`  // why the file cannot be imported
}

// OK reports whether every record of every file would be stored.
func (p *Plan) OK() bool {
	return !slices.ContainsFunc(p.Files, func(f File) bool { return f.Refused > 0 || f.Problem != "" })
}

// sampled is the number of rows from which a mapping is guessed.
const sampled = 2000

// ErrNoFiles is returned for a folder without CSV files.
var ErrNoFiles = errors.New("has no CSV files: their names end in .csv")

// MappingsError is the error for a file with mappings that cannot be used.
type MappingsError []label.Problem

// Error returns the problems, one per line.
func (m MappingsError) Error() string {
	lines := make([]string, len(m))
	for i, p := range m {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Make plans the import of a folder. It writes the mappings if their file does not exist.
func Make(ctx context.Context, o Options) (*Plan, error) {
	if o.Mappings == "" {
		o.Mappings = filepath.Join(o.Dir, MappingsFile)
	}
	p := &Plan{Mappings: o.Mappings, Others: []string{}}
	tables, err := p.read(o)
	if err != nil {
		return nil, err
	}
	t, err := openTrial(ctx, o)
	if err != nil {
		return nil, err
	}
	defer t.close(ctx)
	source, err := os.ReadFile(o.Mappings)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && o.Overwrite:
		source = p.guess(o, tables, t)
		if err := os.WriteFile(o.Mappings, source, private.FileMode); err != nil {
			return nil, err
		}
		p.IsNew = true
	case err != nil:
		return nil, err
	}
	mappings, problems, err := label.Mappings(o.Mappings, source, t.kinds())
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, MappingsError(problems)
	}
	p.assign(mappings, tables, t.order)
	for i := range p.Files {
		if f := &p.Files[i]; f.Problem == "" {
			if err := t.take(ctx, o, f, mappings[f.Mapping]); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// read reads the first part of each CSV file of the folder.
func (p *Plan) read(o Options) (map[string]imports.Table, error) {
	entries, err := os.ReadDir(o.Dir)
	if err != nil {
		return nil, err
	}
	tables := map[string]imports.Table{}
	for _, e := range entries {
		path := filepath.Join(o.Dir, e.Name())
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular() || path == filepath.Clean(o.Mappings) || strings.HasPrefix(e.Name(), "."):
			continue
		case !strings.EqualFold(filepath.Ext(e.Name()), ".csv"):
			p.Others = append(p.Others, e.Name())
			continue
		}
		f := File{Name: e.Name()}
		in, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		table, err := imports.Sample(in, sampled)
		_ = in.Close() // the file was open only for reading
		switch {
		case errors.Is(err, imports.ErrNotCSV):
			f.Problem = err.Error()
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		f.Columns, tables[f.Name] = len(table.Columns), table
		p.Files = append(p.Files, f)
	}
	if len(p.Files) == 0 {
		return nil, fmt.Errorf("%s %w", o.Dir, ErrNoFiles)
	}
	return tables, nil
}

// names returns the names of the mappings by the names of the files.
func (p *Plan) names() map[string]string {
	var files []string
	for _, f := range p.Files {
		files = append(files, f.Name)
	}
	slices.Sort(files)
	out := map[string]string{}
	for i, name := range guess.Names(files) {
		out[files[i]] = name
	}
	return out
}

// guess returns the text of the file with mappings.
func (p *Plan) guess(o Options, tables map[string]imports.Table, t *trial) []byte {
	var b strings.Builder
	b.WriteString("// Guessed by wattle import plan. Correct the mappings, then run the same command again: it reads this file.\n")
	for _, f := range p.Files {
		if f.Problem != "" {
			continue
		}
		g := guess.Of(f.Name, tables[f.Name], t.records(), o.Now)
		b.WriteString("\n" + g.Text(p.names()[f.Name], fmt.Sprintf("%q", f.Name)))
	}
	return []byte(b.String())
}

// assign gives each file its mapping, and sorts the files in the order of their import.
func (p *Plan) assign(mappings map[string]*mapping.Mapping, tables map[string]imports.Table, order []string) {
	names := p.names()
	for i := range p.Files {
		f := &p.Files[i]
		m, ok := mappings[names[f.Name]]
		switch {
		case f.Problem != "":
			continue
		case !ok:
			f.Problem = fmt.Sprintf("is not recognized: write imports: %q in %s (wattle import schema KIND describes a kind of record)",
				names[f.Name], p.Mappings)
			continue
		}
		f.Kind, f.Mapping, f.Read = m.Kind, names[f.Name], readColumns(m, tables[f.Name].Columns)
	}
	at := func(f File) int {
		if f.Kind == "" {
			return len(order)
		}
		return slices.Index(order, f.Kind)
	}
	slices.SortStableFunc(p.Files, func(a, b File) int { return at(a) - at(b) })
}

// readColumns returns the number of columns that a mapping reads.
func readColumns(m *mapping.Mapping, columns []string) (n int) {
	read := m.Columns()
	for _, c := range columns {
		if slices.Contains(read, c) {
			n++
		}
	}
	return n
}

// trial is an empty portal with the label.
type trial struct {
	dir    string
	app    *app.App
	label  *label.Label
	target imports.Target
	order  []string
	all    map[string]record.Kind
}

// openTrial opens a portal with the label and an empty database in a temporary folder.
func openTrial(ctx context.Context, o Options) (t *trial, err error) {
	from := filepath.Join(o.Labels, o.Label)
	if _, err := os.Stat(filepath.Join(from, "label.cue")); err != nil || !filepath.IsLocal(o.Label) {
		return nil, fmt.Errorf("there is no label %s; see wattle labels list", o.Label)
	}
	t = &trial{all: app.Kinds(o.Modules)}
	if t.dir, err = os.MkdirTemp("", "wattle-plan-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			t.close(ctx)
		}
	}()
	c := config.Default()
	c.Data, c.Labels, c.LogLevel, c.Unsafe = filepath.Join(t.dir, "data"), filepath.Join(t.dir, "labels"), slog.LevelError, true
	if err := os.CopyFS(filepath.Join(c.Labels, o.Label), os.DirFS(from)); err != nil {
		return nil, err
	}
	if t.app, err = app.New(c, o.Modules); err != nil {
		return nil, err
	}
	if err := t.app.Open(ctx); err != nil {
		return nil, err
	}
	t.target, t.order, err = t.app.Importer(o.Label)
	t.label = t.app.Labels.ByKey(o.Label)
	return t, err
}

// close removes the portal with its records.
func (t *trial) close(ctx context.Context) {
	if t.app != nil {
		_ = t.app.Stop(ctx) // its data is removed
	}
	_ = os.RemoveAll(t.dir)
}

// records returns the kinds of record that the label accepts, in the order of their import.
func (t *trial) records() (out []record.Kind) {
	for _, name := range t.order {
		if k, ok := t.all[name]; ok {
			out = append(out, k)
		}
	}
	return out
}

func (t *trial) kinds() map[string]record.Kind {
	out := maps.Clone(t.all)
	maps.DeleteFunc(out, func(name string, _ record.Kind) bool { return !slices.Contains(t.order, name) })
	return out
}

// take imports a file into the trial.
func (t *trial) take(ctx context.Context, o Options, f *File, m *mapping.Mapping) error {
	settings := map[string]string{}
	for _, name := range m.Settings() {
		if value, given := o.Settings[name]; given {
			settings[name] = value
		}
	}
	report, err := imports.Run(ctx, imports.Options{Label: o.Label, Order: t.order, Files: []string{filepath.Join(o.Dir, f.Name)}, Mapping: m,
		Settings: settings, Kinds: t.all, Zone: t.label.Location, KeepGoing: true, Bulk: true, NoFiles: true, Progress: o.Progress}, t.target)
	if errors.Is(err, context.Canceled) {
		return err
	}
	f.Records, f.Refused, f.Reasons, f.Warnings = report.Rows, report.Refused, report.Reasons, report.Warnings
	if err != nil {
		f.Problem = strings.TrimPrefix(strings.ReplaceAll(err.Error(), filepath.Join(o.Dir, f.Name)+": ", ""), "imports: ")
	}
	return nil
}
