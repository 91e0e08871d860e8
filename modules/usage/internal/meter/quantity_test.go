package meter

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
)

// wh returns an amount in Wh or dm³.
func wh(n Amount) *Amount { return &n }

// An amount that was not measured is not zero.
func TestAmounts(t *testing.T) {
	a := Amounts{Normal: wh(1), FeedinNormal: wh(7)}
	a.Add(Amounts{Normal: wh(2), Low: wh(4), Consumption: wh(6)})
	assert.Equal(t, Amounts{Normal: wh(3), Low: wh(4), FeedinNormal: wh(7), Consumption: wh(6)}, a)
	assert.Equal(t, wh(7), a.Feedin())
	assert.False(t, a.IsEmpty())
	assert.True(t, Amounts{}.IsEmpty())
	assert.False(t, Amounts{Low: wh(0)}.IsEmpty(), "zero was measured")
	assert.Nil(t, Amounts{}.Feedin())
	assert.Equal(t, []Amount{0, 5}, []Amount{OrZero(nil), OrZero(wh(5))})
}

func TestRound(t *testing.T) {
	for _, c := range []struct{ num, denom, want int64 }{{0, 1, 0}, {1, 2, 1}, {-1, 2, -1}, {1, 3, 0}, {-1, 3, 0}, {2, 3, 1}, {-5, 3, -2},
		{7, 1, 7}} {
		n, ok := Round(big.NewRat(c.num, c.denom))
		assert.Equal(t, []any{c.want, true}, []any{n, ok}, "%d/%d", c.num, c.denom)
	}
	_, ok := Round(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 64)))
	assert.False(t, ok, "too large")
}

func TestQuantity(t *testing.T) {
	q := Quantity{Amounts: Amounts{Normal: wh(1), Low: wh(2), FeedinNormal: wh(4), FeedinLow: wh(8)}}
	assert.Equal(t, []Amount{3, 12}, []Amount{q.Used(), q.Fed()})
	q.Consumption = wh(16)
	assert.Equal(t, Amount(16), q.Used(), "of gas, and of electricity if it was added up")
	assert.Equal(t, []Amount{0, 0}, []Amount{Quantity{}.Used(), Quantity{}.Fed()})
}
