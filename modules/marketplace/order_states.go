package marketplace

import (
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Statuses of an order (4-order-status-enum, 4-order-status-other-set).
const (
	orderCreated   state.Status = "CREATED"          // the provider is being asked for a payment
	orderAwaiting  state.Status = "AWAITING_PAYMENT" // there is a link to pay it
	orderBought    state.Status = "BOUGHT"           // paid, waits for the transfer date
	orderCompleted state.Status = "COMPLETED"        // the shares have been transferred
	orderExpired   state.Status = "EXPIRED"
	orderCancelled state.Status = "CANCELLED"
)

// orderTransitions are all that can happen to an order (4-order-transitions).
var orderTransitions = []state.Transition{
	{From: orderCreated, To: orderAwaiting, By: "provider", Event: "the payment has been made ready"},
	{From: orderAwaiting, To: orderBought, By: "provider", Event: "paid"},
	{From: orderBought, To: orderCompleted, By: "clock", Event: "the transfer date is reached"},
	{From: orderCreated, To: orderExpired, By: "clock", Event: "not paid in time"},
	{From: orderAwaiting, To: orderExpired, By: "clock", Event: "not paid in time"},
	{From: orderCreated, To: orderCancelled, By: "buyer", Event: "cancelled"},
	{From: orderAwaiting, To: orderCancelled, By: "buyer", Event: "cancelled"},
	{From: orderBought, To: orderCancelled, By: "buyer or provider", Event: "withdrawn, or the money went back"},
}
