// Package modules is the wing of the running modules: their operations and events, and the calls between them.
//
//   - registry is one atomic snapshot of the running modules: router, operations, settings, subscriptions.
//   - sibling carries a call of one module to another; wire is the protocol with a plugin's process, contract its version.
//   - asyncapi and reference write the documents of events and of the contract; secret gives them the secrets that settings name.
//
// Called by the wings below, by core/plugin and by core/moduletest. Imports people, events, labels, storage and base.
package modules
