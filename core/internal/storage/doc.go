// Package storage is the wing of stored data: the database on both engines, the file store, and small tables that several package
// groups use: attempts, single-use tokens, sealed columns, the audit log.
//
//   - store opens the database, runs migrations and provides transactions. No other package opens a connection.
//   - handle wraps a database handle, so that a module can pass it on but not use it. keyset pages through rows, and fault classifies
//     database errors.
//   - masterkey seals columns. Packages that store secrets use it.
//
// Every package group below calls it; the contract of modules uses only handle. It imports base.
package storage
