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

// An event that one module publishes and another handles is written down once, with the type of its data, beside the publisher.
func TestEventsOfNeighbours(t *testing.T) {
	foreign := map[string]string{} // by type of the event, where it is written down
	for _, m := range All {
		for _, event := range m.Handles {
			switch from, _, _ := strings.Cut(event, "."); from {
			case m.Key:
			case "core":
				foreign[event] = "core/coreapi/events.go"
			default:
				foreign[event] = "modules/" + from + "/" + from + "api/events.go"
			}
		}
	}
	require.NotEmpty(t, foreign)
	t.Run("9-neighbour-events", func(t *testing.T) {
		found := map[string][]string{}
		for _, folder := range []string{"core", "modules"} {
			require.NoError(t, filepath.WalkDir(filepath.Join("..", folder), func(file string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
					return err
				}
				text, err := os.ReadFile(file)
				if err != nil {
					return err
				}
				for event := range foreign {
					if strings.Contains(string(text), strconv.Quote(event)) {
						found[event] = append(found[event], strings.TrimPrefix(filepath.ToSlash(file), "../"))
					}
				}
				return nil
			}))
		}
		for event, file := range foreign {
			require.Equal(t, []string{file}, found[event], event)
		}
	})
}
