package coreapi

import (
	"encoding/json"
	"time"

	"github.com/wattle-portal/wattle/core/event"
)

// Event types that core publishes.
const (
	// EventEmailVerified is published once for each token. Its data is an EmailVerified, its key is the key of the token.
	EventEmailVerified = "core.email_verified"
	// EventChangeFiled is published for every change request of every module. Its data is a Change, its key is the id of the change.
	EventChangeFiled = "core.change_filed"
	// EventChangeDecided is published for every decision on a change request. Its data is a Change, its key is the id of the change.
	EventChangeDecided = "core.change_decided"
)

// Event types that core handles. Module account publishes them, with an AccountChange as data. They are declared here because core imports
// no module.
const (
	EventUsernameProcessed = "account.username_processed"
	EventUsernameRejected  = "account.username_rejected"
	EventEmailProcessed    = "account.email_processed"
)

// Events lists the event types that core publishes.
var Events = []event.Type{
	event.Of[EmailVerified](EventEmailVerified, "Key that the module gave the token",
		"Somebody followed the link in a mail that verifies an e-mail address"),
	event.Of[Change](EventChangeFiled, "Id of the change request", "A customer filed a change request, which waits for a decision"),
	event.Of[Change](EventChangeDecided, "Id of the change request", "A change request was processed or rejected"),
}

// EmailVerified is the data of EventEmailVerified. Module is the module that requested the token; other modules ignore the event.
type EmailVerified struct {
	Purpose string          `json:"purpose" doc:"Purpose of the token, set by the module that requested it"`
	Key     string          `json:"key" doc:"Subject of the token, such as the id of a change request"`
	Module  string          `json:"module,omitempty" doc:"Key of the module that requested the token; other modules ignore the event"`
	Data    json.RawMessage `json:"data,omitempty" doc:"Data that the module stored with the token"`
}

// Change is the data of EventChangeFiled and EventChangeDecided: a module.Change.
type Change struct {
	ID        string          `json:"id" doc:"Id of the change request"`
	Label     string          `json:"label" doc:"Key of the label"`
	Relation  string          `json:"relation" doc:"Id of the relation; empty for a person who is not a customer yet"`
	Subject   string          `json:"subject" doc:"Id of the account that filed the change; empty when nobody was signed in"`
	Kind      string          `json:"kind" doc:"Kind of change, prefixed with the key of its module: account.phone"`
	Key       string          `json:"key" doc:"Agreement or account that changes, where a relation can have several; otherwise empty"`
	State     string          `json:"state" enum:"PENDING,PROCESSED,REJECTED" doc:"State after the event"`
	Effective string          `json:"effective" pattern:"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$" doc:"First day on which the change applies, such as 2026-11-20; empty: immediately"`
	Data      json.RawMessage `json:"data" doc:"Requested change, in a schema of the module that owns the kind"`
	Filed     time.Time       `json:"filed" doc:"Time of the request"`
	Decided   time.Time       `json:"decided,omitzero" doc:"Time of the decision; absent while the change is pending"`
	By        string          `json:"by" doc:"Who decided: an account, the name of an API key, \"customer\" (by a mailed link) or \"auto\""`
	Reason    string          `json:"reason" doc:"Reason of the decision, shown to the customer"`
}

// AccountChange is the data of EventUsernameProcessed, EventUsernameRejected and EventEmailProcessed.
type AccountChange struct {
	Account  string `json:"account" doc:"Id of the account that requested the change"`
	Relation string `json:"relation" doc:"Id of the relation of the account"`
	Username string `json:"username,omitempty" doc:"Current username"`
	Email    string `json:"email,omitempty" doc:"Current e-mail address"`
}
