package access

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAccessStates(t *testing.T) {
	for _, c := range []struct {
		approval bool
		stored   State
		want     State
		may, ask bool
	}{
		{false, "", Open, true, false}, {false, Rejected, Open, true, false}, {false, Pending, Open, true, false},
		{true, "", None, false, true}, {true, Pending, Pending, false, false},
		{true, Approved, Approved, true, false}, {true, Rejected, Rejected, false, true},
	} {
		got := Of(c.approval, c.stored)
		assert.Equal(t, c.want, got)
		assert.Equal(t, c.may, got.CanTrade(), got)
		assert.Equal(t, c.ask, got.CanAsk(), got)
	}
}
