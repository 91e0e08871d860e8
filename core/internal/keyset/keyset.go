// Package keyset pages through rows ordered by a time and an id, newest first, at the same cost for the last page as for the first.
package keyset

import (
	"encoding/base64"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/problem"
)

// Input is the part of an operation's input that asks for a page.
type Input struct {
	After string `query:"after" maxLength:"200" doc:"The next of the page before"`
	Limit int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// Page is one page and where the next begins.
type Page[T any] struct {
	Items []T    `json:"items" nullable:"false"`
	Next  string `json:"next,omitempty" doc:"Ask for the next page with after; absent on the last page"`
}

// Apply orders a query, newest first, and narrows it to the page and one row more, by which Cut knows that there is a next page.
// A cursor that is not ours is a 400 Problem.
func (in Input) Apply(q *bun.SelectQuery, timeColumn, idColumn string) (*bun.SelectQuery, error) {
	if in.After != "" {
		at, id, err := decode(in.After)
		if err != nil {
			return nil, problem.Refuse(problem.FieldError{Field: "after", Code: problem.CodeInvalid})
		}
		q = q.Where("(?, ?) < (?, ?)", bun.Safe(timeColumn), bun.Safe(idColumn), at, id)
	}
	return q.OrderExpr("? DESC, ? DESC", bun.Safe(timeColumn), bun.Safe(idColumn)).Limit(int64(in.Limit) + 1), nil
}

// Cut makes the page out of the rows that the query of Apply gave; by says a row's place in the order.
func Cut[T any](in Input, rows []T, by func(T) (time.Time, string)) Page[T] {
	if rows == nil {
		rows = []T{}
	}
	if len(rows) <= in.Limit {
		return Page[T]{Items: rows}
	}
	at, id := by(rows[in.Limit-1])
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
