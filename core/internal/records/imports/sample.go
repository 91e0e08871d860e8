package imports

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
)

// Table is the first part of a CSV file, as an import reads it.
type Table struct {
	Comma   rune
	Columns []string
	Rows    [][]string // without rows that cannot be read
}

// ErrNotCSV wraps the reason why a file is not a CSV file that can be imported.
var ErrNotCSV = errors.New("imports: not a CSV file")

// notCSV is the reason why a file is not a CSV file.
type notCSV string

func (n notCSV) Error() string { return string(n) }

// Is implements the interface of errors.Is.
func (n notCSV) Is(target error) bool { return target == ErrNotCSV }

// Sample reads the column names and at most maxRows rows of a CSV file with any of the separators that a mapping can have. An error that is
// ErrNotCSV describes the file in the rest of a sentence: "is a PDF: …".
func Sample(in io.Reader, maxRows int) (Table, error) {
	head := make([]byte, sample)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return Table{}, err
	}
	head = head[:n]
	if why := wrongKind(head, "", true); why != "" {
		return Table{}, notCSV(why)
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	switch {
	case len(bytes.TrimSpace(bytes.TrimPrefix(first, []byte("\uFEFF")))) == 0:
		return Table{}, notCSV("has no column names in its first line")
	case !utf8.Valid(wholeRunes(head)):
		return Table{}, notCSV("is not UTF-8: save it as CSV (UTF-8), or convert it: iconv -f WINDOWS-1252 -t UTF-8")
	}
	r := NewMappedReader(io.MultiReader(bytes.NewReader(head), in), separator(first),
		func([]string) (*mapping.Lines, error) { return &mapping.Lines{}, nil })
	if err := r.header(); err != nil {
		return Table{}, notCSV("has a first line that cannot be read: a quote in it is not closed")
	}
	t := Table{Comma: r.csv.comma, Columns: r.csv.names}
	for len(t.Rows) < maxRows {
		row, err := r.nextCSV()
		if _, bad := errors.AsType[*BadRow](err); bad {
			continue
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, slices.Clone(row.fields))
	}
	return t, nil
}

// separator returns the separator of fields that comes most often in the first line.
func separator(first []byte) rune {
	best, most := ',', 0
	for _, c := range []rune{',', ';', '\t', '|'} {
		if n := bytes.Count(first, []byte(string(c))); n > most {
			best, most = c, n
		}
	}
	return best
}

// wholeRunes returns text without a part of a character at its end.
func wholeRunes(text []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if b := text[len(text)-n]; utf8.RuneStart(b) {
			if !utf8.FullRune(text[len(text)-n:]) {
				return text[:len(text)-n]
			}
			break
		}
	}
	return text
}
