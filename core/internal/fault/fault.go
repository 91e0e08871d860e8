// Package fault says why a database cannot do what is asked, whichever database it is. It imports no driver: the store, which
// opens databases, registers how to read their errors.
package fault

import "sync/atomic"

// Kind is why the database cannot serve. None stands for every other error, a mistake in a statement for example.
type Kind string

// Kinds. Each is answered 503 "unavailable"; reads go on when the kind is ReadOnly or Full.
const (
	None     Kind = ""
	Away     Kind = "down"      // it cannot be reached, or has stopped
	Busy     Kind = "busy"      // too many connections, locks that do not come free, out of time
	ReadOnly Kind = "read_only" // a standby, or a file that may not be written
	Full     Kind = "full"      // no space for a write
)

var classify atomic.Pointer[func(error) Kind]

// Register sets how errors are read. The store does so when it is linked in.
func Register(f func(error) Kind) { classify.Store(&f) }

// Of returns why the database could not serve, None for any other error and for nil.
func Of(err error) Kind {
	f := classify.Load()
	if err == nil || f == nil {
		return None
	}
	return (*f)(err)
}
