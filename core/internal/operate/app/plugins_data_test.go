package app_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/plugintest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// deploy copies plugin fixture to its folder. Each n is a different binary of the same module.
func deploy(t *testing.T, dir string, n int) {
	t.Helper()
	file, _ := moduletest.Build(t, "github.com/wattle-portal/wattle/test/plugin/fixture/plugin")
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	plugintest.Deploy(t, dir, "fixture", append(raw, bytes.Repeat([]byte{0}, n)...))
}

// A plugin replaces a module of the program, is itself replaced while customers write, and is replaced by the module again.
func TestAPluginReplacesAModule(t *testing.T) {
	skipShort(t)
	t.Parallel()
	dir := plugins(t)
	apptest.Each(t, apptest.Options{Modules: []module.Module{fixture.Module}, Config: config.Config{Plugins: dir},
		Labels: []apptest.Label{{Key: "alpha"}}}, func(t *testing.T, s *apptest.Server) {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "fixture")))
		anna := s.Customer("alpha", "anna")
		notes := func() (ids []string) {
			var out struct{ Notes []struct{ ID string } }
			a := s.For(t).Do(apptest.Call{Path: "/fixture/notes", Bearer: anna})
			require.Equal(t, 200, a.Status, string(a.Body))
			a.JSON(t, &out)
			for _, n := range out.Notes {
				ids = append(ids, n.ID)
			}
			return ids
		}
		save := func(id string) apptest.Answer {
			return s.For(t).Do(apptest.Call{Method: http.MethodPut, Path: "/fixture/notes/" + id, Bearer: anna, Body: map[string]string{"text": id}})
		}
		t.Run("10-plugin-data", func(t *testing.T) {
			require.Equal(t, 200, save("program").Status)
			deploy(t, dir, 1)
			until(t, "the plugin serves, with its own database", func() bool { return len(s.Plugins.Plugins()) == 1 && len(notes()) == 0 })

			var done atomic.Bool
			var saved atomic.Int64
			var failed sync.Map
			var all sync.WaitGroup
			for w := range 4 {
				all.Go(func() {
					for i := 0; !done.Load(); i++ {
						time.Sleep(5 * time.Millisecond) // several hundred writes a second are enough
						if a := save(fmt.Sprintf("%d-%d", w, i)); a.Status == 200 {
							saved.Add(1)
						} else {
							failed.Store(fmt.Sprintf("%d %s", a.Status, a.Body), true)
						}
					}
				})
			}
			for n := 2; n <= 3; n++ {
				was := s.Plugins.Plugins()[0]
				deploy(t, dir, n)
				until(t, "the next binary serves", func() bool { return s.Plugins.Plugins()[0] != was })
			}
			done.Store(true)
			all.Wait()
			failed.Range(func(why, _ any) bool { t.Error("a write failed: ", why); return true })
			require.Len(t, notes(), int(saved.Load()), "what every version wrote is there")
			t.Logf("%d writes", saved.Load())

			require.NoError(t, os.RemoveAll(filepath.Join(dir, "fixture")))
			until(t, "the module of the program is back, with what it stored", func() bool { return strings.Join(notes(), " ") == "program" })
			require.Empty(t, s.Labels.ByKey("alpha").Missing)
		})
	})
}
