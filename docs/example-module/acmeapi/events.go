// Package acmeapi contains what siblings may import of module acme: its event types, and a client of its operations.
package acmeapi

import "github.com/wattle-portal/wattle/core/event"

// EventNoteSaved is the type of the event after a customer saved a note.
const EventNoteSaved = "acme.note_saved"

// EventWeek is the type of the event of the weekly job.
const EventWeek = "acme.week"

// Events are the events that module acme publishes.
var Events = []event.Type{
	event.Of[NoteSaved](EventNoteSaved, "Id of the note", "A customer saved a note"),
	event.Scheduled(EventWeek, "A week began: the service desk gets the number of notes"),
}

// NoteSaved is the data of EventNoteSaved.
type NoteSaved struct {
	Length int `json:"length" doc:"Characters of the note"`
}
