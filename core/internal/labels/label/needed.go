package label

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	cueerrors "cuelang.org/go/cue/errors"
)

// StateMoved is the State of a Problem about a setting that has a new path. The old path is read for one more release.
const StateMoved = "moved"

// enableNeeded enables the modules that the label's modules require, with their default settings.
func (c *candidate) enableNeeded() {
	fields, err := c.own.LookupPath(modulesPath).Fields()
	if err != nil {
		return
	}
	on := map[string]bool{}
	var wanted []string
	for fields.Next() {
		key := fields.Selector().Unquoted()
		on[key], wanted = true, append(wanted, key)
	}
	for len(wanted) > 0 {
		key := wanted[0]
		wanted = wanted[1:]
		for _, need := range c.schema.needs[key] {
			if on[need] || !c.schema.has(need) && !c.schema.absent[need] {
				continue
			}
			on[need], wanted = true, append(wanted, need)
			c.own = c.own.FillPath(cue.MakePath(cue.Str("modules"), cue.Str(need)), c.ctx.CompileString("{}"))
		}
	}
}

var modulesPath = cue.MakePath(cue.Str("modules"))

// moveSettings reads settings at their path of the previous release. A schema field with @formerly("move.register") gets the value at that
// path, unless the label sets the field itself. A field with @moved("address.register") is the old path: its value is removed, and a
// warning names the new path.
func (c *candidate) moveSettings(l *Label, v cue.Value) error {
	modules := v.LookupPath(modulesPath)
	for _, f := range withAttribute(modules, "formerly", nil) {
		place, _ := f.String(0)
		old := strings.Split(place, ".")
		raw, exists, err := member(l.Modules[old[0]], old[1:])
		if err != nil {
			return err
		}
		if !exists || c.isSet(f.path) {
			continue
		}
		if l.Modules[f.path[0]], err = overlay(l.Modules[f.path[0]], f.path[1:], raw); err != nil {
			return err
		}
	}
	for _, f := range withAttribute(modules, "moved", nil) {
		place, _ := f.String(0)
		raw, exists, err := member(l.Modules[f.path[0]], f.path[1:])
		if err != nil {
			return err
		}
		if !exists {
			continue
		}
		if l.Modules[f.path[0]], err = without(l.Modules[f.path[0]], f.path[1:]); err != nil {
			return err
		}
		path := append([]string{"modules"}, f.path...)
		value := string(raw)
		if secretName.MatchString(value) {
			value = "…" // a problem must not contain a secret
		}
		text := fmt.Sprintf("is read here for this release only; write instead: modules: %s: %s", strings.ReplaceAll(place, ".", ": "), value)
		if c.isSet(strings.Split(place, ".")) {
			text = fmt.Sprintf("is not read any more, for modules.%s says it; take it out", place)
		}
		p := c.at(path, "%s: %s", strings.Join(path, "."), text)
		p.State = StateMoved
		c.warnings = append(c.warnings, p)
	}
	return nil
}

// isSet reports whether the label's own files contain a setting. path starts with the module's key.
func (c *candidate) isSet(path []string) bool {
	at := []cue.Selector{cue.Str("modules")}
	for _, s := range path {
		at = append(at, cue.Str(s))
	}
	return c.own.LookupPath(cue.MakePath(at...)).Exists()
}

// checkTogether validates the settings of a module together with those of the modules that it requires, against #Together of its fragment,
// which is a struct by module key.
func (c *candidate) checkTogether(l *Label) (ps []Problem) {
	for _, m := range slices.Sorted(maps.Keys(l.Settings)) {
		rule := c.root.LookupPath(cue.ParsePath(c.schema.bodies[m] + ".#Together"))
		if !rule.Exists() {
			continue
		}
		settings := map[string]json.RawMessage{}
		for _, key := range append([]string{m}, c.schema.needs[m]...) {
			if raw, on := l.Modules[key]; on {
				settings[key] = raw
			}
		}
		text, _ := json.Marshal(settings)                      // cannot fail: the values are raw JSON
		err := rule.Unify(c.ctx.CompileBytes(text)).Validate() // settings of a missing module are incomplete, which is not an error
		for _, e := range cueerrors.Errors(err) {
			path := slices.DeleteFunc(slices.Clone(e.Path()), func(s string) bool { return strings.HasPrefix(s, "#") })
			path = append([]string{"modules"}, path...)
			positions := append(slices.Clone(e.InputPositions()), e.Position())
			ps = append(ps, c.at(path, "%s", c.sentence(path, e, positions)))
		}
	}
	return slices.CompactFunc(ps, func(a, b Problem) bool { return a.Message == b.Message })
}

// member returns the value at path in a JSON object.
func member(raw json.RawMessage, path []string) (found json.RawMessage, exists bool, err error) {
	if raw == nil {
		return nil, false, nil
	}
	if len(path) == 0 {
		return raw, true, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, false, fmt.Errorf("label: settings: %w", err)
	}
	return member(members[path[0]], path[1:])
}

// overlay returns a JSON object in which over replaces the value at path; if both are objects, it replaces or adds only the members of
// over.
func overlay(raw json.RawMessage, path []string, over json.RawMessage) (json.RawMessage, error) {
	var members, above map[string]json.RawMessage
	if len(path) > 0 {
		if raw != nil {
			if err := json.Unmarshal(raw, &members); err != nil {
				return nil, fmt.Errorf("label: settings: %w", err)
			}
		}
		inner, err := overlay(members[path[0]], path[1:], over)
		if err != nil {
			return nil, err
		}
		if members == nil {
			members = map[string]json.RawMessage{}
		}
		members[path[0]] = inner
		return json.Marshal(members)
	}
	if json.Unmarshal(over, &above) != nil || json.Unmarshal(raw, &members) != nil || members == nil {
		return over, nil
	}
	maps.Copy(members, above)
	return json.Marshal(members)
}
