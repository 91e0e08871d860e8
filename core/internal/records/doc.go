// Package records is the wing of bulk data: files of meter data and of other systems, and their import.
//
//   - formats converts files to records, without a database. Each format has its own folder.
//   - imports writes records to modules in small transactions, and lets requests go first.
//
// The group operate, the commands of wattle and core/plugin call it. It imports modules, labels, storage and base.
package records
