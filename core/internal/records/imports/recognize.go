package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/base/mistake"
	"github.com/wattle-portal/wattle/core/record"
)

// sample is the size of the part of a file that is used to recognize its format.
const sample = 64 << 10

// recognize returns a one-sentence error for a file in the wrong format, so that not every line of it is refused.
func (o Options) recognize(path, kind string) error {
	if o.Mapping != nil && formatOf(path) == NDJSON && strings.Contains(strings.ToLower(filepath.Ext(path)), "json") {
		return nil // fits refuses the file
	}
	in, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	defer func() { _ = in.Close() }() // the file is open only for reading
	head := make([]byte, sample)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("imports: %w", err)
	}
	head = head[:n]
	hint := wrongKind(head, o.Format, o.Mapping != nil || formatOf(path) == CSV)
	if hint == "" && o.Format == "" && o.Mapping == nil && formatOf(path) == CSV {
		hint = o.wrongColumns(head, kind)
	}
	if hint != "" {
		return fmt.Errorf("imports: %s %s", filepath.Base(path), hint)
	}
	return nil
}

// wrongKind describes a file in another format than its reader expects, with advice. It returns an empty string if the format may be right.
func wrongKind(head []byte, format string, isCSV bool) string {
	text := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\uFEFF")))
	switch {
	case len(text) == 0:
		return ""
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return "is a spreadsheet or a zip file: save the sheet as CSV (UTF-8), or unpack the file"
	case bytes.HasPrefix(head, []byte{0xD0, 0xCF, 0x11, 0xE0}):
		return "is an old spreadsheet (.xls): save the sheet as CSV (UTF-8)"
	case bytes.HasPrefix(head, []byte("%PDF")):
		return "is a PDF: records cannot be read from it"
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		return "is compressed (gzip): unpack it first"
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}), bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		return "is UTF-16 text: save it as UTF-8"
	case bytes.IndexByte(head, 0) >= 0:
		return "is not a text file"
	case format != "":
		return "" // its parser reports the expected kind
	}
	if name := formatFor(text); name != "" {
		return "is a file that --format " + name + " reads"
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case text[0] == '<':
		return "is XML or HTML, not CSV or NDJSON"
	case isCSV && (text[0] == '{' || text[0] == '['):
		return "contains JSON, not CSV: records of one object a line are read from a file whose name ends in .ndjson"
	case isCSV:
		return ""
	case text[0] == '[':
		return "is a JSON list: NDJSON has one object on each line, without brackets and commas around them (jq -c '.[]')"
	case text[0] == '{' && !json.Valid(first) && json.Valid(text):
		return "is one JSON object over several lines: NDJSON has each object on one line (jq -c .)"
	case !hasObject(text):
		return "is not NDJSON, because none of its first lines is a JSON object; the name of a CSV file ends in .csv"
	}
	return ""
}

// formatFor returns the format that a file appears to have.
func formatFor(text []byte) string {
	switch {
	case text[0] == '<' && (bytes.Contains(text, []byte("naesb.org/espi")) || bytes.Contains(text, []byte("IntervalReading"))):
		return "green-button"
	case bytes.HasPrefix(text, []byte("100,NEM12")):
		return "nem12"
	case text[0] == '/' && bytes.Contains(text, []byte("-0:1.8.")):
		return "dsmr"
	case bytes.HasPrefix(text, []byte(`{`)) && bytes.Contains(text, []byte(`"energy"`)) && bytes.Contains(text, []byte(`"timeUnit"`)):
		return "solaredge"
	}
	return ""
}

// hasObject reports whether one of the lines is a JSON object. The last line may be incomplete.
func hasObject(text []byte) bool {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, sample+1)
	for n := 0; lines.Scan() && n < 100; n++ {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 && line[0] == '{' {
			return true
		}
	}
	return false
}

// wrongColumns returns an error for a CSV file that has none of the fields of its kind.
func (o Options) wrongColumns(head []byte, kind string) string {
	k, known := o.Kinds[kind]
	if !known {
		return ""
	}
	r := NewReader(bytes.NewReader(head), CSV)
	if r.header() != nil {
		return ""
	}
	for _, name := range r.csv.names {
		if k.Has(name) {
			return ""
		}
	}
	return fmt.Sprintf("has no column of %s: its first line names %s. Columns of %s are %s (wattle import template %s); a file of another system needs --mapping or --format",
		kind, list(r.csv.names, 8), kind, list(k.Names(), 30), kind)
}

// unknownColumns returns the columns of a CSV file that are not fields of its kind.
func unknownColumns(k record.Kind, names []string) (unknown []string) {
	for _, name := range names {
		if !k.Has(name) {
			unknown = append(unknown, name)
		}
	}
	return unknown
}

// list returns names in a sentence, at most as many as max.
func list(names []string, max int) string {
	more := ""
	if len(names) > max {
		more = fmt.Sprintf(" and %d more", len(names)-max)
		names = names[:max]
	}
	return strings.Join(names, ", ") + more
}

// notes returns notes for the operator about a file that was read.
func (o Options) notes(f file, from source) []string {
	switch r := from.(type) {
	case formatted:
		return r.Notes()
	case *Reader:
		k, known := o.Kinds[f.kind]
		if !known || o.Mapping != nil || r.format != CSV {
			return nil
		}
		if unknown := unknownColumns(k, r.csv.names); len(unknown) > 0 {
			for i, name := range unknown {
				if near := mistake.Nearest(name, k.Paths()); near != "" {
					unknown[i] += " (did you mean " + near + "?)"
				}
			}
			return []string{fmt.Sprintf("%s has columns that %s does not have, which are not read: %s", filepath.Base(f.path), f.kind,
				list(unknown, 8))}
		}
	}
	return nil
}
