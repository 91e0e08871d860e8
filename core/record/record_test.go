package record

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

func TestLoose(t *testing.T) {
	for in, want := range map[string]Loose{`null`: "", `"a b "`: "a b ", `12`: "12", `true`: "true"} {
		var got Loose
		require.NoError(t, json.Unmarshal([]byte(in), &got), in)
		assert.Equal(t, want, got)
	}
	for _, in := range []string{`{}`, `[]`} {
		var got Loose
		assert.Error(t, json.Unmarshal([]byte(in), &got), in)
	}
	var got Loose
	require.NoError(t, got.UnmarshalJSON(nil))
	assert.Equal(t, "a b", Loose(" a b\n").Text())
}

// All errors in a record are reported, each with its line and field.
func TestReading(t *testing.T) {
	r, ok := Read(Row{Line: 7, Data: []byte(`{}`)}, &struct{}{})
	require.True(t, ok)
	assert.Equal(t, value.Day{Year: 2026, Month: 1, Day: 2}, r.Day("from", "2026-01-02"))
	assert.Equal(t, value.Day{}, r.OptionalDay("until", " "))
	assert.Equal(t, "x", r.Required("name", " x "))
	assert.Empty(t, r.Refusals())
	below := r.In("items", 2).At("of")
	below.Required("name", " ")
	below.Day("from", "")
	below.OptionalDay("until", "2026-02-30")
	below.OptionalDay("until", "0000-00-00")
	below.Day("on", "soon")
	assert.Equal(t, []Refusal{{Line: 7, Field: "items.2.of.name", Code: problem.CodeRequired},
		{Line: 7, Field: "items.2.of.from", Code: problem.CodeRequired},
		{Line: 7, Field: "items.2.of.until", Code: problem.CodeInvalid}, {Line: 7, Field: "items.2.of.until", Code: problem.CodeInvalid},
		{Line: 7, Field: "items.2.of.on", Code: problem.CodeInvalid}}, r.Refusals())
	for data, want := range map[string]Refusal{`[`: {Line: 7, Code: problem.CodeMalformed},
		`{"name":5}`: {Line: 7, Field: "name", Code: problem.CodeInvalid}} {
		r, ok := Read(Row{Line: 7, Data: []byte(data)}, &struct{ Name string }{})
		assert.False(t, ok)
		require.Len(t, r.Refusals(), 1)
		assert.Equal(t, want.Code, r.Refusals()[0].Code)
		assert.True(t, strings.EqualFold(want.Field, r.Refusals()[0].Field))
	}
}

func TestPathsAndSamples(t *testing.T) {
	type address struct {
		City string `json:"city"`
		Tags []string
	}
	k := Kind{Fields: struct {
		Name      Loose     `json:"name"`
		From      value.Day `json:"from,omitzero"`
		Open      *bool     `json:"open"`
		Company   *address  `json:"company"`
		Addresses []address `json:"addresses"`
		Values    map[string]bool
		hidden    string
		Skipped   string `json:"-"`
	}{}, Example: `{"name":12,"from":"YESTERDAY","addresses":[{"city":"Delft"}]}`}
	assert.Equal(t, []string{"name", "from", "open", "company.city", "company.tags.0", "addresses.0.city", "addresses.0.tags.0", "values"}, k.Paths())
	for _, path := range k.Paths() {
		assert.True(t, k.Has(path), path)
	}
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for path, want := range map[string]string{"name": "12", "from": "2026-11-19", "addresses.0.city": "Delft", "addresses.1.city": "", "open": ""} {
		assert.Equal(t, want, k.Sample(path, now), path)
	}
	assert.Empty(t, Kind{}.Sample("name", now))
}
