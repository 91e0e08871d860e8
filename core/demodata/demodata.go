// Package demodata describes the demo data of a module: records of a new customer, and meters with their hourly records.
//
// The data is part of the manifest, so that it is the same when the module runs as a plugin. The demo itself (people, their files and
// what they do) belongs to core, and is in the folder demo of each label.
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

// Data is the demo data of a module. The zero value adds nothing.
type Data struct {
	// Sample contains the data that POST /dev/customers adds for a customer created with "sample": records in <kind>.ndjson and
	// descriptions for a Series in <name>.json, in its root or in its folder demo. Both may use the functions of Texts.
	Sample fs.FS
	// Files are copied to the file store together with Sample. A key is the name in the store, which may use the functions of Texts; its
	// value is the name of the file in the label's folder demo/files. If the label does not have that file, an empty page is stored.
	Files map[string]string
	// Shapes are template definitions (text/template) that the records of every label may use.
	Shapes string
	// Functions returns functions that the records of a label may use in addition to those of Texts. folder is the label's demo folder, and
	// now is the current time in the label's time zone.
	Functions func(folder fs.FS, now time.Time) template.FuncMap
	Series    []Series
	// Actions are the calls that are made on behalf of a new customer when the field of that name is true in POST /dev/customers.
	Actions map[string][]Call
}

// Series is a kind of meter, whose records are computed from a description and the time.
type Series struct {
	// Name is a field of POST /dev/customers, a list of descriptions. <Name>.json in a label's demo folder contains such a list.
	Name string
	Read func(description json.RawMessage) (Meter, error)
}

// Meter computes the records of one description. The JSON encoding of a Meter identifies the description: when the encoding changes, the
// demo computes the records again.
type Meter interface {
	// Name returns the name of the meter, unique in the demo data of a label. It is stored.
	Name() string
	// Days returns how many days before the first start of the demo the records begin.
	Days() int
	// Records returns the records from the given day until now. Days are in the time zone of now.
	Records(from value.Day, now time.Time) iter.Seq[Record]
}

// Live is implemented by a Meter that also produces records while the demo runs.
type Live interface {
	// Measured returns the records after the time after, up to until.
	Measured(after, until time.Time) iter.Seq[Record]
}

// Record is a record to import. Kinds that no module of the label imports are skipped.
type Record struct {
	Kind string
	Data json.RawMessage
}

// Call is a call to an operation on behalf of a customer.
type Call struct {
	Method string         `json:"method,omitempty" enum:"GET,PUT,POST,DELETE" default:"PUT"`
	Module string         `json:"module" doc:"Key of the module that has the operation"`
	Path   string         `json:"path" doc:"Path and query of the operation"`
	Body   map[string]any `json:"body,omitempty"`
	// Form is sent instead of a body, encoded as an HTML form.
	Form map[string]string `json:"form,omitempty"`
	// Deliver delivers all queued events and emails after the call, so that later calls find their results.
	Deliver bool `json:"deliver,omitempty"`
	// Keep names response values for later calls: with {"order": "order.deal_identifier"}, the template {{kept "order"}} returns that
	// value. A number in the path is a list index.
	Keep map[string]string `json:"keep,omitempty" doc:"Names and paths of values of the response, for {{kept \"name\"}} in later calls"`
}

// Descriptions reads a list of descriptions from <name>.json in a folder; an empty list when the file does not exist.
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

// Read decodes the description of a Meter. Use it as Series.Read for the type M.
func Read[M Meter](description json.RawMessage) (Meter, error) {
	var m M
	err := json.Unmarshal(description, &m)
	return m, err
}
