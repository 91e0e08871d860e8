// Package access says who may buy and sell where staff let members in: requests for access, decisions about them, and records of both.
package access

// State says whether a member may buy and sell (6-market-access-approval).
type State string

// States of access. Where a label needs no approval, every member is OPEN; otherwise NONE until the member asks.
const (
	Open     State = "OPEN"
	None     State = "NONE"
	Pending  State = "PENDING"
	Approved State = "APPROVED"
	Rejected State = "REJECTED"
)

// Of returns the state of a member, given whether the label needs approval and the stored state (empty: none).
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

// CanAsk reports whether a member in this state can ask for access; once rejected, again.
func (a State) CanAsk() bool { return a == None || a == Rejected }
