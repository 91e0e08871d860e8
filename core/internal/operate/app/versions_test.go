package app_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginfile"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/plugintest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// choose rewrites label alpha with a choice of versions of plugin tide.
func choose(t *testing.T, s *apptest.Server, plugins string) {
	t.Helper()
	before := s.Labels.ByKey("alpha").Revision
	apptest.WriteLabel(t, s.Config.Labels, apptest.Label{Key: "alpha", CUE: "modules: tide: height: 7\n" + plugins}, nil)
	until(t, "the label is served", func() bool { return s.Labels.ByKey("alpha").Revision != before })
}

// seen describes what a customer sees of plugin tide.
type seen struct {
	version, remote, settings string
	deep                      bool // the customer may call the operation that only 1.1.0 has
}

func peek(t *testing.T, s *apptest.Server, bearer string) (v seen) {
	t.Helper()
	var l level
	path := "/tide/mine"
	if bearer == "" {
		path = "/tide"
	}
	a := s.For(t).Do(apptest.Call{Path: path, Bearer: bearer})
	require.Equal(t, 200, a.Status, string(a.Body))
	a.JSON(t, &l)
	v.version = l.Version
	var d struct {
		Canary     bool
		Remotes    []struct{ Key, Entry string }
		Operations map[string]any
		Settings   map[string]level
	}
	s.For(t).Do(apptest.Call{Path: "/portal", Bearer: bearer}).JSON(t, &d)
	require.Len(t, d.Remotes, 1)
	v.remote = string(s.For(t).Do(apptest.Call{Path: "/" + d.Remotes[0].Entry}).Body)
	_, v.deep = d.Operations["tide.deep"]
	v.settings = d.Settings["tide"].Version
	return v
}

// look is like peek, while no version is being added or removed, so that two calls see the same state.
func look(t *testing.T, s *apptest.Server, bearer string) (v seen) {
	v = peek(t, s, bearer)
	if bearer != "" {
		status := s.For(t).Do(apptest.Call{Path: "/tide/deep", Bearer: bearer}).Status
		require.Equal(t, map[bool]int{true: 200, false: 404}[v.deep], status, "the document says what the portal does")
	}
	return v
}

var (
	old   = seen{"1.0.0", `"version 1.0.0"`, "1.0.0", false}
	newer = seen{"1.1.0", `"version 1.1.0"`, "1.1.0", true}
)

func TestVersionsSideBySide(t *testing.T) {
	skipShort(t)
	t.Parallel()
	dir := plugins(t)
	apptest.Each(t, apptest.Options{Config: config.Config{Plugins: dir},
		Labels: []apptest.Label{{Key: "alpha", CUE: "modules: tide: height: 7"},
			{Key: "beta", CUE: "modules: tide: {}"}}}, func(t *testing.T, s *apptest.Server) {
		for _, folder := range []string{"tide", "tide@1.1.0"} {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, folder)))
		}
		until(t, "nothing is left of the other database", func() bool { return len(s.Plugins.Status()) == 0 })
		plugintest.Write(t, dir, plugintest.Plugin{Route: "/tide", Marks: "one"})
		until(t, "it serves", func() bool { status, _, _ := tide(t, s, "alpha", "/tide"); return status == 200 })
		customers := map[string]string{}
		for i := range 12 {
			id := fmt.Sprintf("c%d", i)
			customers[id] = s.For(t).Customer("alpha", id)
		}
		inCanary := func() (out []string) {
			for id, bearer := range customers {
				v := look(t, s, bearer)
				require.Contains(t, []seen{old, newer}, v, "both halves are of one version")
				if v == newer {
					out = append(out, id)
				}
			}
			return out
		}

		t.Run("10-version-missing", func(t *testing.T) {
			choose(t, s, `plugins: tide: {version: "1.0.0", canary: {version: "1.1.0", percent: 30}}`)
			problem := func() string { return detail(t, s, "label alpha") }
			until(t, "the missing canary", func() bool {
				return strings.Contains(problem(), "plugins.tide.canary.version: version 1.1.0 of this plugin is not installed or does not run; its customers get version 1.0.0")
			})
			_, now := readiness(t, s)
			require.Equal(t, label.StateOtherVersion, stateOf(now, "label alpha").State, "it is served and not broken")
			require.Empty(t, inCanary())
			choose(t, s, `plugins: tide: version: "9.0.0"`)
			until(t, "the missing version", func() bool {
				return strings.Contains(problem(), "plugins.tide.version: version 9.0.0 of this plugin is not installed or does not run; version 1.0.0 serves")
			})
			require.Equal(t, "1.0.0", look(t, s, "").version)
		})

		t.Run("10-version-beside", func(t *testing.T) {
			choose(t, s, "")
			plugintest.Write(t, dir, plugintest.Plugin{Version: "1.1.0", Beside: true, Route: "/tide", Marks: "two"})
			until(t, "the highest version serves", func() bool { _, l, _ := tide(t, s, "beta", "/tide"); return l.Version == "1.1.0" })
			until(t, "its remote", func() bool { return peek(t, s, customers["c0"]) == newer })
			require.Len(t, inCanary(), len(customers), "a label without a choice has the highest version")
			require.Len(t, s.Plugins.Plugins(), 2, "both run")
			require.Empty(t, detail(t, s, "plugin tide")+detail(t, s, "plugin tide@1.1.0"))
			status, a := readiness(t, s)
			require.Equal(t, 200, status)
			require.NotEmpty(t, stateOf(a, "plugin tide@1.1.0").State, "each version has a check")
		})

		t.Run("10-version-label", func(t *testing.T) {
			choose(t, s, `plugins: tide: version: "1.0.0"`)
			require.Empty(t, detail(t, s, "label alpha"))
			require.Empty(t, inCanary())
			_, l, _ := tide(t, s, "beta", "/tide")
			require.Equal(t, "1.1.0", l.Version, "another label has another version")
		})

		t.Run("10-version-missing", func(t *testing.T) {
			for choice, want := range map[string]int{
				`{version: "9.0.0"}`: len(customers), // uses the highest version
				`{version: "1.0.0", canary: {version: "9.0.0", percent: 100}}`: 0,
				`{version: "9.0.0", canary: {version: "1.0.0", percent: 100}}`: 0, // uses the one of the two that is running
			} {
				choose(t, s, "plugins: tide: "+choice)
				require.Len(t, inCanary(), want, choice)
			}
		})

		var few []string
		t.Run("10-version-canary", func(t *testing.T) {
			choose(t, s, `plugins: tide: {version: "1.0.0", canary: {version: "1.1.0", percent: 30}}`)
			few = inCanary()
			require.NotEmpty(t, few)
			require.Less(t, len(few), len(customers)*2/3)
			require.Equal(t, old, look(t, s, ""), "anonymous callers have the version of the label")
			require.ElementsMatch(t, few, inCanary(), "a customer keeps the version")
			second := s.For(t).Portal().Customer("alpha", few[0])
			require.Equal(t, newer, look(t, s, second.Bearer), "also after signing in again")
			require.Equal(t, newer, look(t, s, s.For(t).Impersonator("alpha", few[0])), "staff see what the customer sees")
			choose(t, s, `plugins: tide: {version: "1.0.0", canary: {version: "1.1.0", percent: 60}}`)
			more := inCanary()
			require.Subset(t, more, few, "nobody loses the version when the share grows")
			require.Greater(t, len(more), len(few))
			require.Less(t, len(more), len(customers))
		})

		t.Run("10-version-one-handler", func(t *testing.T) {
			for _, bearer := range customers {
				require.Equal(t, 200, s.For(t).Do(apptest.Call{Method: http.MethodPost, Path: "/tide/ring", Bearer: bearer}).Status)
			}
			s.For(t).Portal().RunSchedules()
			require.NoError(t, s.Advance(t.Context(), time.Hour))
			target, order, err := s.Importer("alpha")
			require.NoError(t, err)
			require.Contains(t, order, "mark")
			var warned []record.Refusal
			ctx := record.OnWarning(t.Context(), func(w record.Refusal) { warned = append(warned, w) })
			refused, err := target(ctx, "mark", []record.Row{{Line: 1, Data: []byte(`{}`)}})
			require.NoError(t, err)
			require.Empty(t, refused)
			require.Equal(t, []record.Refusal{{Line: 1, Field: "depth", Code: problem.CodeRequired}}, warned, "what a plugin warns of is shown")
			marks := func(host string) (byVersion map[string]int, kinds map[string]int) {
				var all []struct{ ID, Version string }
				s.For(t).Do(apptest.Call{Host: host + ".localhost", Path: "/tide/marks"}).JSON(t, &all)
				byVersion, kinds = map[string]int{}, map[string]int{}
				for _, m := range all {
					byVersion[m.Version]++
					kind, _, _ := strings.Cut(m.ID, " ")
					kinds[kind]++
				}
				return byVersion, kinds
			}
			until(t, "all is handled", func() bool {
				s.For(t).Portal().Deliver()
				_, kinds := marks("alpha")
				return kinds["tide.rung"] >= len(customers) && kinds["tide.hourly"] > 0
			})
			versions, kinds := marks("alpha")
			require.Equal(t, map[string]int{"tide.rung": len(customers), "tide.hourly": 1, "import": 1}, kinds)
			require.Equal(t, map[string]int{"1.0.0": len(customers) + 2}, versions,
				"the version of the label handles each once, whichever version published it")
			until(t, "the schedule of the other label", func() bool { _, kinds := marks("beta"); return kinds["tide.hourly"] == 1 })
			versions, _ = marks("beta")
			require.Equal(t, map[string]int{"1.1.0": 1}, versions)
		})

		t.Run("10-plugin-logs", func(t *testing.T) {
			lines, err := pluginhost.ReadLog(s.Config.Data, "tide", time.Now().Add(-time.Hour))
			require.NoError(t, err)
			has := func(message string, fields map[string]any) bool {
				return slices.ContainsFunc(lines, func(l pluginhost.LogLine) bool {
					for name, value := range fields {
						if l.Fields[name] != value {
							return false
						}
					}
					return l.Message == message
				})
			}
			require.True(t, has("plugin serves", map[string]any{"version": "1.1.0"}), "what the portal logs about it")
			require.True(t, has("rung by a customer", map[string]any{"source": "postgres://tide:…@db/tide", "token": "…"}),
				"what it logs itself, without secrets")
		})

		t.Run("10-version-migrations,10-version-beside", func(t *testing.T) {
			var p *pluginhost.Plugin
			for _, each := range s.Plugins.Plugins() {
				if each.Version() == "1.0.0" {
					p = each
				}
			}
			pid := p.PID()
			require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			until(t, "a version that finds newer migrations starts", func() bool { return p.PID() != pid && p.Up() })
			choose(t, s, `plugins: tide: version: "1.1.0"`)
			customers["c0"] = s.For(t).Customer("alpha", "c0") // an hour has passed
			require.Equal(t, newer, look(t, s, customers["c0"]))
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "tide@1.1.0")))
			until(t, "the remaining version serves on the same data", func() bool { return peek(t, s, customers["c0"]) == old })
			until(t, "the process of the version that was removed has ended", func() bool { return len(s.Plugins.Plugins()) == 1 })
			_, a := readiness(t, s)
			require.Empty(t, stateOf(a, "plugin tide@1.1.0").State, "nor has it a check any more")
			require.Contains(t, detail(t, s, "label alpha"),
				"plugins.tide.version: version 1.1.0 of this plugin is not installed or does not run; version 1.0.0 serves")
			require.Equal(t, 200, s.For(t).Do(apptest.Call{Method: http.MethodPost, Path: "/tide/ring", Bearer: customers["c0"]}).Status)
		})
	})
}

// A version is started next to another one, a label moves to it in steps, and the previous version is removed, while customers use the
// portal.
func TestVersionsUnderLoad(t *testing.T) {
	skipShort(t)
	dir := plugins(t)
	plugintest.Write(t, dir, plugintest.Plugin{Marks: "one"})
	s := apptest.Start(t, apptest.Options{Config: config.Config{Plugins: dir}, Labels: tideLabels()})
	t.Run("10-version-under-load", func(t *testing.T) {
		choose(t, s, `plugins: tide: version: "1.0.0"`)
		ofPlugin, slow, ofOthers := load(t, s, "alpha", "/api/v0/tide", 200), load(t, s, "alpha", "/api/v0/tide/slow?ms=400", 10),
			load(t, s, "beta", "/api/v0/portal", 50)
		versions := func(n int) {
			until(t, "versions", func() bool { return len(s.Registry.Snapshot().Versions("tide")) == n })
		}
		plugintest.Write(t, dir, plugintest.Plugin{Version: "1.1.0", Beside: true, Marks: "two"})
		versions(2)
		_, l, _ := tide(t, s, "alpha", "/tide")
		require.Equal(t, "1.0.0", l.Version)
		for _, percent := range []int{10, 50} {
			choose(t, s, fmt.Sprintf(`plugins: tide: {version: "1.0.0", canary: {version: "1.1.0", percent: %d}}`, percent))
		}
		choose(t, s, `plugins: tide: version: "1.1.0"`)
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "tide")))
		versions(1)
		plugintest.Write(t, dir, plugintest.Plugin{Version: "1.2.0", Marks: "two"})
		versions(2)
		choose(t, s, "")
		until(t, "the highest serves", func() bool { _, l, _ := tide(t, s, "alpha", "/tide"); return l.Version == "1.2.0" })
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "tide")))
		versions(1)
		time.Sleep(500 * time.Millisecond) // calls continue after the last change
		of := ofPlugin()
		of.report(t, "the plugin")
		for _, version := range []string{"1.0.0", "1.1.0", "1.2.0"} {
			require.NotZero(t, of.versions[version], version)
		}
		slow().report(t, "its calls that take 400 ms")
		ofOthers().report(t, "the rest of the portal")
	})
}

func TestADisabledPlugin(t *testing.T) {
	skipShort(t)
	t.Parallel()
	dir := plugins(t)
	plugintest.Write(t, dir, plugintest.Plugin{Route: "/tide"})
	plugintest.Write(t, dir, plugintest.Plugin{Version: "1.1.0", Beside: true, Route: "/tide"})
	s := apptest.Start(t, apptest.Options{Config: config.Config{Plugins: dir}, Labels: tideLabels()})
	t.Run("10-plugin-disable", func(t *testing.T) {
		pids := []int{s.Plugins.Plugins()[0].PID(), s.Plugins.Plugins()[1].PID()}
		isOut := func(s *apptest.Server) {
			t.Helper()
			until(t, "it is out", func() bool {
				status, _, code := tide(t, s, "alpha", "/tide")
				return status == 404 && code == "not_found"
			})
			require.Contains(t, detail(t, s, "label alpha"), "modules.tide: the plugin of this module is disabled; the label goes on without it")
			_, now := readiness(t, s)
			require.Equal(t, label.StateWithoutModule, stateOf(now, "label alpha").State)
			for _, folder := range []string{"tide", "tide@1.1.0"} { // the versions are removed one after the other
				until(t, folder+" is disabled", func() bool { _, a := readiness(t, s); return stateOf(a, "plugin "+folder).State == "disabled" })
				require.Equal(t, "It is disabled; wattle plugins enable tide brings it back.", detail(t, s, "plugin "+folder))
			}
			_, a := readiness(t, s)
			require.Empty(t, a.Down, "the operator wants it so")
			_, entry := document(t, s)
			require.Empty(t, entry)
		}
		require.Error(t, pluginhost.Disable(dir, "tides"), "a key that is not installed is a mistake")
		require.NoError(t, pluginhost.Disable(dir, "tide"))
		isOut(s)
		for _, pid := range pids {
			until(t, "its processes have ended", func() bool { return syscall.Kill(pid, 0) != nil })
		}
		second := apptest.Start(t, apptest.Options{Config: config.Config{Plugins: dir}, Labels: tideLabels()})
		isOut(second)
		plugintest.Write(t, dir, plugintest.Plugin{Version: "1.2.0", Route: "/tide"})
		time.Sleep(5 * pluginhost.Interval)
		isOut(s)
		require.NoError(t, pluginhost.Enable(dir, "tide"))
		for _, portal := range []*apptest.Server{s, second} {
			until(t, "it serves, as it was upgraded", func() bool { _, l, _ := tide(t, portal, "alpha", "/tide"); return l.Version == "1.2.0" })
			until(t, "all is well", func() bool { return detail(t, portal, "plugin tide")+detail(t, portal, "label alpha") == "" })
		}
		require.Error(t, pluginhost.Enable(dir, "tide"))
	})
	t.Run("10-plugin-rollback", func(t *testing.T) {
		for _, want := range [][]string{{"1.2.0", "1.1.0"}, {"1.1.0", "1.2.0"}} { // to the version next to it, then to the kept one
			from, now, err := pluginfile.Rollback(dir, "tide", "")
			require.NoError(t, err)
			require.Equal(t, want, []string{from, now})
			took := until(t, "the portal follows", func() bool { _, l, _ := tide(t, s, "alpha", "/tide"); return l.Version == now })
			t.Logf("served %v after the rollback", took)
			require.Less(t, took, 10*time.Second)
		}
	})
}

// Measures the canary's share of customers, over many customers.
func TestShareOfACanary(t *testing.T) {
	t.Parallel()
	t.Run("10-version-canary", func(t *testing.T) {
		const many = 20_000
		at := func(key, module string, percent int) map[string]bool {
			l := &label.Label{Key: key, Plugins: map[string]label.Plugin{module: {Version: "1.0.0",
				Canary: &label.Canary{Version: "1.1.0", Percent: percent}}}}
			out := map[string]bool{}
			for i := range many {
				if id := fmt.Sprint(i); l.Versions(module, id)[0] == "1.1.0" {
					out[id] = true
				}
			}
			require.Equal(t, []string{"1.0.0"}, l.Versions(module, ""), "never who is not a customer")
			require.Nil(t, l.Versions("other", "1"))
			require.Equal(t, percent > 0, l.HasCanary())
			return out
		}
		var before map[string]bool
		for _, percent := range []int{0, 1, 10, 50, 99, 100} {
			now := at("alpha", "tide", percent)
			require.InDelta(t, many*percent/100, len(now), many/100)
			for id := range before {
				require.True(t, now[id])
			}
			before = now
		}
		var first []string // must be the same in every process, and in the next release
		here := at("alpha", "tide", 10)
		for i := 0; len(first) < 5; i++ {
			if id := fmt.Sprint(i); here[id] {
				first = append(first, id)
			}
		}
		require.Equal(t, []string{"12", "32", "38", "65", "67"}, first)
		require.Empty(t, at("alpha", "tide", 0))
		require.Len(t, at("alpha", "tide", 100), many)
		for _, other := range []map[string]bool{at("beta", "tide", 10), at("alpha", "ebb", 10)} {
			same := 0
			for id := range other {
				if here[id] {
					same++
				}
			}
			require.Less(t, same, len(here)/2, "it is not always the same customers who are first")
		}
	})
}
