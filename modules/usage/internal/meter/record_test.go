package meter

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNumber(t *testing.T) {
	read := func(text string) (n Number) {
		require.NoError(t, json.Unmarshal([]byte(text), &n), text)
		return n
	}
	for text, want := range map[string]*Amount{`12.5`: wh(12500), `"12.5"`: wh(12500), `" 7 "`: wh(7000), `0`: wh(0), `null`: nil, `""`: nil,
		`" "`: nil} {
		a, code := read(text).Amount()
		assert.Empty(t, code, text)
		assert.Equal(t, want, a, text)
		assert.Equal(t, want == nil, read(text).IsEmpty(), text)
	}
	for text, want := range map[string]string{`1.2345`: codeDecimals, `"-1"`: codeNegative, `"much"`: codeNumber, `true`: codeNumber} {
		a, code := read(text).Amount()
		assert.Equal(t, want, code, text)
		assert.Nil(t, a, text)
	}
	n, ok := read(`"900"`).Integer(3600)
	assert.Equal(t, []any{900, true}, []any{n, ok})
	n, ok = read(`null`).Integer(3600)
	assert.Equal(t, []any{3600, true}, []any{n, ok})
	_, ok = read(`"much"`).Integer(3600)
	assert.False(t, ok)
	var second Number
	require.NoError(t, json.Unmarshal([]byte(`5`), &second))
	require.NoError(t, second.UnmarshalJSON([]byte(`null`)))
	assert.True(t, second.IsEmpty(), "null replaces a number")
}

func TestParseDate(t *testing.T) {
	loc := amsterdam(t)
	for text, want := range map[string]string{"2026-11-01": "2026-11-01", "2026-11-01T23:30:00Z": "2026-11-02",
		"2026-11-01T23:30": "2026-11-01"} {
		d, code := ParseDate(text, loc)
		assert.Empty(t, code, text)
		assert.Equal(t, want, d.String(), text)
	}
	for text, want := range map[string]string{"2026-02-30": CodeTime, "2026-10-25T02:30:00": codeOffset,
		"2026-03-29T02:30:00": codeNoSuchTime} {
		_, code := ParseDate(text, loc)
		assert.Equal(t, want, code, text)
	}
}
