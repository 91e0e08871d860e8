package arch

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var goBlock = regexp.MustCompile("(?ms)^([ \t]*)(?:`{3,}|~{3,})[ \t]*(?i:go|golang)\\b[^\n]*\n(.*?)^[ \t]*(?:```|~~~)")

// goBlocks returns the Go code in a Markdown text: its code blocks, split at lines "// …", where something is omitted.
func goBlocks(markdown string) (out []string) {
	for _, m := range goBlock.FindAllStringSubmatch(markdown, -1) {
		code := strings.ReplaceAll("\n"+m[2], "\n"+m[1], "\n") // without the indentation of a list
		for part := range strings.SplitSeq(code, "// …\n") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}

// 9-docs-compile
func TestGoInDocsIsTheExamples(t *testing.T) {
	t.Run("9-docs-compile", func(t *testing.T) {
		var compiled bytes.Buffer
		for _, folder := range []string{"docs/examples", "modules"} {
			require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(file string, d fs.DirEntry, err error) error {
				if err != nil || filepath.Ext(file) != ".go" {
					return err
				}
				code, err := os.ReadFile(file)
				compiled.Write(code)
				return err
			}))
		}
		seen := 0
		for page, text := range texts(t) {
			if !strings.HasPrefix(page, "docs/") || filepath.Ext(page) != ".md" {
				continue
			}
			for _, part := range goBlocks(text) {
				seen++
				assert.True(t, strings.Contains(compiled.String(), part), "%s: this code is in no file of docs/examples or modules:\n%s", page, part)
			}
		}
		assert.GreaterOrEqual(t, seen, 5)
		assert.Equal(t, []string{"a", "b", "c", "func d() {\n\te()\n}", "f"}, goBlocks("```go\na\n// …\nb\n```\n``` golang title\nc\n```\n"+
			"- in a list\n\n  ```go\n  func d() {\n  \te()\n  }\n  ```\n~~~Go\nf\n~~~\n```gotemplate\nno\n```\n```sh\ngo build\n```\n"))
	})
}

// withPortal lists the packages with which operations of a module are tested; test/fixture starts portals.
var withPortal = []string{"core/portaltest", "core/moduletest", "test/fixture"}

const (
	maxTestFile     = 650  // lines
	maxCommandTests = 2150 // lines of core/cmd/wattle
)

// 9-tests-beside
func TestTestsAreNextToWhatTheyTest(t *testing.T) {
	t.Run("9-tests-beside", func(t *testing.T) {
		commands, served := 0, 0
		for _, s := range sources(t) {
			if !strings.HasSuffix(s.file, "_test.go") {
				continue
			}
			code, err := os.ReadFile(filepath.Join(root, s.file))
			require.NoError(t, err)
			lines := bytes.Count(code, []byte("\n"))
			assert.LessOrEqual(t, lines, maxTestFile, "%s is cut by noun", s.file)
			if s.folder == "core/cmd/wattle" {
				commands += lines
			}
			if strings.HasPrefix(s.folder, "modules/") || strings.HasPrefix(s.folder, "test") {
				assert.False(t, bytes.Contains(code, []byte("time.Sleep(")), "%s sleeps: see Portal.Eventually", s.file)
				for _, i := range s.imports {
					assert.NotContains(t, i, path+"core/internal", s.file)
				}
			}
			if strings.HasPrefix(s.folder, "modules/") && strings.HasPrefix(filepath.Base(s.file), "http_") {
				served++
				assert.True(t, slices.ContainsFunc(withPortal, func(i string) bool { return slices.Contains(s.imports, path+i) }),
					"%s tests operations without a portal or a module of a portal", s.file)
			}
		}
		assert.LessOrEqual(t, commands, maxCommandTests)
		assert.Greater(t, served, 20)
	})
}
