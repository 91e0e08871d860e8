// Package handle closes a database handle, so that it can pass through a module that must not query with it. Only core can open
// one: a module, inside the tree or outside, cannot import this package.
package handle

import "github.com/uptrace/bun"

// Handle is a closed handle. The zero value holds none.
type Handle struct{ db bun.IDB }

// Of closes a handle.
func Of(db bun.IDB) Handle { return Handle{db} }

// DB opens it.
func DB(h Handle) bun.IDB { return h.db }
