package mapping

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/base/mistake"
)

// Check returns the faults that do not depend on a file and that a schema of single fields cannot detect.
func (m *Mapping) Check() (faults []Fault) {
	add := func(format string, args []any, path ...string) {
		faults = append(faults, Fault{Path: append([]string{"records"}, path...), Message: fmt.Sprintf(format, args...)})
	}
	if len(m.Records) == 0 {
		return []Fault{{Path: []string{"records"}, Message: "needs one record at least"}}
	}
	for i, r := range m.Records {
		at, names := strconv.Itoa(i), slices.Sorted(maps.Keys(r.Fields))
		fromFile := false
		for _, name := range names {
			fromFile = fromFile || len(r.Fields[name].columns()) > 0
			if message := r.Fields[name].check(); message != "" {
				add("%s", []any{message}, at, "fields", name)
			}
		}
		if !fromFile {
			add("has no field that comes from a column", nil, at, "fields")
		}
		if group, twice := findConflict(names); twice {
			add("is given twice: as a field and as the group of another", nil, at, "fields", group)
		}
		for _, list := range findLists(names) {
			add("%s", []any{list.message}, at, "fields", list.field)
		}
		if r.When != nil {
			if message := r.When.check(); message != "" {
				add("%s", []any{message}, at, "when")
			}
		}
		for j, other := range m.Records[:i] {
			if r.sameAs(other) {
				add("gives the same record as records.%d: no field, setting or when tells them apart", []any{j}, at)
			}
		}
	}
	return faults
}

// Kind describes the records of a mapping; record.Kind implements it.
type Kind interface {
	Has(field string) bool
	Allowed(field string) []string // nil: any value
	Paths() []string               // of all fields; the element of a list is 0
}

// CheckFields returns a fault for each field that the kind of the mapping does not have, and for each value in the mapping that its field
// does not accept.
func (m *Mapping) CheckFields(k Kind) (faults []Fault) {
	for i, r := range m.Records {
		for _, name := range slices.Sorted(maps.Keys(r.Fields)) {
			add := func(format string, args []any, more ...string) {
				faults = append(faults, Fault{Path: append([]string{"records", strconv.Itoa(i), "fields", name}, more...),
					Message: fmt.Sprintf(format, args...)})
			}
			if !k.Has(name) {
				add("is not a field of %s%s (wattle import schema %s)", []any{m.Kind, suggestField(name, k.Paths()), m.Kind})
				continue
			}
			allowed := k.Allowed(name)
			if allowed == nil {
				continue
			}
			f := r.Fields[name]
			judge := func(value json.RawMessage, more ...string) {
				if text := plainText(value); value != nil && !accepts(allowed, text) {
					add("%s is not one of %s%s", []any{quote(text), strings.Join(allowed, ", "), mistake.Suggest(text, allowed)}, more...)
				}
			}
			judge(f.Value, "value")
			judge(f.Default, "default")
			for _, from := range slices.Sorted(maps.Keys(f.Values)) {
				judge(f.Values[from], "values", from)
			}
		}
	}
	return faults
}

// accepts reports whether a field with these allowed values accepts a value: one of them, an empty one, or another form of true or false.
func accepts(allowed []string, text string) bool {
	_, err := strconv.ParseBool(text)
	return text == "" || slices.Contains(allowed, text) || err == nil && slices.Contains(allowed, "true")
}

// suggestField returns the field that name resembles, in the same group.
func suggestField(name string, paths []string) string {
	group, leaf := "", name
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		group, leaf = name[:at+1], name[at+1:]
	}
	inGroup := firstElement.ReplaceAllString(group, "0.")
	var leaves []string
	for _, p := range paths {
		if rest, below := strings.CutPrefix(p, inGroup); below && !strings.Contains(rest, ".") {
			leaves = append(leaves, rest)
		}
	}
	if near := mistake.Nearest(leaf, leaves); near != "" {
		return "; did you mean " + group + near + "?"
	}
	return ""
}

var firstElement = regexp.MustCompile(`\b[0-9]+\.`)

// plainText returns a string, number or boolean in JSON as a string.
func plainText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func (f Field) check() string {
	sources, forms := 0, 0
	for _, isSet := range []bool{f.Column != "", f.Columns != nil, f.Set != "", f.Value != nil} {
		if isSet {
			sources++
		}
	}
	for _, isSet := range []bool{f.Number != "", f.Date != "", f.Time != "", f.Values != nil} {
		if isSet {
			forms++
		}
	}
	_, known := shift(f.Scale)
	switch {
	case sources != 1:
		return "needs one of column, columns, value and set"
	case len(f.columns()) == 0 && (forms > 0 || f.Scale != "" || f.Thousands != "" || f.Negate || f.Default != nil):
		return "number, thousands, scale, negate, date, time, values and default say how a column is read, so they need a column"
	case f.Columns == nil && f.Separator != nil:
		return "separator stands between columns, so it needs columns"
	case forms > 1:
		return "can be only one of number, date, time and values"
	case f.Negate && f.Number == "":
		return "negate needs number: the decimal mark of the file"
	case f.Default != nil && f.Values == nil:
		return "default is for a value that values lacks, so it needs values"
	case f.Scale != "" && f.Number == "":
		return "scale needs number: the decimal mark of the file"
	case f.Number != "" && f.Number != "." && f.Number != ",":
		return "number is the decimal mark, . or ,"
	case f.Thousands != "" && f.Number == "":
		return "thousands needs number: the decimal mark of the file"
	case f.Thousands != "" && f.Thousands == f.Number:
		return "thousands and number are the same mark"
	case f.Thousands != "" && !slices.Contains(separators, f.Thousands):
		return "thousands is one of . , ' and a space"
	case !known:
		return "scale is a power of ten, such as 0.001 or 100"
	case f.Date != "" && !isComplete(f.Date, "Y", "M", "D"):
		return "date needs YYYY, MM and DD once each, such as DD-MM-YYYY"
	case f.Time != "" && !isComplete(f.Time, "Y", "M", "D", "H", "m"):
		return "time needs YYYY, MM, DD, HH and mm once each, such as DD-MM-YYYY HH:mm"
	}
	return ""
}

// isComplete reports whether a layout contains each of the parts exactly once, in a known form, with a separator before and after a part of
// variable length.
func isComplete(layout string, parts ...string) bool {
	var tokens []string
	for i := 0; i < len(layout); {
		n := 1
		for i+n < len(layout) && layout[i+n] == layout[i] {
			n++
		}
		tokens, i = append(tokens, layout[i:i+n]), i+n
	}
	seen := map[string]int{}
	for i, t := range tokens {
		letter := strings.ContainsAny(t[:1], "YMDHmsZ")
		switch {
		case letter && !slices.Contains([]string{"YYYY", "MM", "M", "DD", "D", "HH", "H", "mm", "ss", "Z"}, t):
			return false
		case !letter && strings.Trim(t, "-/.:, T") != "":
			return false
		case letter && len(t) == 1 && t != "Z" && i+1 < len(tokens) && strings.ContainsAny(tokens[i+1][:1], "YMDHms"):
			return false
		case letter:
			seen[t[:1]]++
		}
	}
	for _, p := range parts {
		if seen[p] != 1 {
			return false
		}
	}
	return seen["s"] < 2 && seen["Z"] < 2
}

// findConflict returns a name that is both a field and the group of another field, such as "address" with "address.street".
func findConflict(names []string) (string, bool) {
	isName := map[string]bool{}
	for _, name := range names {
		isName[name] = true
	}
	for _, name := range names {
		for i := range len(name) {
			if name[i] == '.' && isName[name[:i]] {
				return name[:i], true
			}
		}
	}
	return "", false
}

// check returns the problem of a condition, or "" if it is valid.
func (w When) check() string {
	kinds := 0
	for _, isSet := range []bool{w.Column != "", w.All != nil, w.Any != nil} {
		if isSet {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return "needs one of column, all and any"
	case w.Column == "" && len(w.All)+len(w.Any) == 0:
		return "all and any need a condition at least"
	case w.Column == "" && (w.Is != nil || w.Not != nil):
		return "is and not are values of a column, so they need one"
	case w.Is != nil && w.Not != nil:
		return "can be only one of is and not"
	}
	for _, inner := range slices.Concat(w.All, w.Any) {
		if message := inner.check(); message != "" {
			return message
		}
	}
	return ""
}

// listFault is an error in the elements of a list.
type listFault struct{ field, message string }

// isIndex reports whether a part of a field's name is an index in a list.
func isIndex(part string) bool { return strings.Trim(part, "0123456789") == "" && part != "" }

// findLists returns a fault for each list that is also an object or that has a gap before its last element.
func findLists(names []string) (out []listFault) {
	parts := map[string]map[string]bool{} // names in each group
	for _, name := range names {
		path := strings.Split(name, ".")
		for i := 1; i < len(path); i++ {
			group := strings.Join(path[:i], ".")
			if parts[group] == nil {
				parts[group] = map[string]bool{}
			}
			parts[group][path[i]] = true
		}
	}
	for _, group := range slices.Sorted(maps.Keys(parts)) {
		indexes := 0
		for part := range parts[group] {
			if isIndex(part) {
				indexes++
			}
		}
		if indexes == 0 {
			continue
		}
		if indexes < len(parts[group]) {
			out = append(out, listFault{group, "is given twice: as a list and as an object"})
			continue
		}
		for i := range indexes {
			if !parts[group][strconv.Itoa(i)] {
				out = append(out, listFault{group, fmt.Sprintf("is a list that lacks its element %d; the first is 0", i)})
				break
			}
		}
	}
	return out
}

// sameAs reports whether a line produces both records with the same key, because all fields in both come from the same sources.
func (r Record) sameAs(other Record) bool {
	if !reflect.DeepEqual(r.When, other.When) {
		return false
	}
	for name, f := range r.Fields {
		if o, both := other.Fields[name]; both && (!slices.Equal(f.columns(), o.columns()) || f.Set != o.Set ||
			string(f.Value) != string(o.Value)) {
			return false
		}
	}
	return true
}
