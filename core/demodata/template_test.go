package demodata

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func amsterdam(t *testing.T) *time.Location {
	loc, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	return loc
}

func TestTemplate(t *testing.T) {
	texts := NewTexts(time.Date(2026, 11, 20, 11, 0, 0, 0, amsterdam(t)), `{{define "greet"}}dag {{.}}{{end}}`).For("T1", "k1")
	for text, want := range map[string]string{
		`{{day -30}}`:                             "2026-10-21",
		`{{day 1}}`:                               "2026-11-21",
		`{{month -1}}`:                            "2026-10-01",
		`{{month -1 14}}`:                         "2026-10-15",
		`{{month 0 -1}}`:                          "2026-10-31",
		`{{(month -9).Format "200601"}}`:          "202602",
		`{{year 0}} {{year -1}}`:                  "2026 2025",
		`{{at -2 "14:30"}}`:                       "2026-11-18T14:30:00+01:00",
		`{{at -60 "14:30"}}`:                      "2026-09-21T14:30:00+02:00",
		`{{range 3}}{{month (add . -3)}} {{end}}`: "2026-08-01 2026-09-01 2026-10-01 ",
		`{{euro (mul 3 4850)}}`:                   "145.50",
		`{{debtor}}-{{id}}`:                       "T1-k1",
		`{{template "greet" debtor}}`:             "dag T1",
	} {
		got, err := texts.Execute("x", text)
		require.NoError(t, err, text)
		assert.Equal(t, want, string(got), text)
	}
	_, err := texts.Execute("x", `{{at 0 "half three"}}`)
	require.Error(t, err)
	got, err := texts.Value(map[string]any{"{{id}}": []any{"{{day 0}}", 4.5, nil, true}})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"k1": []any{"2026-11-20", 4.5, nil, true}}, got)
}

func TestEAN(t *testing.T) {
	got := EAN("T1", 1)
	assert.Len(t, got, 18)
	assert.NotEqual(t, got, EAN("T1", 2))
	assert.NotEqual(t, got, EAN("T2", 1))
	sum := 0
	for i, d := range got { // GS1: the sum of the digits with weights 3 and 1 is a multiple of ten
		sum += int(d-'0') * (3 - i%2*2)
	}
	assert.Zero(t, sum%10)
}
