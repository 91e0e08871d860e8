// Package modules is the wing of the running modules: their operations and events, and the calls between them.
//
//   - registry is one atomic snapshot of the running modules: router, operations, settings, subscriptions.
//   - sibling carries calls between modules; wire is the protocol with a plugin's process, and contract is its version.
//   - asyncapi and reference write documents about events and the contract; secret gives modules the secrets that settings refer to.
//
// Called by the package groups below, by core/plugin and by core/moduletest. Imports people, events, labels, storage and base.
package modules
