package words_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/internal/base/words"
)

func TestCount(t *testing.T) {
	t.Run("11-command-words", func(t *testing.T) {
		assert.Equal(t, "0 labels", words.Count(0, "label", "labels"))
		assert.Equal(t, "1 label", words.Count(1, "label", "labels"))
		assert.Equal(t, "2 entries", words.Count(int64(2), "entry", "entries"))
	})
}
