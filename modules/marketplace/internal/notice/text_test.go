package notice

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/value"
)

func TestTextsOfMails(t *testing.T) {
	t.Run("1-currency-format", func(t *testing.T) {
		assert.Equal(t, "€ 1.234.567,05", MoneyText(123456705))
		assert.Equal(t, "€ 0,00", MoneyText(0))
		assert.Equal(t, "€ -12,30", MoneyText(-1230))
		assert.Equal(t, "€ -1.234,50", MoneyText(-123450))
	})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<40).Draw(t, "n")
		plain := ""
		for _, r := range Grouped(n) {
			if r != '.' {
				plain += string(r)
			}
		}
		if plain != value.Cents(n * 100).String()[:len(plain)] {
			t.Fatal(Grouped(n))
		}
	})
}
