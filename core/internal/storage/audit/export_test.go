package audit_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

const day = 24 * time.Hour

// seqs returns the numbers of the entries in exported JSON lines.
func seqs(t *testing.T, text string) (out []int) {
	t.Helper()
	for line := range strings.Lines(text) {
		var e struct{ Seq int }
		require.NoError(t, json.Unmarshal([]byte(line), &e), line)
		out = append(out, e.Seq)
	}
	return out
}

func TestExport(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	each(t, func(t *testing.T, w *world) {
		// The last entry of 19 November in Amsterdam, both entries of the 20th, the first one of the 21st, and an entry of another label in
		// between.
		for _, at := range []string{"2026-11-19T22:59:00Z", "2026-11-19T23:00:00Z", "2026-11-20T22:59:00Z", "2026-11-20T23:00:00Z"} {
			moment, err := time.Parse(time.RFC3339Nano, at)
			require.NoError(t, err)
			w.clock.Set(moment)
			w.add(audit.Entry{Action: "staff.customer_viewed", Relation: "r1", Reason: "=HYPERLINK(\"x\"), é\n<b>", Until: moment.Add(time.Hour)})
			w.add(audit.Entry{Label: "b", Action: "staff.customer_viewed"})
		}
		export := func(from, to, format string) (string, audit.Export) {
			p, err := audit.ParsePeriod(from, to, zone)
			require.NoError(t, err)
			var out bytes.Buffer
			x, err := w.log.Export(t.Context(), "a", p, format, &out)
			require.NoError(t, err)
			return out.String(), x
		}
		t.Run("11-audit-export", func(t *testing.T) {
			for _, c := range []struct {
				from, to string
				want     []int
			}{
				{"", "", []int{1, 2, 3, 4}}, {"2026-11-20", "2026-11-20", []int{2, 3}}, {"2026-11-20", "", []int{2, 3, 4}},
				{"", "2026-11-19", []int{1}}, {"2026-11-22", "", nil},
			} {
				text, x := export(c.from, c.to, audit.FormatJSON)
				require.Equal(t, c.want, seqs(t, text), c)
				require.Equal(t, int64(len(c.want)), x.Entries)
				require.Empty(t, x.Findings)
				require.NotContains(t, text, `"label":"b"`)
			}
			w.clock.Set(time.Date(2026, 11, 25, 10, 0, 0, 0, time.UTC))
			full := audit.Entry{Label: "gone", Action: "change.approved", Role: audit.Staff, Actor: "sam", Name: "=1+1", Relation: "+r1",
				Kind: "@kind", Target: "-t1", Reason: "\tbecause", Until: time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)}
			w.add(full)
			w.add(full)
			var both, sheet bytes.Buffer
			for format, out := range map[string]*bytes.Buffer{audit.FormatJSON: &both, audit.FormatCSV: &sheet} {
				x, err := w.log.Export(t.Context(), "gone", audit.Period{}, format, out)
				require.NoError(t, err)
				require.Equal(t, []int64{2, 1, 2}, []int64{x.Entries, x.First, x.Last})
			}
			var lines []map[string]any
			for line := range strings.Lines(both.String()) {
				var fields map[string]any
				require.NoError(t, json.Unmarshal([]byte(line), &fields))
				lines = append(lines, fields)
			}
			require.Len(t, lines, 2)
			require.Regexp(t, `^2026-11-25T10:00:01`, lines[1]["at"])
			require.Regexp(t, `^[0-9a-f]{64}$`, lines[1]["hash"])
			require.NotEqual(t, lines[0]["hash"], lines[1]["hash"])
			require.Equal(t, map[string]any{"label": "gone", "seq": 2.0, "at": lines[1]["at"], "action": "change.approved", "role": "staff",
				"actor": "sam", "name": lines[1]["name"], "relation": "+r1", "kind": "@kind", "target": "-t1", "reason": "\tbecause",
				"until": lines[1]["until"], "previous_hash": lines[0]["hash"], "hash": lines[1]["hash"]}, lines[1], "every field")
			require.Regexp(t, `^2026-11-26T10:00:00`, lines[1]["until"])
			cells, err := csv.NewReader(&sheet).ReadAll()
			require.NoError(t, err)
			require.Len(t, cells, 3)
			require.Len(t, cells[0], len(lines[1]), "a column for each field")
			for i, name := range cells[0] {
				cell := fmt.Sprint(lines[1][name])
				if strings.ContainsAny(cell[:1], "=+-@\t") {
					cell = "'" + cell
				}
				require.Equal(t, cell, cells[2][i], name)
			}
			text, _ := export("2026-11-20", "2026-11-20", audit.FormatCSV)
			rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			require.NoError(t, err)
			require.Len(t, rows, 3)
			require.Equal(t, []string{"label", "seq", "at"}, rows[0][:3])
			for i, want := range map[int]string{2: "2026-11-19T23:00:0", 11: "2026-11-20T00:00:0"} { // the clock runs on
				require.Contains(t, rows[1][i], want)
				rows[1][i] = want
			}
			require.Equal(t, []string{"a", "2", "2026-11-19T23:00:0", "staff.customer_viewed", "staff", "sam", "Sam Staf", "r1", "", "",
				"'=HYPERLINK(\"x\"), é\n<b>", "2026-11-20T00:00:0"}, rows[1][:12], "a spreadsheet does not evaluate a reason")
			const evaluated = "=+-@\t\r\n" // how the cells of a formula begin
			for _, first := range evaluated {
				w.add(audit.Entry{Label: "cells", Action: "change.approved", Reason: string(first) + "1"})
			}
			var cautious bytes.Buffer
			_, err = w.log.Export(t.Context(), "cells", audit.Period{}, audit.FormatCSV, &cautious)
			require.NoError(t, err)
			rows, err = csv.NewReader(&cautious).ReadAll()
			require.NoError(t, err)
			for i, first := range evaluated {
				require.Contains(t, rows[i+1], "'"+string(first)+"1")
			}
			none, _ := w.log.Export(t.Context(), "nobody", audit.Period{}, audit.FormatJSON, &bytes.Buffer{})
			require.Zero(t, none.Entries)
			_, err = w.log.Export(t.Context(), "a", audit.Period{}, "xml", &bytes.Buffer{})
			require.EqualError(t, err, "--format is json or csv, and not xml")
			for _, days := range [][2]string{{"20-11-2026", ""}, {"", "soon"}, {"2026-11-21", "2026-11-20"}} {
				_, err = audit.ParsePeriod(days[0], days[1], zone)
				require.Error(t, err, days)
			}
		})
		t.Run("11-audit-export-file", func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "audit.ndjson")
			x, err := w.log.ExportTo(t.Context(), "a", audit.Period{}, audit.FormatJSON, name, nil)
			require.NoError(t, err)
			info, err := os.Stat(name)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
			_, err = w.log.ExportTo(t.Context(), "a", audit.Period{}, audit.FormatJSON, name, nil)
			require.ErrorIs(t, err, os.ErrExist, "never overwrites a file")
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			verified, err := audit.VerifyFile(bytes.NewReader(text))
			require.NoError(t, err)
			require.Equal(t, x, verified)
			require.Equal(t, int64(4), verified.Last)
			lines := strings.SplitAfter(strings.TrimSpace(string(text)), "\n")
			for what, changed := range map[string]string{
				"label a, entry 2: was changed": strings.Replace(string(text), `"seq":2,"at":"2026-11-19T23`, `"seq":2,"at":"2026-11-19T21`, 1),
				"label a, entry 3: is missing":  lines[0] + lines[1] + lines[3],
				"label b, entry 1: was changed": strings.Replace(string(text), `"label":"a","seq":1`, `"label":"b","seq":1`, 1),
				"label a, entry 2: is missing":  lines[0] + lines[0],
				"label a, entry 4: was changed": lines[0] + lines[1] + lines[2] + strings.Replace(lines[3], `"role":"staff"`, `"role":"key"`,
					1),
				"label a, entry 1: was changed":         strings.Replace(string(text), `Sam Staf`, `Somebody Else`, 1),
				"label b, entry 1: is of another label": lines[0] + mustExport(t, w, "b"),
			} {
				x, err := audit.VerifyFile(strings.NewReader(changed))
				require.NoError(t, err)
				require.Contains(t, fmt.Sprint(x.Findings), what)
			}
			_, err = audit.VerifyFile(strings.NewReader("nothing\n"))
			require.ErrorContains(t, err, "line 1 is not an entry of an audit log")
		})
	})
}

func mustExport(t *testing.T, w *world, label string) string {
	t.Helper()
	var out bytes.Buffer
	_, err := w.log.Export(t.Context(), label, audit.Period{}, audit.FormatJSON, &out)
	require.NoError(t, err)
	return out.String()
}

// More entries than fit in one batch are exported in several batches, and manipulated entries are exported and reported.
func TestExportFindsManipulatedEntries(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const entries = 1003
		start := w.clock.Now()
		for range entries {
			w.add(audit.Entry{Action: "staff.customer_viewed", Name: "Sam", Actor: "sam"})
		}
		t.Run("11-audit-export-verified", func(t *testing.T) {
			var out bytes.Buffer
			x, err := w.log.Export(t.Context(), "a", audit.Period{Since: start.Add(2 * time.Second)}, audit.FormatJSON, &out)
			require.NoError(t, err)
			require.Equal(t, int64(entries-2), x.Entries)
			require.Equal(t, int64(3), x.First)
			require.Len(t, seqs(t, out.String()), entries-2)
			require.Empty(t, x.Findings)
			unlock(t, w)
			// Memory use does not depend on the number of entries: the last entries are read after the first ones were written.
			first := true
			x, err = w.log.Export(t.Context(), "a", audit.Period{}, audit.FormatJSON, writer(func([]byte) {
				if first {
					first = false
					_, err := w.store.DB().ExecContext(t.Context(), "UPDATE audit SET actor_name = 'Another' WHERE seq = 1002")
					require.NoError(t, err)
				}
			}))
			require.NoError(t, err)
			require.Equal(t, "[label a, entry 1002: was changed]", fmt.Sprint(x.Findings))
			for _, c := range []struct{ statement, want string }{
				{"UPDATE audit SET actor_name = 'Somebody Else' WHERE seq = 1002", "[label a, entry 1002: was changed]"},
				{"DELETE FROM audit WHERE seq = 700", "[label a, entry 700: is missing label a, entry 1002: was changed]"},
				{"DELETE FROM audit WHERE seq > 1000", "[label a, entry 700: is missing label a, entry 1003: is not the last entry]"},
			} {
				_, err := w.store.DB().ExecContext(t.Context(), c.statement)
				require.NoError(t, err)
				x, err := w.log.Export(t.Context(), "a", audit.Period{Since: start.Add(2 * time.Second)}, audit.FormatCSV, &bytes.Buffer{})
				require.NoError(t, err)
				require.Equal(t, c.want, fmt.Sprint(x.Findings))
			}
			// The link to the entry before the period is verified too.
			_, err = w.store.DB().ExecContext(t.Context(), "UPDATE audit SET hash = 'x' WHERE seq = 2")
			require.NoError(t, err)
			x, err = w.log.Export(t.Context(), "a", audit.Period{Since: start.Add(2 * time.Second), Before: start.Add(day)}, audit.FormatJSON,
				&bytes.Buffer{})
			require.NoError(t, err)
			require.Contains(t, fmt.Sprint(x.Findings), "label a, entry 3: does not follow the one before")
		})
	})
}

// writer calls a function with the written bytes.
type writer func([]byte)

// Write implements io.Writer.
func (w writer) Write(p []byte) (int, error) { w(p); return len(p), nil }

// unlock makes entries editable, as the database owner can.
func unlock(t *testing.T, w *world) {
	t.Helper()
	drop := []string{"DROP TRIGGER audit_no_update", "DROP TRIGGER audit_no_delete"}
	if w.store.Engine() == store.Postgres {
		drop = []string{"DROP TRIGGER audit_no_change ON audit"}
	}
	for _, s := range drop {
		_, err := w.store.DB().ExecContext(t.Context(), s)
		require.NoError(t, err, s)
	}
}
