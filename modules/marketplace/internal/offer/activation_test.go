package offer

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
)

func TestCodeOfAnOffer(t *testing.T) {
	t.Run("5.7-redeem-length", func(t *testing.T) {
		moduletest.RunCases(t, ruleVectors+"5.7-redeem-length.json", func(code string, _ value.Day, _ struct{}) []string {
			return append([]string{}, checkCode(code)...)
		})
	})
	t.Run("a code that was made is one", func(t *testing.T) {
		for range 100 {
			assert.Empty(t, checkCode(RandomString(CodeLength)))
		}
	})
}
