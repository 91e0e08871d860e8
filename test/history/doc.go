// Package history checks the responses that members receive while they buy and sell. The checker is independent of the program: porcupine
// decides whether a history of calls, recorded outside of the portal while faults are made, is possible in a model that fits on one page.
package history
