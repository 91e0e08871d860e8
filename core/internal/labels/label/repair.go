package label

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"

	"github.com/wattle-portal/wattle/core/internal/base/mistake"
)

// A mistake hides others: CUE does not report a misspelled field while another field has an invalid value, and the rules that CUE cannot
// express are checked only for a label that CUE accepts. So `labels vet` also checks a repaired copy of a label with mistakes, in which a
// misspelled field has the name that was probably meant, and an invalid value is left out (11-vet-all-mistakes). The copy is never served.

// maxRounds is the maximum number of times that a copy is evaluated.
const maxRounds = 12

// repair is a copy of a label's settings in which mistakes are repaired.
type repair struct {
	*candidate
	data     map[string]any
	removed  [][]string      // paths of settings that were left out or replaced
	replaced map[string]bool // those that were replaced
	unknown  []string        // names of modules that do not exist and were left out
}

// hidden returns problems that the mistakes of a label hide.
func (c *candidate) hidden(face *FrontEnd) (ps []Problem) {
	r := repair{candidate: c, replaced: map[string]bool{}}
	l := c.draft
	if l != nil {
		ps = slices.Clone(c.warnings)
	} else {
		if c.invalid == nil {
			return nil
		}
		if l, ps = r.evaluate(); l == nil {
			return ps
		}
		ps = append(ps, r.consequences(c.complete(l))...)
		ps = append(ps, r.consequences(c.warnings)...)
	}
	reported := append(slices.Clone(c.problems), ps...)
	c.label = l
	found := r.consequences(c.vet(face))
	c.label = nil
	return append(ps, slices.DeleteFunc(found, func(p Problem) bool {
		return slices.ContainsFunc(reported, func(q Problem) bool { return isBelow(subject(p), subject(q)) })
	})...)
}

// evaluate repairs the label until the schema accepts it. It returns the problems that it finds on the way, and nil for a label that it
// cannot repair.
func (r *repair) evaluate() (*Label, []Problem) {
	raw, err := r.own.MarshalJSON()
	if err != nil || !decodeNumbers(raw, &r.data) {
		return nil, nil
	}
	var ps []Problem
	invalid := r.invalid
	for range maxRounds {
		if !r.apply(r.findings(invalid)) {
			return nil, ps
		}
		text, err := json.Marshal(r.data)
		if err != nil {
			return nil, ps
		}
		v := r.def.Unify(r.ctx.CompileBytes(text, cue.Filename("repaired")))
		if invalid = v.Validate(cue.Concrete(true), cue.Final()); invalid == nil {
			return r.decoded(v), ps
		}
		for _, f := range r.findings(invalid) {
			if !slices.ContainsFunc(r.removed, func(path []string) bool { return slices.Equal(path, f.path) }) {
				ps = append(ps, f.Problem)
			}
		}
	}
	return nil, ps
}

func decodeNumbers(raw []byte, into *map[string]any) bool {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	return d.Decode(into) == nil
}

// decoded returns the label of a repaired copy, or nil if it cannot be decoded.
func (r *repair) decoded(v cue.Value) *Label {
	data, err := v.MarshalJSON()
	if err != nil {
		return nil
	}
	l, err := r.decode(data)
	if err != nil || r.moveSettings(l, v) != nil || r.removeDemoSettings(l, v) != nil {
		return nil
	}
	return l
}

// apply repairs the copy. It returns false if it changed nothing.
func (r *repair) apply(fs []finding) (changed bool) {
	for _, f := range fs {
		if len(f.path) == 0 {
			continue
		}
		path := make([]string, len(f.path))
		for i, s := range f.path {
			path[i] = unquote(s)
		}
		if f.isUnknown && r.rename(path) || r.substitute(path) {
			changed = true
			continue
		}
		at := leaveOut(r.data, path)
		if at == nil {
			continue
		}
		changed = true
		r.removed = append(r.removed, f.path, at)
		if f.isUnknown && len(at) == 2 && at[0] == "modules" {
			r.unknown = append(r.unknown, at[1])
		}
	}
	return changed
}

// rename gives a field that does not exist the name that was probably meant.
func (r *repair) rename(path []string) bool {
	last := len(path) - 1
	parent, ok := lookup(r.data, path[:last]).(map[string]any)
	if !ok {
		return false
	}
	known := r.knownFields(path[:last])
	if last == 1 && path[0] == "modules" {
		known = r.schema.modules
	}
	near := mistake.Nearest(path[last], known)
	value, exists := parent[path[last]]
	if _, taken := parent[near]; near == "" || taken || !exists {
		return false
	}
	delete(parent, path[last])
	parent[near] = value
	if r.renamed == nil {
		r.renamed = map[string][]string{}
	}
	r.renamed[strings.Join(append(slices.Clone(path[:last]), near), "\x00")] = r.written(path)
	if last == 1 && path[0] == "modules" {
		r.switchOn(parent, near)
	}
	return true
}

// switchOn adds the modules that a module requires.
func (r *repair) switchOn(modules map[string]any, key string) {
	for _, need := range r.schema.needs[key] {
		if _, on := modules[need]; !on && r.schema.has(need) {
			modules[need] = map[string]any{}
			r.switchOn(modules, need)
		}
	}
}

// substitute replaces an invalid or missing value that a label cannot be without.
func (r *repair) substitute(path []string) bool {
	style := map[string]any{"page_title": "x", "primary_color": "#000000"}
	info := map[string]any{"name": "x", "email": "a@b.example", "phone_number": "0000000000"}
	values := map[string]any{"label_key": r.key, "url": "https://a.example", "style": style, "info": info}
	if _, hasHosts := r.data["hosts"]; !hasHosts {
		values["hosts"] = []any{map[string]any{"name": "a.example"}}
	}
	parent := r.data
	value, known := values[path[0]]
	if known && len(path) == 2 {
		within, isGroup := value.(map[string]any)
		if value, known = within[path[1]]; !isGroup {
			return false
		}
		parent, known = lookupMap(r.data, path[:1], known)
	}
	at := strings.Join(path, ".")
	if !known || len(path) > 2 || r.replaced[at] {
		return false
	}
	parent[path[len(path)-1]], r.replaced[at] = value, true
	r.removed = append(r.removed, slices.Clone(path))
	return true
}

func lookupMap(data map[string]any, path []string, ok bool) (map[string]any, bool) {
	m, isMap := lookup(data, path).(map[string]any)
	return m, ok && isMap
}

// lookup returns the value at a path, or nil.
func lookup(v any, path []string) any {
	for _, name := range path {
		switch in := v.(type) {
		case map[string]any:
			v = in[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

// leaveOut removes the field at a path, or the innermost field that contains it. It returns the path of the field, or nil if there is none.
// An element of a list is not removed by itself, because those after it would have other paths.
func leaveOut(data map[string]any, path []string) []string {
	for n := len(path) - 1; n >= 0; n-- {
		parent, ok := lookup(data, path[:n]).(map[string]any)
		if _, exists := parent[path[n]]; ok && exists {
			delete(parent, path[n])
			return slices.Clone(path[:n+1])
		}
	}
	return nil
}

// consequences returns the problems that do not follow from the repairs.
func (r *repair) consequences(ps []Problem) []Problem {
	return slices.DeleteFunc(slices.Clone(ps), func(p Problem) bool {
		return slices.ContainsFunc(r.removed, func(path []string) bool { return follows(p, path) }) ||
			slices.ContainsFunc(r.unknown, func(module string) bool {
				return strings.Contains(p.Message, module+".") || strings.Contains(p.Message, "module "+module)
			})
	})
}

// follows reports whether a problem may be caused by the absence of a setting.
func follows(p Problem, removed []string) bool {
	at := subject(p)
	switch removed[0] {
	case "style": // colors, fonts and the header depend on each other
		return isBelow(at, "style") && (!strings.Contains(p.Message, "assets/") || strings.Contains(p.Message, "contrast"))
	case "pages":
		return isBelow(at, "pages") || strings.Contains(p.Message, "has no page") || strings.Contains(p.Message, "is not a page of")
	case "kind":
		return isBelow(at, "menu") || isBelow(at, "landing") || isBelow(at, "slots")
	case "messages":
		return strings.Contains(p.Message, removed[len(removed)-1])
	case "hosts", "url", "info":
		return isBelow(at, removed[0])
	}
	return isBelow(at, strings.Join(removed[:min(2, len(removed))], "."))
}

// subject returns the path with which the message of a problem begins, or an empty string.
func subject(p Problem) string {
	path, _, ok := strings.Cut(p.Message, ": ")
	if !ok || strings.ContainsRune(path, ' ') {
		return ""
	}
	return path
}

// isBelow reports whether a path is another path or below it.
func isBelow(path, other string) bool {
	return other != "" && (path == other || strings.HasPrefix(path, other+"."))
}

// written returns the path of a setting as it is written in the label's own files.
func (c *candidate) written(path []string) []string {
	if len(c.renamed) == 0 {
		return path
	}
	plain := make([]string, len(path))
	for i, s := range path {
		plain[i] = unquote(s)
	}
	for n := len(path); n > 0; n-- {
		if own, ok := c.renamed[strings.Join(plain[:n], "\x00")]; ok {
			return append(slices.Clone(own), path[n:]...)
		}
	}
	return path
}
