package acme

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMayAdd(t *testing.T) {
	assert.True(t, mayAdd(0, Settings{MaxNotes: 1}))
	assert.True(t, mayAdd(9, Settings{MaxNotes: 10}))
	assert.False(t, mayAdd(10, Settings{MaxNotes: 10}))
}
