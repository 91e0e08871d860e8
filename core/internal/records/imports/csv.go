package imports

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
	"github.com/wattle-portal/wattle/core/record"
)

const maxColumns = 500

// errEncoding is ErrHeader for a first line that is not UTF-8.
var errEncoding = fmt.Errorf("%w; it is not UTF-8: save the file as CSV (UTF-8)", ErrHeader)

// recordCSV returns the records of a line, one for each call.
func (r *Reader) recordCSV() (Record, error) {
	for len(r.queue) == 0 {
		row, err := r.nextCSV()
		if err != nil {
			return Record{}, err
		}
		r.queue = r.makeRecords(row)
	}
	next := r.queue[0]
	r.queue = r.queue[1:]
	return next, nil
}

// rowCSV is a row of a CSV file, which may contain line ends inside quotes.
type rowCSV struct {
	line
	fields []string // valid until the next row is read
}

// makeRecords returns the records of a row; with a mapping there may be no record, or several.
func (r *Reader) makeRecords(row rowCSV) []Record {
	results := r.lines.Of(row.fields)
	out := make([]Record, len(results))
	for i, x := range results {
		out[i] = Record{Row: record.Row{Line: row.number, Data: x.Data}, Line: row.number, Of: x.Record, Refused: x.Refused}
		if r.keep {
			out[i].source = string(bytes.TrimRight(row.text, "\r\n"))
		}
		if r.mapped != nil {
			out[i].columns = r.lines
			out[i].Text = string(bytes.TrimRight(row.text, "\r\n"))
		}
	}
	return out
}

// nextCSV reads a row. When a quote is not closed within MaxLine, only the line of that quote is bad.
func (r *Reader) nextCSV() (rowCSV, error) {
	if r.lines == nil {
		if err := r.header(); err != nil {
			return rowCSV{}, err
		}
	}
	for {
		first, err := r.read()
		if err != nil {
			return rowCSV{}, err
		}
		if len(bytes.TrimSpace(first.text)) == 0 && !first.tooLong {
			continue
		}
		row := rowCSV{line: first}
		if row.text, err = r.readWhole(first); err != nil {
			return row, err
		}
		row.fields, err = r.csv.read(row.text)
		if err != nil || len(row.fields) != r.csv.columns {
			code := CodeFields
			if err != nil {
				code = CodeQuote
			}
			return row, &BadRow{Line: first.number, Code: code, Text: string(bytes.TrimRight(row.text, "\r\n"))}
		}
		if at := r.csv.reason; at >= 0 {
			if strings.HasPrefix(row.fields[at], unreadable) {
				return row, &BadRow{Line: first.number, Code: CodeUnreadable, Text: row.fields[0]}
			}
			row.fields = slices.Delete(row.fields, at, at+1)
		}
		return row, nil
	}
}

// readWhole returns the complete text of a row that may span several lines.
func (r *Reader) readWhole(first line) ([]byte, error) {
	if err := first.check(); err != nil {
		return nil, err
	}
	text, rest, open := first.text, []line(nil), odd(first.text)
	for open {
		if rest == nil {
			text = bytes.Clone(text) // first is still needed if the quote is not closed
		}
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
		return nil, &BadRow{Line: first.number, Code: CodeQuote, Text: string(bytes.TrimRight(first.text, "\r\n"))}
	}
	return text, nil
}

func odd(text []byte) bool { return bytes.Count(text, []byte{'"'})%2 == 1 }

// header reads the column names.
func (r *Reader) header() error {
	l, err := r.read()
	if errors.Is(err, io.EOF) {
		return io.EOF // the file is empty
	}
	if err != nil {
		return err
	}
	if err := l.check(); err != nil {
		if bad, ok := errors.AsType[*BadRow](err); ok && bad.Code == CodeEncoding {
			return errEncoding
		}
		return ErrHeader
	}
	if r.csv.comma == 0 {
		// Spreadsheets with Dutch settings use semicolons.
		r.csv.comma = ','
		if bytes.Count(l.text, []byte{';'}) > bytes.Count(l.text, []byte{','}) {
			r.csv.comma = ';'
		}
	}
	names, err := r.csv.read(l.text)
	if err != nil || len(names) > maxColumns {
		return ErrHeader
	}
	names = slices.Clone(names)
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	prepare := r.mapped
	if prepare == nil {
		prepare = mapping.Plain
	}
	r.csv.columns = len(names)
	if r.csv.reason = slices.Index(names, reasonColumn); r.csv.reason >= 0 {
		names = slices.Delete(names, r.csv.reason, r.csv.reason+1)
	}
	r.csv.names = names
	r.lines, err = prepare(names)
	return err
}

// csvFields parses the fields of one row after another with the same csv.Reader, because creating a reader for each row is more expensive
// than parsing it.
type csvFields struct {
	comma   rune
	columns int      // number of columns of a row
	names   []string // column names, without the reason column of a file of refused rows
	reason  int      // index of the reason column; -1: none
	in      bytes.Reader
	r       *csv.Reader
	taken   int64 // bytes that r has read
}

// read returns the fields of a row, valid until the next call.
func (c *csvFields) read(text []byte) ([]string, error) {
	if text[len(text)-1] != '\n' { // without a line end after the last line, the csv.Reader would reach the end of its input
		text = append(text[:len(text):len(text)], '\n')
	}
	formulas := bytes.Contains(text, []byte(`="`))
	if formulas {
		text = bareFormulas(text, byte(c.comma))
	}
	c.in.Reset(text)
	if c.r == nil {
		c.r = csv.NewReader(&c.in)
		c.r.Comma, c.r.FieldsPerRecord, c.r.ReuseRecord = c.comma, -1, true
	}
	fields, err := c.r.Read()
	if c.taken += int64(len(text)); err != nil || c.r.InputOffset() != c.taken {
		c.r, c.taken = nil, 0 // the reader may still have buffered a part of this row
	}
	if formulas {
		for i, f := range fields {
			fields[i] = textOfFormula(f)
		}
	}
	return fields, err
}

// bareFormulas converts cells such as ="0612", with which spreadsheets keep leading zeros, to "0612".
func bareFormulas(text []byte, comma byte) []byte {
	out, quoted, begins := make([]byte, 0, len(text)), false, true
	for i, b := range text {
		if begins && b == '=' && i+1 < len(text) && text[i+1] == '"' {
			continue // still at the start of the cell
		}
		if b == '"' {
			quoted = !quoted
		}
		out, begins = append(out, b), b == comma && !quoted
	}
	return out
}

// textOfFormula returns the text of a cell such as ="0612", or the unchanged cell if it is not a formula.
func textOfFormula(cell string) string {
	inner, begins := strings.CutPrefix(cell, `="`)
	inner, ends := strings.CutSuffix(inner, `"`)
	if !begins || !ends || strings.Contains(strings.ReplaceAll(inner, `""`, ""), `"`) {
		return cell
	}
	return strings.ReplaceAll(inner, `""`, `"`)
}
