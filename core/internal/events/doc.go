// Package events is the wing of work that runs after a commit or at a scheduled time: deliveries to modules and webhooks, change requests
// for the back office, and periodic jobs.
//
//   - outbox delivers the rows of modules to their subscribers, in lanes in which labels take turns.
//   - changes is the queue of change requests for staff; the module's own row decides the state of a request.
//   - jobs claims and runs due work. Other packages register their periodic work here.
//
// The package groups below call it; modules use it only through their transactions. It imports labels, storage and base.
package events
