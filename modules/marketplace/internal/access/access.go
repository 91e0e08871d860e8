// Package access says who may buy and sell where staff let members in. Nothing else reads or writes what is stored of it.
package access

// State says whether a member may buy and sell (6-market-access-approval).
type State string

// States of access. Where a label lets everybody in it is OPEN for all; else NONE until it is asked for.
const (
	Open     State = "OPEN"
	None     State = "NONE"
	Pending  State = "PENDING"
	Approved State = "APPROVED"
	Rejected State = "REJECTED"
)

// Of is how a member stands, given what the label wants and what is stored of the member (empty: nothing).
func Of(approval bool, stored State) State {
	switch {
	case !approval:
		return Open
	case stored == "":
		return None
	}
	return stored
}

// May reports whether a member in this state may buy and sell.
func (a State) May() bool { return a == Open || a == Approved }

// MayAsk reports whether a member in this state can ask for access; once rejected, again.
func (a State) MayAsk() bool { return a == None || a == Rejected }
