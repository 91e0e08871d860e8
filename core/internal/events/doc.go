// Package events is the wing of work that runs after a commit or at a scheduled time: deliveries to modules and webhooks, change requests
// for the back office, and periodic jobs.
//
//   - outbox moves the rows of modules to their subscribers, in lanes in which labels take turns.
//   - changes is the queue of change requests that staff see; the module's own row decides their state.
//   - jobs claims and runs due work. A wing that needs periodic work registers it here.
//
// Called by the wings below; a module reaches it only through its transaction. Imports labels, storage and base.
package events
