package marketplace

// status is where an offer or an order stands in its life.
type status string

// transition is one way from a status to the next: by whom, and on what event.
type transition struct {
	From, To status
	By       string
	Event    string
}

// Statuses of an offer (4-offer-lifecycle-enum).
const (
	offerCreated  status = "CREATED"  // waits for the provider's approval
	offerApproved status = "APPROVED" // waits for its date
	offerActive   status = "ACTIVE"   // can be bought
	offerSold     status = "SOLD"
	offerRejected status = "REJECTED"
	offerRevoked  status = "REVOKED"
)

// offerTransitions are all that can happen to an offer (4-offer-transitions).
var offerTransitions = []transition{
	{offerCreated, offerApproved, "staff", "approved"},
	{offerCreated, offerRejected, "staff", "rejected"},
	{offerApproved, offerActive, "clock", "its date is reached"},
	{offerActive, offerSold, "buyer", "no shares are left"},
	{offerCreated, offerRevoked, "seller", "retracted"},
	{offerApproved, offerRevoked, "seller", "retracted"},
	{offerActive, offerRevoked, "seller", "retracted"},
}

// Statuses of an order (4-order-status-enum, 4-order-status-other-set).
const (
	orderCreated   status = "CREATED"          // the provider is being asked for a payment
	orderAwaiting  status = "AWAITING_PAYMENT" // there is a link to pay it
	orderBought    status = "BOUGHT"           // paid, waits for the transfer date
	orderCompleted status = "COMPLETED"        // the shares have been transferred
	orderExpired   status = "EXPIRED"
	orderCancelled status = "CANCELLED"
)

// orderTransitions are all that can happen to an order (4-order-transitions).
var orderTransitions = []transition{
	{orderCreated, orderAwaiting, "provider", "the payment has been made ready"},
	{orderAwaiting, orderBought, "provider", "paid"},
	{orderBought, orderCompleted, "clock", "the transfer date is reached"},
	{orderCreated, orderExpired, "clock", "not paid in time"},
	{orderAwaiting, orderExpired, "clock", "not paid in time"},
	{orderCreated, orderCancelled, "buyer", "cancelled"},
	{orderAwaiting, orderCancelled, "buyer", "cancelled"},
	{orderBought, orderCancelled, "buyer or provider", "withdrawn, or the money went back"},
}

// allows reports whether a table has a transition.
func allows(table []transition, from, to status) bool {
	for _, t := range table {
		if t.From == from && t.To == to {
			return true
		}
	}
	return false
}
