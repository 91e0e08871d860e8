package label

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue"
)

// StateDemoOnly is the State of a Problem about a demo setting that is ignored outside a demo.
const StateDemoOnly = "demo_only"

// attributed is a module setting with an attribute in the schema.
type attributed struct {
	path  []string // begins with the module's key
	value cue.Value
	cue.Attribute
}

// withAttribute returns the settings below v that have an attribute.
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

// demoSetting is a module setting with a value that is allowed only in demos.
type demoSetting struct {
	path   []string // begins with the module's key
	value  string
	effect string // consequence of ignoring the setting
}

// demoSettings returns the settings whose value is allowed only in demos. The schema marks them with @demo("value", "consequence of
// ignoring the setting").
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

// removeDemoSettings removes demo settings from a label outside a demo (9-sandbox-demo-only). The label is served without them, and a
// problem reports each of them.
func (c *candidate) removeDemoSettings(l *Label, v cue.Value) error {
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
		c.warnings = append(c.warnings, p)
	}
	return nil
}

// without returns a JSON object without the member at path.
func without(raw json.RawMessage, path []string) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, fmt.Errorf("label: settings: %w", err)
	}
	if len(path) == 1 {
		delete(members, path[0])
	} else if inner, exists := members[path[0]]; exists {
		left, err := without(inner, path[1:])
		if err != nil {
			return nil, err
		}
		members[path[0]] = left
	}
	return json.Marshal(members)
}
