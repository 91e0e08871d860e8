package mapping

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Check returns the faults that would be wrong for every file and that a schema of single fields cannot detect.
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
			fromFile = fromFile || r.Fields[name].Column != ""
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
		for j, other := range m.Records[:i] {
			if r.sameAs(other) {
				add("gives the same record as records.%d: no field, setting or when tells them apart", []any{j}, at)
			}
		}
	}
	return faults
}

func (f Field) check() string {
	sources, forms := 0, 0
	for _, there := range []bool{f.Column != "", f.Set != "", f.Value != nil} {
		if there {
			sources++
		}
	}
	for _, there := range []bool{f.Number != "", f.Date != "", f.Time != ""} {
		if there {
			forms++
		}
	}
	_, known := shift(f.Scale)
	switch {
	case sources != 1:
		return "needs one of column, value and set"
	case f.Column == "" && (forms > 0 || f.Scale != ""):
		return "number, scale, date and time say how a column is read, so they need a column"
	case forms > 1:
		return "can be only one of number, date and time"
	case f.Scale != "" && f.Number == "":
		return "scale needs number: the decimal mark of the file"
	case f.Number != "" && f.Number != "." && f.Number != ",":
		return "number is the decimal mark, . or ,"
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
		case !letter && strings.Trim(t, "-/.: T") != "":
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
	there := map[string]bool{}
	for _, name := range names {
		there[name] = true
	}
	for _, name := range names {
		for i := range len(name) {
			if name[i] == '.' && there[name[:i]] {
				return name[:i], true
			}
		}
	}
	return "", false
}

// sameAs reports whether a line produces both records with the same key: all fields that both have come from the same sources.
func (r Record) sameAs(other Record) bool {
	if (r.When == nil) != (other.When == nil) || r.When != nil && (r.When.Column != other.When.Column || !slices.Equal(r.When.Is, other.When.Is)) {
		return false
	}
	for name, f := range r.Fields {
		if o, both := other.Fields[name]; both && (f.Column != o.Column || f.Set != o.Set || string(f.Value) != string(o.Value)) {
			return false
		}
	}
	return true
}
