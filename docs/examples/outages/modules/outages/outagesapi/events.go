// Package outagesapi contains the parts of module outages that siblings may import: its event types, and a client for its operations.
package outagesapi

import "github.com/wattle-portal/wattle/core/event"

// Event types that module outages publishes.
const (
	EventChanged  = "outages.changed"
	EventMailsDue = "outages.mails_due"
	EventNight    = "outages.night"
)

// Events are the events that module outages publishes.
var Events = []event.Type{
	event.Of[Changed](EventChanged, "Id of the outage", "An outage was reported, or has ended"),
	event.Internal[MailsDue](EventMailsDue, "Id of the outage", "The next subscribers get a mail about an outage"),
	event.Scheduled(EventNight, "A night: outages of long ago are deleted"),
}

// Changed is the data of EventChanged.
type Changed struct {
	Change    string `json:"change" enum:"reported,ended" doc:"What happened"`
	Commodity string `json:"commodity" enum:"electricity,gas"`
	Planned   bool   `json:"planned" doc:"Planned work, and no fault"`
}

// MailsDue is the data of EventMailsDue.
type MailsDue struct {
	Change string `json:"change" enum:"reported,ended" doc:"What happened"`
	After  string `json:"after" doc:"The last subscriber that was handled; empty at first"`
}
