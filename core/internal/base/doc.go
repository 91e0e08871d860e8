// Package base is the wing of packages that all other packages may use and that do not depend on Wattle's storage, labels or modules:
// the clock, the scope of a call, the format of log lines, traces, health checks, private files, HTTP clients for other services.
//
//   - scope contains data only; only core creates a scope, and the contract of modules (core/module) reads it.
//   - clock is the only source of time. A package that needs the time takes a clock.Clock.
//   - outside is the only way to call a URL that an operator or a label has configured.
//
// Any package of core may import these packages. They import the standard library, libraries and each other.
package base
