package production

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAmount(t *testing.T) {
	for text, want := range map[string]int64{
		`0`: 0, `-0`: 0, `2`: 2000, `1.5`: 1500, `0.0004`: 0, `0.0005`: 1, `1.2346`: 1235, `1e3`: 1_000_000, `"1.5"`: 1500, `" 7\t"`: 7000,
		`"+2.5E-1"`: 250, `1000000000`: maxAmount,
	} {
		var m measure
		require.NoError(t, json.Unmarshal([]byte(text), &m), text)
		got, code := m.amount()
		assert.Empty(t, code, text)
		if assert.NotNil(t, got, text) {
			assert.Equal(t, amount(want), *got, text)
		}
	}
	for text, want := range map[string]string{
		`-0.001`: codeNegative, `"-1"`: codeNegative, `1000000000.1`: codeNumber, `-1000000000.1`: codeNumber, `"1e400"`: codeNumber,
		`"veel"`: codeNumber,
		`"1,5"`:  codeNumber, `"1 000"`: codeNumber, `"0x10"`: codeNumber, `"NaN"`: codeNumber, `"Inf"`: codeNumber, `"-"`: codeNumber,
		`true`: codeNumber, `[1]`: codeNumber, `{}`: codeNumber,
	} {
		var m measure
		require.NoError(t, json.Unmarshal([]byte(text), &m), text)
		got, code := m.amount()
		assert.Equal(t, want, code, text)
		assert.Nil(t, got, text)
	}
	t.Run("an empty value is not zero and not an error", func(t *testing.T) {
		for _, text := range []string{`null`, `""`, `"  "`} {
			m := measure{"1"}
			require.NoError(t, json.Unmarshal([]byte(text), &m), text)
			got, code := m.amount()
			assert.Empty(t, code, text)
			assert.Nil(t, got, text)
		}
	})
}
