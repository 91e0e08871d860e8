// Package base is the wing of packages that everything else may use and that know nothing of Wattle's storage, labels or modules:
// the clock, the scope of a call, the format of log lines, traces, health checks, private files, HTTP clients for other services.
//
//   - scope decides nothing; only core creates a scope, and the contract of modules (core/module) reads it.
//   - clock is the only source of time. A package that needs the time takes a clock.Clock.
//   - outside is the only way to call an address that an operator or a label chose.
//
// Any package of core may import these. They import the standard library, libraries and each other.
package base
