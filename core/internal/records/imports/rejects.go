package imports

import (
	"bytes"
	"cmp"
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
	Column string          `json:"column,omitempty"` // source column of the field, with a mapping
	Reason string          `json:"reason"`
	Hint   string          `json:"hint,omitempty"` // reason in words
	Record json.RawMessage `json:"record,omitempty"`
	// the line, with a mapping, or the content of a line that is not a record; at most 1,000 bytes
	Text   string `json:"text,omitempty"`
	number int    // number of the record in the file
	// isGeneral is set for a hint about all values with this reason, which does not name the value.
	isGeneral bool
}

// words returns the reason in words, for the person who corrects the row.
func (x rejection) words() string {
	reason := cmp.Or(x.Hint, x.Reason)
	if x.Hint != "" && x.isGeneral {
		reason = x.Reason + ": " + x.Hint
	}
	if name := cmp.Or(x.Column, x.Field); name != "" {
		return name + ": " + reason
	}
	return reason
}

func cut(s string) string {
	return strings.ToValidUTF8(s[:min(len(s), 1000)], "\uFFFD")
}

// rejects is FILE.rejected.ndjson, which is created with the first refusal. A record with two refused fields counts once.
type rejects struct {
	path  string
	isOff bool // refused records are only counted
	out   *os.File
	count int
	last  int // number of the last refused record
}

func (r *rejects) clear() error {
	if r.isOff {
		return nil
	}
	if err := os.Remove(r.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("imports: %w", err)
	}
	return nil
}

func (r *rejects) add(x rejection) (err error) {
	if x.number != r.last {
		r.count++
	}
	r.last = x.number
	if r.isOff {
		return nil
	}
	if r.out == nil {
		// A record may contain personal data, so only the operator can read the file.
		if r.out, err = os.OpenFile(r.path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600); err != nil {
			return fmt.Errorf("imports: %w", err)
		}
	}
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
