package label

import (
	"strconv"

	"cuelang.org/go/cue"
)

// walk calls visit for every string in the label's own files.
func walk(v cue.Value, path []string, visit func(path []string, value string)) {
	switch v.IncompleteKind() {
	case cue.StructKind:
		if fields, err := v.Fields(); err == nil {
			for fields.Next() {
				walk(fields.Value(), append(path[:len(path):len(path)], fields.Selector().String()), visit)
			}
		}
	case cue.ListKind:
		if items, err := v.List(); err == nil {
			for i := 0; items.Next(); i++ {
				walk(items.Value(), append(path[:len(path):len(path)], strconv.Itoa(i)), visit)
			}
		}
	case cue.StringKind:
		if s, err := v.String(); err == nil && len(path) > 0 {
			visit(path, s)
		}
	}
}
