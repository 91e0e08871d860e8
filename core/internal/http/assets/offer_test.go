package assets

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The offer contains all texts and items, including those of plugins. The text files are not served.
func TestOffered(t *testing.T) {
	dir, plugin, mute := build(t, "1"), t.TempDir(), t.TempDir()
	none, err := offered(os.DirFS(t.TempDir()), nil)
	require.NoError(t, err)
	require.Nil(t, none, "built without a front end")
	_, err = offered(os.DirFS(dir), nil)
	require.ErrorContains(t, err, "messages.json", "a front end without its texts is not whole")

	write(t, dir, map[string]string{
		"shell.json":              `{"build":"h1","entry":["shell/main.1.js"],"slots":{"dashboard":["shell.attention","shell.promo"],"home":["shell.promo"]}}`,
		"messages.json":           `{"nl":{"ui.yes":"Ja"},"en":{"ui.yes":"Yes"}}`,
		"remotes/a/messages.json": `{"nl":{"a.title":"A"},"en":{"a.title":"A"}}`,
		"remotes/a/remote.json": `{"key":"a","contract":1,"entry":"1/entry.js","slots":{"home":[{"id":"one"},{"id":"two"}],"m.panel":[{"id":"one"}]},"groups":[{"id":"a.own"}],
			"menu":[{"id":"always","place":{"customer":{"order":1,"group":"a.own"}}},{"id":"asked","to":"/asked","place":{"customer":{"order":2,"optional":true},"participant":{"order":2,"group":"b.gone"}}},{"id":"desk","access":"staff","place":{"customer":{"order":3}}}]}`,
		"remotes/b/messages.json": `{"nl":{"b.old":"B"},"en":{"b.old":"B"}}`,
		"remotes/b/remote.json":   `{"key":"b","contract":1,"entry":"1/entry.js","slots":{"home":[{"id":"old"}]}}`,
	})
	write(t, plugin, map[string]string{"remote.json": `{"key":"b","slots":{"home":[{"id":"new"}]}}`,
		"messages.json": `{"nl":{"b.new":"B"},"en":{"b.new":"B"}}`})
	write(t, mute, map[string]string{"remote.json": `{"key":"m","slots":{"footer":[{"id":"x"}]},"offers":{"m.panel":{"description":"x"}}}`})
	t.Run("9-vet-plugins", func(t *testing.T) {
		o, err := offered(os.DirFS(dir), map[string]string{"b": plugin, "m": mute})
		require.NoError(t, err)
		require.Equal(t, map[string]string{"ui.yes": "Ja", "a.title": "A", "b.new": "B"}, o.Texts["nl"], "a plugin replaces the embedded remote")
		require.Equal(t, map[string][]string{"home": {"shell.promo", "a.one", "a.two", "b.new"}, "footer": {"m.x"}, "m.panel": {"a.one"},
			"dashboard": {"shell.attention", "shell.promo"}}, o.Slots)
		require.Equal(t, map[string][]string{"a": {}, "b": {}, "m": {"m.panel"}}, o.Offers)
		require.Equal(t, []string{"home", "m.panel"}, o.UsedSlots["a"])
		require.ElementsMatch(t, []string{"a.own", "b.gone"}, o.UsedGroups["a"])
		require.Equal(t, []string{"finance", "administrative", "marketplace", "a.own"}, o.MenuGroups)
		require.Equal(t, map[string][]string{"customer": {"shell.home", "a.asked"}, "participant": {"shell.home"}}, o.Menu)
		require.Equal(t, []string{"shell.dashboard", "shell.home", "a.always", "a.asked"}, o.MenuItems["customer"], "no items of staff")
		require.Equal(t, []string{"shell.home", "a.asked"}, o.MenuItems["participant"])
		require.Equal(t, []string{"/dashboard", "/asked"}, []string{o.Paths["shell.dashboard"], o.Paths["a.asked"]})
		require.Equal(t, []string{"m"}, o.WithoutTexts)
	})
	_, err = offered(os.DirFS(dir), map[string]string{"b": filepath.Join(plugin, "nowhere")})
	require.ErrorContains(t, err, "plugin b")

	s := open(t, Config{Dir: dir})
	for _, name := range []string{"/assets/a/messages.json", "/assets/messages.json", "/assets/shell/messages.json"} {
		require.Equal(t, http.StatusNotFound, get(s, name, "").StatusCode, name)
	}
}
