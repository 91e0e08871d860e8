package words_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/words"
)

// plural matches a number in a format with a noun that is always in the plural.
var plural = regexp.MustCompile(`%d (accounts|connections|customers|days|entries|files|folders|keys|labels|lines|members|mistakes|modules|` +
	`plugins|problems|records|rows|sessions|values|versions)\b`)

// several lists formats whose number is never 1: limits, and what exceeds one.
var several = []string{"it has %d files, and may have %d", "the file has more than %d entries", "its first %d records were all refused",
	"%d of %d connections are in use", "%d of %d connections in use", "intervals has %d values and a quality"}

func TestCount(t *testing.T) {
	t.Run("11-command-words", func(t *testing.T) {
		assert.Equal(t, "0 labels", words.Count(0, "label", "labels"))
		assert.Equal(t, "1 label", words.Count(1, "label", "labels"))
		assert.Equal(t, "2 entries", words.Count(int64(2), "entry", "entries"))

		counts := 0
		for _, folder := range []string{"cmd", "internal/operate", "internal/people", "internal/plugins", "internal/records", "internal/storage/audit"} {
			require.NoError(t, filepath.WalkDir(filepath.Join("../../..", folder), func(file string, _ fs.DirEntry, err error) error {
				if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") || strings.Contains(file, "testdata") {
					return err
				}
				text, err := os.ReadFile(file)
				counts += strings.Count(string(text), "words.Count(")
				for line := range strings.Lines(string(text)) {
					isLimit := slices.ContainsFunc(several, func(format string) bool { return strings.Contains(line, format) })
					assert.True(t, isLimit || !plural.MatchString(line), "%s: use words.Count: %s", file, line)
				}
				return err
			}))
		}
		assert.Greater(t, counts, 10)
	})
}
