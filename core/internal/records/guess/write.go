package guess

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue/format"

	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
)

// Text returns a mapping as it is written in a label.cue, with remarks for the person who corrects it. heading is the comment above it.
func (g Guess) Text(name, heading string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n", heading)
	if g.Kind == "" {
		fmt.Fprintf(&b, "// Its kind of record was not recognized. Its columns are %s.\n", strings.Join(g.Unused, ", "))
		return b.String()
	}
	fmt.Fprintf(&b, "imports: %s: {\n\tkind: %s\n", cueName(name), printed(g.Kind))
	if g.Comma != "" {
		fmt.Fprintf(&b, "\tcomma: %s\n", printed(g.Comma))
	}
	if g.Order == mapping.NewestFirst {
		fmt.Fprintf(&b, "\torder: %s\n", printed(string(g.Order)))
	}
	b.WriteString("\trecords: [{\n\t\tfields: {\n")
	for _, f := range g.Fields {
		fmt.Fprintf(&b, "\t\t\t%s: %s%s\n", cueName(f.Name), source(f.From), remark(f.Remark))
	}
	for _, f := range g.Missing {
		from := f.From
		if from.Value == nil {
			from.Column = "…"
		}
		fmt.Fprintf(&b, "\t\t\t// %s: %s%s\n", cueName(f.Name), source(from), remark(f.Remark))
	}
	if len(g.Unused) > 0 {
		fmt.Fprintf(&b, "\t\t\t// columns that are not read: %s\n", strings.Join(g.Unused, ", "))
	}
	fmt.Fprintf(&b, "\t\t\t// wattle import schema %s describes all fields\n\t\t}\n\t}]\n}\n", g.Kind)
	tidy, err := format.Source([]byte(b.String()))
	if err != nil {
		return b.String() // it has been written as CUE; only its layout is not that of cue fmt
	}
	return string(tidy)
}

func remark(text string) string {
	if text == "" {
		return ""
	}
	return " // " + text
}

// cueName returns a name as a field name of CUE.
func cueName(name string) string {
	if strings.ContainsAny(name, ".-") {
		return printed(name)
	}
	return name
}

// source returns the source of a field as CUE.
func source(f mapping.Field) string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+": "+value)
		}
	}
	text := func(name, value string) {
		if value != "" {
			add(name, printed(value))
		}
	}
	text("column", f.Column)
	text("number", f.Number)
	text("thousands", f.Thousands)
	text("date", f.Date)
	text("time", f.Time)
	if f.Values != nil {
		var values []string
		for _, from := range slices.Sorted(maps.Keys(f.Values)) {
			values = append(values, printed(from)+": "+string(f.Values[from]))
		}
		add("values", "{"+strings.Join(values, ", ")+"}")
	}
	add("value", string(f.Value))
	if len(parts) == 1 {
		return parts[0]
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// printed returns a text in quotes, on one line, as CUE and JSON write it.
func printed(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil { // a string can always be encoded
		return strconv.Quote(text)
	}
	return strings.TrimSpace(b.String())
}

func quoted(text string) json.RawMessage { return json.RawMessage(printed(text)) }

func rawValues(values map[string]string) map[string]json.RawMessage {
	out := make(map[string]json.RawMessage, len(values))
	for from, to := range values {
		out[from] = quoted(to)
	}
	return out
}
