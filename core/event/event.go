// Package event describes the events of a module: their types, and the Go type of the data of each. A module lists its own event types in
// Manifest.Publishes. Its AsyncAPI document is generated from that list, and moduletest validates every published event against it.
package event

import (
	"reflect"
	"time"
)

// Type is an event type.
type Type struct {
	Name     string // such as "acme.note_saved": starts with the key of the publisher and never changes
	Summary  string // one sentence that says when the event is published
	Key      string // meaning of Event.Key: "Id of the relation"
	Internal bool   // only the publisher itself handles it
	data     reflect.Type
}

// Of returns an event type whose data is a T, a struct with `doc` tags.
func Of[T any](name, key, summary string) Type {
	return Type{Name: name, Summary: summary, Key: key, data: reflect.TypeFor[T]()}
}

// Internal returns an event type that its publisher sends to itself, to continue work later or outside the request.
func Internal[T any](name, key, summary string) Type {
	t := Of[T](name, key, summary)
	t.Internal = true
	return t
}

// Scheduled returns an event type of Manifest.Schedule, which core publishes on behalf of the module. Its data is a Tick.
func Scheduled(name, summary string) Type {
	return Internal[Tick](name, "The type of the event", summary)
}

// Data returns the Go type of the data.
func (t Type) Data() reflect.Type { return t.data }

// Tick is the data of an event of Manifest.Schedule.
type Tick struct {
	Tick time.Time `json:"tick" doc:"Scheduled time, in the label's time zone"`
}

// None is the data of an event that has no data other than its type and key.
type None struct{}
