package value

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPrice(t *testing.T) {
	for s, want := range map[string]string{"0.28941": "0.28941", "1": "1.00", "0.5": "0.50", "-0.125": "-0.125", "12.34000": "12.34"} {
		p, err := ParsePrice(s)
		require.NoError(t, err)
		assert.Equal(t, want, p.String())
	}
	for _, s := range []string{"", ".", "1.", "1.123456", "1e3", "1,5", "--1"} {
		_, err := ParsePrice(s)
		assert.ErrorIs(t, err, ErrPrice, s)
	}
}

func TestPriceBounds(t *testing.T) {
	for s, want := range map[string]string{"0": "0.00", "999999999999": "999999999999.00", "-0.00001": "-0.00001", "0.99999": "0.99999"} {
		p, err := ParsePrice(s)
		require.NoError(t, err, s)
		assert.Equal(t, want, p.String())
	}
	_, err := ParsePrice("1000000000000")
	assert.ErrorIs(t, err, ErrPrice)
}
