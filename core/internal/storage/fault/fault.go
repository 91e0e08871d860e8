// Package fault classifies database errors of both engines by the reason why a statement failed. The package imports no driver: the store,
// which opens databases, registers the function that reads driver errors.
package fault

import "sync/atomic"

// Kind is the reason why the database cannot serve. None means any other error, such as a mistake in a statement.
type Kind string

// The kinds. Each of them except None results in a 503 "unavailable" response; reads still work when the kind is ReadOnly or Full.
const (
	None     Kind = ""
	Down     Kind = "down"      // unreachable or stopped
	Busy     Kind = "busy"      // too many connections, a lock that was not released in time, or a timeout
	ReadOnly Kind = "read_only" // a standby, or a file that cannot be written
	Full     Kind = "full"      // no space for a write
)

var classify atomic.Pointer[func(error) Kind]

// Register sets the function that classifies errors. The store calls it from its init.
func Register(f func(error) Kind) { classify.Store(&f) }

// Of returns why the database cannot serve, or None for any other error and for nil.
func Of(err error) Kind {
	f := classify.Load()
	if err == nil || f == nil {
		return None
	}
	return (*f)(err)
}
