package imports

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/module"
)

// MaxLine bounds one record, in bytes.
const MaxLine = 1 << 20

const maxColumns = 500

// Codes of a line that is no record.
const (
	CodeTooLarge = module.CodeTooLarge  // longer than MaxLine
	CodeEncoding = "invalid_encoding"   // not UTF-8
	CodeJSON     = module.CodeMalformed // not a JSON object
	CodeQuote    = "unclosed_quote"     // CSV: a quote that is not closed, or stands in the middle of a field
	CodeFields   = "field_count"        // CSV: not as many fields as the header names
)

// ErrHeader is a CSV file whose first line does not name its fields, once each.
var ErrHeader = errors.New("the first line must name the fields, each of them once")

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

// Reader reads records from a file, line by line: a file may be larger than memory, and one bad line costs no other.
type Reader struct {
	in     *bufio.Reader
	format Format
	line   int // number of the last line read
	offset int64
	names  []string // CSV
	comma  rune
	ahead  []line // CSV: read while looking for the end of a record, to be read again
}

// line is a physical line.
type line struct {
	text    []byte // with its end
	number  int
	tooLong bool
}

// NewReader reads in. A byte order mark is skipped.
func NewReader(in io.Reader, f Format) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, 64<<10), format: f}
}

// Offset is how many bytes were read, for a progress bar.
func (r *Reader) Offset() int64 { return r.offset }

// Next returns the next record, a *BadRow for a line that is none (go on after it), io.EOF at the end, or another error, after
// which nothing can be read. Empty lines are skipped.
func (r *Reader) Next() (module.Row, error) {
	if r.format == CSV {
		return r.nextCSV()
	}
	for {
		l, err := r.read()
		if err != nil {
			return module.Row{}, err
		}
		text := bytes.TrimSpace(l.text)
		if len(text) == 0 && !l.tooLong {
			continue
		}
		if err := l.check(); err != nil {
			return module.Row{}, err
		}
		if text[0] != '{' || !json.Valid(text) {
			return module.Row{}, &BadRow{l.number, CodeJSON, string(text)}
		}
		return module.Row{Line: l.number, Data: text}, nil
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
	l := line{number: r.line + 1}
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

// nextCSV reads a record, which goes on over line ends inside quotes. Where a quote is not closed within MaxLine, its own line
// alone is bad.
func (r *Reader) nextCSV() (module.Row, error) {
	if r.names == nil {
		if err := r.header(); err != nil {
			return module.Row{}, err
		}
	}
	for {
		first, err := r.read()
		if err != nil {
			return module.Row{}, err
		}
		if len(bytes.TrimSpace(first.text)) == 0 && !first.tooLong {
			continue
		}
		text, err := r.record(first)
		if err != nil {
			return module.Row{}, err
		}
		fields, err := r.fields(text)
		if err != nil || len(fields) != len(r.names) {
			code := CodeFields
			if err != nil {
				code = CodeQuote
			}
			return module.Row{}, &BadRow{first.number, code, string(bytes.TrimRight(text, "\r\n"))}
		}
		return module.Row{Line: first.number, Data: r.object(fields)}, nil
	}
}

// record puts the lines of one record together.
func (r *Reader) record(first line) ([]byte, error) {
	if err := first.check(); err != nil {
		return nil, err
	}
	text, rest, open := bytes.Clone(first.text), []line(nil), odd(first.text)
	for open {
		l, err := r.read()
		if err == nil && len(text)+len(l.text) <= MaxLine && l.check() == nil {
			rest = append(rest, l)
			text, open = append(text, l.text...), open != odd(l.text)
			continue
		}
		if err == nil {
			rest = append(rest, l)
		} else if !errors.Is(err, io.EOF) {
			return nil, err
		}
		r.ahead = append(rest, r.ahead...)
		return nil, &BadRow{first.number, CodeQuote, string(bytes.TrimRight(first.text, "\r\n"))}
	}
	return text, nil
}

func odd(text []byte) bool { return bytes.Count(text, []byte{'"'})%2 == 1 }

func (r *Reader) fields(text []byte) ([]string, error) {
	c := csv.NewReader(bytes.NewReader(text))
	c.Comma, c.FieldsPerRecord = r.comma, -1
	return c.Read()
}

func (r *Reader) header() error {
	l, err := r.read()
	if errors.Is(err, io.EOF) {
		return io.EOF // an empty file has no records
	}
	if err != nil {
		return err
	}
	if l.check() != nil {
		return ErrHeader
	}
	// Spreadsheets that speak Dutch write semicolons.
	r.comma = ','
	if bytes.Count(l.text, []byte{';'}) > bytes.Count(l.text, []byte{','}) {
		r.comma = ';'
	}
	names, err := r.fields(l.text)
	if err != nil || len(names) > maxColumns {
		return ErrHeader
	}
	seen := map[string]bool{}
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if names[i] == "" || seen[names[i]] {
			return ErrHeader
		}
		seen[names[i]] = true
	}
	if err := nested(names); err != nil {
		return err
	}
	r.names = names
	return nil
}
