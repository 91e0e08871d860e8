package notificationsapi

import "github.com/wattle-portal/wattle/core/event"

// Event types that module notifications publishes.
const (
	EventPublished = "notifications.published"
	EventMailsDue  = "notifications.mails_due"
)

const notification = "Id of the notification"

// Events are the events that module notifications publishes.
var Events = []event.Type{
	event.Of[Published](EventPublished, notification, "A notification was published; customers can read it"),
	event.Internal[MailsDue](EventMailsDue, notification, "The mails to the next page of readers are due"),
}

// Published is the data of EventPublished.
type Published struct {
	Notification string `json:"notification" doc:"Id of the notification"`
	Kind         string `json:"kind" enum:"security,contract,payment,project,news,market" doc:"Kind of the notification"`
	Audience     string `json:"audience" enum:"all,project,selection" doc:"Kind of the audience"`
	Project      string `json:"project,omitempty" doc:"Code of the project that is its subject or audience"`
}

// MailsDue is the data of EventMailsDue.
type MailsDue struct {
	Notification string `json:"notification" doc:"Id of the notification"`
	After        string `json:"after" doc:"Relation id of the last reader of the previous page; empty: first page"`
}
