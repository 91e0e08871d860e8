// Package keyset pages through rows ordered by a time and an id, newest or oldest first, at the same cost for the last page as for the
// first.
package keyset

import (
	"encoding/base64"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/problem"
)

// Input is the part of an operation's input that selects a page.
type Input struct {
	After string `query:"after" maxLength:"200" doc:"Cursor: next of the previous page; absent for the first page"`
	Limit int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Maximum number of items"`
}

// Page is one page of items, with the cursor of the next page.
type Page[T any] struct {
	Items []T    `json:"items" nullable:"false" doc:"Entries of the page"`
	Next  string `json:"next,omitempty" doc:"Cursor: send it as after to get the next page; absent on the last page"`
}

// Apply orders a query by time and id, newest first, and limits it to one page plus one row, which tells Cut that there is a next page. It
// returns a 400 problem for a cursor that Cut did not create.
func (in Input) Apply(q *bun.SelectQuery, timeColumn, idColumn string) (*bun.SelectQuery, error) {
	return in.apply(q, timeColumn, idColumn, "<", "DESC")
}

// ApplyOldest does what Apply does, but with the oldest rows first.
func (in Input) ApplyOldest(q *bun.SelectQuery, timeColumn, idColumn string) (*bun.SelectQuery, error) {
	return in.apply(q, timeColumn, idColumn, ">", "ASC")
}

func (in Input) apply(q *bun.SelectQuery, timeColumn, idColumn, beyond, order string) (*bun.SelectQuery, error) {
	if in.After != "" {
		at, id, err := decode(in.After)
		if err != nil {
			return nil, problem.Refuse(problem.FieldError{Field: "after", Code: problem.CodeInvalid})
		}
		q = q.Where("(?, ?) ? (?, ?)", bun.Safe(timeColumn), bun.Safe(idColumn), bun.Safe(beyond), at, id)
	}
	return q.OrderExpr("? ?, ? ?", bun.Safe(timeColumn), bun.Safe(order), bun.Safe(idColumn), bun.Safe(order)).Limit(int64(in.Limit) + 1), nil
}

// Cut returns the page of the rows that the query of Apply selected; position returns the time and id of a row.
func Cut[T any](in Input, rows []T, position func(T) (time.Time, string)) Page[T] {
	if rows == nil {
		rows = []T{}
	}
	if len(rows) <= in.Limit {
		return Page[T]{Items: rows}
	}
	at, id := position(rows[in.Limit-1])
	return Page[T]{Items: rows[:in.Limit], Next: encode(at, id)}
}

func encode(at time.Time, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(at.UTC().Format(time.RFC3339Nano) + " " + id))
}

func decode(s string) (time.Time, string, error) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return time.Time{}, "", err
	}
	when, id, _ := strings.Cut(string(b), " ")
	at, err := time.Parse(time.RFC3339Nano, when)
	return at, id, err
}
