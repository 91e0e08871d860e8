// Package event describes the events of a module: their types, and the Go type of the data of each. A module lists its own in
// Manifest.Publishes; its AsyncAPI document is made of that list, and moduletest holds every event that is published against it.
package event

import (
	"reflect"
	"time"
)

// Type is one type of event.
type Type struct {
	Name     string // "acme.note_saved": begins with the key of the publisher and never changes
	Summary  string // when it is published, one sentence
	Key      string // what Event.Key is: "Id of the relation"
	Internal bool   // the publisher sends it to itself; others have no use for it
	data     reflect.Type
}

// Of describes a type of event whose data is a T, a struct with `doc` tags.
func Of[T any](name, key, summary string) Type {
	return Type{Name: name, Summary: summary, Key: key, data: reflect.TypeFor[T]()}
}

// Internally describes a type of event that its publisher sends to itself, to go on later or apart from the caller.
func Internally[T any](name, key, summary string) Type {
	t := Of[T](name, key, summary)
	t.Internal = true
	return t
}

// Scheduled describes a type of event of Manifest.Schedule, which core publishes in the name of the module. Its data is a Tick.
func Scheduled(name, summary string) Type {
	return Internally[Tick](name, "The type of the event", summary)
}

// Data is the Go type of the data.
func (t Type) Data() reflect.Type { return t.data }

// Tick is the data of an event of Manifest.Schedule.
type Tick struct {
	Tick time.Time `json:"tick" doc:"When it was due, in the label's time zone"`
}

// None is the data of an event that says everything by its type and key.
type None struct{}
