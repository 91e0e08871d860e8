// Package testing is the wing of packages that only tests and developers use.
//
//   - storetest gives a test a database of each engine; it may be imported by the tests of every wing.
//   - arch checks the rules of the tree that the compiler does not, the order of the wings among them.
//   - example compiles the Go examples of the docs.
//
// No production code imports it, except commands that run tests for a module team.
package testing
