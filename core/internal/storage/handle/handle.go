// Package handle wraps a database handle, so that it can pass through a module that must not query with it. Only core can unwrap
// it: no module can import this package.
package handle

import "github.com/uptrace/bun"

// Handle is a wrapped database handle. The zero value wraps none.
type Handle struct{ db bun.IDB }

// Of wraps a database handle.
func Of(db bun.IDB) Handle { return Handle{db} }

// DB returns the wrapped database handle.
func DB(h Handle) bun.IDB { return h.db }
