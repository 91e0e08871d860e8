package marketplace

// AccessState says whether a member may buy and sell (6-market-access-approval).
type AccessState string

// States of access. Where a label lets everybody in it is OPEN for all; else NONE until it is asked for.
const (
	accessOpen     AccessState = "OPEN"
	accessNone     AccessState = "NONE"
	accessPending  AccessState = "PENDING"
	accessApproved AccessState = "APPROVED"
	accessRejected AccessState = "REJECTED"
)

// accessOf is how a member stands, given what the label wants and what is stored of the member (empty: nothing).
func accessOf(approval bool, stored AccessState) AccessState {
	switch {
	case !approval:
		return accessOpen
	case stored == "":
		return accessNone
	}
	return stored
}

// May reports whether a member in this state may buy and sell.
func (a AccessState) May() bool { return a == accessOpen || a == accessApproved }

// MayAsk reports whether a member in this state can ask for access; once rejected, again.
func (a AccessState) MayAsk() bool { return a == accessNone || a == accessRejected }
