package operation

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCodes(t *testing.T) {
	assert.Equal(t, []string{"A", "B"}, Codes(" A,,B , "))
	assert.Empty(t, Codes(""))
}

func TestDigest(t *testing.T) {
	type request struct{ N int }
	assert.Equal(t, Digest(request{1}), Digest(request{1}))
	assert.NotEqual(t, Digest(request{1}), Digest(request{2}))
	assert.Panics(t, func() { Digest(func() {}) })
}
