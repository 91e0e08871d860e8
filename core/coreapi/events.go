package coreapi

import (
	"encoding/json"
	"time"

	"github.com/wattle-portal/wattle/core/event"
)

// Types of the events that core publishes.
const (
	// EventEmailVerified is published once for each token. Its data is an EmailVerified, its key is the key of the token.
	EventEmailVerified = "core.email_verified"
	// EventChangeFiled is published for every change request of every module. Its data is a Change, its key is the id of the change.
	EventChangeFiled = "core.change_filed"
	// EventChangeDecided is published for every decision on a change request. Its data is a Change, its key is the id of the change.
	EventChangeDecided = "core.change_decided"
)

// Types of the events that core handles. Module account publishes them, with an AccountChange as data. They are declared here because
// core imports no module.
const (
	EventUsernameProcessed = "account.username_processed"
	EventUsernameRejected  = "account.username_rejected"
	EventEmailProcessed    = "account.email_processed"
)

// Events lists the types of events that core publishes.
var Events = []event.Type{
	event.Of[EmailVerified](EventEmailVerified, "Key that the module gave the token", "Somebody followed the link in a mail that verifies an e-mail address"),
	event.Of[Change](EventChangeFiled, "Id of the change request", "A customer filed a change request, which waits for a decision"),
	event.Of[Change](EventChangeDecided, "Id of the change request", "A change request was processed or rejected"),
}

// EmailVerified is the data of EventEmailVerified. Module is the module that requested the token; others ignore the event.
type EmailVerified struct {
	Purpose string          `json:"purpose" doc:"What the mail was for, as the module said when it asked for the token"`
	Key     string          `json:"key" doc:"What the token is about, such as the id of a change request"`
	Module  string          `json:"module,omitempty" doc:"Key of the module that asked for the token; only that one acts on it"`
	Data    json.RawMessage `json:"data,omitempty" doc:"What the module kept with the token"`
}

// Change is the data of EventChangeFiled and EventChangeDecided: a module.Change.
type Change struct {
	ID        string          `json:"id"`
	Label     string          `json:"label" doc:"Key of the label"`
	Relation  string          `json:"relation" doc:"Id of the relation; empty for somebody who is no customer yet"`
	Subject   string          `json:"subject" doc:"Id of the account that filed it; empty when nobody was signed in"`
	Kind      string          `json:"kind" doc:"Kind of change, which begins with the key of its module: account.phone"`
	Key       string          `json:"key" doc:"Which one, where a relation can have several: an agreement, an account; else empty"`
	State     string          `json:"state" enum:"PENDING,PROCESSED,REJECTED"`
	Effective string          `json:"effective" pattern:"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$" doc:"Day from which it holds, 2026-11-20; empty: at once"`
	Data      json.RawMessage `json:"data" doc:"What is to be changed, in a form that the module of the kind defines"`
	Filed     time.Time       `json:"filed"`
	Decided   time.Time       `json:"decided,omitzero" doc:"Absent while it is pending"`
	By        string          `json:"by" doc:"Who decided: an account, the name of an API key, \"customer\" (by a mailed link) or \"auto\""`
	Reason    string          `json:"reason" doc:"What the customer is told with a decision"`
}

// AccountChange is the data of EventUsernameProcessed, EventUsernameRejected and EventEmailProcessed.
type AccountChange struct {
	Account  string `json:"account" doc:"Id of the account that asked for the change"`
	Relation string `json:"relation" doc:"Id of its relation"`
	Username string `json:"username,omitempty" doc:"Username that holds now"`
	Email    string `json:"email,omitempty" doc:"E-mail address that holds now"`
}
