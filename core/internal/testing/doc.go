// Package testing is the wing of packages that only tests and developers use.
//
//   - storetest gives a test a database of each engine; the tests of every package group may import it.
//   - arch checks rules for the source tree that the compiler does not check, such as the order of the package groups.
//   - example compiles the Go examples of the docs.
//
// No production code imports it, except commands that run tests for a module team.
package testing
