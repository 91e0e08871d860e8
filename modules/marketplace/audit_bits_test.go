package marketplace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/audit"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
)

// described lists the participation columns that the back office may change. None of them contains a number of shares.
var described = []string{"provider_identifier", "address_key", "document"}

// sealed lists the columns, by table, in which the audit must detect a changed bit.
var sealed = map[string][]string{
	"marketplace_entries": {"label_key", "participation_id", "sequence", "kind", "share", "offered", "reserved", "held", "moving", "ref",
		"counter", "reason", "actor", "subject", "role", "effective", "at", "previous_hash", "hash"},
	"marketplace_participations": {"label_key", "id", "relation_id", "participation_identifier", "project_code", "share", "offered",
		"reserved", "held", "moving", "sequence", "hash", "seal"},
}

// columns returns the column names of a table.
func (w *world) columns(table string) (out []string) {
	query := "SELECT name FROM pragma_table_info(?)"
	if w.postgres() {
		query = "SELECT column_name FROM information_schema.columns WHERE table_name = ? AND table_schema = current_schema()"
	}
	require.NoError(w.t, moduletest.Raw(w.s.host.DB).NewRaw(query, table).Scan(w.system(), &out))
	require.NotEmpty(w.t, out)
	return out
}

// cells returns the values of a column in all rows of a table, keyed by a condition that matches the row.
func (w *world) cells(table, column string, key []string) map[string]string {
	var rows []struct{ Name, Value string }
	name := strings.Join(key, " || '\x1f' || ")
	query := fmt.Sprintf("SELECT %s AS name, coalesce(CAST(%s AS text), '') AS value FROM %s WHERE label_key = ?",
		strings.ReplaceAll(name, "sequence", "CAST(sequence AS text)"), column, table)
	require.NoError(w.t, moduletest.Raw(w.s.host.DB).NewRaw(query, moduletest.LabelOne).Scan(w.system(), &rows))
	out := map[string]string{}
	for _, r := range rows {
		var conditions []string
		for i, part := range strings.Split(r.Name, "\x1f") {
			conditions = append(conditions, fmt.Sprintf("CAST(%s AS text) = '%s'", key[i], part))
		}
		out[strings.Join(conditions, " AND ")] = r.Value
	}
	return out
}

// The audit detects a flipped bit in any column of any ledger row. Each cell is changed and restored in turn.
func TestAuditSeesEveryBit(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		for i := range 6 {
			w.offered(member("1"), jsonOf(newOffer("P-1", i%3+1)))
		}
		move := m{"date": "2026-12-01", "items": []m{{"participationIdentifier": "P-3", "shares": 2, "address": home(9)}}}
		call[any](w, 200, member("2"), "POST", "/sustainable/participations/move", move)
		// entries with a counter participation and with a reason
		move["date"] = w.on(0)
		call[any](w, 200, member("2"), "POST", "/sustainable/participations/move", move)
		refused := call[offer.MarketOffer](w, 201, member("1"), "POST", "/sustainable/offers", newOffer("P-2", 1))
		w.decide(w.changeOf(refused.Identifier), module.Rejected, offer.RejectProvider)
		w.requireConsistent()
		unlock := []string{"DROP TRIGGER marketplace_entries_no_update", "DROP TRIGGER marketplace_entries_no_delete"}
		if w.postgres() {
			unlock = []string{"DROP TRIGGER marketplace_entries_no_change ON marketplace_entries"}
		}
		require.NoError(t, w.exec(unlock...))
		random := rand.New(rand.NewPCG(14, 9))
		t.Run("11-ledger-bits", func(t *testing.T) {
			changed, unreadable, empty := map[string]int{}, 0, 0
			for table, key := range map[string][]string{"marketplace_entries": {"participation_id", "sequence"},
				"marketplace_participations": {"id"}} {
				for _, column := range w.columns(table) {
					if table == "marketplace_participations" && slices.Contains(described, column) {
						continue
					}
					for row, value := range w.cells(table, column, key) {
						if value == "" {
							empty++ // an empty cell has no bit to flip
							continue
						}
						back, ok := w.flip(random, table, column, row, value)
						require.True(t, ok, "no bit of %s %s can be changed: %s", table, column, value)
						r, err := audit.New(w.s.host).Report(w.system())
						if err != nil {
							unreadable++
						} else {
							assert.NotEmpty(t, r.Findings, "%s of %s where %s was %q", column, table, row, value)
						}
						require.NoError(t, w.exec(back))
						changed[table+"."+column]++
					}
				}
			}
			w.requireConsistent()
			if !w.postgres() { // a decimal point and a comma differ in one bit and denote the same time
				const swap = "UPDATE marketplace_entries SET at = replace(at, '%s', '%s') WHERE sequence = 1"
				require.NoError(t, w.exec(fmt.Sprintf(swap, ".", ",")))
				r, err := audit.New(w.s.host).Report(w.system())
				require.NoError(t, err)
				assert.NotEmpty(t, r.Findings)
				require.NoError(t, w.exec(fmt.Sprintf(swap, ",", ".")))
				w.requireConsistent()
			}
			total := 0
			for _, n := range changed {
				total += n
			}
			t.Logf("%d bits changed in %d columns, of which %d could not be read any more; %d cells are empty", total, len(changed), unreadable,
				empty)
			assert.GreaterOrEqual(t, total, 200)
			for table, want := range sealed {
				var seen []string
				for column := range changed {
					if name, ok := strings.CutPrefix(column, table+"."); ok {
						seen = append(seen, name)
					}
				}
				assert.ElementsMatch(t, want, seen, table)
			}
		})
	})
}

// flip changes one bit of a cell and returns the statement that restores it. ok is false when the database refuses every change.
func (w *world) flip(random *rand.Rand, table, column, row, value string) (back string, ok bool) {
	where := " WHERE label_key = '" + moduletest.LabelOne + "' AND " + row
	var kind string
	query := fmt.Sprintf("SELECT typeof(%s) FROM %s%s", column, table, where)
	if w.postgres() {
		query = fmt.Sprintf("SELECT pg_typeof(%s)::text FROM %s%s", column, table, where)
	}
	require.NoError(w.t, moduletest.Raw(w.s.host.DB).NewRaw(query).Scan(w.system(), &kind))
	for try := range 40 {
		var to string
		switch kind {
		case "integer", "bigint":
			to = fmt.Sprintf("(%s) # %d", value, 1<<try)
			if !w.postgres() {
				to = fmt.Sprintf("(%s | %d) - (%s & %d)", value, 1<<try, value, 1<<try)
			}
		case "timestamp with time zone":
			to = fmt.Sprintf("'%s'::timestamptz + interval '%d microseconds'", value, 1<<try)
		default:
			text := []byte(value)
			text[random.IntN(len(text))] ^= 1 << random.IntN(7)
			if strings.ContainsFunc(string(text), func(r rune) bool { return r < ' ' || r == '\'' || r == 0x7f || r == '?' }) {
				continue
			}
			to = "'" + string(text) + "'"
		}
		// at finds the row after the change: by the new value when the column is part of the key.
		at, was := where, "'"+value+"'"
		if kind == "integer" || kind == "bigint" {
			was = value
		}
		if err := w.exec(fmt.Sprintf("UPDATE %s SET %s = %s%s", table, column, to, at)); err != nil {
			continue
		}
		if strings.Contains(row, column+" ") || strings.Contains(row, "("+column+" ") || column == "label_key" {
			at = ""
			var other []string
			for _, c := range strings.Split(strings.TrimPrefix(where, " WHERE "), " AND ") {
				if !strings.HasPrefix(c, column+" ") && !strings.HasPrefix(c, "CAST("+column+" ") {
					other = append(other, c)
				}
			}
			other = append(other, column+" = "+to)
			at = " WHERE " + strings.Join(other, " AND ")
		}
		return fmt.Sprintf("UPDATE %s SET %s = %s%s", table, column, was, at), true
	}
	return "", false
}
