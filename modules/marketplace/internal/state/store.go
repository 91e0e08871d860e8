package state

import (
	"context"
	"database/sql"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// CodeTransition is the code of ErrTransition.
const CodeTransition = "marketplace.transition"

// StoredTime returns a time as both database engines store it: in UTC, truncated to microseconds.
func StoredTime(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// ErrTransition is the problem (409) that a change of status is not allowed.
var ErrTransition = problem.Fail(http.StatusConflict, CodeTransition)

// Next returns ErrTransition unless the table allows the change from one status to the other.
func Next(table []Transition, from, to Status) error {
	if Allows(table, from, to) {
		return nil
	}
	return ErrTransition
}

// Changed returns err if it is not nil, and no if a conditional update changed nothing.
func Changed(done sql.Result, err error, no error) error {
	if err != nil {
		return err
	}
	n, err := done.RowsAffected()
	if err == nil && n == 0 {
		err = no
	}
	return err
}

// Zone returns the time zone of the label, and UTC when it is unknown.
func Zone(ctx context.Context) *time.Location {
	zone, err := time.LoadLocation(module.ScopeOf(ctx).Zone)
	if err != nil {
		return time.UTC
	}
	return zone
}
