package order

import (
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Order statuses (4-order-status-enum, 4-order-status-other-set).
const (
	Created   state.Status = "CREATED"          // the provider is being called for a payment
	Awaiting  state.Status = "AWAITING_PAYMENT" // a payment link exists
	Bought    state.Status = "BOUGHT"           // paid, waits for the transfer date
	Completed state.Status = "COMPLETED"        // the shares have been transferred
	Expired   state.Status = "EXPIRED"
	Cancelled state.Status = "CANCELLED"
)

// Transitions lists all changes of an order's status (4-order-transitions).
var Transitions = []state.Transition{
	{From: Created, To: Awaiting, By: "provider", Event: "the payment has been made ready"},
	{From: Awaiting, To: Bought, By: "provider", Event: "paid"},
	{From: Bought, To: Completed, By: "clock", Event: "the transfer date is reached"},
	{From: Created, To: Expired, By: "clock", Event: "not paid in time"},
	{From: Awaiting, To: Expired, By: "clock", Event: "not paid in time"},
	{From: Created, To: Cancelled, By: "buyer", Event: "cancelled"},
	{From: Awaiting, To: Cancelled, By: "buyer", Event: "cancelled"},
	{From: Bought, To: Cancelled, By: "buyer or provider", Event: "withdrawn, or the money went back"},
}
