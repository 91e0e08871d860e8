// Package mapping converts lines of third-party CSV files to records. An operator writes the mapping once and stores it with the label
// (`imports` in label.cue, docs/decisions/0012). The package is pure: it turns column names, fields and settings into JSON and refusals.
package mapping

import (
	"encoding/json"
	"fmt"
)

// Order is the order of the lines of a file.
type Order string

// Orders.
const (
	OldestFirst Order = "oldest_first"
	NewestFirst Order = "newest_first" // the last line is imported first, because meter readings must not decrease
)

// Mapping describes how the lines of one kind of file become records of one kind.
type Mapping struct {
	Kind    string   `json:"kind"`
	Comma   string   `json:"comma,omitempty"` // field separator; empty: `,` or `;`, the one that occurs more often in the first line
	Order   Order    `json:"order"`
	Records []Record `json:"records"`
}

// Record describes a record that each line produces.
type Record struct {
	When *When `json:"when,omitempty"` // nil: every line
	// the fields by name; "address.street" is a field of the object "address", "addresses.0.city" one of the first element of a list
	Fields map[string]Field `json:"fields"`
}

// When selects the lines that produce a record. Exactly one of Column, All and Any is set.
type When struct {
	Column string   `json:"column,omitempty"`
	Is     []string `json:"is,omitempty"`  // values of the column; without Is and Not: any value that is not empty
	Not    []string `json:"not,omitempty"` // values that the column must not have; it may be empty
	All    []When   `json:"all,omitempty"` // every condition holds
	Any    []When   `json:"any,omitempty"` // at least one condition holds
}

// UnmarshalJSON also accepts a column name as a string.
func (w *When) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &w.Column)
	}
	type plain When
	return json.Unmarshal(data, (*plain)(w))
}

// Field describes the source of a field's value: a column, several columns, a constant, or a value that the operator gives with the file.
type Field struct {
	Column    string      `json:"column,omitempty"`
	Columns   []string    `json:"columns,omitempty"`   // joined with Separator; empty ones are left out
	Separator *string     `json:"separator,omitempty"` // between Columns; nil: a space
	Number    string      `json:"number,omitempty"`    // decimal separator, "." or ",": the field becomes a JSON number
	Thousands string      `json:"thousands,omitempty"` // separator of thousands; empty: recognized where a number can be read in one way only
	Scale     json.Number `json:"scale,omitempty"`     // power of ten by which the number is multiplied
	Negate    bool        `json:"negate,omitempty"`    // changes the sign of the number
	Date      string      `json:"date,omitempty"`      // "DD-MM-YYYY": the field becomes YYYY-MM-DD
	// "DD-MM-YYYY HH:mm" in the label's time zone: the field becomes a time with offset
	Time    string                     `json:"time,omitempty"`
	Values  map[string]json.RawMessage `json:"values,omitempty"`  // by value of the column: a string, number or boolean
	Default json.RawMessage            `json:"default,omitempty"` // for values that Values lacks; nil: refused
	Value   json.RawMessage            `json:"value,omitempty"`   // a string, number or boolean
	Set     string                     `json:"set,omitempty"`     // name of a value given with --set
}

// columns returns the columns that the field is read from.
func (f Field) columns() []string {
	if f.Column != "" {
		return []string{f.Column}
	}
	return f.Columns
}

// Columns returns the names of the columns that the mapping reads, in no particular order.
func (m *Mapping) Columns() (names []string) {
	for _, r := range m.Records {
		for _, f := range r.Fields {
			names = append(names, f.columns()...)
		}
		if r.When != nil {
			names = append(names, r.When.columns()...)
		}
	}
	return names
}

// columns returns the columns of a condition and of the conditions in it.
func (w When) columns() (names []string) {
	if w.Column != "" {
		names = append(names, w.Column)
	}
	for _, inner := range append(w.All[:len(w.All):len(w.All)], w.Any...) {
		names = append(names, inner.columns()...)
	}
	return names
}

// Fault is an error in a mapping that does not depend on the file.
type Fault struct {
	Path    []string // in the mapping: "records", "0", "fields", "start"
	Message string
}

// Refusal is the reason why a line produces no record, as a code and in words for the operator.
type Refusal struct {
	Record int    // index of the record in the mapping
	Field  string // field of the record
	Column string // column of the file
	Code   string
	Hint   string // for example `"12,5" is not a number with a decimal point`
}

// Error returns the column and the hint.
func (r *Refusal) Error() string { return fmt.Sprintf("column %q: %s", r.Column, r.Hint) }

// Values of Refusal.Code.
const (
	CodeNumber    = "not_a_number"
	CodeThousands = "ambiguous_number" // a separator of thousands that may be the decimal mark
	CodeDate      = "not_a_date"
	CodeTime      = "not_a_time"
	CodeValue     = "unknown_value"  // the mapping does not translate the value
	CodeAmbiguous = "ambiguous_time" // a time without offset in the hour that occurs twice when the clock changes
)
