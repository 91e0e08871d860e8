// Package acmeapi contains the event types of module acme, for its siblings. `make generate` adds a client of its operations to the
// packages of our own modules.
package acmeapi

import "github.com/wattle-portal/wattle/core/event"

// EventNoteSaved is the type of the event after a customer saved a note.
const EventNoteSaved = "acme.note_saved"

// Events are the events that module acme publishes.
var Events = []event.Type{
	event.Of[NoteSaved](EventNoteSaved, "Id of the note", "A customer saved a note"),
}

// NoteSaved is the data of EventNoteSaved.
type NoteSaved struct {
	Length int `json:"length" doc:"Characters of the note"`
}
