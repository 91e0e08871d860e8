// Package teams is the wing of packages and tools for module teams: the packages they install, a module to start from, and the analyzer
// that checks theirs.
//
//   - packages carries and installs the Go and npm packages of this version.
//   - scaffold writes a new module from docs/examples/outages.
//   - check is the analyzer; core/moduletest/check is its command.
//
// Called by core/cmd/wattle and core/moduletest/check. It needs no running portal.
package teams
