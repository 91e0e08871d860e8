package imports

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// reasonColumn is the column or field in a file of refused rows that contains the reason of each refusal. It is not part of a record.
const reasonColumn = "wattle_refused"

// unreadable is the prefix of the reason for a line that is not a record. The row is refused until the reason has been removed: its text is
// in the first column and would otherwise be imported as a record.
const unreadable = "unreadable: "

// CodeUnreadable is the code for a row in a file of refused rows that was not corrected.
const CodeUnreadable = "not_corrected"

// rejectWriter writes refused rows in the format of their file, with their reasons, so that they can be corrected and imported again.
type rejectWriter struct {
	path    string
	csv     bool
	comma   rune
	columns []string
	reason  int // index of the reason column, if the imported file contains refused rows; -1: none
	// backwards is set when the file is read from its end.
	backwards bool
	out       *os.File
	waiting   []rejectRow // rows of lines that may get more reasons
}

type rejectRow struct {
	line    int
	text    string
	bad     bool // the line is not a record
	reasons []string
}

// newRejectWriter prepares the file for refused rows, and removes the file of an earlier run.
func (o Options) newRejectWriter(of string) (*rejectWriter, error) {
	m := &rejectWriter{path: o.Rejects, csv: o.Mapping != nil || o.Format == "" && formatOf(of) == CSV}
	a, err := os.Stat(of)
	if err != nil {
		return nil, fmt.Errorf("imports: %w", err)
	}
	if b, err := os.Stat(m.path); err == nil && os.SameFile(a, b) {
		return nil, errors.New("imports: --rejects is the imported file itself")
	}
	if m.csv && formatOf(m.path) != CSV || !m.csv && formatOf(m.path) == CSV {
		return nil, fmt.Errorf("imports: the refused rows of %s are %s: give --rejects a name that ends in %s", filepath.Base(of), m.kind(),
			m.ending())
	}
	if err := os.Remove(m.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("imports: %w", err)
	}
	return m, nil
}

func (m *rejectWriter) kind() string {
	if m.csv {
		return "CSV"
	}
	return "NDJSON"
}

func (m *rejectWriter) ending() string {
	if m.csv {
		return ".csv"
	}
	return ".ndjson"
}

// head takes the columns from the reader of the file, which has read its first line.
func (m *rejectWriter) head(from source) {
	if m.columns != nil || !m.csv {
		return
	}
	r, ok := from.(*Reader)
	if b, backwards := from.(*backwards); backwards {
		r, ok, m.backwards = b.head, true, true
	}
	if ok {
		m.columns, m.comma, m.reason = r.csv.names, r.csv.comma, r.csv.reason
	}
}

// add adds a reason for a line.
func (m *rejectWriter) add(line int, text string, bad bool, reason string) {
	for i := range m.waiting {
		if m.waiting[i].line == line {
			m.waiting[i].reasons = append(m.waiting[i].reasons, reason)
			return
		}
	}
	m.waiting = append(m.waiting, rejectRow{line, text, bad, []string{reason}})
}

// write writes the rows of all waiting lines if but is 0, otherwise only of the lines that precede line but in reading order, because that
// line may get more reasons.
func (m *rejectWriter) write(but int) error {
	var b bytes.Buffer
	rest := m.waiting[:0:0]
	slices.SortStableFunc(m.waiting, func(a, b rejectRow) int { return a.line - b.line })
	for _, row := range m.waiting {
		if but != 0 && (row.line == but || row.line > but != m.backwards) {
			rest = append(rest, row)
			continue
		}
		if m.out == nil {
			if err := m.open(&b); err != nil {
				return err
			}
		}
		m.append(&b, row)
	}
	m.waiting = rest
	if b.Len() == 0 {
		return nil
	}
	if _, err := m.out.Write(b.Bytes()); err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	return nil
}

func (m *rejectWriter) open(b *bytes.Buffer) (err error) {
	// A row may contain personal data, so only the operator can read the file.
	if m.out, err = os.OpenFile(m.path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600); err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	if m.csv {
		m.row(b, append(append([]string{}, m.columns...), reasonColumn))
	}
	return nil
}

func (m *rejectWriter) append(b *bytes.Buffer, row rejectRow) {
	reason := strings.Join(row.reasons, "; ")
	if row.bad {
		reason = unreadable + reason
	}
	switch {
	case !m.csv && row.bad:
		out, _ := json.Marshal(map[string]string{reasonColumn: reason, "text": row.text}) // strings can always be encoded
		b.Write(append(out, '\n'))
	case !m.csv:
		quoted, _ := json.Marshal(reason)
		body := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(row.text), "{"))
		comma := ","
		if body == "}" {
			comma = ""
		}
		fmt.Fprintf(b, `{"%s":%s%s%s`+"\n", reasonColumn, quoted, comma, body)
	case row.bad:
		fields := make([]string, len(m.columns)+1)
		fields[0], fields[len(fields)-1] = row.text, reason
		m.row(b, fields)
	default:
		c := csvFields{comma: m.comma}
		fields, err := c.read([]byte(row.text))
		if m.reason >= 0 && m.reason < len(fields) {
			fields = slices.Delete(fields, m.reason, m.reason+1)
		}
		if err != nil || len(fields) < len(m.columns) { // cannot fail: the row has been read before
			fields = append([]string{row.text}, make([]string, len(m.columns))...)
		}
		m.row(b, append(append([]string{}, fields[:len(m.columns)]...), reason))
	}
}

// row appends a row of a CSV file.
func (m *rejectWriter) row(b *bytes.Buffer, fields []string) {
	w := csv.NewWriter(b)
	w.Comma = m.comma
	_ = w.Write(fields) // cannot fail: writing to a buffer never fails, and the separator is valid
	w.Flush()
}

func (m *rejectWriter) close() error {
	if m == nil {
		return nil
	}
	err := m.write(0)
	if m.out != nil {
		err = errors.Join(err, m.out.Close())
	}
	return err
}

// takeReason removes the reason of a refused row from an NDJSON record. ok is false for a line that was not a record and was not corrected.
func takeReason(text []byte) (_ []byte, ok bool) {
	if !bytes.Contains(text, []byte(`"`+reasonColumn+`"`)) {
		return text, true
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil {
		return text, true // refused as malformed
	}
	var reason string
	_ = json.Unmarshal(fields[reasonColumn], &reason) // ignores a value that is not one of our reasons
	if strings.HasPrefix(reason, unreadable) {
		return text, false
	}
	delete(fields, reasonColumn)
	out, _ := json.Marshal(fields) // cannot fail: the fields have just been decoded
	return out, true
}
