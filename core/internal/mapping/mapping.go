// Package mapping makes records of the lines of other people's CSV files, as an operator wrote it down once and keeps it with the
// label (`imports` in label.cue, docs/decisions/0012). It is pure: names, fields and settings in, JSON and refusals out.
package mapping

import (
	"encoding/json"
	"fmt"
)

// Order of the lines of a file.
type Order string

// Orders.
const (
	OldestFirst Order = "oldest_first"
	NewestFirst Order = "newest_first" // the last line is imported first: standings of a meter must not go backwards
)

// Mapping says how the lines of one sort of file become records of one kind.
type Mapping struct {
	Kind    string   `json:"kind"`
	Comma   string   `json:"comma,omitempty"` // between fields; empty: `,` or `;`, whichever the first line has more of
	Order   Order    `json:"order"`
	Records []Record `json:"records"`
}

// Record is what one line gives; a line gives one of each.
type Record struct {
	When   *When            `json:"when,omitempty"` // nil: every line
	Fields map[string]Field `json:"fields"`         // by field of the record; "address.street" stands inside "address"
}

// When tells which lines give a record: those where a column is not empty, or holds one of some texts.
type When struct {
	Column string   `json:"column"`
	Is     []string `json:"is,omitempty"`
}

// UnmarshalJSON reads the name of a column alone too.
func (w *When) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &w.Column)
	}
	type plain When
	return json.Unmarshal(data, (*plain)(w))
}

// Field says where the value of a field comes from: a column, a constant, or what the operator gives with the file.
type Field struct {
	Column string          `json:"column,omitempty"`
	Number string          `json:"number,omitempty"` // decimal mark, "." or ",": the field becomes a JSON number
	Scale  json.Number     `json:"scale,omitempty"`  // what the number is multiplied by, a power of ten
	Date   string          `json:"date,omitempty"`   // "DD-MM-YYYY": the field becomes YYYY-MM-DD
	Time   string          `json:"time,omitempty"`   // "DD-MM-YYYY HH:mm" on the label's clock: the field becomes a time with offset
	Value  json.RawMessage `json:"value,omitempty"`  // a text, number or truth value
	Set    string          `json:"set,omitempty"`    // name given with --set
}

// Fault is something that cannot be right in a mapping, whatever file it is for.
type Fault struct {
	Path    []string // in the mapping: "records", "0", "fields", "start"
	Message string
}

// Refusal says why a line gives no record, in a code and in words for the operator.
type Refusal struct {
	Record int    // of the mapping
	Field  string // of the record
	Column string // of the file
	Code   string
	Hint   string // `"12,5" is no number with . as its decimal mark`
}

// Error is the words.
func (r *Refusal) Error() string { return fmt.Sprintf("column %q: %s", r.Column, r.Hint) }

// Codes of a refusal.
const (
	CodeNumber    = "not_a_number"
	CodeDate      = "not_a_date"
	CodeTime      = "not_a_time"
	CodeAmbiguous = "ambiguous_time" // an hour that the clock shows twice, given without offset
)
