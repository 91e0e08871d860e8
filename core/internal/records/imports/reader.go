package imports

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/internal/base/mistake"
	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// MaxLine is the maximum length of one record, in bytes.
const MaxLine = 1 << 20

// Codes of a line that is not a record.
const (
	CodeTooLarge = problem.CodeTooLarge  // the line is longer than MaxLine
	CodeEncoding = "invalid_encoding"    // not UTF-8
	CodeJSON     = problem.CodeMalformed // not a JSON object
	CodeQuote    = "unclosed_quote"      // CSV: a quote is not closed, or is inside a field without quotes
	CodeFields   = "field_count"         // CSV: the number of fields differs from the header
)

// ErrHeader is returned for a CSV file whose first line does not name each field exactly once.
var ErrHeader = mapping.ErrHeader

// BadRow is a line that is not a record.
type BadRow struct {
	Line int
	Code string
	Text string // content of the line
	Hint string // the reason in words, if it is about this line
}

// hint returns the reason in words.
func (b *BadRow) hint() string { return cmp.Or(b.Hint, problem.Sentence(b.Code)) }

// Error returns line and code.
func (b *BadRow) Error() string { return fmt.Sprintf("line %d: %s", b.Line, b.Code) }

// Format is the format of a file.
type Format int

// The file formats.
const (
	NDJSON Format = iota
	CSV
)

func formatOf(path string) Format {
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		return CSV
	}
	return NDJSON
}

// Record is one record of a file, or the reason why a line contains none.
type Record struct {
	record.Row
	Line    int                // in the file; with a mapping Row.Line is the record number, because a line can contain several
	Of      int                // number of the record in the mapping
	Text    string             // the line, with a mapping
	Refused []*mapping.Refusal // fields that the mapping cannot read
	columns *mapping.Lines     // nil without a mapping
	key     string             // natural key, with a format
	source  string             // the row of a CSV file
}

// Reader reads records from a file line by line: a file may be larger than memory, and a bad line does not affect others.
type Reader struct {
	in     *bufio.Reader
	format Format
	line   int // number of the last line read
	offset int64
	ahead  []line // CSV: lines read while searching for the end of a row, to be read again
	csv    csvFields
	lines  *mapping.Lines // for a CSV file, created from its header
	mapped func(columns []string) (*mapping.Lines, error)
	keep   bool     // whether records contain their whole row
	queue  []Record // records of the last line read
}

// line is a physical line.
type line struct {
	text    []byte // with its line end
	number  int
	start   int64 // offset in the file
	tooLong bool
}

// NewReader returns a reader of in. It skips a byte order mark.
func NewReader(in io.Reader, f Format) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, 64<<10), format: f}
}

// NewMappedReader returns a reader of a CSV file with a mapping. comma is the field separator; 0: it is detected from the first line.
// prepare is called with the column names of the first line.
func NewMappedReader(in io.Reader, comma rune, prepare func(columns []string) (*mapping.Lines, error)) *Reader {
	r := NewReader(in, CSV)
	r.csv.comma, r.mapped = comma, prepare
	return r
}

// Offset returns the number of bytes read, for a progress bar.
func (r *Reader) Offset() int64 { return r.offset }

// Next returns the next record. It returns a *BadRow for a line that is not a record, after which the caller may continue. Any other error,
// including io.EOF at the end, is final. It skips empty lines.
func (r *Reader) Next() (record.Row, error) {
	record, err := r.Record()
	return record.Row, err
}

// Record returns the next record with its position in the file. Errors are those of Next.
func (r *Reader) Record() (Record, error) {
	if r.format == CSV {
		return r.recordCSV()
	}
	for {
		l, err := r.read()
		if err != nil {
			return Record{}, err
		}
		text := bytes.TrimSpace(l.text)
		if len(text) == 0 && !l.tooLong {
			continue
		}
		if err := l.check(); err != nil {
			return Record{}, err
		}
		text, corrected := takeReason(text)
		if !corrected {
			return Record{}, &BadRow{Line: l.number, Code: CodeUnreadable, Text: string(text)}
		}
		if text[0] != '{' || !json.Valid(text) {
			return Record{}, &BadRow{Line: l.number, Code: CodeJSON, Text: string(text), Hint: notObject(text)}
		}
		return Record{Row: record.Row{Line: l.number, Data: text}, Line: l.number}, nil
	}
}

// notObject returns why a line is not a JSON object.
func notObject(text []byte) string {
	if m := mistake.JSON(text); m != nil {
		return fmt.Sprintf("it is not valid JSON: column %d: %s", m.Column, m.Why)
	}
	return "it is not a JSON object: {…}"
}

func (l line) check() error {
	switch {
	case l.tooLong:
		return &BadRow{Line: l.number, Code: CodeTooLarge, Text: string(l.text)}
	case !utf8.Valid(l.text):
		return &BadRow{Line: l.number, Code: CodeEncoding, Text: string(l.text)}
	}
	return nil
}

// read returns the next line, truncated to MaxLine bytes.
func (r *Reader) read() (line, error) {
	if len(r.ahead) > 0 {
		l := r.ahead[0]
		r.ahead = r.ahead[1:]
		return l, nil
	}
	l := line{number: r.line + 1, start: r.offset}
	for {
		part, err := r.in.ReadSlice('\n')
		r.offset += int64(len(part))
		if r.line == 0 && len(l.text) == 0 {
			part = bytes.TrimPrefix(part, []byte("\uFEFF"))
		}
		if free := MaxLine - len(l.text); len(part) > free {
			l.tooLong, part = true, part[:free]
		}
		l.text = append(l.text, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(l.text) > 0, err == nil:
			r.line++
			return l, nil
		}
		return l, err
	}
}
