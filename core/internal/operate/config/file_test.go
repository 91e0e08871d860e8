package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// write writes a file that others may read and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	require.NoError(t, os.Chmod(file, 0o644))
	return file
}

// another contains a valid non-default value for each setting, in the form that its flag accepts.
var another = map[string]string{
	"addr": "0.0.0.0:81", "admin-addr": "127.0.0.1:9090", "clock": "2026-11-20T10:00:00Z", "data": "/d", "database": "postgres://db/wattle",
	"database-file": "FILE", "database-direct": "postgres://direct/wattle", "database-direct-file": "FILE",
	"demo": "true", "dev": "true", "drain": "7s", "files": "/papers", "front": "/front", "hash-cores": "3", "labels": "/l",
	"log-level": "ERROR",
	"mail-from": "portal@acme.example", "password-hash": "m=65536,t=3,p=1", "plugin-digest": "aa,bb", "plugins": "/p", "remotes": "/r",
	"secret-file": "FILE", "smtp": "smtp://mail.example", "smtp-file": "FILE", "trusted-proxies": "10.0.0.0/8,::1/128", "unsafe": "true",
	"keep-sessions-days": "2", "keep-impersonations-days": "401", "keep-tokens-days": "181", "keep-messages-days": "31",
	"keep-dead-letters-days": "366", "keep-mailbox-days": "91", "keep-logs-days": "32",
}

// literal returns a value as it is written in the file.
func literal(t *testing.T, s Setting, value string) string {
	t.Helper()
	switch s.kind {
	case "bool", "int":
		return value
	case "stringSlice":
		text, err := json.Marshal(strings.Split(value, ","))
		require.NoError(t, err)
		return string(text)
	}
	return fmt.Sprintf("%q", value)
}

func TestFile(t *testing.T) {
	t.Run("11-config-file", func(t *testing.T) {
		serve, err := os.ReadFile("../../../cmd/wattle/serve.go")
		require.NoError(t, err)
		require.Contains(t, string(serve), "c.Flags(cmd.Flags())")
		require.NotRegexp(t, `Flags\(\)\.\w*Var`, string(serve), "a flag that is registered here cannot be in the file")
		settings := Settings()
		require.Len(t, settings, len(another), "a flag that this test does not know")
		for _, s := range settings { // each source works, and takes precedence over the sources before it
			v, ok := another[s.Flag]
			require.True(t, ok, s.Flag)
			file := write(t, "wattle.cue", s.Key+": "+literal(t, s, v)+"\n")
			set := func(env map[string]string, args ...string) *pflag.Flag {
				c, f := Default(), pflag.NewFlagSet("serve", pflag.ContinueOnError)
				c.Flags(f)
				require.NoError(t, f.Parse(args))
				require.NoError(t, Resolve(f, func(name string) (string, bool) { v, ok := env[name]; return v, ok }), s.Flag)
				return f.Lookup(s.Flag)
			}
			value := func(f *pflag.Flag) string { return strings.Trim(f.Value.String(), "[]") }
			fromFile := set(map[string]string{"WATTLE_CONFIG": file})
			assert.Equal(t, v, value(fromFile), s.Flag)
			assert.NotEqual(t, s.Default, fromFile.Value.String(), "%s: a value that is not the default", s.Flag)
			assert.Equal(t, file+":1", originOf(fromFile).String())
			back := strings.Trim(s.Default, "[]")
			fromEnv := set(map[string]string{"WATTLE_CONFIG": file, EnvName(s.Flag): back})
			assert.Equal(t, back, value(fromEnv), s.Flag)
			assert.Equal(t, EnvName(s.Flag), originOf(fromEnv).String())
			byFlag := set(map[string]string{EnvName(s.Flag): back}, "--config", file, "--"+s.Flag+"="+v)
			assert.Equal(t, v, value(byFlag), s.Flag)
			assert.Equal(t, asFlag, originOf(byFlag).String())
		}

		for name, text := range map[string]string{
			"wattle.cue":  "host: \"10.1.0.0\"\n",
			"wattle.json": "{\"addr\": \"0.0.0.0:80\",\n\"trusted_proxies\": [\"10.0.0.0/8\"], \"drain\": \"9s\", \"demo\": true}\n",
			"wattle.yaml": "# of the balancer\naddr: 0.0.0.0:80\ntrusted_proxies:\n  - 10.0.0.0/8\ndrain: 9s\ndemo: true\n",
			"wattle.yml":  "{addr: 0.0.0.0:80, trusted_proxies: [10.0.0.0/8], drain: 9s, demo: true}\n",
		} {
			if name == "wattle.cue" { // with a definition that is only used within the file
				text = "#net: \"10.0.0\"\naddr: \"0.0.0.0:80\"\ntrusted_proxies: [\"\\(#net).0/8\"]\ndrain: \"9s\", demo: true\n"
			}
			c, err := parse(t, map[string]string{"WATTLE_CONFIG": write(t, name, text)}, "--log-level", "error")
			require.NoError(t, err, name)
			assert.Equal(t, "0.0.0.0:80", c.Addr, name)
			assert.Equal(t, []string{"10.0.0.0/8"}, c.Proxies, name)
			assert.Equal(t, 9*time.Second, c.Drain, name)
			assert.True(t, c.Demo, name)
			assert.Equal(t, slog.LevelError, c.LogLevel, name)
		}

		c := Default() // a command with only some of the flags
		f := pflag.NewFlagSet("vet", pflag.ContinueOnError)
		c.FileFlag(f)
		f.StringVar(&c.Labels, "labels", c.Labels, "")
		require.NoError(t, f.Parse([]string{"--config", write(t, "wattle.cue", "addr: \":80\"\nlabels: \"/etc/labels\"\n")}))
		require.NoError(t, Resolve(f, func(string) (string, bool) { return "", false }))
		assert.Equal(t, "/etc/labels", c.Labels)
		assert.Equal(t, Default().Addr, c.Addr)

		c, err = parse(t, nil, "--demo") // the defaults of a demo
		require.NoError(t, err)
		assert.Equal(t, slog.LevelWarn, c.LogLevel)
		c, err = parse(t, map[string]string{"WATTLE_DRAIN": "3s"}, "--demo", "--log-level", "info")
		require.NoError(t, err)
		assert.Equal(t, 3*time.Second, c.Drain)
		assert.Equal(t, slog.LevelInfo, c.LogLevel)

		example := write(t, "example.cue", strings.ReplaceAll(Example(), "// drain:", "drain:"))
		c, err = parse(t, nil, "--config", example)
		require.NoError(t, err, "the example is a file that can be used")
		assert.Equal(t, 5*time.Second, c.Drain)
		for _, s := range settings {
			assert.Equal(t, !s.isHidden, strings.Contains(Example(), "\n// "+s.Key+": "), s.Key)
		}
	})
	t.Run("9-stop-under-load", func(t *testing.T) {
		for want, args := range map[time.Duration][]string{5 * time.Second: nil, 0: {"--demo"}, time.Minute: {"--demo", "--drain", "1m"}} {
			c, err := parse(t, nil, args...)
			require.NoError(t, err)
			assert.Equal(t, want, c.Drain, "%v", args)
		}
	})
}

func TestMistakes(t *testing.T) {
	t.Run("11-config-refused", func(t *testing.T) {
		for name, c := range map[string]struct {
			file, text string
			want       []string // lines, in which FILE stands for the file
		}{
			"unknown": {"w.cue", "addr: \":80\"\n\ntrusted_proxy: [\"10.0.0.0/8\"]\n",
				[]string{"FILE:3:1: trusted_proxy: there is no such setting; did you mean trusted_proxies?"}},
			"as a flag": {"w.cue", "\"trusted-proxies\": []\n",
				[]string{"FILE:1:1: trusted-proxies: there is no such setting; did you mean trusted_proxies?"}},
			"as a variable": {"w.cue", "WATTLE_DATABASE: \"postgres://x\"\n",
				[]string{"FILE:1:1: WATTLE_DATABASE: there is no such setting; did you mean database?"}},
			"in camel case": {"w.json", "{\n  \"secretFile\": \"x\"}\n",
				[]string{"FILE:2:3: secretFile: there is no such setting; did you mean secret_file?"}},
			"a part": {"w.yaml", "demo: true\nproxies: []\n",
				[]string{"FILE:2:1: proxies: there is no such setting; did you mean trusted_proxies?"}},
			"unlike any": {"w.cue", "xylophone: 3\n",
				[]string{"FILE:1:1: xylophone: there is no such setting; wattle config example prints all"}},
			"the file itself": {"w.cue", "config: \"other.cue\"\n",
				[]string{"FILE:1:1: config: there is no such setting; wattle config example prints all"}},
			"type": {"w.cue", "addr: 80\ndemo: \"yes\"\ntrusted_proxies: \"10.0.0.0/8\"\nhash_cores: \"two\"\n",
				[]string{"FILE:1:1: addr: must be a text in quotes", "FILE:2:1: demo: must be true or false",
					`FILE:3:1: trusted_proxies: must be a list of texts: ["…", "…"]`, "FILE:4:1: hash_cores: must be a whole number"}},
			"duration": {"w.cue", "drain: 5\n", []string{`FILE:1:1: drain: must be a duration with its unit, such as "5s" or "1m30s"`}},
			"duration, no unit": {"w.yaml", "drain: \"5\"\n",
				[]string{`FILE:1:1: drain: must be a duration with its unit, such as "5s" or "1m30s"`}},
			"level": {"w.cue", "log_level: \"loud\"\n", []string{`FILE:1:1: log_level: must be "debug", "info", "warn" or "error"`}},
			"range": {"w.cue", "hash_cores: -1\ndrain: \"-5s\"\naddr: \"127.0.0.1:99999\"\n",
				[]string{"FILE:1:1: hash_cores: must be a number of cores from 0", "FILE:2:1: drain: must be a duration from 0s",
					"FILE:3:1: addr: must be host:port"}},
			"network": {"w.yaml", "trusted_proxies:\n- 10.0.0.1\n",
				[]string{`FILE:1:1: trusted_proxies: "10.0.0.1" is not a network such as 10.0.0.0/8`}},
			"a cost": {"w.cue", "password_hash: \"cheap\"\n", []string{"FILE:1:1: password_hash: "}},
			"an address": {"w.cue", "\ndatabase: \"mysql://u@h/d\"\nsmtp: \"mail.example\"\nmail_from: \"nobody\"\n",
				[]string{"FILE:2:1: database: must be an address such as postgres://", "FILE:3:1: smtp: ",
					"FILE:4:1: mail_from: must be an e-mail address"}},
			"twice": {"w.cue", "smtp: \"smtp://u:hunter2@h\"\nsmtp: \"smtp://u:hunter3@h\"\n",
				[]string{"FILE:2:7: smtp: is set twice, to different values"}},
			"no quotes": {"w.cue", "labels: production\n",
				[]string{"FILE:1:9: labels: reference \"production\" not found; a text stands in quotes"}},
			"itself":  {"w.cue", "labels: labels\n", []string{"FILE:1:1: labels: must be a text in quotes"}},
			"no CUE":  {"w.cue", "addr = \":80\"\n", []string{"FILE:1:"}},
			"no YAML": {"w.yaml", "addr: [\n", []string{"FILE:"}},
			"a list":  {"w.json", "[1]\n", []string{"FILE:1:1: "}},
		} {
			t.Run(name, func(t *testing.T) {
				file := write(t, c.file, c.text)
				require.NoError(t, os.Chmod(file, 0o600))
				_, err := parse(t, nil, "--config", file)
				require.Error(t, err)
				lines := strings.Split(err.Error(), "\n")
				require.Len(t, lines, len(c.want), err.Error())
				for i, line := range lines {
					assert.True(t, strings.HasPrefix(line, strings.ReplaceAll(c.want[i], "FILE", file)), "%s\nis not %s", line, c.want[i])
				}
				assert.NotContains(t, err.Error(), "hunter", "a mistake never repeats a password")
			})
		}
		_, err := parse(t, nil, "--config", filepath.Join(t.TempDir(), "nowhere.cue"))
		require.ErrorContains(t, err, "nowhere.cue: the configuration file cannot be read: no such file or directory")
		_, err = parse(t, map[string]string{"WATTLE_DEMO": "perhaps", "WATTLE_DRAIN": "5"})
		require.EqualError(t, err, "WATTLE_DEMO: must be true or false\nWATTLE_DRAIN: must be a duration with its unit, such as \"5s\" or \"1m30s\"")
		_, err = parse(t, map[string]string{"WATTLE_HASH_CORES": "-2"}, "--database", "mysql://u:hunter2@h")
		require.ErrorContains(t, err, "WATTLE_HASH_CORES: must be a number of cores")
		require.ErrorContains(t, err, "--database: must be an address")
		require.NotContains(t, err.Error(), "hunter")
		_, err = parse(t, map[string]string{"WATTLE_DRAIN": "1s"}, "--config", write(t, "w.cue", "drain: 5\n"))
		require.ErrorContains(t, err, "w.cue:1:1: drain", "also a value that is not used")
	})
}

func TestAddressesWithPasswords(t *testing.T) {
	t.Run("11-config-secrets", func(t *testing.T) {
		private := func(text string) string {
			file := write(t, "address", text)
			require.NoError(t, os.Chmod(file, 0o600))
			return file
		}
		db, mailbox := private("postgres://u:hunter2@db/wattle\n"), private("smtp://u:hunter2@mail.example:2525\n")
		c, err := parse(t, map[string]string{"WATTLE_SMTP_FILE": mailbox}, "--config", write(t, "w.cue", fmt.Sprintf("database_file: %q\n", db)))
		require.NoError(t, err)
		assert.Equal(t, "postgres://u:hunter2@db/wattle", c.Database)
		assert.Equal(t, "smtp://u:hunter2@mail.example:2525", c.SMTP)
		require.NoError(t, c.Check(), "a second check")

		c, err = parse(t, nil, "--config", write(t, "w.cue", fmt.Sprintf("database_file: %q\n", db)), "--database", "postgres://flag/wattle")
		require.NoError(t, err)
		assert.Equal(t, "postgres://flag/wattle", c.Database)
		c, err = parse(t, map[string]string{"WATTLE_DATABASE_FILE": db}, "--config", write(t, "w.cue", `database: "postgres://file/wattle"`))
		require.NoError(t, err)
		assert.Equal(t, "postgres://u:hunter2@db/wattle", c.Database)

		for want, args := range map[string][]string{
			"--database-file: the same place also has database":         {"--database", "postgres://x", "--database-file", db},
			"--smtp-file: everybody on this machine can read or change": {"--smtp-file", write(t, "open", "smtp://u:hunter2@h")},
			"--database-file: open /nowhere: no such file":              {"--database-file", "/nowhere"},
			"is empty":                                  {"--smtp-file", private("\n")},
			"--database-file: must be an address":       {"--database-file", private("mysql://u:hunter2@h")},
			"--smtp-file: the same place also has smtp": {"--smtp", "smtp://x", "--smtp-file", mailbox},
			"--database-file: everybody on this machine can read or change": {"--database-file", write(t, "open", "postgres://u:hunter2@h/d")},
			"w.cue:2:1: database: has a password, and everybody": {"--config",
				write(t, "w.cue", "demo: true\ndatabase: \"postgres://u:hunter2@h/d\"\n")},
			"put the address into a file of its own and name that in sm": {"--config", write(t, "w.yaml", "smtp: smtp://u:hunter2@h\n")},
		} {
			_, err := parse(t, nil, args...)
			require.ErrorContains(t, err, want)
			require.NotContains(t, err.Error(), "hunter")
		}
		_, err = parse(t, map[string]string{"WATTLE_SMTP": "smtp://x", "WATTLE_SMTP_FILE": mailbox})
		require.ErrorContains(t, err, "WATTLE_SMTP_FILE: the same place also has smtp: keep one of them")
		_, err = parse(t, nil, "--config", write(t, "w.cue", fmt.Sprintf("database: %q\ndatabase_file: %q\n", "postgres://x/d", db)))
		require.ErrorContains(t, err, "database_file: the same place also has database")
		for file, flag := range map[string]string{write(t, "w.cue", `smtp: "smtp://u:hunter2@h"`): "--config",
			write(t, "address", "postgres://u:hunter2@h/d"): "--database-file"} {
			for mode, isOpen := range map[os.FileMode]bool{0o600: false, 0o640: false, 0o660: false, 0o644: true, 0o642: true} {
				require.NoError(t, os.Chmod(file, mode))
				_, err := parse(t, nil, flag, file)
				require.Equal(t, isOpen, err != nil, "%s %o: %v", flag, mode, err)
			}
		}
		open := write(t, "w.cue", `database: "postgres://u@h/d"`)
		_, err = parse(t, nil, "--config", open)
		require.NoError(t, err, "an address without a password")

		both := write(t, "w.cue", fmt.Sprintf("smtp_file: %q\n", mailbox))
		c, err = parse(t, map[string]string{"WATTLE_SMTP": "smtp://env.example"}, "--config", both)
		require.NoError(t, err)
		assert.Equal(t, "smtp://env.example", c.SMTP)
		c, err = parse(t, map[string]string{"WATTLE_SMTP": "smtp://env.example"}, "--smtp-file", mailbox)
		require.NoError(t, err)
		assert.Equal(t, "smtp://u:hunter2@mail.example:2525", c.SMTP)
	})
}

func TestInspect(t *testing.T) {
	t.Run("11-config-check", func(t *testing.T) {
		inspect := func(env []string, args ...string) (Report, string) {
			c, f := Default(), pflag.NewFlagSet("check", pflag.ContinueOnError)
			c.Flags(f)
			require.NoError(t, f.Parse(args))
			r := c.Inspect(f, env)
			var out bytes.Buffer
			r.Print(&out)
			text, err := json.Marshal(r)
			require.NoError(t, err)
			assert.NotContains(t, out.String()+string(text), "hunter")
			return r, out.String()
		}
		file := write(t, "w.cue", "addr: \":80\"\n\ntrusted_proxies: [\"10.0.0.0/8\", \"::1/128\"]\n")
		r, out := inspect([]string{"WATTLE_DATABASE=postgres://u:hunter2@h/d", "WATTLE_TRUSTED_PROXY=x", "WATTLE_IDENTITY_KEY=hunter2",
			"PATH=/bin"},
			"--config", file, "--drain", "9s")
		require.True(t, r.OK, out)
		value := map[string]string{}
		for _, line := range strings.Split(out, "\n") {
			if f := strings.Fields(line); len(f) > 2 {
				value[f[0]] = strings.Join(f[1:], " ")
			}
		}
		assert.Equal(t, ":80 "+file+":1", value["addr"])
		assert.Equal(t, "10.0.0.0/8, ::1/128 "+file+":3", value["trusted_proxies"])
		assert.Equal(t, "(set) WATTLE_DATABASE", value["database"])
		assert.Equal(t, "- default", value["smtp"])
		assert.Equal(t, "9s flag", value["drain"])
		assert.Equal(t, "data default", value["data"])
		assert.Len(t, r.Settings, len(another)-1, "each setting but the one for browser tests")
		assert.Equal(t, []string{"WATTLE_TRUSTED_PROXY is in the environment and is not a setting; did you mean WATTLE_TRUSTED_PROXIES?"},
			r.Warnings)
		assert.Contains(t, out, "warning: "+r.Warnings[0]+"\n")

		address := write(t, "address", "postgres://u:hunter2@h/d\n")
		require.NoError(t, os.Chmod(address, 0o600))
		named := write(t, "w.cue", fmt.Sprintf("database_file: %q\n", address))
		r, out = inspect(nil, "--config", named)
		require.True(t, r.OK, out)
		assert.Regexp(t, `(?m)^database +\(set\) +database_file \(`+regexp.QuoteMeta(address)+`\)$`, out)
		assert.Regexp(t, `(?m)^database_file +\S+ +`+regexp.QuoteMeta(named)+`:1$`, out)
		i := slices.IndexFunc(r.Settings, func(v Value) bool { return v.Key == "database" })
		assert.Equal(t, origin{Kind: "address file", File: address, Name: "database_file"}, r.Settings[i].Origin)
		mailbox := write(t, "mailbox", "smtp://u:hunter2@mail.example\n")
		require.NoError(t, os.Chmod(mailbox, 0o600))
		_, out = inspect(nil, "--database-file", address, "--database-direct-file", address, "--smtp-file", mailbox)
		assert.Regexp(t, `(?m)^database_direct +\(set\) +database_direct_file \(`+regexp.QuoteMeta(address)+`\)$`, out)
		assert.Regexp(t, `(?m)^smtp +\(set\) +smtp_file \(`+regexp.QuoteMeta(mailbox)+`\)$`, out)

		r, out = inspect([]string{"WATTLE_HASH_CORES=-1", "WATTLE_SMTP=hunter2"}, "--config", write(t, "w.cue", "adr: \":80\"\ndemo: 1\n"))
		require.False(t, r.OK)
		require.Len(t, r.Problems, 4, "all at once")
		assert.Contains(t, out, "w.cue:1:1: adr: there is no such setting; did you mean addr?\n")
		assert.Contains(t, out, "WATTLE_HASH_CORES: must be")
		assert.Contains(t, out, "WATTLE_SMTP: not smtp://")
		assert.Empty(t, r.Settings)
	})
}

// The server behind a pooler is configured in addition to the pooler.
func TestDirect(t *testing.T) {
	t.Run("11-database-direct", func(t *testing.T) {
		c, err := parse(t, nil, "--database", "postgres://pooler/wattle", "--database-direct", "postgres://server/wattle")
		require.NoError(t, err)
		assert.Equal(t, "postgres://server/wattle", c.Server())
		c, err = parse(t, nil, "--database", "postgres://server/wattle")
		require.NoError(t, err)
		assert.Equal(t, "postgres://server/wattle", c.Server())
		_, err = parse(t, nil, "--database-direct", "postgres://server/wattle")
		assert.ErrorContains(t, err, "needs --database")
		_, err = parse(t, nil, "--database", "postgres://pooler/wattle", "--database-direct", "mysql://u:hunter2@h")
		assert.ErrorContains(t, err, "--database-direct: must be an address")
		assert.NotContains(t, err.Error(), "hunter2")
	})
}
