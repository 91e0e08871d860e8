package program_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// groupsOf returns the groups of commands of the program, by the page of its commands, which another test compares with the program. Each
// has one of its commands.
func groupsOf(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs/reference/commands.md"))
	require.NoError(t, err)
	out := map[string]string{"wattle": "serve", "wattle completion": "bash"}
	for _, m := range regexp.MustCompile(`(?m)^## (wattle [a-z-]+) ([a-z-]+)$`).FindAllStringSubmatch(string(page), -1) {
		if m[1] != "wattle import" { // its arguments are names of files
			out[m[1]] = m[2]
		}
	}
	require.Greater(t, len(out), 8)
	return out
}

// A mistyped command is an error in every group, those of modules and of the library included, with and without flags.
func TestUnknownCommands(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	ask := func(args ...string) (out string, status int) {
		out, err := run(t, program, args...)
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			return out, failed.ExitCode()
		}
		require.NoError(t, err)
		return out, 0
	}
	t.Run("11-command-unknown", func(t *testing.T) {
		for group, command := range groupsOf(t) {
			path := strings.Fields(group)[1:]
			path = path[:len(path):len(path)]
			mistyped := command[:len(command)-1] + "#"
			for _, args := range [][]string{append(path, mistyped), append(path, mistyped, "x", "--label", "acme"), append(path, mistyped, "--data=y"),
				append(append([]string{"help"}, path...), mistyped)} {
				out, status := ask(args...)
				assert.Equal(t, 2, status, "%q: %s", args, out)
				assert.Regexp(t, `; did you mean (.* or )?`+group+" "+command+`( or |\?)`, out, "%q", args)
			}
			for _, args := range [][]string{path, append(path, "--help"), append([]string{"help"}, path...)} {
				out, status := ask(args...)
				assert.Equal(t, 0, status, "%q: %s", args, out)
				assert.Contains(t, out, "Usage:\n  "+group+" [command]\n", "%q", args)
			}
		}
		out, _ := ask("plugins", "instal", "x")
		require.Equal(t, "wattle: there is no command \"wattle plugins instal\"; did you mean wattle plugins install? (wattle plugins --help lists them)\n", out)
		out, _ = ask("plugins", "xyzzy")
		require.Equal(t, "wattle: there is no command \"wattle plugins xyzzy\" (wattle plugins --help lists them)\n", out)
		out, status := ask("plugins", "--xyzzy")
		require.Equal(t, 1, status)
		require.Contains(t, out, "unknown flag: --xyzzy")
	})
}

// An account of staff that nobody could use is refused in a sentence.
func TestStaffThatIsRefused(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	place := append(acme(t, program), "--label", "acme")
	t.Run("9-staff-add", func(t *testing.T) {
		for want, wrong := range map[string][3]string{
			`--email "bob" is no e-mail address`:           {"bob", "bob", "Bob"},
			`--email "bob@localhost" is no e-mail address`: {"bob", "bob@localhost", "Bob"},
			`--email "" is empty`:                          {"bob", "", "Bob"},
			`--name " " is empty`:                          {"bob", "bob@example.org", " "},
			`--username "" is empty`:                       {"", "bob@example.org", "Bob"},
			`--username "impersonator_b" is not accepted`:  {"impersonator_b", "bob@example.org", "Bob"},
		} {
			out, err := run(t, program, append([]string{"staff", "add", "--username", wrong[0], "--email", wrong[1], "--name", wrong[2]}, place...)...)
			require.Error(t, err)
			require.Contains(t, out, "wattle: "+want+"\n")
		}
		out, err := run(t, program, append([]string{"staff", "list"}, place...)...)
		require.NoError(t, err, out)
		require.NotContains(t, strings.ToLower(out), "bob")
	})
}
