package whole_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/config"
	"github.com/wattle-portal/wattle/core/internal/pluginfile"
	"github.com/wattle-portal/wattle/core/internal/pluginhost/plugintest"
	"github.com/wattle-portal/wattle/core/moduletest"
)

// run runs the program.
func run(t *testing.T, args ...string) (out string, err error) {
	t.Helper()
	program, _ := moduletest.Build(t, "github.com/wattle-portal/wattle/core/cmd/wattle")
	b, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	return string(b), err
}

func must(t *testing.T, args ...string) string {
	t.Helper()
	out, err := run(t, args...)
	require.NoError(t, err, out)
	return out
}

// refused runs the program, which ends with a sentence.
func refused(t *testing.T, sentence string, args ...string) {
	t.Helper()
	out, err := run(t, args...)
	require.Error(t, err)
	require.Contains(t, out, sentence)
}

// packedTide returns the file of plugin tide in a version.
func packedTide(t *testing.T, p plugintest.Plugin) string {
	t.Helper()
	dir := t.TempDir()
	plugintest.Write(t, dir, p)
	var b bytes.Buffer
	require.NoError(t, pluginfile.Write(&b, filepath.Join(dir, "tide")))
	file := filepath.Join(dir, "tide.wattle")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	return file
}

// The commands change what a running portal serves, and nothing but files connects them.
func TestPluginsOfARunningPortal(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := filepath.Join(t.TempDir(), "plugins")
	install := func(args ...string) string {
		t.Helper()
		return must(t, append([]string{"plugins", "install", "--plugins", dir}, args...)...)
	}
	one, two := packedTide(t, plugintest.Plugin{Marks: "one"}), packedTide(t, plugintest.Plugin{Version: "1.1.0", Marks: "two"})
	install(one)
	s := apptest.Start(t, apptest.Options{Config: config.Config{Plugins: dir}, Labels: []apptest.Label{{Key: "alpha", CUE: "modules: tide: {}"}}})
	anna := s.Customer("alpha", "anna")
	serves := func(version string) time.Duration {
		t.Helper()
		began := time.Now()
		var l struct{ Version string }
		require.Eventually(t, func() bool {
			a := s.Portal().Do(apptest.Call{Path: "/tide/mine", Bearer: anna})
			if a.Status == http.StatusOK {
				a.JSON(t, &l)
			} else {
				l.Version = ""
			}
			return l.Version == version
		}, time.Minute, 10*time.Millisecond, version)
		return time.Since(began)
	}
	rollback := func(args ...string) string {
		t.Helper()
		return must(t, append([]string{"plugins", "rollback", "tide", "--plugins", dir}, args...)...)
	}
	serves("1.0.0")

	t.Run("10-plugin-rollback", func(t *testing.T) { // which versions are kept, and the way back to each: package pluginfile
		refused(t, "no other version of the plugin is kept; install one", "plugins", "rollback", "tide", "--plugins", dir)
		install(two)
		serves("1.1.0")
		require.Equal(t, "plugin tide went back from 1.1.0 to 1.0.0\n", rollback())
		took := serves("1.0.0")
		t.Logf("served %v after the rollback", took)
		require.Less(t, took, 10*time.Second)
		refused(t, "version 1.2.0 of plugin tide is not kept; these are: 1.1.0", "plugins", "rollback", "tide", "--plugins", dir, "--to", "1.2.0")
		require.Equal(t, "plugin tide went back from 1.0.0 to 1.1.0\n", rollback("--to", "1.1.0"), "what was taken out is kept")
		serves("1.1.0")
		install("--beside", one)
		require.Equal(t, "plugin tide went back from 1.1.0 to 1.0.0\n", rollback(), "to the version that stands beside it")
		serves("1.0.0")
		refused(t, "there is no plugin ebb in ", "plugins", "rollback", "ebb", "--plugins", dir)
	})

	t.Run("10-plugin-disable", func(t *testing.T) {
		require.Equal(t, "plugin tide is disabled\n", must(t, "plugins", "disable", "tide", "--plugins", dir))
		serves("")
		require.Regexp(t, `(?m)^tide\S* +1\.0\.0 +1 +disabled +It is disabled; wattle plugins enable tide brings it back\.$`, must(t, "plugins", "list", "--plugins", dir))
		out, err := run(t, "labels", "vet", "--labels", s.Config.Labels, "--plugins", dir)
		require.Error(t, err)
		require.Contains(t, out, "modules.tide: the plugin of this module is disabled; the label goes on without it")
		require.Contains(t, install(two), "It is disabled; wattle plugins enable tide brings it back.\n", "an upgrade does not bring it back")
		require.Equal(t, "plugin tide is enabled\n", must(t, "plugins", "enable", "tide", "--plugins", dir))
		serves("1.1.0")
		refused(t, "plugin tide is not disabled in ", "plugins", "enable", "tide", "--plugins", dir)
		refused(t, "there is no plugin ebb in ", "plugins", "disable", "ebb", "--plugins", dir)
	})

	t.Run("10-plugin-logs", func(t *testing.T) {
		require.Equal(t, 200, s.Portal().Do(apptest.Call{Method: http.MethodPost, Path: "/tide/ring", Bearer: anna}).Status)
		logs := func(args ...string) string {
			t.Helper()
			return must(t, append([]string{"plugins", "logs", "tide", "--data", s.Config.Data}, args...)...)
		}
		require.Eventually(t, func() bool { return strings.Contains(logs(), "rung by a customer") }, time.Minute, 20*time.Millisecond)
		text := logs()
		require.Regexp(t, `(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d INFO  plugin serves .*version="1\.1\.0"$`, text, "what the portal logs about it")
		require.Regexp(t, `(?m) INFO  rung by a customer .*source="postgres://tide:…@db/tide" token="…"`, text, "what it logs itself, without secrets")
		require.NotContains(t, text, "geheim")
		require.NotContains(t, text, "eyJhbGciOi")
		require.Contains(t, logs("--json"), `"message":"rung by a customer"`)
		require.Empty(t, logs("--since", "0s"))
		refused(t, "there is no log of plugin ebb in ", "plugins", "logs", "ebb", "--data", s.Config.Data)
	})
}

// labels vet knows the versions that stand side by side.
func TestVetOfVersions(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program")
	}
	t.Run("10-version-missing", func(t *testing.T) {
		dir, labels := t.TempDir(), t.TempDir()
		require.NoError(t, os.Chmod(dir, 0o700))
		plugintest.Write(t, dir, plugintest.Plugin{})
		plugintest.Write(t, dir, plugintest.Plugin{Version: "1.1.0", Beside: true})
		must(t, "labels", "new", "acme", "--labels", labels)
		good, err := os.ReadFile(filepath.Join(labels, "acme", "label.cue"))
		require.NoError(t, err)
		wants := map[string]string{}
		for i, c := range []struct{ more, want string }{
			{`plugins: tide: {version: "1.0.0", canary: {version: "1.1.0", percent: 10}}`, ""},
			{`plugins: tide: version: "2.0.0"`, "plugins.tide.version: version 2.0.0 of this plugin is not installed or does not run; version 1.1.0 serves"},
			{`plugins: tide: {version: "1.0.0", canary: {version: "2.0.0", percent: 10}}`, "plugins.tide.canary.version: version 2.0.0 of this plugin is not installed or does not run; its customers get version 1.0.0"},
			{`plugins: ebb: version: "1.0.0"`, "plugins.ebb.version: this label does not switch on the module ebb"},
			{`plugins: tide: version: "newest"`, "the version of a plugin, such as 1.2.0"},
			{`plugins: tide: {version: "1.0.0", canary: {version: "1.1.0", percent: 101}}`, "a whole number of customers in a hundred, from 0 to 100"},
			{`plugins: tide: canary: {version: "1.1.0", percent: 10}`, "plugins.tide.version"},
		} {
			key := fmt.Sprintf("acme%d", i)
			require.NoError(t, os.CopyFS(filepath.Join(labels, key), os.DirFS(filepath.Join(labels, "acme"))))
			text := bytes.ReplaceAll(good, []byte("acme"), []byte(key))
			require.NoError(t, os.WriteFile(filepath.Join(labels, key, "label.cue"), append(text, "\nmodules: tide: {}\n"+c.more+"\n"...), 0o600))
			wants[key] = c.want
		}
		out, err := run(t, "labels", "vet", "--labels", labels, "--plugins", dir)
		require.Error(t, err)
		for key, want := range wants {
			var said []string
			for line := range strings.Lines(out) {
				if strings.Contains(line, key+"/") {
					said = append(said, line)
				}
			}
			if want == "" {
				require.Empty(t, said)
				continue
			}
			require.Contains(t, strings.Join(said, ""), want, out)
		}
	})
}
