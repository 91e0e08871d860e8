package label

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// Summary is a line of `wattle labels list`.
type Summary struct {
	Key      string   `json:"label"`
	Name     string   `json:"name"`
	Kind     Kind     `json:"kind"`
	Hosts    []Host   `json:"hosts"`
	Modules  []string `json:"modules"`
	Migrated bool     `json:"migrated"`
	Revision string   `json:"revision"`
}

// List returns a summary of each label of a folder, ordered by key. Broken labels appear only in the problems.
func List(dir string, fragments []Fragment) ([]Summary, []Problem, error) {
	s, err := Open(dir, func() []Fragment { return fragments })
	if err == nil {
		err = s.Unreadable()
	}
	if err != nil {
		return nil, nil, err
	}
	var out []Summary
	for _, l := range s.All() {
		out = append(out, Summary{l.Key, l.Info.Name, l.Kind, l.Hosts, slices.Sorted(maps.Keys(l.Modules)), l.Migrated != nil, l.Revision})
	}
	return out, s.Problems(), nil
}

// Difference is a setting that differs between two labels, defaults included; a value is nil when its label does not have the setting.
type Difference struct {
	Path string `json:"path"` // "style.primary_color"; for an asset "assets/logo.svg", whose value is the hash of its content
	A    any    `json:"a"`
	B    any    `json:"b"`
}

// Diff returns the differences between two labels, ordered by path. Each label is given by folder and key, so that an edited folder can
// be compared with the one that is served.
func Diff(dirA, keyA, dirB, keyB string, fragments []Fragment) ([]Difference, error) {
	sc, err := compose(fragments)
	if err != nil {
		return nil, err
	}
	a, err := flatten(sc, dirA, keyA)
	if err != nil {
		return nil, err
	}
	b, err := flatten(sc, dirB, keyB)
	if err != nil {
		return nil, err
	}
	paths := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(paths)
	var out []Difference
	for _, p := range slices.Compact(paths) {
		if !reflect.DeepEqual(a[p], b[p]) {
			out = append(out, Difference{p, a[p], b[p]})
		}
	}
	return out, nil
}

func flatten(sc *schema, dir, key string) (map[string]any, error) {
	c := sc.compiler().compile(dir, key)
	if c.label == nil {
		return nil, fmt.Errorf("label: %s", c.problems[0])
	}
	data, err := json.Marshal(c.label)
	if err != nil {
		return nil, fmt.Errorf("label: %w", err)
	}
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("label: %w", err)
	}
	out := map[string]any{}
	leaves("", tree, out)
	for name, a := range c.label.Assets {
		out["assets/"+name] = a.Hash
	}
	return out, nil
}

func leaves(path string, v any, out map[string]any) {
	join := func(s string) string {
		if path == "" {
			return s
		}
		return path + "." + s
	}
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			leaves(join(k), e, out)
		}
	case []any:
		for i, e := range v {
			leaves(join(strconv.Itoa(i)), e, out)
		}
	default:
		out[path] = v
	}
}
