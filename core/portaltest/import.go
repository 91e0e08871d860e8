package portaltest

import (
	"encoding/json"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/record"
)

// Import imports records of a kind into a label, like `wattle import`, and returns the refusals. A record is a JSON object, as a string or
// json.RawMessage, or a value that is encoded as one.
func (p *Portal) Import(labelKey, kind string, records ...any) []record.Refusal {
	p.t.Helper()
	target, _, err := p.app.Importer(labelKey)
	require.NoError(p.t, err)
	rows := make([]record.Row, len(records))
	for i, r := range records {
		rows[i].Line = i + 1
		switch r := r.(type) {
		case string:
			rows[i].Data = json.RawMessage(r)
		case json.RawMessage:
			rows[i].Data = r
		default:
			rows[i].Data, err = json.Marshal(r)
			require.NoError(p.t, err)
		}
	}
	refused, err := target(p.t.Context(), kind, rows)
	require.NoError(p.t, err)
	return refused
}

// VerifyAudit verifies the audit log of every label, like `wattle audit verify`. It returns the number of entries, and which entries were
// changed, removed or inserted.
func (p *Portal) VerifyAudit() (entries int, flaws []string) {
	p.t.Helper()
	n, found, err := p.app.Audit.Verify(p.t.Context(), "")
	require.NoError(p.t, err)
	for _, f := range found {
		flaws = append(flaws, f.String())
	}
	return int(n), flaws
}
