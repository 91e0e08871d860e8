package imports

import (
	"encoding/json"
	"strings"
)

// object makes a record of a CSV line: every field is a string under the name of its column, "address.street" stands inside
// "address", and an empty field is left out.
func (r *Reader) object(fields []string) json.RawMessage {
	out := map[string]any{}
	for i, v := range fields {
		if v == "" {
			continue
		}
		in, path := out, strings.Split(r.names[i], ".")
		for _, p := range path[:len(path)-1] {
			next, ok := in[p].(map[string]any)
			if !ok {
				next = map[string]any{}
				in[p] = next
			}
			in = next
		}
		in[path[len(path)-1]] = v
	}
	b, _ := json.Marshal(out) // strings and maps always encode
	return b
}

// nested refuses a header in which a column is both a field and the group of another.
func nested(names []string) error {
	for _, a := range names {
		for _, b := range names {
			if strings.HasPrefix(b, a+".") {
				return ErrHeader
			}
		}
		if strings.HasPrefix(a, ".") || strings.HasSuffix(a, ".") || strings.Contains(a, "..") {
			return ErrHeader
		}
	}
	return nil
}
