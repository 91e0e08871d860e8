package mapping

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// ErrHeader is returned for a first line that does not name each field of the records once.
var ErrHeader = errors.New("the first line must name the fields, each of them once")

// Lines converts the lines of one file to records.
type Lines struct {
	records []record
}

type record struct {
	when   func(fields []string) bool // nil: always
	fields []field
	root   *node
}

type field struct {
	name   string // in the record
	column string // in the file, empty for a constant
	at     int    // index of the column
	value  []byte // the constant, as JSON
	read   convert
}

// node is an object of a record, or one of its fields.
type node struct {
	name  []byte // as JSON, with its colon
	field int    // -1: an object
	inner []*node
}

// Result is one record of a line, or the reasons why there is none.
type Result struct {
	Record  int // index in the mapping
	Data    json.RawMessage
	Refused []*Refusal
}

// Plain returns Lines that make one record of each line. The columns are the fields of the record; each name must be unique.
func Plain(columns []string) (*Lines, error) {
	r := record{}
	for i, name := range columns {
		if slices.Contains(columns[:i], name) || name == "" || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") || strings.Contains(name, "..") {
			return nil, ErrHeader
		}
		r.fields = append(r.fields, field{name: name, column: name, at: i,
			read: func(b []byte, text string) ([]byte, *Refusal) { return appendText(b, text), nil }})
	}
	if _, ok := findConflict(columns); ok {
		return nil, ErrHeader
	}
	r.root = tree(r.fields)
	return &Lines{[]record{r}}, nil
}

// Settings returns the names that the mapping expects with --set.
func (m *Mapping) Settings() []string {
	names := map[string]bool{}
	for _, r := range m.Records {
		for _, f := range r.Fields {
			if f.Set != "" {
				names[f.Set] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// CheckSettings returns an error for a given setting that the mapping does not use, or for one that is missing.
func (m *Mapping) CheckSettings(given map[string]string) error {
	names := m.Settings()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("it has no setting %q%s", name, thereAre(names))
		}
	}
	for _, name := range names {
		if _, there := given[name]; !there {
			return fmt.Errorf("it needs --set %s=…, or --set %s= to leave out the records that have it", name, name)
		}
	}
	return nil
}

// For prepares the mapping for a file with these columns. Records whose setting has an empty value are left out. zone is the time zone
// of times without offset. An error describes to the operator what does not fit.
func (m *Mapping) For(columns []string, settings map[string]string, zone *time.Location) (*Lines, error) {
	if faults := m.Check(); len(faults) > 0 {
		return nil, fmt.Errorf("%s: %s", strings.Join(faults[0].Path, "."), faults[0].Message)
	}
	if err := m.CheckSettings(settings); err != nil {
		return nil, err
	}
	lines := &Lines{}
	for i := range m.Records {
		r, err := m.Records[i].prepare(columns, settings, zone)
		if err != nil {
			return nil, fmt.Errorf("records.%d: %w", i, err)
		}
		lines.records = append(lines.records, r)
	}
	return lines, nil
}

func (r *Record) prepare(columns []string, settings map[string]string, zone *time.Location) (out record, err error) {
	for _, name := range slices.Sorted(maps.Keys(r.Fields)) {
		f := field{name: name, at: -1}
		switch from := r.Fields[name]; {
		case from.Column != "":
			f.column, f.read = from.Column, from.converter(zone)
			if f.at, err = find(columns, from.Column); err != nil {
				return out, fmt.Errorf("fields.%s: %w", name, err)
			}
		case from.Set != "":
			if settings[from.Set] == "" {
				return record{when: func([]string) bool { return false }}, nil
			}
			f.value = appendText(nil, settings[from.Set])
		default:
			f.value = from.Value
		}
		out.fields = append(out.fields, f)
	}
	out.root = tree(out.fields)
	if r.When != nil {
		at, err := find(columns, r.When.Column)
		if err != nil {
			return out, fmt.Errorf("when: %w", err)
		}
		is := r.When.Is
		out.when = func(fields []string) bool {
			text := strings.TrimSpace(fields[at])
			return text != "" && (is == nil || slices.Contains(is, text))
		}
	}
	return out, nil
}

func find(columns []string, name string) (int, error) {
	at := slices.Index(columns, name)
	switch {
	case at < 0:
		return 0, fmt.Errorf("the file has no column %q%s", name, thereAre(columns))
	case slices.Contains(columns[at+1:], name):
		return 0, fmt.Errorf("the file has two columns %q", name)
	}
	return at, nil
}

func thereAre(names []string) string {
	if len(names) == 0 {
		return "; there are none"
	}
	return "; there are: " + strings.Join(names, ", ")
}

// Of returns the records of a line that has one field for each column. It omits empty fields from a record.
func (l *Lines) Of(fields []string) []Result {
	out := make([]Result, 0, len(l.records))
	for i := range l.records {
		r := &l.records[i]
		if r.when != nil && !r.when(fields) {
			continue
		}
		result := Result{Record: i}
		w := writer{r, fields, &result}
		result.Data, _ = w.object(make([]byte, 0, 256), r.root)
		for _, refused := range result.Refused {
			refused.Record = i
		}
		out = append(out, result)
	}
	return out
}

// Column returns the column that a field of a record comes from, or an empty string for none.
func (l *Lines) Column(record int, name string) string {
	for _, f := range l.records[record].fields {
		if f.name == name {
			return f.column
		}
	}
	return ""
}

type writer struct {
	record *record
	fields []string
	result *Result
}

// object appends an object and reports whether it has any content.
func (w writer) object(b []byte, n *node) ([]byte, bool) {
	b = append(b, '{')
	some := false
	for _, in := range n.inner {
		before := len(b)
		if some {
			b = append(b, ',')
		}
		b = append(b, in.name...)
		there := false
		if in.field < 0 {
			b, there = w.object(b, in)
		} else {
			b, there = w.value(b, &w.record.fields[in.field])
		}
		if !there {
			b = b[:before]
			continue
		}
		some = true
	}
	return append(b, '}'), some
}

func (w writer) value(b []byte, f *field) ([]byte, bool) {
	if f.read == nil {
		return append(b, f.value...), true
	}
	text := strings.TrimSpace(w.fields[f.at])
	if text == "" {
		return b, false
	}
	out, refused := f.read(b, text)
	if refused != nil {
		refused.Field, refused.Column = f.name, f.column
		w.result.Refused = append(w.result.Refused, refused)
		return appendText(b, text), true // the record is refused, and shows the original string
	}
	return out, true
}

// tree groups fields by the objects that contain them.
func tree(fields []field) *node {
	root := &node{field: -1}
	for i, f := range fields {
		at, path := root, strings.Split(f.name, ".")
		for _, p := range path[:len(path)-1] {
			at = at.child(p)
		}
		leaf := at.child(path[len(path)-1])
		leaf.field = i
	}
	return root
}

func (n *node) child(name string) *node {
	key := append(appendText(nil, name), ':')
	for _, in := range n.inner {
		if string(in.name) == string(key) {
			return in
		}
	}
	in := &node{name: key, field: -1}
	n.inner = append(n.inner, in)
	return in
}
