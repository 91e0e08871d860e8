// Package state keeps the tables of the statuses of offers and orders: Next refuses any change of status that a table does not have.
package state

// Status is the status of an offer or an order.
type Status string

// Transition is a change of status: who makes it, and on what event.
type Transition struct {
	From, To Status
	By       string
	Event    string
}

// Allows reports whether a table has a transition.
func Allows(table []Transition, from, to Status) bool {
	for _, t := range table {
		if t.From == from && t.To == to {
			return true
		}
	}
	return false
}
