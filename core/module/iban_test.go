package module

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIBANFormats(t *testing.T) {
	assert.Len(t, bbans, 97)
	for country, format := range bbans {
		assert.Len(t, country, 2)
		assert.Regexp(t, regexp.MustCompile(`^([0-9]+[nac])+$`), format)
	}
	assert.True(t, ValidIBAN("NL91ABNA0417164300"))
	for _, wrong := range []string{"", "NL", "NL91", "NL92ABNA0417164300", "XX91ABNA0417164300", "nl91abna0417164300"} {
		assert.False(t, ValidIBAN(wrong), wrong)
	}
}
