package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginfile"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/plugintest"
)

// tideLabels returns a label that has the plugin, one that does not, and one with a setting that only version 2.0.0 has.
func tideLabels() []apptest.Label {
	return []apptest.Label{{Key: "alpha", CUE: "modules: tide: height: 7"}, {Key: "beta"}}
}

func plugins(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	return dir
}

func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("make test-all: builds a plugin")
	}
}

// detail returns the detail of a check in /readyz, or an empty string if the check is ok.
func detail(t *testing.T, s *apptest.Server, name string) string {
	t.Helper()
	status, a := readiness(t, s)
	require.Equal(t, 200, status)
	return stateOf(a, name).Detail
}

// level is the response of plugin tide.
type level struct {
	Version       string
	Height, Depth int
}

// tide calls the plugin for a label.
func tide(t *testing.T, s *apptest.Server, host, path string) (status int, l level, code string) {
	t.Helper()
	a := s.For(t).Do(apptest.Call{Host: host + ".localhost", Path: path})
	if a.Status == 200 {
		require.NoError(t, json.Unmarshal(a.Body, &l))
		return a.Status, l, ""
	}
	return a.Status, l, a.Code()
}

// document returns what a page receives about the remotes of alpha.
func document(t *testing.T, s *apptest.Server) (build, entry string) {
	t.Helper()
	var d struct {
		Build   string
		Remotes []struct{ Key, Entry string }
	}
	a := s.For(t).Do(apptest.Call{Path: "/portal"})
	require.Equal(t, 200, a.Status, string(a.Body))
	a.JSON(t, &d)
	for _, r := range d.Remotes {
		if r.Key == "tide" {
			entry = r.Entry
		}
	}
	return d.Build, entry
}

func TestARefusedPlugin(t *testing.T) {
	t.Parallel()
	dir, out := plugins(t), &log{}
	faults := plugintest.Faults(t, dir)
	s := apptest.Start(t, apptest.Options{Config: config.Config{Plugins: dir}, Labels: tideLabels(), Log: out})
	t.Run("10-plugin-refused", func(t *testing.T) {
		for _, f := range faults {
			t.Run(f.Name, func(t *testing.T) {
				status, a := readiness(t, s)
				require.Equal(t, 200, status)
				c := stateOf(a, "plugin "+f.Name)
				require.Equal(t, "refused", c.State)
				require.Contains(t, c.Detail, f.Sentence)
				require.Contains(t, a.Down, "plugin "+f.Name)
				require.NotContains(t, c.Detail, "\n")
				quoted, err := json.Marshal(c.Detail)
				require.NoError(t, err)
				require.Contains(t, out.String(), `"msg":"plugin is refused"`)
				require.Contains(t, out.String(), `"reason":`+string(quoted))
			})
		}
		status, l, _ := tide(t, s, "alpha", "/tide")
		require.Equal(t, 200, status, "a plugin without a fault serves next to them")
		require.Equal(t, level{"1.0.0", 7, 0}, l)
	})
	t.Run("10-plugin-half-copied", func(t *testing.T) {
		require.NoError(t, os.WriteFile(filepath.Join(s.Config.Labels, "beta", "label.cue"),
			append(read(t, s, "beta"), "\nmodules: half: {}\n"...), 0o600))
		until(t, "the label knows the module, and does without it", func() bool { return len(s.Labels.ByKey("beta").Missing) == 1 })
		for _, f := range faults {
			if f.Repair == nil {
				continue
			}
			status, _, code := tide(t, s, "beta", "/"+f.Name)
			require.Equal(t, []any{404, "not_found"}, []any{status, code})
			require.Equal(t, 200, s.For(t).Do(apptest.Call{Host: "beta.localhost", Path: "/portal"}).Status, "the label is served without it")
			f.Repair(t, filepath.Join(dir, f.Name))
			until(t, "it serves as soon as it is complete", func() bool { status, _, _ := tide(t, s, "beta", "/"+f.Name); return status == 200 })
			require.Empty(t, detail(t, s, "plugin "+f.Name))
		}
	})
}

func read(t *testing.T, s *apptest.Server, label string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.Config.Labels, label, "label.cue"))
	require.NoError(t, err)
	return raw
}

func TestTheFolderOfAPlugin(t *testing.T) {
	skipShort(t)
	t.Parallel()
	dir := plugins(t)
	plugintest.Write(t, dir, plugintest.Plugin{Route: "/tide", Uses: []string{"acme"}, Spec: func(s map[string]any) {
		s["permissions"] = map[string]any{"modules": []string{"acme"}}
	}})
	admin := freeAddr(t)
	s := apptest.Start(t, apptest.Options{Config: config.Config{Plugins: dir, AdminAddr: admin},
		Labels: []apptest.Label{{Key: "alpha", CUE: "modules: tide: {}"}}})
	t.Run("10-plugin-folder", func(t *testing.T) {
		require.Empty(t, detail(t, s, "plugin tide"))
		status, l, _ := tide(t, s, "alpha", "/tide")
		require.Equal(t, 200, status)
		require.Equal(t, "1.0.0", l.Version)
		var d struct{ Remotes []struct{ Key, Entry string } }
		s.For(t).Do(apptest.Call{Path: "/portal"}).JSON(t, &d)
		require.Len(t, d.Remotes, 1)
		require.Equal(t, 200, s.For(t).Do(apptest.Call{Path: "/" + d.Remotes[0].Entry}).Status)
	})
	t.Run("10-page-plugins", func(t *testing.T) {
		for _, path := range []string{"//plugins", "//plugins/tide"} {
			require.Equal(t, 404, s.For(t).Do(apptest.Call{Path: path, Header: map[string]string{"Accept": "application/json"}}).Status,
				"not on the portal's own address")
		}
		for path, wants := range map[string][]string{
			"/plugins": {`<a href="/plugins/tide">tide</a>`, "Version 1.0.0 serves", "alpha"},
			"/plugins/tide": {"<dd>1.0.0</dd>", fmt.Sprint(s.Plugins.Plugins()[0].PID()), "<td>Modules</td><td data-name=\"Asks for\">acme",
				"does not say", "height", "a whole number", "plugin serves"},
		} {
			res, err := http.Get("http://" + admin + path)
			require.NoError(t, err)
			page, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, 200, res.StatusCode, path)
			for _, want := range wants {
				require.Contains(t, string(page), want)
			}
		}
	})
}

func TestAPluginComesAndGoes(t *testing.T) {
	t.Parallel()
	dir, front := plugins(t), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(front, "shell.json"), []byte(`{"build": "h1"}`), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(front, "shell"), 0o700))
	s := apptest.Start(t, apptest.Options{Config: config.Config{Plugins: dir, Front: front}, Labels: tideLabels()})
	serves := func(version string) time.Duration {
		return until(t, version+" serves", func() bool { _, l, _ := tide(t, s, "alpha", "/tide"); return l.Version == version })
	}
	entries := map[string]string{}

	t.Run("10-plugin-appears", func(t *testing.T) {
		require.Contains(t, detail(t, s, "label alpha"), "there is no module tide")
		require.Equal(t, 404, s.For(t).Do(apptest.Call{Path: "/portal"}).Status, "the label has never been served: its host is unknown")
		plugintest.Write(t, dir, plugintest.Plugin{Route: "/tide"})
		t.Logf("served %v after it was dropped in", serves("1.0.0"))
		_, l, _ := tide(t, s, "alpha", "/tide")
		require.Equal(t, 7, l.Height, "with the setting of the label")
		status, _, code := tide(t, s, "beta", "/tide")
		require.Equal(t, 404, status)
		require.Equal(t, "module_not_enabled", code, "only for labels that switch it on")
		until(t, "its remote", func() bool { _, entries["1.0.0"] = document(t, s); return entries["1.0.0"] != "" })
		require.Equal(t, 200, s.For(t).Do(apptest.Call{Path: "/" + entries["1.0.0"]}).Status)
		require.Empty(t, detail(t, s, "label alpha"))
		require.Contains(t, string(s.For(t).Do(apptest.Call{Path: "/openapi.json"}).Body), `"tide.level"`)
		a := s.For(t).Do(apptest.Call{Host: "beta.localhost", Path: "/portal"})
		require.Equal(t, 200, a.Status)
		require.NotContains(t, string(a.Body), "tide", "a label that does not switch it on has no page of it")
	})

	t.Run("10-plugin-replaced", func(t *testing.T) {
		before, _ := document(t, s)
		plugintest.Write(t, dir, plugintest.Plugin{Version: "2.0.0", Route: "/tide", Settings: "#Settings: {height: int | *2, depth: int | *9}"})
		t.Logf("served %v after it was replaced", serves("2.0.0"))
		_, l, _ := tide(t, s, "alpha", "/tide")
		require.Equal(t, level{"2.0.0", 7, 9}, l, "its new setting has its default")
		until(t, "its remote", func() bool { _, entries["2.0.0"] = document(t, s); return entries["2.0.0"] != entries["1.0.0"] })
		after, _ := document(t, s)
		require.NotEqual(t, before, after, "open pages notice at their next navigation")
	})
	t.Run("10-plugin-tabs", func(t *testing.T) {
		for version, entry := range entries {
			a := s.For(t).Do(apptest.Call{Path: "/" + entry})
			require.Equal(t, 200, a.Status)
			require.Contains(t, string(a.Body), version, "an open page goes on with the files that it began with")
		}
	})

	t.Run("10-plugin-kept", func(t *testing.T) {
		plugintest.Write(t, dir, plugintest.Plugin{Version: "3.0.0", Exit: true})
		until(t, "it is refused", func() bool { return strings.HasSuffix(detail(t, s, "plugin tide"), "; version 2.0.0 goes on.") })
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "tide", "tide-2.0.0")), "the operator clears up too early")
		p := s.Plugins.Plugins()[0]
		pid := p.PID()
		require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
		until(t, "the version that serves is started again, although its binary is not in the folder any more",
			func() bool { return p.PID() != pid && p.Up() })
		_, l, _ := tide(t, s, "alpha", "/tide")
		require.Equal(t, "2.0.0", l.Version)
		require.True(t, strings.HasPrefix(detail(t, s, "plugin tide"), "It does not start: "), detail(t, s, "plugin tide"))
		plugintest.Write(t, dir, plugintest.Plugin{Version: "2.0.0", Route: "/tide", Settings: "#Settings: {height: int | *2, depth: int | *9}"})
		until(t, "what serves is in the folder again", func() bool { return detail(t, s, "plugin tide") == "" })
		require.Equal(t, p, s.Plugins.Plugins()[0], "it is not started again for that")
	})

	t.Run("10-plugin-removed,10-plugin-tabs", func(t *testing.T) {
		pid := s.Plugins.Plugins()[0].PID()
		require.NoError(t, os.Rename(filepath.Join(dir, "tide"), filepath.Join(dir, ".tide")))
		until(t, "it is gone", func() bool {
			status, _, code := tide(t, s, "alpha", "/tide")
			return status == 404 && code == "not_found"
		})
		until(t, "its remote is gone", func() bool { _, entry := document(t, s); return entry == "" })
		for version, entry := range entries {
			a := s.For(t).Do(apptest.Call{Path: "/" + entry})
			require.Equal(t, 200, a.Status, "its files stay for open pages")
			require.Contains(t, string(a.Body), version)
		}
		until(t, "its process has ended", func() bool { return syscall.Kill(pid, 0) != nil })
		require.Contains(t, detail(t, s, "label alpha"), "there is no module tide")
		require.NoError(t, os.Rename(filepath.Join(dir, ".tide"), filepath.Join(dir, "tide")))
		serves("2.0.0")
	})

	t.Run("10-version-canary,10-version-missing,10-plugin-rollback", func(t *testing.T) {
		const settings = "#Settings: {height: int | *2, depth: int | *9}"
		plugintest.Write(t, dir, plugintest.Plugin{Version: "2.1.0", Beside: true, Route: "/tide", Settings: settings})
		serves("2.1.0")
		anna := s.For(t).Customer("alpha", "c0")
		of := func(bearer string) string { // the versions of the operation and of the remote
			var l level
			s.For(t).Do(apptest.Call{Path: "/tide", Bearer: bearer}).JSON(t, &l)
			var d struct{ Remotes []struct{ Entry string } }
			s.For(t).Do(apptest.Call{Path: "/portal", Bearer: bearer}).JSON(t, &d)
			require.Len(t, d.Remotes, 1)
			return l.Version + string(s.For(t).Do(apptest.Call{Path: "/" + d.Remotes[0].Entry}).Body)
		}
		const old, newer = `2.0.0"version 2.0.0"`, `2.1.0"version 2.1.0"`
		until(t, "its remote", func() bool { return of(anna) == newer })
		for _, c := range []struct{ choice, says, has string }{
			{`{version: "9.0.0"}`, "plugins.tide.version: version 9.0.0 of this plugin is not installed or does not run; version 2.1.0 serves", newer},
			{`{version: "2.0.0", canary: {version: "9.0.0", percent: 100}}`,
				"plugins.tide.canary.version: version 9.0.0 of this plugin is not installed or does not run; its customers get version 2.0.0", old},
		} {
			choose(t, s, "plugins: tide: "+c.choice)
			until(t, "the missing version", func() bool { return strings.Contains(detail(t, s, "label alpha"), c.says) })
			require.Equal(t, c.has, of(anna), c.choice)
		}
		choose(t, s, `plugins: tide: {version: "2.0.0", canary: {version: "2.1.0", percent: 100}}`)
		require.Equal(t, newer, of(anna))
		require.Equal(t, newer, of(s.For(t).Impersonator("alpha", "c0")), "staff see what the customer sees")
		require.Equal(t, old, of(""), "anonymous callers have the version of the label")
		choose(t, s, "")
		serves("2.1.0")
		from, now, err := pluginfile.Rollback(dir, "tide", "")
		require.NoError(t, err)
		require.Equal(t, []string{"2.1.0", "2.0.0"}, []string{from, now})
		require.Less(t, serves("2.0.0"), 10*time.Second)
	})
	t.Run("10-plugin-disable", func(t *testing.T) {
		pid := s.Plugins.Plugins()[0].PID()
		require.NoError(t, pluginhost.Disable(dir, "tide"))
		until(t, "it is out", func() bool {
			status, _, code := tide(t, s, "alpha", "/tide")
			return status == 404 && code == "not_found"
		})
		until(t, "its page is gone", func() bool { _, entry := document(t, s); return entry == "" })
		until(t, "its process has ended", func() bool { return syscall.Kill(pid, 0) != nil })
		require.Equal(t, "It is disabled; wattle plugins enable tide brings it back.", detail(t, s, "plugin tide"))
		require.Contains(t, detail(t, s, "label alpha"), "modules.tide: the plugin of this module is disabled; the label goes on without it")
		require.NoError(t, pluginhost.Enable(dir, "tide"))
		serves("2.0.0")
	})

	t.Run("10-plugin-unmounted", func(t *testing.T) {
		require.NoError(t, os.Rename(dir, dir+".away"))
		until(t, "the folder is named", func() bool { return detail(t, s, "plugins") != "" })
		_, l, _ := tide(t, s, "alpha", "/tide")
		require.Equal(t, "2.0.0", l.Version, "a folder that cannot be read")
		require.NoError(t, os.Mkdir(dir, 0o700))
		until(t, "an empty mount point", func() bool { return strings.Contains(detail(t, s, "plugins"), "Is its volume mounted?") })
		status, _, _ := tide(t, s, "alpha", "/tide")
		require.Equal(t, 200, status)
		require.NoError(t, os.Remove(dir))
		require.NoError(t, os.Rename(dir+".away", dir))
		until(t, "all is well again", func() bool { return detail(t, s, "plugins") == "" })
	})
}

// calls counts the results of a client that made requests continuously.
type calls struct {
	mu       sync.Mutex
	n        int
	failed   []string
	versions map[string]int
	took     []time.Duration
}

func (c *calls) add(ok bool, version, failure string, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	c.took = append(c.took, took)
	c.versions[version]++
	if !ok {
		c.failed = append(c.failed, failure)
	}
}

// load requests a path n times per second with w workers until stop is called. stop returns the results.
func load(t *testing.T, s *apptest.Server, host, path string, n int) (stop func() *calls) {
	t.Helper()
	out := &calls{versions: map[string]int{}}
	ctx, cancel := context.WithCancel(t.Context())
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}, Timeout: patience}
	due := make(chan struct{}, 1000)
	var all sync.WaitGroup
	all.Go(func() {
		tick := time.NewTicker(time.Second / time.Duration(n))
		defer tick.Stop()
		defer close(due)
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				due <- struct{}{}
			}
		}
	})
	for range 16 {
		all.Go(func() {
			for range due {
				began := time.Now()
				r, err := http.NewRequest(http.MethodGet, s.URL+path, nil)
				if err != nil {
					out.add(false, "", err.Error(), 0)
					continue
				}
				r.Host = host + ".localhost"
				resp, err := client.Do(r)
				if err != nil {
					out.add(false, "", err.Error(), time.Since(began))
					continue
				}
				body, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				var l level
				_ = json.Unmarshal(body, &l) // other responses have no version
				out.add(err == nil && resp.StatusCode == http.StatusOK, l.Version, fmt.Sprintf("%s %d %v %s", path, resp.StatusCode, err, body),
					time.Since(began))
			}
		})
	}
	return func() *calls { cancel(); all.Wait(); client.CloseIdleConnections(); return out }
}

func (c *calls) report(t *testing.T, what string) {
	t.Helper()
	slices.Sort(c.took)
	t.Logf("%s: %d calls, %d failed, p50 %v, p99 %v, longest %v, by version %v", what, c.n, len(c.failed),
		c.took[c.n/2].Round(time.Microsecond), c.took[c.n*99/100].Round(time.Microsecond), c.took[c.n-1].Round(time.Millisecond), c.versions)
	require.Empty(t, c.failed)
}

// Versions replace each other, and another plugin is added and removed, while customers use the portal.
func TestAnUpgradeUnderLoad(t *testing.T) {
	skipShort(t)
	dir := plugins(t)
	plugintest.Write(t, dir, plugintest.Plugin{})
	s := apptest.Start(t, apptest.Options{Config: config.Config{Plugins: dir}, Labels: tideLabels()})
	t.Run("10-plugin-under-load", func(t *testing.T) {
		ofPlugin, slow, ofOthers := load(t, s, "alpha", "/api/v0/tide", 200), load(t, s, "alpha", "/api/v0/tide/slow?ms=400", 10),
			load(t, s, "beta", "/api/v0/portal", 50)
		for _, version := range []string{"2.0.0", "3.0.0", "1.0.0"} {
			plugintest.Write(t, dir, plugintest.Plugin{Version: version, Settings: fmt.Sprintf("#Settings: {height: int | *2, depth: int | *%c}",
				version[0])})
			plugintest.Write(t, dir, plugintest.Plugin{Key: "ebb", Version: version})
			until(t, version, func() bool {
				_, l, _ := tide(t, s, "alpha", "/tide")
				return l.Version == version && s.Registry.Snapshot().Modules["ebb"].Instance != nil
			})
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "ebb")))
			until(t, "the other one is gone", func() bool { return s.Registry.Snapshot().Modules["ebb"].Instance == nil })
		}
		of := ofPlugin()
		of.report(t, "the plugin that is replaced")
		for _, version := range []string{"1.0.0", "2.0.0", "3.0.0"} {
			require.NotZero(t, of.versions[version], version)
		}
		slow().report(t, "its calls that take 400 ms")
		ofOthers().report(t, "the rest of the portal")
	})
}

// A call that the previous version is serving completes there, while the new version already serves other calls.
func TestRunningCallsOfTheFormerVersion(t *testing.T) {
	skipShort(t)
	t.Parallel()
	dir := plugins(t)
	plugintest.Write(t, dir, plugintest.Plugin{})
	s := apptest.Start(t, apptest.Options{Config: config.Config{Plugins: dir}, Labels: tideLabels()})
	t.Run("10-plugin-drain", func(t *testing.T) {
		previous := s.Plugins.Plugins()[0].PID()
		answered := make(chan level, 1)
		go func() {
			_, l, _ := tide(t, s, "alpha", "/tide/slow?ms=6000")
			answered <- l
		}()
		until(t, "the call arrived", func() bool { return s.Plugins.Plugins()[0].Calls() == 1 })
		plugintest.Write(t, dir, plugintest.Plugin{Version: "2.0.0"})
		until(t, "the new version serves", func() bool { _, l, _ := tide(t, s, "alpha", "/tide"); return l.Version == "2.0.0" })
		require.Empty(t, answered, "the call is still running")
		require.NoError(t, syscall.Kill(previous, 0))
		require.Equal(t, "1.0.0", (<-answered).Version)
		until(t, "the previous process has ended", func() bool { return syscall.Kill(previous, 0) != nil })
	})
}
