// Package record is what a record to import is, and how a module reads one and refuses it (see module.Importer).
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
	Line int // which record it is, for a Refusal: its line, or a running number where one line gives several
	Data json.RawMessage
}

// Refusal says why a row was not taken. The others of its batch are stored.
type Refusal struct {
	Line  int    `json:"line"`
	Field string `json:"field,omitempty"`
	Code  string `json:"code"`
}

// Loose is a value of a record as text: a back office may write a number as a text, and a line of CSV has nothing else.
type Loose string

var errLoose = errors.New("record: neither a text nor a number")

// UnmarshalJSON takes a text, a number, a truth or null.
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

// Text is the value without white space around it.
func (l Loose) Text() string { return strings.TrimSpace(string(l)) }

// Reading takes the fields of one record of an import, and gathers all that is wrong with them.
type Reading struct {
	line   int
	prefix string
	wrong  *[]Refusal
}

// Read decodes a record; ok is false when it is none.
func Read(row Row, in any) (r Reading, ok bool) {
	r = Reading{line: row.Line, wrong: new([]Refusal)}
	err := json.Unmarshal(row.Data, in)
	if err == nil {
		return r, true
	}
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		r.Refuse(wrong.Field, problem.CodeInvalid)
	} else {
		r.Refuse("", problem.CodeMalformed)
	}
	return r, false
}

// At reads what lies below a field.
func (r Reading) At(field string) Reading {
	r.prefix += field + "."
	return r
}

// In reads the n-th element of a list.
func (r Reading) In(field string, n int) Reading { return r.At(fmt.Sprintf("%s.%d", field, n)) }

// Refuse says what is wrong with a field.
func (r Reading) Refuse(field, code string) {
	*r.wrong = append(*r.wrong, Refusal{Line: r.line, Field: r.prefix + field, Code: code})
}

// Wrong is all that has been refused.
func (r Reading) Wrong() []Refusal { return *r.wrong }

// Filled is a text that must be there.
func (r Reading) Filled(field string, v Loose) string {
	s := v.Text()
	if s == "" {
		r.Refuse(field, problem.CodeRequired)
	}
	return s
}

// MaybeDay is a day; zero when there is none.
func (r Reading) MaybeDay(field string, v Loose) value.Day {
	if v.Text() == "" {
		return value.Day{}
	}
	d, err := value.ParseDay(v.Text())
	if err != nil {
		r.Refuse(field, problem.CodeInvalid)
	}
	return d
}

// Day is a day that must be there.
func (r Reading) Day(field string, v Loose) value.Day {
	if r.Filled(field, v) == "" {
		return value.Day{}
	}
	return r.MaybeDay(field, v)
}
