package arch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// privateWords are words that were once used here instead of standard terms. The standard term is the key.
var privateWords = map[string]*regexp.Regexp{
	"impersonate, impersonator":    regexp.MustCompile(`(?i)\blook(s|ed|ing)? along\b`),
	"a boolean":                    regexp.MustCompile(`(?i)\ba truth\b`),
	"a person, the caller":         regexp.MustCompile(`(?i)\b(whoever|of whom|to whom)\b`),
	"timeout":                      regexp.MustCompile(`(?i)\b\w*farewell\w*\b`),
	"release":                      regexp.MustCompile(`(?i)\bunfill\w*\b`),
	"missing, not received":        regexp.MustCompile(`(?i)\bunheard\b`),
	"accept, apply":                regexp.MustCompile(`\b[Hh]onou?rs?\b`),
	"calculate, count":             regexp.MustCompile(`(?i)\breckon\w*\b`),
	"maxX (a bound is named so)":   regexp.MustCompile(`\b[a-z]{2}[A-Za-z]*(Most|Max)\b`),
	"minX (a bound is named so)":   regexp.MustCompile(`\b[a-z]{2}[A-Za-z]*(Least|Min)\b`),
	"correct, repair":              regexp.MustCompile(`(?i)\bmend(s|ed|ing)?\b`),
	"previous":                     regexp.MustCompile(`(?i)(^|[^-\w])former\b`),
	"start, beginning":             regexp.MustCompile(`(?i)\bthe begin\b`),
	"maximum (of a bound)":         regexp.MustCompile(`(?i)\bgreatest\b`),
	"notified, received (of code)": regexp.MustCompile(`(?i)\b(hears|is told|are told) of\b`),
}

// 9-plain-words
func TestPlainWords(t *testing.T) {
	t.Run("9-plain-words", func(t *testing.T) {
		all := texts(t)
		for name, content := range all {
			// the second file quotes a license
			if slices.Contains([]string{"core/internal/testing/arch/words_test.go", "tools/common-passwords.mjs"}, name) ||
				strings.HasPrefix(name, "remotes/") && !strings.HasSuffix(name, ".md") || // contains texts of screens
				strings.HasSuffix(name, ".gen.ts") || strings.HasSuffix(name, ".gen.go") || strings.Contains(name, "/migrations/") {
				continue
			}
			for i, line := range strings.Split(content, "\n") {
				for instead, word := range privateWords {
					if found := word.FindString(line); found != "" {
						t.Errorf("%s:%d: %q: write %s", name, i+1, found, instead)
					}
				}
			}
		}
		for instead, word := range privateWords { // each expression finds the word for which it is intended
			assert.NotEmpty(t, word.FindString("whoever looks along, a truth, farewellTime, unfillOrder, unheard, honours, reckoning, ordersMost, nameMin, hears of, mended, the former, at the begin, greatest"), instead)
		}
	})
}

const maxSummary = 60 // in characters

// 9-api-texts
func TestTextsOfOperations(t *testing.T) {
	t.Run("9-api-texts", func(t *testing.T) {
		files, err := filepath.Glob(root + "/schemas/openapi/*.json")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		operations := 0
		for _, file := range files {
			content, err := os.ReadFile(file)
			require.NoError(t, err)
			var document struct {
				Paths map[string]map[string]struct{ OperationID, Summary, Description string }
			}
			require.NoError(t, json.Unmarshal(content, &document), file)
			for path, methods := range document.Paths {
				for method, o := range methods {
					if !slices.Contains([]string{"get", "put", "post", "patch", "delete"}, method) {
						continue
					}
					operations++
					where := filepath.Base(file) + " " + method + " " + path
					assert.NotEmpty(t, o.Summary, where)
					assert.LessOrEqual(t, utf8.RuneCountInString(o.Summary), maxSummary, "%s: %s", where, o.Summary)
					assert.False(t, strings.HasSuffix(o.Summary, "."), "%s: %s", where, o.Summary)
					assert.NotEmpty(t, o.Description, where)
					for instead, word := range privateWords {
						assert.Empty(t, word.FindString(o.Summary+" "+o.Description), "%s: write %s", where, instead)
					}
				}
			}
		}
		assert.Greater(t, operations, 100)
	})
}
