package mapping

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// ErrHeader is returned for a first line that does not name each field exactly once.
var ErrHeader = errors.New("the first line must name the fields, each of them once")

// Lines converts the lines of one file to records.
type Lines struct {
	records []record
}

type record struct {
	when   func(fields []string) bool // nil: every line
	fields []field
	root   *node
}

type field struct {
	name      string // field name in the record
	column    string // column name in the file; empty for a constant
	at        int    // index of the column
	more      []int  // indexes of the columns to join to it
	separator string
	value     []byte // the constant, as JSON
	read      convert
}

// node is an object, a list or a field in a record.
type node struct {
	name   []byte // as JSON, with its colon; empty for an element of a list
	key    string
	field  int // -1 for an object or a list
	isList bool
	inner  []*node
}

// Result is one record of a line, or the reasons why there is none.
type Result struct {
	Record  int // index of the record in the mapping
	Data    json.RawMessage
	Refused []*Refusal
}

// Plain returns Lines that make one record from each line. The columns are the fields of the record; each name must be unique.
func Plain(columns []string) (*Lines, error) {
	r := record{}
	for i, name := range columns {
		if slices.Contains(columns[:i], name) || name == "" || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") ||
			strings.Contains(name, "..") {
			return nil, ErrHeader
		}
		r.fields = append(r.fields, field{name: name, column: name, at: i,
			read: func(b []byte, text string) ([]byte, *Refusal) { return appendText(b, text), nil }})
	}
	if _, ok := findConflict(columns); ok || len(findLists(columns)) > 0 {
		return nil, ErrHeader
	}
	r.root = tree(r.fields)
	return &Lines{[]record{r}}, nil
}

// Settings returns the names that must be given with --set.
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

// CheckSettings returns an error if a given setting is not used by the mapping, or if one is missing.
func (m *Mapping) CheckSettings(settings map[string]string) error {
	names := m.Settings()
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("it has no setting %q%s", name, thereAre(names))
		}
	}
	for _, name := range names {
		if _, exists := settings[name]; !exists {
			return fmt.Errorf("it needs --set %s=…, or --set %s= to leave out the records that have it", name, name)
		}
	}
	return nil
}

// For prepares the mapping for a file with these columns. Records whose setting has an empty value are omitted. zone applies to times
// without an offset. An error tells the operator why the mapping does not fit the file.
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
		case len(from.columns()) > 0:
			f.column, f.read, f.separator = strings.Join(from.columns(), ", "), from.converter(zone), " "
			if from.Separator != nil {
				f.separator = *from.Separator
			}
			for i, column := range from.columns() {
				at, err := find(columns, column)
				if err != nil {
					return out, fmt.Errorf("fields.%s: %w", name, err)
				}
				if i == 0 {
					f.at = at
				} else {
					f.more = append(f.more, at)
				}
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
		if out.when, err = r.When.prepare(columns); err != nil {
			return out, fmt.Errorf("when: %w", err)
		}
	}
	return out, nil
}

// prepare returns a function that checks the condition for a line with these columns.
func (w When) prepare(columns []string) (func(fields []string) bool, error) {
	if w.Column == "" {
		var inner []func([]string) bool
		for _, x := range slices.Concat(w.All, w.Any) {
			holds, err := x.prepare(columns)
			if err != nil {
				return nil, err
			}
			inner = append(inner, holds)
		}
		wanted := w.Any != nil // the first condition with this outcome decides
		return func(fields []string) bool {
			for _, holds := range inner {
				if holds(fields) == wanted {
					return wanted
				}
			}
			return !wanted
		}, nil
	}
	at, err := find(columns, w.Column)
	if err != nil {
		return nil, err
	}
	return func(fields []string) bool {
		text := strings.TrimSpace(fields[at])
		if w.Not != nil {
			return !slices.Contains(w.Not, text)
		}
		return text != "" && (w.Is == nil || slices.Contains(w.Is, text))
	}, nil
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

// Of returns the records of a line that has one field for each column. Records do not contain empty fields.
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

// content describes the content of an object or a list.
type content int

const (
	nothing   content = iota
	constants         // only constants and settings
	cells             // at least one value from a column
)

// object appends an object and returns its content.
func (w writer) object(b []byte, n *node) ([]byte, content) {
	b = append(b, '{')
	has := nothing
	for _, in := range n.inner {
		before := len(b)
		if has != nothing {
			b = append(b, ',')
		}
		var inner content
		if b, inner = w.node(append(b, in.name...), in); inner == nothing {
			b = b[:before]
			continue
		}
		has = max(has, inner)
	}
	return append(b, '}'), has
}

// list appends a list and returns its content. An empty element is null if it is a value before another element, and omitted if it is an
// object. An object without a value from the line, such as an address without street and city, is empty even if it has constants.
func (w writer) list(b []byte, n *node) ([]byte, content) {
	b = append(b, '[')
	has, gaps := nothing, 0
	for _, in := range n.inner {
		before := len(b)
		for range gaps {
			b = append(b, "null,"...)
		}
		var inner content
		if b, inner = w.node(b, in); inner == nothing || inner == constants && w.reads(in) {
			if b = b[:before]; in.field >= 0 {
				gaps++
			}
			continue
		}
		b = append(b, ',')
		has, gaps = max(has, inner), 0
	}
	return append(bytes.TrimSuffix(b, []byte(",")), ']'), has
}

func (w writer) node(b []byte, n *node) ([]byte, content) {
	switch {
	case n.isList:
		return w.list(b, n)
	case n.field < 0:
		return w.object(b, n)
	}
	return w.value(b, &w.record.fields[n.field])
}

// reads reports whether a node has a field that comes from a column.
func (w writer) reads(n *node) bool {
	if n.field >= 0 {
		return w.record.fields[n.field].read != nil
	}
	return slices.ContainsFunc(n.inner, w.reads)
}

func (w writer) value(b []byte, f *field) ([]byte, content) {
	if f.read == nil {
		return append(b, f.value...), constants
	}
	text := strings.TrimSpace(w.fields[f.at])
	for _, at := range f.more {
		if more := strings.TrimSpace(w.fields[at]); text == "" {
			text = more
		} else if more != "" {
			text += f.separator + more
		}
	}
	if text == "" {
		return b, nothing
	}
	out, refused := f.read(b, text)
	if refused != nil {
		refused.Field, refused.Column = f.name, f.column
		w.result.Refused = append(w.result.Refused, refused)
		return appendText(b, text), cells // the record is refused; it shows the original string
	}
	return out, cells
}

// tree groups fields by the object or list that contains them.
func tree(fields []field) *node {
	root := &node{field: -1}
	for i, f := range fields {
		at := root
		for _, p := range strings.Split(f.name, ".") {
			at = at.child(p)
		}
		at.field = i
	}
	root.order()
	return root
}

func (n *node) child(key string) *node {
	for _, in := range n.inner {
		if in.key == key {
			return in
		}
	}
	in := &node{key: key, field: -1}
	if n.isList = isIndex(key); !n.isList {
		in.name = append(appendText(nil, key), ':')
	}
	n.inner = append(n.inner, in)
	return in
}

// order sorts the elements of lists by number: 2 is before 10.
func (n *node) order() {
	if n.isList {
		slices.SortFunc(n.inner, func(a, b *node) int { return cmp.Or(len(a.key)-len(b.key), strings.Compare(a.key, b.key)) })
	}
	for _, in := range n.inner {
		in.order()
	}
}
