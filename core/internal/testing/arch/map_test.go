package arch

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var mapLine = regexp.MustCompile("(?m)^\\| `(core/[^`]+)` \\| (\\S.*) \\|$")

// 9-docs-map
func TestArchitectureHasEveryPackageOfCore(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
	require.NoError(t, err)
	var listed []string
	for _, line := range mapLine.FindAllStringSubmatch(string(page), -1) {
		listed = append(listed, line[1])
	}
	packages := map[string]bool{}
	for _, s := range sources(t) {
		// package groups are headings
		if strings.HasPrefix(s.folder, "core/") && !strings.Contains(s.folder, "/testdata") && filepath.Base(s.file) != "doc.go" {
			packages[s.folder] = true
		}
	}
	t.Run("9-docs-map", func(t *testing.T) {
		require.Greater(t, len(packages), 40)
		for _, p := range slices.Sorted(maps.Keys(packages)) {
			assert.True(t, slices.Contains(listed, p), "docs/architecture.md has no line for %s", p)
		}
		for i, p := range listed {
			assert.True(t, packages[p], "docs/architecture.md has a line for %s, which is gone", p)
			assert.False(t, slices.Contains(listed[:i], p), "docs/architecture.md has two lines for %s", p)
		}
	})
}

var (
	fence    = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	code     = regexp.MustCompile("(?ms)^ *```.*?^ *```|`[^`\n]*`")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	pageName = regexp.MustCompile(`[\w./-]*\b[\w-]+\.md\b|\bdocs/decisions/\d{4}\b`)
	noSlug   = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// texts returns the files that are written by people, by name relative to the root.
func texts(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			hidden := strings.HasPrefix(name, ".") && len(name) > 2 && name != ".github"
			if hidden || slices.Contains([]string{"node_modules", "dist", "compiled", "testdata", "test-results", "bin", "data"}, name) {
				return fs.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".md", ".go", ".ts", ".tsx", ".mjs", ".cue", ".sql", ".yml", ".sh"}, filepath.Ext(name)) &&
			name != "Makefile" {
			return nil
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, file)
		out[filepath.ToSlash(relative)] = string(content)
		return err
	}))
	require.NotEmpty(t, out["docs/architecture.md"])
	return out
}

// labelPage matches the file of a label page, whose links are checked by vet (9-label-pages-vet).
var labelPage = regexp.MustCompile(`\.(nl|en)\.md$`)

// slugs returns the anchors that GitHub gives the headings of a page.
func slugs(page string) (out []string) {
	for _, h := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		out = append(out, strings.ReplaceAll(noSlug.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-"))
	}
	return out
}

// brokenLinks returns the links of a page whose target does not exist, is outside the repository, or lacks the heading.
func brokenLinks(name string, all map[string]string) (out []string) {
	for _, l := range link.FindAllStringSubmatch(code.ReplaceAllString(all[name], ""), -1) {
		target, anchor, _ := strings.Cut(l[1], "#")
		if strings.Contains(target, ":") {
			continue // another site
		}
		to := name
		if target != "" {
			to = filepath.ToSlash(filepath.Join(filepath.Dir(name), target))
		}
		_, err := os.Stat(filepath.Join(root, to))
		if err != nil || strings.HasPrefix(to, "..") || anchor != "" && !slices.Contains(slugs(all[to]), anchor) {
			out = append(out, l[1])
		}
	}
	return out
}

// missing returns the Markdown pages that a text mentions and the repository does not have. A name without a folder may be in any folder.
func missing(name string, all map[string]string) (out []string) {
	for _, cited := range pageName.FindAllString(all[name], -1) {
		if labelPage.MatchString(cited) {
			continue
		}
		page, known := strings.TrimLeft(cited, "./"), false
		for there := range all {
			known = known || there == page || strings.HasSuffix(there, "/"+page) || filepath.Ext(page) == "" && strings.HasPrefix(there, page+"-")
		}
		if !known {
			out = append(out, cited)
		}
	}
	return out
}

// 9-docs-links
func TestPagesExist(t *testing.T) {
	all := texts(t)
	t.Run("9-docs-links", func(t *testing.T) {
		for name := range all {
			if filepath.Ext(name) == ".md" && !labelPage.MatchString(name) {
				assert.Empty(t, brokenLinks(name, all), "%s has broken links", name)
			}
			if name != "core/internal/testing/arch/map_test.go" {
				assert.Empty(t, missing(name, all), "%s names pages that the repository does not have", name)
			}
		}
		owners, err := os.ReadFile(filepath.Join(root, ".github/CODEOWNERS"))
		require.NoError(t, err)
		paths := regexp.MustCompile(`(?m)^/\S+`).FindAllString(string(owners), -1)
		require.NotEmpty(t, paths)
		for _, p := range paths {
			found, err := filepath.Glob(filepath.Join(root, p))
			require.NoError(t, err)
			assert.NotEmpty(t, found, "CODEOWNERS has %s, which is gone", p)
		}
	})
	all["docs/a.md"] = "[a](architecture.md#one-write) [b](architecture.md#no-such) [c](none.md) [d](../../outside.md) [e](https://example.org/x.md)\n" +
		"```\n[f](none.md)\n```\nSee face.md, labels.md, docs/none.md and docs/decisions/0001, docs/decisions/9999."
	require.Equal(t, []string{"architecture.md#no-such", "none.md", "../../outside.md"}, brokenLinks("docs/a.md", all))
	require.Subset(t, missing("docs/a.md", all), []string{"face.md", "docs/none.md", "docs/decisions/9999"})
	require.NotContains(t, missing("docs/a.md", all), "labels.md")
}

// halfNamed matches the first line of a table in which only some columns have a name: a screen reader cannot tell the other columns apart.
var halfNamed = regexp.MustCompile(`(?m)(?:^|\n\n)(\|(?:[^\n]*\|)? *\|[^\n]*[^\s|][^\n]*|\|[^\n]*[^\s|][^\n]*\| *\|[^\n]*)\n\|[-|: ]+\|$`)

func TestTablesNameTheirColumns(t *testing.T) {
	for name, text := range texts(t) {
		if filepath.Dir(name) == "docs" && filepath.Ext(name) == ".md" { // pages of the documentation site
			for _, found := range halfNamed.FindAllStringSubmatch(text, -1) {
				t.Errorf("%s: a column without a name: %s", name, found[1])
			}
		}
	}
	require.True(t, halfNamed.MatchString("text\n\n| | measured |\n|---|---|\n"))
	require.False(t, halfNamed.MatchString("text\n\n| | |\n|---|---|\n"), "a list in two columns")
	require.False(t, halfNamed.MatchString("text\n\n| a | b |\n|---|---|\n| | c |\n"))
}
