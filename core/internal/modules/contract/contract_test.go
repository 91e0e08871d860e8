package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/modules/contract"
)

func TestRuns(t *testing.T) {
	t.Run("10-contract-former", func(t *testing.T) {
		for _, c := range []struct {
			portal contract.Version
			runs   []int
			text   string
		}{{1, []int{1}, "1"}, {2, []int{1, 2}, "1 and 2"}, {3, []int{2, 3}, "2 and 3"}, {9, []int{8, 9}, "8 and 9"}} {
			var runs []int
			for built := -1; built < 12; built++ {
				if c.portal.Runs(built) {
					runs = append(runs, built)
				}
			}
			require.Equal(t, c.runs, runs)
			require.Equal(t, c.text, c.portal.Range())
		}
	})
}
