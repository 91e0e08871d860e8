package documented_test

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The pages for operators describe records with commands of the program: an installed binary comes without the README of a module.
func TestRecordsAreDescribedByTheProgram(t *testing.T) {
	t.Run("11-docs-records", func(t *testing.T) {
		all := pages(t)
		for name, text := range all {
			if path.Dir(name) != "docs" {
				continue
			}
			assert.NotRegexp(t, `modules/[a-z]+/README\.md|README of (a|the) module`, strings.ReplaceAll(text, "\n", " "), name)
		}
		for _, name := range []string{"docs/labels.md", "docs/operations.md", "docs/first-import.md"} {
			assert.Contains(t, all[name], "wattle import schema", name)
		}
		assert.Contains(t, all["docs/operations.md"], "wattle import template")
	})
}
