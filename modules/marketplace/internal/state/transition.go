// Package state keeps the tables of the statuses of offers and orders: Next refuses any change of status that a table does not have.
package state

// Status is where an offer or an order stands in its life.
type Status string

// Transition is one way from a status to the next: by whom, and on what event.
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
