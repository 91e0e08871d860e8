// Package records is the wing of data that comes in bulk: files of meter data and of other systems, and their import.
//
//   - formats reads a file into records, without a database; a folder a format.
//   - imports writes records into modules in small transactions, and lets calls go first.
//
// Called by the wing operate, the commands of wattle and core/plugin. Imports modules, labels, storage and base.
package records
