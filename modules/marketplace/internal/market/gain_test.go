package market

import (
	"testing"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
)

func TestGain(t *testing.T) {
	t.Run("9-offer-payback", func(t *testing.T) {
		type given struct {
			Shares int64 `json:"shares"`
			prospect
		}
		moduletest.RunCases(t, "../../../../schemas/rules/9-offer-payback.json", func(g given, _ value.Day, _ struct{}) gain {
			return g.of(g.Shares)
		})
	})
}
