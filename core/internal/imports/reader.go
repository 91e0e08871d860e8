package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/internal/mapping"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// MaxLine bounds one record, in bytes.
const MaxLine = 1 << 20

// Codes of a line that is no record.
const (
	CodeTooLarge = problem.CodeTooLarge  // longer than MaxLine
	CodeEncoding = "invalid_encoding"    // not UTF-8
	CodeJSON     = problem.CodeMalformed // not a JSON object
	CodeQuote    = "unclosed_quote"      // CSV: a quote that is not closed, or stands in the middle of a field
	CodeFields   = "field_count"         // CSV: not as many fields as the header names
)

// ErrHeader is a CSV file whose first line does not name its fields, once each.
var ErrHeader = mapping.ErrHeader

// BadRow is a line that is no record.
type BadRow struct {
	Line int
	Code string
	Text string // what stands there
}

// Error names line and code.
func (b *BadRow) Error() string { return fmt.Sprintf("line %d: %s", b.Line, b.Code) }

// Format of a file.
type Format int

// Formats.
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

// Record is one record of a file, or why a line gives none.
type Record struct {
	record.Row
	Line    int                // in the file; of a file with a mapping Row.Line is something else, for a line can give several
	Of      int                // which record of the mapping
	Text    string             // the line, when there is a mapping
	Refused []*mapping.Refusal // fields that the mapping cannot read
	columns *mapping.Lines     // when there is a mapping
}

// Reader reads records from a file, line by line: a file may be larger than memory, and one bad line costs no other.
type Reader struct {
	in     *bufio.Reader
	format Format
	line   int // number of the last line read
	offset int64
	ahead  []line // CSV: read while looking for the end of a record, to be read again
	csv    csvFields
	lines  *mapping.Lines // of a CSV file, made of its header
	mapped func(columns []string) (*mapping.Lines, error)
	queue  []Record // of the line that was read last
}

// line is a physical line.
type line struct {
	text    []byte // with its end
	number  int
	start   int64 // where it begins in the file
	tooLong bool
}

// NewReader reads in. A byte order mark is skipped.
func NewReader(in io.Reader, f Format) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, 64<<10), format: f}
}

// NewMappedReader reads a CSV file of others. comma stands between fields; 0: the first line tells. prepare gets the names in the
// first line.
func NewMappedReader(in io.Reader, comma rune, prepare func(columns []string) (*mapping.Lines, error)) *Reader {
	r := NewReader(in, CSV)
	r.csv.comma, r.mapped = comma, prepare
	return r
}

// Offset is how many bytes were read, for a progress bar.
func (r *Reader) Offset() int64 { return r.offset }

// Next returns the next record, a *BadRow for a line that is none (go on after it), io.EOF at the end, or another error, after
// which nothing can be read. Empty lines are skipped.
func (r *Reader) Next() (record.Row, error) {
	record, err := r.Record()
	return record.Row, err
}

// Record is Next with where the record comes from.
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
		if text[0] != '{' || !json.Valid(text) {
			return Record{}, &BadRow{l.number, CodeJSON, string(text)}
		}
		return Record{Row: record.Row{Line: l.number, Data: text}, Line: l.number}, nil
	}
}

func (l line) check() error {
	switch {
	case l.tooLong:
		return &BadRow{l.number, CodeTooLarge, string(l.text)}
	case !utf8.Valid(l.text):
		return &BadRow{l.number, CodeEncoding, string(l.text)}
	}
	return nil
}

// read returns the next line; of one that is too long only the first MaxLine bytes.
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
