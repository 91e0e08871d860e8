package participation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPlainAddress(t *testing.T) {
	assert.True(t, Address{StreetName: strings.Repeat("é", maxPart), City: "Assen"}.Plain())
	for _, bad := range []string{strings.Repeat("a", maxPart+1), "a\u0007", "a\u202eb", "a\ufffd"} {
		assert.False(t, Address{StreetName: bad}.Plain(), "%q", bad)
	}
}
