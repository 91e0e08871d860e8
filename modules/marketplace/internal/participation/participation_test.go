package participation

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

func TestGrown(t *testing.T) {
	day := func(n int) value.Day { return value.Day{Year: 2026, Month: 1, Day: 1}.AddDays(n) }
	assert.Equal(t, []ShareFrom{}, shareHistory(nil))
	assert.Equal(t, []ShareFrom{{day(0), 5}, {day(3), 8}},
		shareHistory([]ledger.Change{{Effective: day(0), Shares: 5}, {Effective: day(3), Shares: 4}, {Effective: day(3), Shares: -1}}))
	assert.Equal(t, []ShareFrom{{day(2), 4}}, shareHistory([]ledger.Change{{Effective: day(2), Shares: 5}, {Effective: day(1), Shares: -1}}),
		"what is written down later about before")
}
