// Package fieldstest creates records for tests.
package fieldstest

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/record"
)

// Values are the fields of a record.
type Values = map[string]any

// line is the line number of the records.
const line = 7

// With returns a record with some fields replaced.
func With(t testing.TB, base, more Values) record.Row {
	t.Helper()
	all := maps.Clone(base)
	maps.Copy(all, more)
	data, err := json.Marshal(all)
	require.NoError(t, err)
	return record.Row{Line: line, Data: data}
}

// Refused returns the refusals as "field code, field code".
func Refused(t testing.TB, refusals []record.Refusal) string {
	t.Helper()
	out := []string{}
	for _, w := range refusals {
		assert.Equal(t, line, w.Line)
		out = append(out, w.Field+" "+w.Code)
	}
	return strings.Join(out, ", ")
}
