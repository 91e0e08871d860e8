package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/modules/reference"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/plugintest"
	"github.com/wattle-portal/wattle/core/internal/records/formats"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/modules"
)

// verbs are the words that a command's help may begin with.
var verbs = regexp.MustCompile(`^(Audit|Back up|Build|Check|Compare|Create|Describe|Develop|Disable|Enable|End|Export|Generate|Import|Install|` +
	`List|Manage|Migrate|Plan|Print|Remove|Replace|Restore|Revoke|Roll back|Rotate|Run|Show|Take|Upgrade|Verify|Write) `)

var (
	word          = regexp.MustCompile(`(?:"[^"]*"|[^\s"])+`)          // of a command line, which may have a part in double quotes
	aroundExample = regexp.MustCompile(`^source <\(|\)$| (?:\||>).*$`) // what belongs to the shell
)

// checkExample requires that a line of the examples of a command is a call that the command accepts.
func checkExample(t *testing.T, c *cobra.Command, line string) {
	t.Helper()
	line = aroundExample.ReplaceAllString(strings.TrimSpace(line), "")
	sub, args, err := newRoot().Find(word.FindAllString(line, -1)[1:])
	require.NoError(t, err, line)
	assert.Equal(t, c.CommandPath(), sub.CommandPath(), line)
	require.NoError(t, sub.ParseFlags(args), line)
	assert.NoError(t, sub.ValidateArgs(sub.Flags().Args()), line)
	assert.NoError(t, cli.CheckFlags(sub), line)
}

func TestHelp(t *testing.T) {
	t.Parallel()
	var all []*cobra.Command
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				all = append(all, sub)
				walk(sub)
			}
		}
	}
	walk(newRoot())
	require.Greater(t, len(all), 50)
	t.Run("11-command-help", func(t *testing.T) {
		for _, c := range all {
			path := strings.Fields(c.CommandPath())[1:]
			out := must(t, append(path, "--help")...)
			assert.Equal(t, out, must(t, append([]string{"help"}, path...)...), path)
			assert.Regexp(t, verbs, c.Short, path)
			assert.NotRegexp(t, `^\w+s `, c.Long, "%s: a verb in the imperative", path)
			assert.True(t, strings.HasPrefix(out, c.Short+".\n\n") || strings.HasPrefix(c.Long, c.Short), out)
			if !reference.Runs(c) {
				continue
			}
			assert.Contains(t, out, "\nUsage:\n  "+reference.UseLine(c)+"\n")
			assert.Regexp(t, `\nExamples:\n  (source <\()?wattle `+strings.Join(path, " "), out)
			for line := range strings.Lines(c.Example) {
				checkExample(t, c, line)
			}
			_, required, _ := strings.Cut(out, "\nRequired flags:\n")
			required, _, _ = strings.Cut(required, "\n\n")
			shares := false
			for _, f := range reference.Flags(c) {
				line := regexp.MustCompile(`(?m)^  --` + f.Name + `( \w| {2}|$)`)
				isShared := config.Group(f) != "" && !reference.IsRequired(f)
				shares = shares || isShared
				assert.Equal(t, !isShared || c.Name() == "serve", line.MatchString(out), "%s --%s", path, f.Name)
				assert.Equal(t, reference.IsRequired(f), line.MatchString(required), "%s --%s", path, f.Name)
			}
			assert.Equal(t, shares && c.Name() != "serve", strings.Contains(out, "`wattle help options`"), path)
		}
		assert.Contains(t, must(t, "keys", "revoke", "--help"), "Usage:\n  wattle keys revoke --label LABEL --name NAME [flags]\n")
		assert.Contains(t, must(t, "staff", "list", "--help"), "\nShared flags:\n  --config, --data, --database and 12 more (see `wattle help options`)\n")
		assert.Contains(t, must(t, "demo", "accounts", "--help"), "\nShared flags:\n  --config, --labels (see")
		root := must(t, "--help")
		for _, title := range []string{"Run a portal", "Manage labels and accounts", "Import, keep and verify data", "Extend a portal", "Other commands"} {
			assert.Contains(t, root, "\n"+title+":\n")
		}
		for _, of := range []string{must(t, "help", "options"), must(t, "serve", "--help")} {
			for _, f := range config.Shared() {
				assert.Regexp(t, `(?m)^  --`+f.Name+`\b`, of)
			}
			for _, title := range config.Groups() {
				assert.Contains(t, of, "\n"+title+":\n  --")
			}
			assert.NotContains(t, of, "--unsafe")
		}
	})
	t.Run("11-version-flag", func(t *testing.T) {
		assert.Regexp(t, `^wattle \d+\.\d+\.\d+.* go1\.`, must(t, "--version"))
		assert.Equal(t, must(t, "version"), must(t, "--version"))
	})
}

func TestUsageErrors(t *testing.T) {
	t.Parallel()
	t.Run("11-command-usage", func(t *testing.T) {
		for _, c := range []struct{ command, want, usage string }{
			{"labels retire", "missing LABEL", "wattle labels retire LABEL [flags]"},
			{"labels diff a", "missing B", "wattle labels diff A B [flags]"},
			{"import --label acme", "missing FILE", "wattle import FILE… --label LABEL [flags]"},
			{"backup", "missing FILE", "wattle backup [FILE] [flags]"},
			{"backup a --record b", "FILE and --record cannot be used together", "wattle backup [FILE] [flags]"},
			{"staff list", "missing --label", "wattle staff list --label LABEL [flags]"},
			{"staff add --label acme", "missing --email, --name and --username", "wattle staff add --email EMAIL --label LABEL --name NAME --username USERNAME [flags]"},
			{"version x", `unexpected argument "x"`, "wattle version [flags]"},
			{"staff list --lable x", "unknown flag: --lable; did you mean --label?", "wattle staff list --label LABEL [flags]"},
			{"staff list --xyzzy x", "unknown flag: --xyzzy", "wattle staff list --label LABEL [flags]"},
			{"serve --addr", "missing value of --addr", "wattle serve [flags]"},
			{"serve --drain 5", `--drain "5": must be a duration with its unit, such as "5s" or "1m30s"`, "wattle serve [flags]"},
			{"import a --label acme --set x", `--set "x": must be NAME=VALUE`, "wattle import FILE… --label LABEL [flags]"},
			{"import a --label acme --kind b --format c", "--format and --kind cannot be used together", "wattle import FILE… --label LABEL [flags]"},
			{"plugins install x", "missing --plugins", "wattle plugins install FILE [flags]"},
			{"modules new x", "missing --dir DIR or --in-tree", "wattle modules new KEY [flags]"},
			{"modules new x --dir y --in-tree", "--dir and --in-tree cannot be used together", "wattle modules new KEY [flags]"},
			{"modules new x --dir y --label acme", "--dir and --label cannot be used together", "wattle modules new KEY [flags]"},
			{"modules new x --with mails", `--with: the parts are import, mail, staff, job, change, event, setting, tile, or all: "mails"`,
				"wattle modules new KEY [flags]"},
			{"demo accounts nobody --labels " + shipped, `the demo has no account "nobody"`, "wattle demo accounts [USERNAME…] [flags]"},
		} {
			_, err := run(t, strings.Fields(c.command)...)
			require.Error(t, err, c.command)
			var typed *cli.UsageError
			require.ErrorAs(t, err, &typed, c.command)
			assert.Equal(t, c.want+"\nUsage: "+c.usage+"\nSee `"+typed.Command.CommandPath()+" --help`.", cli.Message(err), c.command)
		}
		t.Run("10-module-new-taken", func(t *testing.T) {
			_, err := run(t, "modules", "new", "account", "--dir", filepath.Join(t.TempDir(), "account"))
			assert.EqualError(t, err, "scaffold: the program has a module with this key, which the new one would replace: account")
		})
		t.Run("11-config-refused", func(t *testing.T) { // before a command does anything
			file, data := filepath.Join(t.TempDir(), "w.cue"), filepath.Join(t.TempDir(), "data")
			require.NoError(t, os.WriteFile(file, []byte("drain: 5\n"), 0o600))
			for _, command := range []string{"serve", "migrate", "staff list --label acme", "audit verify"} {
				out, err := run(t, append(strings.Fields(command), "--config", file, "--data", data, "--labels", data)...)
				assert.ErrorContains(t, err, "w.cue:1:1: drain: must be a duration", command)
				assert.Empty(t, out, command)
				assert.NoDirExists(t, data, command)
			}
		})
		_, err := run(t, "plugins", "install", "/nowhere.wattle", "--plugins", t.TempDir())
		assert.EqualError(t, err, "no such file: /nowhere.wattle")
		labels := t.TempDir()
		must(t, "labels", "new", "acme", "--labels", labels)
		place := []string{"--label", "acme", "--labels", labels, "--data", t.TempDir()}
		_, err = run(t, append([]string{"import", "/nowhere/relation.ndjson"}, place...)...)
		assert.Equal(t, "open /nowhere/relation.ndjson: no such file or directory", cli.Message(err))
		place[1] = "amce"
		_, err = run(t, append([]string{"keys", "list"}, place...)...)
		assert.EqualError(t, err, "there is no label amce; did you mean acme?")
	})
}

// jsonOf runs a command with --json and decodes its standard output. It returns the error of the command.
func jsonOf(t *testing.T, into any, args ...string) error {
	t.Helper()
	var out bytes.Buffer
	root := newRoot()
	root.SetOut(&out)
	root.SetErr(io.Discard)
	root.SetArgs(append(args, "--json"))
	err := root.ExecuteContext(t.Context())
	require.NoError(t, json.Unmarshal(out.Bytes(), into), "%q: %v %s", args, err, out.String())
	return err
}

func TestJSON(t *testing.T) {
	t.Parallel()
	labels, data := t.TempDir(), t.TempDir()
	must(t, "labels", "new", "acme", "--name", "Acme Energie", "--labels", labels)
	place := []string{"--labels", labels, "--data", data}
	at := func(args ...string) []string { return append(append(args, place...), "--label", "acme") }
	t.Run("11-command-json", func(t *testing.T) {
		var created map[string]any
		require.NoError(t, jsonOf(t, &created, at("staff", "add", "--username", "anna", "--email", "anna@example.org", "--name", "Anna de Boer")...))
		assert.NotEmpty(t, created["temporary_password"])
		var found []map[string]any
		require.NoError(t, jsonOf(t, &found, at("staff", "list")...))
		assert.Equal(t, []map[string]any{{"username": "anna", "name": "Anna de Boer", "email": "anna@example.org", "role": "staff",
			"state": "temporary_password", "sessions": 0.0, "last_used": nil}}, found)
		require.NoError(t, jsonOf(t, &created, at("keys", "add", "--name", "erp", "--scopes", "webhooks", "--expires", "2199-03-31")...))
		assert.Regexp(t, "^wk_", created["key"])
		found = nil
		require.NoError(t, jsonOf(t, &found, at("keys", "list")...))
		require.Len(t, found, 1)
		assert.NotEmpty(t, found[0]["created"])
		delete(found[0], "created")
		assert.Equal(t, map[string]any{"name": "erp", "last_used": nil, "last_day": "2199-03-31", "scopes": []any{"webhooks"}}, found[0])

		file := filepath.Join(t.TempDir(), "01-relation.ndjson")
		require.NoError(t, os.WriteFile(file, []byte("{\"debtor_number\":\"1001\"}\n{\"debtor_number\":\"\"}\n"), 0o600))
		var report map[string]any
		require.Equal(t, exitStatus(2), jsonOf(t, &report, at("import", file)...))
		assert.Equal(t, []any{2.0, 1.0, 1.0, false, []any{file + ".rejected.ndjson"}}, []any{report["records"], report["refused"],
			report["stored"], report["dry_run"], report["rejected_files"]})
		assert.Len(t, report["reasons"], 1)
		var verified map[string]any
		require.NoError(t, jsonOf(t, &verified, append([]string{"audit", "verify"}, place...)...))
		assert.Equal(t, []any{true, []any{}}, []any{verified["ok"], verified["flaws"]})
		assert.Contains(t, verified, "entries")
		backup := filepath.Join(t.TempDir(), "backup.tar.zst")
		require.NoError(t, jsonOf(t, &report, append([]string{"backup", backup}, place...)...))
		assert.Equal(t, backup, report["file"])
		assert.NotEmpty(t, report["entries"])
		var restored restoreReport
		empty := []string{"--labels", filepath.Join(t.TempDir(), "labels"), "--data", filepath.Join(t.TempDir(), "data")}
		require.NoError(t, jsonOf(t, &restored, append([]string{"restore", backup, "--identity-key", filepath.Join(data, masterkey.File)},
			empty...)...))
		assert.Equal(t, []any{backup, true, "wattle marketplace audit"}, []any{restored.File, restored.AuditLog.OK, restored.Audits[0].Command})
		var reset resetReport
		require.NoError(t, jsonOf(t, &reset, append([]string{"identity", "reset", "--yes"}, empty...)...))
		assert.Equal(t, resetReport{Webhooks: []resetWebhook{}}, reset)
		var ready map[string]any
		require.Equal(t, exitStatus(1), jsonOf(t, &ready, "ready", "--addr", "127.0.0.1:1"))
		assert.Equal(t, false, ready["ready"])
		assert.Regexp(t, "^no portal answers at 127.0.0.1:1", ready["reason"])
		var runs []ran
		require.NoError(t, jsonOf(t, &runs, "marketplace", "audit", "--labels", shipped, "--data", t.TempDir()))
		require.NotEmpty(t, runs)
		assert.Regexp(t, runs[0].Label+`: 0 participations, .*, 0 findings$`, runs[0].Output[0])
		var fit map[string]int
		require.NoError(t, jsonOf(t, &fit, "modules", "vet"))
		assert.Equal(t, len(modules.All), fit["modules"])
		for _, list := range [][]string{{"modules", "list"}, {"labels", "list", "--labels", shipped}, {"demo", "accounts", "--labels", shipped}} {
			var all []map[string]any
			require.NoError(t, jsonOf(t, &all, list...), list)
			assert.Greater(t, len(all), 3, list)
		}
		var none []any
		require.NoError(t, os.Mkdir(filepath.Join(data, "none"), 0o700))
		require.NoError(t, jsonOf(t, &none, "plugins", "list", "--plugins", filepath.Join(data, "none")))
		assert.Equal(t, []any{}, none)
		require.NoError(t, jsonOf(t, &report, append([]string{"config", "check"}, place...)...))
		assert.Equal(t, true, report["ok"])
		require.NoError(t, jsonOf(t, &report, append([]string{"doctor"}, place...)...))
		assert.NotEmpty(t, report["findings"])
		var problems []map[string]any
		require.NoError(t, os.WriteFile(filepath.Join(labels, "acme", "label.cue"), []byte("nonsense: 1\n"), 0o600))
		require.Equal(t, exitStatus(1), jsonOf(t, &problems, "labels", "vet", "--labels", labels), "the status is the same")
		assert.NotEmpty(t, problems)
	})
}

// Shells complete what an installation has.
func TestCompletion(t *testing.T) {
	labels, plugins := t.TempDir(), t.TempDir()
	require.NoError(t, os.Chmod(plugins, 0o700))
	for _, key := range []string{"acme", "other"} {
		must(t, "labels", "new", key, "--labels", labels)
	}
	plugintest.Write(t, plugins, plugintest.Plugin{NoBinary: true})
	offered := func(args ...string) (values []string) {
		for line := range strings.Lines(must(t, append([]string{"__complete"}, args...)...)) {
			value, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			if strings.HasPrefix(value, ":") {
				return values
			}
			if !strings.HasPrefix(value, "--") { // the required flags, which cobra adds
				values = append(values, value)
			}
		}
		return values
	}
	t.Run("11-command-complete", func(t *testing.T) {
		other, file := t.TempDir(), filepath.Join(t.TempDir(), "wattle.cue")
		must(t, "labels", "new", "third", "--labels", other)
		require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "labels: %q\n", other), 0o600))
		assert.Equal(t, []string{"third"}, offered("labels", "retire", "--config", file, ""))
		assert.Equal(t, []string{"third"}, offered("labels", "retire", "--labels", other, ""))
		t.Setenv("WATTLE_LABELS", labels)
		assert.Equal(t, []string{"acme", "other"}, offered("labels", "retire", ""))
		assert.Equal(t, []string{"other"}, offered("labels", "vet", "acme", ""), "each once")
		assert.Equal(t, []string{"acme"}, offered("staff", "list", "--label", "a"))
		assert.Empty(t, offered("labels", "new", ""), "a new one")
		assert.Equal(t, []string{"tide"}, offered("plugins", "disable", "--plugins", plugins, ""))
		assert.Contains(t, offered("import", "schema", ""), "invoice")
		assert.Len(t, offered("import", "--kind", ""), len(app.Kinds(modules.All)))
		assert.Equal(t, formats.Names(), offered("import", "--format", ""))
		assert.Equal(t, []string{"json", "csv"}, offered("audit", "export", "--format", ""))
		assert.Equal(t, []string{"options"}, offered("help", "opt"))

		logins, err := demoLogins(shipped)
		require.NoError(t, err)
		var all, staff []string
		for _, l := range logins {
			all = append(all, l.Username)
			if l.Label == logins[0].Label && l.Role != "customer" && l.Role != "member" {
				staff = append(staff, l.Username)
			}
		}
		require.NotEmpty(t, staff)
		assert.Equal(t, all, offered("demo", "accounts", "--labels", shipped, ""))
		assert.Equal(t, staff, offered("staff", "disable", "--labels", shipped, "--label", logins[0].Label, "--username", ""))
		assert.Contains(t, must(t, "__complete", "demo", "accounts", "--labels", shipped, ""), fmt.Sprintf("%s\t%s of %s\n", logins[0].Username,
			logins[0].Role, logins[0].Label))
		assert.Contains(t, must(t, "__complete", "version", ""), ":4\n", "no files")
	})
}

func TestNewModuleNeedsNode(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Run("10-modules-node", func(t *testing.T) {
		out, _ := run(t, "modules", "new", "lamps", "--dir", filepath.Join(t.TempDir(), "lamps")) // fails without the packages of a release
		assert.Regexp(t, `^Before make test, install another Node: the React half needs Node 22 or newer, and there is no node in the PATH\b[^\n]*\.\n`, out)
	})
}
