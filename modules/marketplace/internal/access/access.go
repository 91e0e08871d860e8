// Package access controls which members may buy and sell: requests for access, decisions about them, and their records.
package access

// State is the access of a member to the market (6-market-access-approval).
type State string

// States of access. Where a label needs no approval, the state of every member is OPEN; otherwise it is NONE until the member asks.
const (
	Open     State = "OPEN"
	None     State = "NONE"
	Pending  State = "PENDING"
	Approved State = "APPROVED"
	Rejected State = "REJECTED"
)

// Of returns the state of a member. stored may be empty: the member has not asked.
func Of(approval bool, stored State) State {
	switch {
	case !approval:
		return Open
	case stored == "":
		return None
	}
	return stored
}

// CanTrade reports whether a member in this state may buy and sell.
func (a State) CanTrade() bool { return a == Open || a == Approved }

// CanAsk reports whether a member in this state can ask for access. A member who was rejected can ask again.
func (a State) CanAsk() bool { return a == None || a == Rejected }
