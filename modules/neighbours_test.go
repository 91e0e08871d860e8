package modules

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Event types and the types of their data are declared once, in the api package of the module that publishes them.
func TestEventTypes(t *testing.T) {
	const own, ofCore = "github.com/wattle-portal/wattle/", "core/coreapi"
	published := map[string][]string{} // by event type: the files that may declare it
	t.Run("9-events-described", func(t *testing.T) {
		for _, m := range All {
			api := "modules/" + m.Key + "/" + m.Key + "api"
			for _, e := range m.Publishes {
				require.Contains(t, []string{own + api, own + ofCore, own + "core/event"}, e.Data().PkgPath(), e.Name)
				require.NotEmpty(t, e.Data().Name(), e.Name)
				published[e.Name] = []string{api + "/events.go", ofCore + "/events.go"}
			}
		}
		require.Greater(t, len(published), 50)
	})
	t.Run("9-neighbour-events", func(t *testing.T) {
		for _, m := range All {
			for _, name := range m.Handles {
				if from, _, _ := strings.Cut(name, "."); from == "core" {
					published[name] = []string{ofCore + "/events.go"}
				}
				require.NotEmpty(t, published[name], "%s handles %s, which nobody publishes", m.Key, name)
			}
		}
		found := map[string][]string{}
		for _, folder := range []string{"core", "modules"} {
			require.NoError(t, filepath.WalkDir(filepath.Join("..", folder), func(file string, d fs.DirEntry, err error) error {
				// an error code may equal an event type
				if err != nil || d.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") ||
					strings.HasPrefix(d.Name(), "codes") {
					return err
				}
				text, err := os.ReadFile(file)
				if err != nil {
					return err
				}
				for name := range published {
					if strings.Contains(string(text), strconv.Quote(name)) {
						found[name] = append(found[name], strings.TrimPrefix(filepath.ToSlash(file), "../"))
					}
				}
				return nil
			}))
		}
		for name, files := range published {
			require.Len(t, found[name], 1, name)
			require.Contains(t, files, found[name][0], name)
		}
	})
}
