package app_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/portaltest"
)

const patience = 20 * time.Second // timeout of a wait

// log records the log of a portal.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// again starts another portal on the data and labels of a portal that has stopped.
func again(t *testing.T, s *apptest.Server, more func(*config.Config)) (*apptest.Server, *log) {
	t.Helper()
	c, out := s.Config, &log{}
	if more != nil {
		more(&c)
	}
	a := apptest.NewReplicaWith(t, c, apptest.Options{Log: out})
	require.NoError(t, a.Serve(t.Context()))
	t.Cleanup(func() { require.NoError(t, a.Stop(context.Background())) })
	return s.On(a), out
}

// kept waits until the portal has stored its labels in the archive.
func kept(t *testing.T, s *apptest.Server, want int) {
	t.Helper()
	require.Eventually(t, func() bool {
		versions, err := s.Archive.Versions(t.Context())
		return err == nil && len(versions) == want
	}, patience, 10*time.Millisecond)
}

func TestALabelOutlivesItsFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: outages and versions under load")
	}
	apptest.Each(t, apptest.Options{}, func(t *testing.T, s *apptest.Server) {
		kept(t, s, 2)
		file := filepath.Join(s.Config.Labels, "alpha", "label.cue")
		portal := apptest.Call{Path: "/portal"}
		logo := apptest.Call{Path: "/labels/alpha/logo"}
		t.Run("9-label-last-good", func(t *testing.T) {
			require.NoError(t, os.WriteFile(file, []byte("nonsense: 1"), 0o600))
			require.NoError(t, os.RemoveAll(filepath.Join(s.Config.Labels, "alpha", "assets")))
			next, out := again(t, s.For(t), nil) // a replica that has never read a valid version from disk
			a := next.Do(portal)
			require.Equal(t, 200, a.Status, string(a.Body))
			require.Contains(t, string(a.Body), "Alpha Energie")
			require.Equal(t, 200, next.Do(logo).Status)
			ready := next.Do(apptest.Call{Path: "//readyz"})
			require.Equal(t, 200, ready.Status)
			require.Contains(t, string(ready.Body), `{"name":"label alpha","state":"broken","detail":"alpha/label.cue:1:1: nonsense`)
			require.Contains(t, out.String(), "a label has a problem")
			require.Contains(t, out.String(), "alpha/label.cue:1:1")
			metrics, err := next.Metrics.Gather()
			require.NoError(t, err)
			found := map[string]float64{}
			for _, m := range metrics {
				if g := m.Metric[0].GetGauge(); g != nil {
					found[m.GetName()] = g.GetValue()
				}
			}
			require.Equal(t, 1., found["wattle_labels_last_good"])
			require.Positive(t, found["wattle_label_problems"])
			require.Equal(t, 2., found["wattle_labels"])
		})
		t.Run("9-label-deleted", func(t *testing.T) {
			require.NoError(t, os.RemoveAll(filepath.Join(s.Config.Labels, "alpha")))
			require.Eventually(t, func() bool { return len(s.Labels.Problems()) > 0 }, patience, 10*time.Millisecond)
			require.Equal(t, 200, s.For(t).Do(portal).Status, "while it runs")
			next, _ := again(t, s.For(t), func(c *config.Config) { c.Labels = filepath.Join(c.Labels, "unmounted") })
			for _, host := range []string{"alpha.localhost", "beta.localhost"} {
				require.Equal(t, 200, next.Do(apptest.Call{Host: host, Path: "/portal"}).Status, host)
			}
			ready := next.Do(apptest.Call{Path: "//readyz"})
			require.Equal(t, 200, ready.Status)
			require.Contains(t, string(ready.Body), `{"name":"labels","state":"broken","detail":"the labels folder: no such file or directory"}`)
		})
		t.Run("9-label-retire", func(t *testing.T) {
			require.NoError(t, s.Archive.Retire(t.Context(), "alpha"))
			s := s.For(t)
			require.Eventually(t, func() bool { return s.Do(portal).Status == 404 }, patience, 10*time.Millisecond)
			require.Equal(t, 404, s.Do(logo).Status)
			require.NotContains(t, string(s.Do(apptest.Call{Path: "//readyz"}).Body), "alpha")
			_, err := s.Archive.Return(t.Context(), "alpha")
			require.NoError(t, err)
			require.Eventually(t, func() bool { return s.Do(portal).Status == 200 }, patience, 10*time.Millisecond)
		})
	})
}

// A wrong --labels at the first start is an error, not an installation without labels.
func TestStartWithoutLabels(t *testing.T) {
	t.Run("9-label-deleted", func(t *testing.T) {
		a := apptest.New(t, apptest.Options{LabelsDir: filepath.Join(t.TempDir(), "nowhere")})
		require.ErrorContains(t, a.Serve(t.Context()), "the labels folder: no such file or directory")
	})
}

// Each start of a portal on a data folder uses the labels that the first one compiled.
func TestCompiledLabelsAreKept(t *testing.T) {
	t.Run("11-labels-cache", func(t *testing.T) {
		s := apptest.Start(t, apptest.Options{})
		files := func() map[string]time.Time {
			out := map[string]time.Time{}
			all, err := filepath.Glob(filepath.Join(s.Config.Data, label.CacheFolder, "*", "*.json"))
			require.NoError(t, err)
			for _, file := range all {
				info, err := os.Stat(file)
				require.NoError(t, err)
				out[file] = info.ModTime()
			}
			return out
		}
		compiled := files()
		require.Len(t, compiled, 2, "one for each label")
		next, _ := again(t, s, nil)
		require.Equal(t, compiled, files(), "nothing was compiled again")
		style := apptest.Call{Path: "/labels/alpha/style"}
		require.Equal(t, 200, s.Do(style).Status)
		require.Equal(t, string(s.Do(style).Body), string(next.Do(style).Body))
	})
}

// A new label is served without a restart.
func TestANewLabelIsServedWithoutARestart(t *testing.T) {
	s := apptest.Start(t, apptest.Options{})
	status := func() int { return s.Do(apptest.Call{Host: "gamma.localhost", Path: "/portal"}).Status }
	require.Equal(t, 404, status())
	apptest.WriteLabel(t, s.Config.Labels, apptest.Label{Key: "gamma"}, nil)
	require.Eventually(t, func() bool { return status() == 200 }, patience, 10*time.Millisecond)
}

// A plugin that does not start does not prevent its labels from being served.
func TestLabelsAreServedWhileAPluginIsDown(t *testing.T) {
	plugins := t.TempDir()
	folder := filepath.Join(plugins, "fixture")
	require.NoError(t, os.Chmod(plugins, 0o700))
	require.NoError(t, os.Mkdir(folder, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "module"), []byte("never run"), 0o700))
	_, err := pluginhost.Seal(folder, pluginhost.Spec{Key: "fixture", Version: "1.0.0", Binary: "module"})
	require.NoError(t, err)
	labels := []apptest.Label{{Key: "alpha", Kind: portaltest.Participants, CUE: `modules: fixture: greeting: "Moi"`}, {Key: "beta"}}
	// the operator allows only another binary
	s := apptest.Start(t, apptest.Options{Labels: labels, Config: config.Config{Plugins: plugins, Digests: []string{"0000"}}})
	t.Run("9-label-plugin-down", func(t *testing.T) {
		a := s.Do(apptest.Call{Path: "/portal"})
		require.Equal(t, 200, a.Status, string(a.Body))
		require.Contains(t, string(a.Body), "Alpha Energie")
		require.Equal(t, 404, s.Do(apptest.Call{Path: "/fixture/hello"}).Status)
		_, ready := readiness(t, s)
		require.Contains(t, stateOf(ready, "label alpha").Detail, "the plugin of this module is not running; the label goes on without it")
	})
	t.Run("9-readiness-named", func(t *testing.T) {
		named := func(check, state, detail string) {
			t.Helper()
			status, ready := readiness(t, s)
			c := stateOf(ready, check)
			require.Equal(t, []any{http.StatusOK, state}, []any{status, c.State}, check)
			require.Contains(t, c.Detail, detail)
			require.True(t, hasCheck(t, s, check, state), "and in the metrics")
		}
		named("plugin fixture", "refused", "The operator does not allow this binary")
		file := filepath.Join(s.Config.Labels, "beta", "label.cue")
		right, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, []byte("nonsense: 1"), 0o600))
		until(t, "the label is named", func() bool { _, ready := readiness(t, s); return stateOf(ready, "label beta").State != "" })
		named("label beta", "broken", "beta/label.cue:1:1: nonsense")
		require.NoError(t, os.WriteFile(file, right, 0o600))
		gone := until(t, "and is not any more", func() bool { _, ready := readiness(t, s); return stateOf(ready, "label beta").State == "" })
		require.Less(t, gone, recovery)
	})
}
