// Package demodata is what a module adds to a demo: records of a new household, meters that measure, and what their hours are made of.
//
// Data stands in the manifest, so that the data is the same where a plugin has taken the place of the module. The demo itself (people,
// their files and what they do) is core's, and stands in the folder demo of each label.
package demodata

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"text/template"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Data is what a module adds. The zero value adds nothing.
type Data struct {
	// Sample holds what POST /dev/customers gives a customer with "sample": records in <kind>.ndjson and descriptions of a Series in
	// <name>.json, in its root or in its folder demo. Both may use the functions of Texts.
	Sample fs.FS
	// Files are added to the file store with a sample: the name there, which may use the functions of Texts, by the file in the folder
	// demo/files of the label that is copied. A label without it gets an empty page.
	Files map[string]string
	// Shapes are definitions of text/template that the records of every label may use.
	Shapes string
	// Functions are what the records of a label may use besides the functions of Texts. folder is the folder demo of the label, now
	// the present in its zone.
	Functions func(folder fs.FS, now time.Time) template.FuncMap
	Series    []Series
	// Asks are calls that a customer of a test has made when its name is true in POST /dev/customers.
	Asks map[string][]Call
}

// Series is a kind of meter, whose records follow from a description and the time.
type Series struct {
	// Name is a field of POST /dev/customers, a list of descriptions; <Name>.json in the folder demo of a label holds such a list.
	Name string
	Read func(description json.RawMessage) (Meter, error)
}

// Meter makes the records of one description. Written as JSON it is the description: when that changes, the demo makes its records
// again.
type Meter interface {
	// Part names the meter among all that a label's demo loads. It is stored.
	Part() string
	// Days is since how many days before the first start of the demo it measures.
	Days() int
	// Records are those of the days from one until now, in whose zone the days are.
	Records(from value.Day, now time.Time) iter.Seq[Record]
}

// Live is optional for a Meter: one that also measures while the demo runs.
type Live interface {
	// Measured are the records of the time after one moment until another.
	Measured(after, until time.Time) iter.Seq[Record]
}

// Record is one to import. Kinds that the label's modules do not take are left out.
type Record struct {
	Kind string
	Data json.RawMessage
}

// Call is something that a customer has done: a call of an operation as that customer.
type Call struct {
	Method string         `json:"method,omitempty" enum:"GET,PUT,POST,DELETE" default:"PUT"`
	Module string         `json:"module" doc:"Key of the module whose operation it is"`
	Path   string         `json:"path" doc:"Path and query of the operation"`
	Body   map[string]any `json:"body,omitempty"`
	// Form is sent instead of a body, as a page would.
	Form map[string]string `json:"form,omitempty"`
	// Deliver has everything that was queued delivered after it, so that later calls find what follows from it.
	Deliver bool `json:"deliver,omitempty"`
	// Keep names values of the answer for the calls that follow: {"order": "order.deal_identifier"} gives {{kept "order"}}. A number
	// in the path counts in a list.
	Keep map[string]string `json:"keep,omitempty" doc:"Name and path of values of the answer, for {{kept \"name\"}} in later calls"`
}

// Descriptions reads a list of them from <name>.json in a folder; none when there is no such file.
func Descriptions[D any](folder fs.FS, name string) (all []D, err error) {
	text, err := fs.ReadFile(folder, name+".json")
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s.json: %w", name, err)
	}
	return all, nil
}

// Read makes a Series.Read of a type of meters.
func Read[M Meter](description json.RawMessage) (Meter, error) {
	var m M
	err := json.Unmarshal(description, &m)
	return m, err
}
