// {event,job}

// Package mykeyapi contains the event types of module mykey, which other modules may import.
package mykeyapi

import "github.com/wattle-portal/wattle/core/event"

// Event types of module mykey.
const (
	// {event}
	EventAdded = "mykey.note_added"
	// {/event}
	// {job}
	EventNight = "mykey.night"
	// {/job}
)

// Events are the events that module mykey publishes.
var Events = []event.Type{
	// {event}
	event.Of[Added](EventAdded, "Id of the note", "A customer added a note"),
	// {/event}
	// {job}
	event.Scheduled(EventNight, "A night: old notes are deleted"),
	// {/job}
}

// {event}

// Added is the data of EventAdded.
type Added struct {
	Relation string `json:"relation_id" doc:"Id of the relation that added the note"`
}

// {/event}
// {/event,job}
