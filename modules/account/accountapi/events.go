package accountapi

import (
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/event"
)

// Event types that module account publishes. It also publishes event types of core: coreapi.EventUsernameProcessed,
// coreapi.EventUsernameRejected and coreapi.EventEmailProcessed.
const (
	EventPhoneProcessed  = "account.phone_processed"
	EventPhoneRejected   = "account.phone_rejected"
	EventEmailRejected   = "account.email_rejected"
	EventContactReceived = "account.contact_received"
)

const change = "Id of the change request"

// Events are the events that module account publishes.
var Events = []event.Type{
	event.Of[PhoneProcessed](EventPhoneProcessed, change, "The phone number of a relation was changed"),
	event.Of[ChangeRejected](EventPhoneRejected, change, "A change of a phone number was rejected"),
	event.Of[coreapi.AccountChange](coreapi.EventEmailProcessed, change, "The e-mail address of a relation was changed"),
	event.Of[ChangeRejected](EventEmailRejected, change, "A change of an e-mail address was rejected"),
	event.Of[coreapi.AccountChange](coreapi.EventUsernameProcessed, change, "The username of an account was changed"),
	event.Of[coreapi.AccountChange](coreapi.EventUsernameRejected, change, "A change of a username was rejected"),
	event.Of[ContactReceived](EventContactReceived, "Id of the message", "A customer sent a message to customer service"),
}

// PhoneProcessed is the data of EventPhoneProcessed.
type PhoneProcessed struct {
	Account     string `json:"account" doc:"Id of the account that requested the change"`
	Relation    string `json:"relation" doc:"Id of the relation"`
	PhoneNumber string `json:"phone_number" doc:"The new phone number"`
}

// ChangeRejected is the data of EventPhoneRejected and EventEmailRejected.
type ChangeRejected struct {
	Account  string `json:"account" doc:"Id of the account that requested the change"`
	Relation string `json:"relation" doc:"Id of the relation"`
}

// ContactReceived is the data of EventContactReceived.
type ContactReceived struct {
	ID         string    `json:"id" doc:"Id of the message"`
	RelationID string    `json:"relation_id" doc:"Id of the relation that sent the message"`
	Subject    string    `json:"subject" doc:"Subject: payments, products, usage, relocation, suggestion or other"`
	Message    string    `json:"message" doc:"Plain text"`
	At         time.Time `json:"at" doc:"Time of the message"`
}
