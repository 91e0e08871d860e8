// Package history checks what members are told while they buy and sell, with a checker that knows nothing of the program: porcupine decides
// whether a history of calls, recorded outside of the portal while faults are made, fits a model of a page.
package history
