// Package record contains the records of an import: how a module reads a record and reports errors in it (see module.Importer).
package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Row is one record to import: a JSON object, from NDJSON or from a CSV line whose header names the fields.
type Row struct {
	Line int // number of the record, for a Refusal: its line, or a sequence number if a line contains several records
	Data json.RawMessage
}

// Refusal is an error in a record. The other records of its batch are stored.
type Refusal struct {
	Line  int    `json:"line"`
	Field string `json:"field,omitempty"`
	Code  string `json:"code"`
}

// Loose is a string, number or boolean of a record, as a string: a back office may send a number as a string, and CSV has only strings.
type Loose string

var errLoose = errors.New("record: neither a string, a number nor a boolean")

// UnmarshalJSON accepts a string, a number, a boolean or null.
func (l *Loose) UnmarshalJSON(b []byte) error {
	switch {
	case len(b) == 0 || string(b) == "null":
		*l = ""
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(l))
	case b[0] == '{' || b[0] == '[':
		return errLoose
	default:
		*l = Loose(b)
	}
	return nil
}

// Text returns the value without leading and trailing white space.
func (l Loose) Text() string { return strings.TrimSpace(string(l)) }

// Reading reads the fields of one imported record, and collects all errors in them.
type Reading struct {
	line     int
	prefix   string
	refusals *[]Refusal
}

// Read decodes a record into in. If that is not possible, ok is false and r has a refusal.
func Read(row Row, in any) (r Reading, ok bool) {
	r = Reading{line: row.Line, refusals: new([]Refusal)}
	err := json.Unmarshal(row.Data, in)
	if err == nil {
		return r, true
	}
	if typeErr, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		r.Refuse(typeErr.Field, problem.CodeInvalid)
	} else {
		r.Refuse("", problem.CodeMalformed)
	}
	return r, false
}

// At returns a Reading whose fields are below a field.
func (r Reading) At(field string) Reading {
	r.prefix += field + "."
	return r
}

// In returns a Reading for the n-th element of a list.
func (r Reading) In(field string, n int) Reading { return r.At(fmt.Sprintf("%s.%d", field, n)) }

// Refuse adds an error in a field.
func (r Reading) Refuse(field, code string) {
	*r.refusals = append(*r.refusals, Refusal{Line: r.line, Field: r.prefix + field, Code: code})
}

// Refusals returns the errors found so far.
func (r Reading) Refusals() []Refusal { return *r.refusals }

// Required returns the value of a required field. An empty value is an error.
func (r Reading) Required(field string, v Loose) string {
	s := v.Text()
	if s == "" {
		r.Refuse(field, problem.CodeRequired)
	}
	return s
}

// OptionalDay parses an optional day. It returns the zero Day if the field is empty.
func (r Reading) OptionalDay(field string, v Loose) value.Day {
	if v.Text() == "" {
		return value.Day{}
	}
	d, err := value.ParseDay(v.Text())
	if err != nil {
		r.Refuse(field, problem.CodeInvalid)
	}
	return d
}

// Day parses a required day.
func (r Reading) Day(field string, v Loose) value.Day {
	if r.Required(field, v) == "" {
		return value.Day{}
	}
	return r.OptionalDay(field, v)
}
