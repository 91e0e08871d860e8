package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// For entries of any kind in any order, the balance is the sum of the accepted entries and never impossible.
func TestBalances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Balance{}
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			n := func(what string) int64 { return rapid.Int64Range(-5, 5).Draw(t, what) }
			d := Balance{n("share"), n("offered"), n("reserved"), n("held"), n("moving")}
			if to := b.Plus(d); to.Possible() {
				b = to
			}
			if b.Share < 0 || b.Free() < 0 || b.Available() != b.Free()+b.Moving || b.Share != b.Offered+b.Reserved+b.Held+b.Moving+b.Free() {
				t.Fatalf("%+v", b)
			}
		}
	})
}

func TestMinus(t *testing.T) {
	a, b := Balance{10, 9, 8, 7, 6}, Balance{1, 2, 3, 4, 5}
	assert.Equal(t, Balance{9, 7, 5, 3, 1}, a.Minus(b))
	assert.Equal(t, a, a.Minus(b).Plus(b))
	assert.Equal(t, []int64{16, 24, 6}, []int64{Balance{40, 9, 8, 7, 10}.Available(), Balance{40, 9, 8, 7, 10}.OfferedShare(),
		Balance{40, 9, 8, 7, 10}.Free()})
}
