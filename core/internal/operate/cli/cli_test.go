package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/modules/reference"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
)

// prefixed matches an error that begins with the name of its package.
var prefixed = regexp.MustCompile(`(?:errors\.New|fmt\.Errorf)\("([a-z]+): `)

func TestPlain(t *testing.T) {
	t.Run("11-command-usage", func(t *testing.T) {
		for text, want := range map[string]string{
			"scaffold: there is no checkout of Wattle in /tmp":   "there is no checkout of Wattle in /tmp",
			"label acme: imports: backup: open x: no such file":  "label acme: open x: no such file",
			"database: store: postgres h:5432/d: wrong password": "database: postgres h:5432/d: wrong password",
			"one\nimports: two": "one\ntwo",
			"acme/label.cue:3:1: mail: there is no such field":     "acme/label.cue:3:1: mail: there is no such field",
			"store: acme/label.cue:3:1: label: mail: is not known": "acme/label.cue:3:1: label: is not known",
			"--files: open /x: permission denied":                  "--files: open /x: permission denied",
			"mail":                                                 "mail",
			"":                                                     "",
		} {
			assert.Equal(t, want, Plain(text), text)
		}
		assert.Equal(t, "files: must be a text", Message(config.Problems{{Name: "files", Message: "must be a text"}}), "the name of a setting")
		assert.Equal(t, "a: b", Message(fmt.Errorf("a: %w", errors.New("store: b"))))

		found := 0
		require.NoError(t, filepath.WalkDir("../../..", func(file string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") || strings.Contains(file, "/testdata/") {
				return err
			}
			code, err := os.ReadFile(file)
			for _, m := range prefixed.FindAllStringSubmatch(string(code), -1) {
				if !slices.Contains([]string{"panic", "when", "labels"}, m[1]) { // words, not packages
					found++
					assert.Contains(t, goPackages, m[1], "%s: a package that Plain does not know", file)
				}
			}
			return err
		}))
		assert.Greater(t, found, 200)
	})
}

func TestArguments(t *testing.T) {
	t.Run("11-command-usage", func(t *testing.T) {
		for _, c := range []struct {
			use  string
			args []string
			want string
		}{
			{"a", nil, ""}, {"a", []string{"x"}, `unexpected argument "x"`},
			{"a KEY", nil, "missing KEY"}, {"a KEY", []string{"x"}, ""}, {"a KEY", []string{"x", "y"}, `unexpected argument "y"`},
			{"a [KEY]", nil, ""}, {"a [KEY]", []string{"x", "y"}, `unexpected argument "y"`},
			{"a A B", nil, "missing A and B"}, {"a A B", []string{"x"}, "missing B"},
			{"a FILE…", nil, "missing FILE"}, {"a FILE…", []string{"x", "y", "z"}, ""}, {"a [LABEL…]", nil, ""}, {"a [LABEL…]", []string{"x", "y"}, ""},
		} {
			cmd := &cobra.Command{Use: c.use, RunE: func(*cobra.Command, []string) error { return nil }}
			err := CheckArgs(cmd, c.args)
			if c.want == "" {
				assert.NoError(t, err, "%s %q", c.use, c.args)
				continue
			}
			assert.EqualError(t, err, c.want, "%s %q", c.use, c.args)
			assert.Equal(t, c.want+"\nUsage: "+c.use+"\nSee `a --help`.", Message(fmt.Errorf("%w", err)))
		}
	})
}

func TestOutput(t *testing.T) {
	t.Run("11-command-json", func(t *testing.T) {
		var out bytes.Buffer
		cmd := &cobra.Command{Use: "a"}
		cmd.SetOut(&out)
		asJSON := JSONFlag(cmd)
		require.NoError(t, cmd.ParseFlags([]string{"--json"}))
		value := []map[string]string{{"url": "https://a.example/?b=1&c=2"}}
		text := func(w io.Writer) { Table(w, [][]any{{"NAME", "N"}, {"long name", 1}, {"x", 22}}) }
		require.NoError(t, Print(cmd, *asJSON, value, text))
		assert.Equal(t, "[\n  {\n    \"url\": \"https://a.example/?b=1&c=2\"\n  }\n]\n", out.String())
		out.Reset()
		require.NoError(t, Print(cmd, false, value, text))
		assert.Equal(t, "NAME       N\nlong name  1\nx          22\n", out.String())
	})
	t.Run("11-command-color", func(t *testing.T) { // on a terminal: TestColors of package program
		file, err := os.CreateTemp(t.TempDir(), "")
		require.NoError(t, err)
		assert.Equal(t, "ok", Paint(file, Green, "ok"), "a file")
		assert.Equal(t, "ok", Paint(&bytes.Buffer{}, Green, "ok"))
		require.NoError(t, file.Close())
	})
}

func flagsNamed(all ...string) (out []*pflag.Flag) {
	for _, name := range all {
		out = append(out, &pflag.Flag{Name: name})
	}
	return out
}

func TestWrap(t *testing.T) {
	t.Run("11-command-help", func(t *testing.T) {
		text := strings.Repeat("word ", 40) + "\n\n\tcode  stays\n\nend\nof it"
		lines := strings.Split(wrap(text), "\n")
		for _, line := range lines {
			assert.LessOrEqual(t, len(line), helpWidth)
		}
		assert.Equal(t, []string{"", "\tcode  stays", "", "end of it"}, lines[len(lines)-4:])
		assert.Equal(t, 40, strings.Count(wrap(text), "word"))
		assert.Equal(t, "--a, --b", names(flagsNamed("a", "b")))
		assert.Equal(t, "--a, --b, --c, --d", names(flagsNamed("a", "b", "c", "d")))
		assert.Equal(t, "--a, --b, --c and 2 more", names(flagsNamed("a", "b", "c", "d", "e")))
		for _, c := range [][2]string{{"1m0s", "1m"}, {"48h0m0s", "48h"}, {"5s", "5s"}, {"0s", "0s"}, {"1h30m0s", "1h30m"}, {"10m0s", "10m"}} {
			set := &cobra.Command{}
			set.Flags().Duration("d", 0, "")
			f := set.Flags().Lookup("d")
			f.DefValue = c[0]
			assert.Equal(t, c[1], reference.Default(f))
		}
	})
}

// Each shared flag is in exactly one group.
func TestGroups(t *testing.T) {
	t.Run("11-command-help", func(t *testing.T) {
		var grouped []string
		for _, f := range config.Shared() {
			grouped = append(grouped, f.Name)
			assert.Contains(t, config.Groups(), config.Group(f), f.Name)
		}
		want := []string{"config"}
		for _, s := range config.Settings() {
			if s.Flag != "unsafe" {
				want = append(want, s.Flag)
			}
		}
		assert.ElementsMatch(t, want, grouped)
		assert.Len(t, grouped, len(slices.Compact(slices.Sorted(slices.Values(grouped)))), "none is in two groups")
	})
}
