// Package acmeapi has the types of the events of module acme, for its siblings. `make generate` adds a client of its operations to the
// packages of our own modules.
package acmeapi

import "github.com/wattle-portal/wattle/core/event"

// EventNoteSaved is the type of the event of a note that a customer saved.
const EventNoteSaved = "acme.note_saved"

// Events are what module acme publishes.
var Events = []event.Type{
	event.Of[NoteSaved](EventNoteSaved, "Id of the note", "A customer saved a note"),
}

// NoteSaved is the data of EventNoteSaved.
type NoteSaved struct {
	Length int `json:"length" doc:"Characters of the note"`
}
