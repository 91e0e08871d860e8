package files

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The file name of a download has a maximum length, is ASCII in filename and percent-encoded in filename*.
func TestNameBorders(t *testing.T) {
	assert.Equal(t, "azAZ09!#$&+-.^_`|~", extValue("azAZ09!#$&+-.^_`|~"))
	assert.Equal(t, "%2F%3A%40%5B%7B%C3%A9", extValue("/:@[{é"))
	assert.Equal(t, "a\x7fb_e", plain("a\x7fb€é"), "the last character of ASCII is one")
}
