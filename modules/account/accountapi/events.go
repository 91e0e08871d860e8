package accountapi

import (
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/event"
)

// Types of the events that module account publishes, besides those that core handles: coreapi.EventUsernameProcessed,
// coreapi.EventUsernameRejected and coreapi.EventEmailProcessed.
const (
	EventPhoneProcessed  = "account.phone_processed"
	EventPhoneRejected   = "account.phone_rejected"
	EventEmailRejected   = "account.email_rejected"
	EventContactReceived = "account.contact_received"
)

const change = "Id of the change request"

// Events are what module account publishes.
var Events = []event.Type{
	event.Of[PhoneProcessed](EventPhoneProcessed, change, "A telephone number was changed, and holds from now on"),
	event.Of[ChangeRejected](EventPhoneRejected, change, "A change of a telephone number was rejected"),
	event.Of[coreapi.AccountChange](coreapi.EventEmailProcessed, change, "An e-mail address was changed, and holds from now on"),
	event.Of[ChangeRejected](EventEmailRejected, change, "A change of an e-mail address was rejected"),
	event.Of[coreapi.AccountChange](coreapi.EventUsernameProcessed, change, "A username was changed, and holds from now on"),
	event.Of[coreapi.AccountChange](coreapi.EventUsernameRejected, change, "A change of a username was rejected"),
	event.Of[ContactReceived](EventContactReceived, "Id of the message", "A customer wrote to customer service"),
}

// PhoneProcessed is the data of EventPhoneProcessed.
type PhoneProcessed struct {
	Account     string `json:"account" doc:"Id of the account that asked for the change"`
	Relation    string `json:"relation" doc:"Id of the relation"`
	PhoneNumber string `json:"phone_number"`
}

// ChangeRejected is the data of EventPhoneRejected and EventEmailRejected.
type ChangeRejected struct {
	Account  string `json:"account" doc:"Id of the account that asked for the change"`
	Relation string `json:"relation" doc:"Id of the relation"`
}

// ContactReceived is the data of EventContactReceived.
type ContactReceived struct {
	ID         string    `json:"id"`
	RelationID string    `json:"relation_id"`
	Subject    string    `json:"subject" doc:"payments, products, usage, relocation, suggestion or other"`
	Message    string    `json:"message"`
	At         time.Time `json:"at"`
}
