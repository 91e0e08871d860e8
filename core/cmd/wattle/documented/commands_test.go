// Package documented_test checks the commands that the docs mention.
package documented_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/moduletest"
)

const root = "../../../.."

var (
	block    = regexp.MustCompile("(?ms)^[ \t]*(?:```|~~~)[^\n`]*\n(.*?)^[ \t]*(?:```|~~~)")
	span     = regexp.MustCompile("`(?:[\\w./-]*/)?(wattle [^`\n]+)`")
	comment  = regexp.MustCompile(`(^|\s)#.*$`)
	quoted   = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	command  = regexp.MustCompile(`^\s*(?:.*(?:[;&|(=]|\b(?:until|while|if|then|do|sudo|exec)\s)\s*)?(?:[\w./-]*/)?wattle (.*)$`)
	target   = regexp.MustCompile(`(?:^|[;&|(]\s*)make ([a-z][a-z0-9/-]*)`)
	makeSpan = regexp.MustCompile("`make ([a-z][a-z0-9/-]*)")
	name     = regexp.MustCompile(`^[a-z][a-z-]*$`)
	usage    = regexp.MustCompile(`(?m)^Usage:\n  wattle ?(.*)$`)
	afterEnd = regexp.MustCompile(`[;&|<>)].*$`)
)

// named is a command on a page, without quoted values and comments.
type named struct{ page, text string }

// pages returns the text of each documentation page, by path. It excludes the changelog and the decisions, which mention commands of
// earlier versions.
func pages(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	add := func(name string) {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		out[name] = string(text)
	}
	add("README.md")
	add("CONTRIBUTING.md")
	add("SECURITY.md")
	require.NoError(t, fs.WalkDir(os.DirFS(root), "docs", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || p == "docs/decisions"):
			return fs.SkipDir
		case strings.HasSuffix(p, ".md"):
			add(p)
		}
		return nil
	}))
	return out
}

// commands returns the commands of the program and the make targets.
func commands(t *testing.T) (wattle, targets []named) {
	t.Helper()
	for page, text := range pages(t) {
		ofPage, targetsOfPage := commandsOf(page, text)
		wattle, targets = append(wattle, ofPage...), append(targets, targetsOfPage...)
	}
	return wattle, targets
}

// commandsOf returns the commands of the program and the make targets on a page, in its code blocks and in its text.
func commandsOf(page, text string) (wattle, targets []named) {
	for _, b := range block.FindAllStringSubmatch(text, -1) {
		for _, line := range strings.Split(strings.ReplaceAll(b[1], "\\\n", " "), "\n") {
			line = quoted.ReplaceAllString(comment.ReplaceAllString(line, ""), "x")
			if m := command.FindStringSubmatch(line); m != nil {
				wattle = append(wattle, named{page, m[1]})
			}
			for _, m := range target.FindAllStringSubmatch(line, -1) {
				targets = append(targets, named{page, m[1]})
			}
		}
	}
	if page != "docs/modules.md" && !strings.HasPrefix(page, "docs/examples/") { // those name targets of a module's repository
		for _, m := range makeSpan.FindAllStringSubmatch(text, -1) {
			targets = append(targets, named{page, m[1]})
		}
	}
	for _, m := range span.FindAllStringSubmatch(text, -1) {
		wattle = append(wattle, named{page, quoted.ReplaceAllString(strings.TrimPrefix(m[1], "wattle "), "x")})
	}
	return wattle, targets
}

// accepts reports whether a command has a flag that it shares with many commands, which its help leaves to `wattle help options`.
func accepts(program string, path []string, flag string) bool {
	out, err := exec.Command(program, append(append([]string{"__complete"}, path...), flag)...).Output()
	return err == nil && regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(flag)+`(\t|$)`).Match(out)
}

// Each command of the program that the docs mention exists, with its flags, in the program built from these sources.
func TestDocumentedCommandsExist(t *testing.T) {
	t.Parallel()
	program, _ := moduletest.Build(t, "github.com/wattle-portal/wattle/core/cmd/wattle")
	wattle, targets := commands(t)
	t.Run("11-docs-commands", func(t *testing.T) {
		require.Greater(t, len(wattle), 60)
		const written = "```sh\nwattle a1\n  bin/wattle a2 # a note\nmake build && bin/wattle a3 \\\n  --b c\nuntil wattle a4; do sleep 1; done\n" +
			"sudo /usr/bin/wattle a5\n```\n```ini\nExecStart=/usr/local/bin/wattle a6\n```\n~~~ bash\n./wattle a7\n~~~\n" +
			"- run:\n  ```\n  wattle a8\n  ```\n\n`wattle b1` and `bin/wattle b2`\n```sh\napt install wattle tools\n```\n"
		found, made := commandsOf("README.md", written)
		var texts []string
		for _, c := range found {
			texts = append(texts, strings.TrimSpace(c.text))
		}
		require.Equal(t, []string{"a1", "a2", "a3    --b c", "a4; do sleep 1; done", "a5", "a6", "a7", "a8", "b1", "b2"}, texts)
		require.Equal(t, []named{{"README.md", "build"}}, made)
		help := map[string]string{}
		for _, c := range wattle {
			words, path := strings.Fields(afterEnd.ReplaceAllString(c.text, "")), []string{}
			for _, w := range words {
				if !name.MatchString(w) {
					break
				}
				path = append(path, w)
			}
			key := strings.Join(path, " ")
			if _, ok := help[key]; !ok {
				out, err := exec.Command(program, append(slices.Clone(path), "--help")...).CombinedOutput()
				if !assert.NoError(t, err, "%s: wattle %s\n%s", c.page, c.text, out) {
					continue
				}
				help[key] = string(out)
			}
			m := usage.FindStringSubmatch(help[key])
			if !assert.NotNil(t, m, "%s: wattle %s", c.page, c.text) {
				continue
			}
			at := strings.Fields(m[1]) // name of the command that the program found
			deep := 0
			for deep < len(at) && deep < len(path) && at[deep] == path[deep] {
				deep++
			}
			if len(path) > 0 {
				assert.Positive(t, deep, "%s: wattle %s: there is no such command", c.page, c.text)
			}
			isGroup := deep < len(at) && at[deep] == "[command]"
			assert.False(t, isGroup && deep < len(path), "%s: wattle %s: there is no such command", c.page, c.text)
			for _, w := range words {
				flag, _, _ := strings.Cut(w, "=")
				if !strings.HasPrefix(flag, "--") || flag == "--help" {
					continue
				}
				described := regexp.MustCompile(`(?m)^\s+(-\w, )?` + regexp.QuoteMeta(flag) + `\b`).MatchString(help[key])
				assert.True(t, described || accepts(program, path, flag), "%s: wattle %s: there is no %s", c.page, c.text, flag)
			}
		}
	})
	t.Run("11-docs-commands", func(t *testing.T) {
		makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
		require.NoError(t, err)
		require.NotEmpty(t, targets)
		for _, c := range targets {
			assert.Regexp(t, `(?m)^`+regexp.QuoteMeta(c.text)+`:`, string(makefile), "%s: make %s", c.page, c.text)
		}
	})
}
