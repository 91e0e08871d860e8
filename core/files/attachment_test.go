package files

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The name of a download is short, plain where it must be, and written byte by byte where it is not.
func TestNameBorders(t *testing.T) {
	assert.Equal(t, "azAZ09!#$&+-.^_`|~", extValue("azAZ09!#$&+-.^_`|~"))
	assert.Equal(t, "%2F%3A%40%5B%7B%C3%A9", extValue("/:@[{é"))
	assert.Equal(t, "a\x7fb_e", plain("a\x7fb€é"), "the last character of ASCII is one")
}
