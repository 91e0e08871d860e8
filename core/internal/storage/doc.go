// Package storage is the wing of stored data: the database on both engines, the file store, and the small tables that several wings
// write: attempts, single-use tokens, sealed columns, the audit log.
//
//   - store opens the database, runs migrations and hands out transactions. No other package opens a connection.
//   - handle closes a database handle, so that a module can pass it on and not use it; keyset and fault read rows and errors.
//   - masterkey seals columns; a package that stores a secret takes a sealer of it.
//
// Called by every wing below and, for handle only, by the contract of modules. Imports base.
package storage
