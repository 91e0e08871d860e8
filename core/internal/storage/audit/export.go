package audit

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Export formats.
const (
	FormatJSON = "json" // one JSON object per line
	FormatCSV  = "csv"
)

// Period selects entries: at or after Since and before Before. A zero time means no limit.
type Period struct{ Since, Before time.Time }

// ParsePeriod returns the period from the first to the last day, both included, in the label's time zone. Both are days such as 2026-11-24,
// or empty for no limit.
func ParsePeriod(from, to string, zone *time.Location) (p Period, err error) {
	if from != "" {
		day, err := value.ParseDay(from)
		if err != nil {
			return p, fmt.Errorf("--from %s is not a day such as 2026-11-24", from)
		}
		p.Since = day.In(zone)
	}
	if to != "" {
		day, err := value.ParseDay(to)
		if err != nil {
			return p, fmt.Errorf("--to %s is not a day such as 2026-11-24", to)
		}
		p.Before = day.AddDays(1).In(zone)
	}
	if !p.Since.IsZero() && !p.Before.IsZero() && !p.Since.Before(p.Before) {
		return p, fmt.Errorf("--from %s is after --to %s", from, to)
	}
	return p, nil
}

// Export is the result of Log.Export.
type Export struct {
	Entries     int64
	First, Last int64  // sequence numbers of the first and the last entry
	Hash        string // hash of the last entry
	Findings    []Finding
}

// exported is an entry in an exported file. It contains all fields that are hashed, in the order of hashing.
type exported struct {
	Label    string `json:"label"`
	Seq      int64  `json:"seq"`
	At       string `json:"at"`
	Action   string `json:"action"`
	Role     string `json:"role"`
	Actor    string `json:"actor"`
	Name     string `json:"name"`
	Relation string `json:"relation"`
	Kind     string `json:"kind"`
	Target   string `json:"target"`
	Reason   string `json:"reason"`
	Until    string `json:"until"`
	Previous string `json:"previous_hash"`
	Hash     string `json:"hash"`
}

// columns are the columns of a CSV file: the JSON names of exported.
var columns = []string{"label", "seq", "at", "action", "role", "actor", "name", "relation", "kind", "target", "reason", "until",
	"previous_hash", "hash"}

func (e exported) cells() []string {
	return []string{e.Label, strconv.FormatInt(e.Seq, 10), e.At, e.Action, e.Role, e.Actor, e.Name, e.Relation, e.Kind, e.Target, e.Reason,
		e.Until, e.Previous, e.Hash}
}

// ExportTo exports to a new file that only its owner can read, or to out if name is empty.
func (l *Log) ExportTo(ctx context.Context, label string, p Period, format, name string, out io.Writer) (Export, error) {
	if name == "" {
		return l.Export(ctx, label, p, format, out)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Export{}, err
	}
	buffer := bufio.NewWriter(f)
	x, err := l.Export(ctx, label, p, format, buffer)
	return x, errors.Join(err, buffer.Flush(), f.Sync(), f.Close())
}

// Export writes the entries of a label in a period to out, oldest first, and verifies the hash of each entry and that it follows the
// previous entry. Memory use does not depend on the number of entries. Entries that are written during the export are omitted. Findings do
// not stop the export, so that the file can serve as evidence.
func (l *Log) Export(ctx context.Context, label string, p Period, format string, out io.Writer) (x Export, err error) {
	write, flush, err := writer(format, out)
	if err != nil {
		return x, err
	}
	var h head
	if err := l.Store.Read().NewSelect().Model(&h).Where("label_key = ?", label).Limit(1).Scan(ctx); err != nil &&
		!errors.Is(err, sql.ErrNoRows) {
		return x, fmt.Errorf("audit: %w", err)
	}
	var last Entry
	for {
		var rows []Entry
		q := l.Store.Read().NewSelect().Model(&rows).Where("label_key = ? AND seq > ? AND seq <= ?", label, last.Seq, h.Seq)
		if !p.Since.IsZero() {
			q = q.Where("at >= ?", p.Since.UTC())
		}
		if !p.Before.IsZero() {
			q = q.Where("at < ?", p.Before.UTC())
		}
		if err := q.OrderExpr("seq").Limit(verifyBatch).Scan(ctx); err != nil {
			return x, fmt.Errorf("audit: %w", err)
		}
		for _, e := range rows {
			findings, err := l.follows(ctx, e, last)
			if err != nil {
				return x, fmt.Errorf("audit: %w", err)
			}
			x.Findings = append(x.Findings, findings...)
			if x.Entries == 0 {
				x.First = e.Seq
			}
			x.Entries++
			x.Last, x.Hash, last = e.Seq, e.Hash, e
			if err := write(e.export()); err != nil {
				return x, err
			}
		}
		if len(rows) < verifyBatch {
			break
		}
	}
	if p.Before.IsZero() && x.Entries > 0 && (last.Seq != h.Seq || last.Hash != h.Hash) {
		x.Findings = append(x.Findings, Finding{label, h.Seq, "is not the last entry"})
	}
	return x, flush()
}

// follows verifies an entry and its link to the previous entry, which is read from the database if it is outside the period.
func (l *Log) follows(ctx context.Context, e, last Entry) (findings []Finding, err error) {
	if e.sum() != e.Hash {
		findings = append(findings, Finding{e.Label, e.Seq, "was changed"})
	}
	if e.Seq != last.Seq+1 {
		var before []Entry
		if err := l.Store.Read().NewSelect().Model(&before).Where("label_key = ? AND seq = ?", e.Label, e.Seq-1).Scan(ctx); err != nil {
			return findings, err
		}
		if len(before) == 0 {
			return append(findings, Finding{e.Label, e.Seq - 1, "is missing"}), nil
		}
		last = before[0]
	}
	if e.Previous != last.Hash {
		findings = append(findings, Finding{e.Label, e.Seq, "does not follow the one before"})
	}
	return findings, nil
}

func (e Entry) export() exported {
	until := ""
	if !e.Until.IsZero() {
		until = storedTime(e.Until).Format(canonicalTime)
	}
	return exported{e.Label, e.Seq, storedTime(e.At).Format(canonicalTime), e.Action, e.Role, e.Actor, e.Name, e.Relation, e.Kind, e.Target,
		e.Reason, until, e.Previous, e.Hash}
}

// writer returns a function that writes one entry, and one that flushes the rest.
func writer(format string, out io.Writer) (write func(exported) error, flush func() error, err error) {
	switch format {
	case FormatJSON:
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		return func(e exported) error { return enc.Encode(e) }, func() error { return nil }, nil
	case FormatCSV:
		w := csv.NewWriter(out)
		if err := w.Write(columns); err != nil {
			return nil, nil, err
		}
		return func(e exported) error {
			cells := e.cells()
			for i, c := range cells {
				cells[i] = escapeCell(c)
			}
			return w.Write(cells)
		}, func() error { w.Flush(); return w.Error() }, nil
	}
	return nil, nil, fmt.Errorf("--format is %s or %s, and not %s", FormatJSON, FormatCSV, format)
}

// escapeCell puts an apostrophe in front of a string that a spreadsheet would evaluate as a formula.
func escapeCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}

// maxLine is the maximum length in bytes of a line in an exported file: reasons have at most a few thousand characters.
const maxLine = 1 << 20

// VerifyFile verifies a file that Export wrote with FormatJSON, without the database: the hash of each entry, and that it follows the
// previous entry. It returns an error for a line that is not an entry.
func VerifyFile(in io.Reader) (x Export, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	var last Entry
	for n := 1; lines.Scan(); n++ {
		var row exported
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return x, fmt.Errorf("line %d is not an entry of an audit log, as wattle audit export --format json writes it: %w", n, err)
		}
		e, err := row.entry()
		if err != nil {
			return x, fmt.Errorf("line %d: %w", n, err)
		}
		switch {
		case x.Entries == 0:
			x.First = e.Seq
		case e.Label != last.Label:
			x.Findings = append(x.Findings, Finding{e.Label, e.Seq, "is of another label"})
		case e.Seq != last.Seq+1:
			x.Findings = append(x.Findings, Finding{e.Label, last.Seq + 1, "is missing"})
		case e.Previous != last.Hash:
			x.Findings = append(x.Findings, Finding{e.Label, e.Seq, "does not follow the one before"})
		}
		if e.sum() != e.Hash {
			x.Findings = append(x.Findings, Finding{e.Label, e.Seq, "was changed"})
		}
		x.Entries++
		x.Last, x.Hash, last = e.Seq, e.Hash, e
	}
	return x, lines.Err()
}

// entry converts an exported line to an entry.
func (e exported) entry() (out Entry, err error) {
	out = Entry{Label: e.Label, Seq: e.Seq, Action: e.Action, Role: e.Role, Actor: e.Actor, Name: e.Name, Relation: e.Relation, Kind: e.Kind,
		Target: e.Target, Reason: e.Reason, Previous: e.Previous, Hash: e.Hash}
	if out.At, err = time.Parse(canonicalTime, e.At); err != nil {
		return out, err
	}
	if e.Until != "" {
		out.Until, err = time.Parse(canonicalTime, e.Until)
	}
	return out, err
}
