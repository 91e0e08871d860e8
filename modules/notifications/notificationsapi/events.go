package notificationsapi

import "github.com/wattle-portal/wattle/core/event"

// Types of the events that module notifications publishes.
const (
	EventPublished = "notifications.published"
	EventMailsDue  = "notifications.mails_due"
)

const notification = "Id of the notification"

// Events are what module notifications publishes.
var Events = []event.Type{
	event.Of[Published](EventPublished, notification, "Customers can read a notification from now on"),
	event.Internally[MailsDue](EventMailsDue, notification, "The mails to the next readers of a notification are to be sent"),
}

// Published is the data of EventPublished.
type Published struct {
	Notification string `json:"notification" doc:"Id of the notification"`
	Kind         string `json:"kind" enum:"security,contract,payment,project,news,market"`
	Audience     string `json:"audience" enum:"all,project,selection" doc:"Who reads it"`
	Project      string `json:"project,omitempty" doc:"Code of the project that it is about or whose participants read it"`
}

// MailsDue is the data of EventMailsDue.
type MailsDue struct {
	Notification string `json:"notification" doc:"Id of the notification"`
	After        string `json:"after" doc:"The reader after whom the mails go on; empty: the first"`
}
