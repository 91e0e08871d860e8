package offer

import (
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Offer statuses (4-offer-lifecycle-enum).
const (
	Created  state.Status = "CREATED"  // waits for approval
	Approved state.Status = "APPROVED" // waits for its date to be reached
	Active   state.Status = "ACTIVE"   // can be bought
	Sold     state.Status = "SOLD"
	Rejected state.Status = "REJECTED"
	Revoked  state.Status = "REVOKED"
)

// Transitions lists all changes of an offer's status (4-offer-transitions).
var Transitions = []state.Transition{
	{From: Created, To: Approved, By: "staff", Event: "approved"},
	{From: Created, To: Rejected, By: "staff", Event: "rejected"},
	{From: Approved, To: Active, By: "clock", Event: "its date is reached"},
	{From: Active, To: Sold, By: "buyer", Event: "no shares are left"},
	{From: Created, To: Revoked, By: "seller", Event: "retracted"},
	{From: Approved, To: Revoked, By: "seller", Event: "retracted"},
	{From: Active, To: Revoked, By: "seller", Event: "retracted"},
}
