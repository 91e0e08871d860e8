package label

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/theme"
)

// opened is a store with a cache, and the result of opening it.
type opened struct {
	*Store
	log   *bytes.Buffer
	fresh int // labels that were evaluated
}

// openCached opens a folder with a cache, which may exist.
func openCached(t testing.TB, dir, cacheDir string, fragments []Fragment) opened {
	t.Helper()
	o := opened{log: &bytes.Buffer{}}
	before := stored(t, cacheDir)
	s, err := Open(dir, func() []Fragment { return fragments }, CacheIn(cacheDir, slog.New(slog.NewTextHandler(o.log, nil))))
	require.NoError(t, err)
	o.Store = s
	for name, written := range stored(t, cacheDir) {
		if !before[name].Equal(written) {
			o.fresh++
		}
	}
	return o
}

// stored returns when each file of a cache was written.
func stored(t testing.TB, dir string) map[string]time.Time {
	t.Helper()
	out := map[string]time.Time{}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	require.NoError(t, err)
	for _, f := range files {
		info, err := os.Stat(f)
		require.NoError(t, err)
		out[f] = info.ModTime()
	}
	return out
}

// everything uses every kind of file and derived value that a label can have.
const everything = `modules: {account: show_shipping_addresses: false, market: {days: 30, note: "<b> & \u00e9 > \"x\""}}
pages: [{slug: "terms", title: {nl: "Voorwaarden", en: "Terms"}, public: true, place: "footer"}]
info: opening_hours: [{text: "Zaterdag", from: "10:00", to: "14:00", days: [6]}]
changes: auto: "account.phone": "20s"
promos: [{name: "sun", from: "2026-01-01", until: "2026-12-31", title: {nl: "Zon", en: "Sun"}, slots: ["home"]}]
plugins: market: version: "9.9.9"
`

func TestCachedLabelIsTheCompiledOne(t *testing.T) {
	t.Run("11-labels-cache", func(t *testing.T) {
		demo := append(shipped(t), Fragment{Demo: true})
		for name, c := range map[string]struct {
			dir       string
			fragments []Fragment
		}{
			"shipped":        {labels, demo},
			"outside a demo": {labels, shipped(t)},
			"everything": {func() string {
				dir := folder(t, map[string]string{"acme": everything, "b": "modules: {}"})
				put(t, dir, "acme/messages/nl.json", `{"account.title": "Mijn <account>"}`)
				put(t, dir, "acme/pages/terms.nl.md", "Tekst.\n")
				put(t, dir, "acme/pages/terms.en.md", "Text.\n")
				return dir
			}(), fragments},
		} {
			t.Run(name, func(t *testing.T) {
				cache := filepath.Join(t.TempDir(), CacheFolder)
				plain, err := Open(c.dir, func() []Fragment { return c.fragments })
				require.NoError(t, err)
				folders, err := os.ReadDir(c.dir)
				require.NoError(t, err)
				require.Len(t, plain.All(), len(folders), texts(plain.Problems()))
				first := openCached(t, c.dir, cache, c.fragments)
				require.Equal(t, len(plain.All()), first.fresh, texts(plain.Problems()))
				second := openCached(t, c.dir, cache, c.fragments)
				require.Zero(t, second.fresh, "nothing is evaluated again")
				require.Empty(t, second.log.String())
				require.Equal(t, texts(plain.Problems()), texts(second.Problems()))
				for _, want := range plain.All() {
					require.Equal(t, want, second.ByKey(want.Key), want.Key)
					require.Equal(t, want.hostAt, second.ByKey(want.Key).hostAt)
				}
			})
		}
	})
}

const withTerms = `pages: [{slug: "terms", title: {nl: "Voorwaarden", en: "Terms"}}]`

func TestCacheIsNeverStale(t *testing.T) {
	t.Run("11-labels-cache-stale", func(t *testing.T) {
		dir := folder(t, map[string]string{"acme": "modules: {account: {}, market: {}}\n" + withTerms, "b": ""})
		put(t, dir, "acme/pages/terms.nl.md", "Eerste tekst.\n")
		put(t, dir, "acme/pages/terms.en.md", "Text.\n")
		cache := filepath.Join(t.TempDir(), CacheFolder)
		require.Equal(t, 2, openCached(t, dir, cache, fragments).fresh)
		acme := func(fragments []Fragment, fresh int) *Label {
			t.Helper()
			o := openCached(t, dir, cache, fragments)
			require.Equal(t, fresh, o.fresh, texts(o.Problems()))
			require.NotNil(t, o.ByKey("acme"), texts(o.Problems()))
			return o.ByKey("acme")
		}
		before := acme(fragments, 0)

		// Different content with the same size and modification time.
		file := filepath.Join(dir, "acme", "label.cue")
		info, err := os.Stat(file)
		require.NoError(t, err)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		put(t, dir, "acme/label.cue", strings.Replace(string(text), "Label acme", "Label emca", 1))
		require.NoError(t, os.Chtimes(file, info.ModTime(), info.ModTime()))
		require.Equal(t, "Label emca", acme(fragments, 1).Info.Name)
		put(t, dir, "acme/messages/nl.json", `{"account.title": "Eerst"}`)
		require.Equal(t, "Eerst", acme(fragments, 1).Messages["nl"]["account.title"])
		put(t, dir, "acme/messages/nl.json", `{"account.title": "Later"}`)
		require.Equal(t, "Later", acme(fragments, 1).Messages["nl"]["account.title"])
		require.NoError(t, os.Remove(filepath.Join(dir, "acme/messages/nl.json")))
		require.Empty(t, acme(fragments, 1).Messages["nl"])

		// Assets are read again, and a missing asset is detected.
		put(t, dir, "acme/assets/logo.svg", strings.Replace(drawing, "10z", "9z", 1))
		changed := acme(fragments, 0)
		require.NotEqual(t, before.AssetURL("logo"), changed.AssetURL("logo"))
		require.NotEqual(t, before.Revision, changed.Revision)
		require.NoError(t, os.Remove(filepath.Join(dir, "acme/assets/logo.svg")))
		o := openCached(t, dir, cache, fragments)
		require.Nil(t, o.ByKey("acme"))
		require.Contains(t, texts(o.Problems()), "acme/label.cue:4:")
		require.Contains(t, texts(o.Problems()), "style.logo: assets/logo.svg is not there")
		put(t, dir, "acme/assets/logo.svg", drawing)
		acme(fragments, 0)

		// Pages are read again too.
		require.Contains(t, before.Page("terms").HTML["nl"].HTML, "Eerste tekst.")
		put(t, dir, "acme/pages/terms.nl.md", "Latere tekst.\n")
		require.Contains(t, acme(fragments, 0).Page("terms").HTML["nl"].HTML, "Latere tekst.")

		// The theme is computed at each start and never stored.
		for f := range stored(t, cache) {
			data, err := os.ReadFile(f)
			require.NoError(t, err)
			require.NotContains(t, string(data), "--w-font")
			require.NotContains(t, string(data), "<svg")
			require.NotContains(t, string(data), "tekst.")
		}
		computed, err := theme.Compute(changed.Style, theme.Font{}, theme.Font{})
		require.NoError(t, err)
		require.Equal(t, computed, changed.Theme)

		// Other defaults, modules, versions, slots, and a plugin that does not run.
		other := market
		other.Source = strings.Replace(market.Source, "*100", "*200", 1)
		require.Contains(t, string(acme([]Fragment{account, other}, 2).Modules["market"]), `"max_shares":200`)
		require.Contains(t, string(acme(fragments, 0).Modules["market"]), `"max_shares":100`, "the previous schema has its own")
		versions, slots := market, market
		versions.Versions, slots.Slots = []string{"1.0.0"}, []string{"market.top"}
		acme([]Fragment{account, versions}, 2)
		acme([]Fragment{account, slots}, 2)
		require.Equal(t, []string{"market"}, acme([]Fragment{account, {Module: "market", Absent: true}}, 2).Missing)
		require.Empty(t, acme(fragments, 2).Missing, "only the schemas that were used last are kept")
		parts, err := os.ReadDir(cache)
		require.NoError(t, err)
		require.Len(t, parts, maxCached)

		// Another program, and another schema of core.
		sc, err := compose(fragments)
		require.NoError(t, err)
		own := openCache(cache, slog.New(slog.DiscardHandler))
		require.NotEmpty(t, own.program)
		require.Equal(t, own.of(sc).key, own.of(sc).key)
		newer := *own
		newer.program += "x"
		require.NotEqual(t, own.of(sc).key, newer.of(sc).key)
		core := *sc
		core.text += "\n"
		require.NotEqual(t, own.of(sc).key, own.of(&core).key)
		second, err := compose(fragments)
		require.NoError(t, err)
		require.Equal(t, own.of(sc).key, own.of(second).key)

		// A label without a folder is forgotten.
		acme(fragments, 0)
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "b")))
		acme(fragments, 0)
		sc, err = compose(fragments)
		require.NoError(t, err)
		require.NoFileExists(t, own.of(sc).file("b"))
		require.FileExists(t, own.of(sc).file("acme"))
	})
}

func TestCacheIsRefused(t *testing.T) {
	t.Run("11-labels-cache-refused", func(t *testing.T) {
		dir := folder(t, map[string]string{"acme": "modules: account: {}", "b": "modules: account: {}"})
		cache := filepath.Join(t.TempDir(), CacheFolder)
		first := openCached(t, dir, cache, fragments)
		sc, err := compose(fragments)
		require.NoError(t, err)
		part := first.cache.of(sc)
		good, err := os.ReadFile(part.file("acme"))
		require.NoError(t, err)
		b, err := os.ReadFile(part.file("b"))
		require.NoError(t, err)
		if runtime.GOOS != "windows" {
			for path, mode := range map[string]fs.FileMode{cache: 0o700, part.dir: 0o700, part.file("acme"): 0o600} {
				info, err := os.Stat(path)
				require.NoError(t, err)
				require.Equal(t, mode, info.Mode().Perm(), path)
			}
		}
		for name, damaged := range map[string][]byte{
			"empty": {}, "cut": good[:len(good)-9], "of another label": b, "changed": bytes.Replace(good, []byte("Label acme"), []byte("Label evil"),
				1),
			"garbage": []byte("\x00\x01"), "no JSON": []byte(strings.Repeat("0", 64) + " " + hashOf("x") + "\nx"),
		} {
			require.NotEqual(t, good, damaged, name)
			require.NoError(t, os.WriteFile(part.file("acme"), damaged, 0o600))
			o := openCached(t, dir, cache, fragments)
			require.Equal(t, "Label acme", o.ByKey("acme").Info.Name, name)
			require.Equal(t, "Label b", o.ByKey("b").Info.Name, name)
			now, err := os.ReadFile(part.file("acme"))
			require.NoError(t, err)
			require.Equal(t, string(good), string(now), name)
		}

		refused := func(cache, why string) {
			t.Helper()
			o := openCached(t, dir, cache, fragments)
			require.Len(t, o.All(), 2)
			require.Nil(t, o.cache)
			require.Contains(t, o.log.String(), why)
			require.Equal(t, 1, strings.Count(o.log.String(), "compiled labels are not kept"))
			require.NoError(t, o.Reload())
			require.Equal(t, 1, strings.Count(o.log.String(), "compiled labels are not kept"), "said once")
		}
		refused(filepath.Join(t.TempDir(), "missing", CacheFolder), "no such file")
		require.NoError(t, os.WriteFile(cache+".file", nil, 0o600))
		refused(cache+".file", "it is not a folder")
		require.NoError(t, os.Symlink(cache, cache+".link"))
		refused(cache+".link", "it is not a folder")
		if runtime.GOOS != "windows" {
			for _, mode := range []fs.FileMode{0o720, 0o702} {
				require.NoError(t, os.Chmod(cache, mode))
				refused(cache, "others may write to it")
				require.NoError(t, os.Chmod(cache, 0o700))
			}
		}
		if os.Geteuid() == 0 && runtime.GOOS != "windows" { // only root can change the owner of a folder
			require.NoError(t, os.Chown(cache, 12345, 12345))
			refused(cache, "it belongs to another user")
		}
	})
}

// A label that is edited while the portal runs is in the cache at the next start.
func TestEditedLabelIsCached(t *testing.T) {
	dir := folder(t, map[string]string{"acme": ""})
	cache := filepath.Join(t.TempDir(), CacheFolder)
	o := openCached(t, dir, cache, fragments)
	go o.Watch(t.Context(), slog.New(slog.DiscardHandler))
	put(t, dir, "acme/label.cue", strings.Replace(source("acme", ""), "Label acme", "Edited", 1))
	eventually(t, patience, "edited", func() bool { return o.ByKey("acme").Info.Name == "Edited" })
	second := openCached(t, dir, cache, fragments)
	require.Zero(t, second.fresh)
	require.Equal(t, "Edited", second.ByKey("acme").Info.Name)
}
