// Package state checks status changes of offers and orders: Next refuses any change that is not in a table.
package state

// Status is the status of an offer or an order.
type Status string

// Transition is a change of status, with its actor and its event.
type Transition struct {
	From, To Status
	By       string
	Event    string
}

// Allows reports whether a table contains a transition.
func Allows(table []Transition, from, to Status) bool {
	for _, t := range table {
		if t.From == from && t.To == to {
			return true
		}
	}
	return false
}
