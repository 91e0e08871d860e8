package label

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue"
)

// StateDemoOnly is the State of a Problem about a setting that is left out because it is for demonstrations only.
const StateDemoOnly = "demo_only"

// attributed is a field of the settings of modules that has an attribute in the schema.
type attributed struct {
	path  []string // from the module's key on
	value cue.Value
	cue.Attribute
}

// withAttribute finds the settings that have an attribute.
func withAttribute(v cue.Value, name string, path []string) (found []attributed) {
	fields, err := v.Fields()
	if err != nil {
		return nil
	}
	for fields.Next() {
		f, at := fields.Value(), append(slices.Clone(path), fields.Selector().Unquoted())
		if a := f.Attribute(name); a.Err() == nil {
			found = append(found, attributed{at, f, a})
		}
		if f.IncompleteKind() == cue.StructKind {
			found = append(found, withAttribute(f, name, at)...)
		}
	}
	return found
}

// demoSetting is a setting of a module with the value that only a demo may have.
type demoSetting struct {
	path   []string // from the module's key on
	value  string
	effect string // what comes of leaving it out
}

// demoSettings finds the settings whose value is for demonstrations only: the schema says so with @demo("value", "what comes of
// leaving it out").
func demoSettings(v cue.Value) (found []demoSetting) {
	for _, f := range withAttribute(v, "demo", nil) {
		only, _ := f.String(0)
		effect, _ := f.String(1)
		if value, err := f.value.String(); err == nil && value == only {
			found = append(found, demoSetting{f.path, value, effect})
		}
	}
	return found
}

// leaveOutDemo takes settings for demonstrations only out of a label that is not of a demo (9-sandbox-demo-only). The label is served
// without them, and its problems say so.
func (c *candidate) leaveOutDemo(l *Label, v cue.Value) error {
	if c.schema.demo {
		return nil
	}
	for _, d := range demoSettings(v.LookupPath(cue.MakePath(cue.Str("modules")))) {
		raw, err := without(l.Modules[d.path[0]], d.path[1:])
		if err != nil {
			return err
		}
		l.Modules[d.path[0]] = raw
		path := append([]string{"modules"}, d.path...)
		p := c.at(path, "%s: %q is for demonstrations and is left out without --demo: %s", strings.Join(path, "."), d.value, d.effect)
		p.State = StateDemoOnly
		c.mild = append(c.mild, p)
	}
	return nil
}

// without is a JSON object without the member at a path.
func without(raw json.RawMessage, path []string) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, fmt.Errorf("label: settings: %w", err)
	}
	if len(path) == 1 {
		delete(members, path[0])
	} else if inner, there := members[path[0]]; there {
		left, err := without(inner, path[1:])
		if err != nil {
			return nil, err
		}
		members[path[0]] = left
	}
	return json.Marshal(members)
}
