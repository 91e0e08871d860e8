package imports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
)

// rejection is a line of FILE.rejected.ndjson.
type rejection struct {
	Line   int             `json:"line"`
	Field  string          `json:"field,omitempty"`
	Column string          `json:"column,omitempty"` // that the field comes from, when there is a mapping
	Reason string          `json:"reason"`
	Hint   string          `json:"hint,omitempty"` // the reason in words, when the mapping knows them
	Record json.RawMessage `json:"record,omitempty"`
	Text   string          `json:"text,omitempty"` // the line, when there is a mapping, or what stood there, when it was no record; at most 1,000 bytes
	number int             // of the record among all of the file
}

func cut(s string) string {
	return strings.ToValidUTF8(s[:min(len(s), 1000)], "\uFFFD")
}

// rejects is FILE.rejected.ndjson, made when the first record is refused. A record that is refused for two fields counts once.
type rejects struct {
	path  string
	out   *os.File
	count int
	last  int // record
}

func (r *rejects) clear() error {
	if err := os.Remove(r.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("imports: %w", err)
	}
	return nil
}

func (r *rejects) add(x rejection) (err error) {
	if r.out == nil {
		// What stands in a record may be personal: nobody but the operator reads it.
		if r.out, err = os.OpenFile(r.path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600); err != nil {
			return fmt.Errorf("imports: %w", err)
		}
	}
	if x.number != r.last {
		r.count++
	}
	r.last = x.number
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		return fmt.Errorf("imports: line %d: %w", x.Line, err)
	}
	if _, err := r.out.Write(b.Bytes()); err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	return nil
}

func (r *rejects) close() error {
	if r.out == nil {
		return nil
	}
	return r.out.Close()
}
