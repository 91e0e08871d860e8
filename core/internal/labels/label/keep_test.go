package label

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// memory is an Archive in memory; package archive tests the one in the database.
type memory struct {
	mu       sync.Mutex
	versions []Version // newest first
	gone     map[string]bool
	writes   int
	err      error
}

func (m *memory) Versions(context.Context) ([]Version, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := slices.Clone(m.versions)
	for i := range out {
		out[i].Files = nil
	}
	return out, m.err
}

func (m *memory) Fill(_ context.Context, of []Version) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range of {
		for _, v := range m.versions {
			if v.Label == of[i].Label && v.Schema == of[i].Schema {
				of[i].Files = v.Files
			}
		}
	}
	return m.err
}

func (m *memory) Keep(_ context.Context, versions []Version) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return m.err
	}
	for _, v := range versions {
		packed, err := v.Files.Pack()
		if err != nil {
			return err
		}
		if v.Files, err = Unpack(packed); err != nil {
			return err
		}
		m.versions = slices.DeleteFunc(m.versions, func(o Version) bool { return o.Label == v.Label && o.Schema == v.Schema })
		m.versions = append([]Version{v}, m.versions...)
		m.writes++
	}
	return nil
}

func (m *memory) Retired(context.Context) (map[string]bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string]bool{}
	for key := range m.gone {
		out[key] = true
	}
	return out, m.err
}

func (m *memory) retire(keys ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gone = map[string]bool{}
	for _, key := range keys {
		m.gone[key] = true
	}
}

// restart opens a folder like a starting process, and stores the valid labels.
func restart(t testing.TB, dir string, a *memory, fragments ...Fragment) *Store {
	t.Helper()
	if fragments == nil {
		fragments = []Fragment{account, market}
	}
	s, err := Open(dir, func() []Fragment { return fragments })
	require.NoError(t, err)
	require.NoError(t, s.Restore(t.Context(), a))
	require.NoError(t, s.keep(t.Context(), a))
	return s
}

func named(key, name string) string { return strings.Replace(source(key, ""), "Label "+key, name, 1) }

func TestLastGood(t *testing.T) {
	t.Run("9-label-last-good", func(t *testing.T) {
		figtree, err := os.ReadFile(filepath.Join(labels, "1042/assets/figtree.woff2"))
		require.NoError(t, err)
		dir, a := folder(t, map[string]string{"acme": `style: {font_family_web: "Figtree", font_file: "f.woff2"}`, "b": ""}), &memory{}
		put(t, dir, "acme/assets/f.woff2", string(figtree))
		put(t, dir, "acme/messages/nl.json", `{"account.title": "Jouw account"}`)
		first := restart(t, dir, a)
		require.Empty(t, texts(first.Problems()))
		require.Equal(t, 2, a.writes)
		was := first.ByKey("acme")

		broken := map[string]func(){
			"label.cue": func() { put(t, dir, "acme/label.cue", "nonsense: 1") },
			"an asset":  func() { require.NoError(t, os.Remove(filepath.Join(dir, "acme/assets/logo.svg"))) },
			"messages":  func() { put(t, dir, "acme/messages/nl.json", "{") },
		}
		for what, spoil := range broken {
			text, err := os.ReadFile(filepath.Join(dir, "acme/label.cue"))
			require.NoError(t, err)
			spoil()
			s := restart(t, dir, a)
			require.NotEmpty(t, s.Problems(), what)
			require.Equal(t, "acme", s.Problems()[0].Label)
			require.Equal(t, 1, s.Stale())
			l := s.ByHost("mijn.acme.example")
			require.NotNil(t, l, what)
			require.Equal(t, was.Revision, l.Revision, what)
			require.Equal(t, was.AssetURL("logo"), l.AssetURL("logo"))
			logo, err := l.AssetOf("logo")
			require.NoError(t, err)
			require.Equal(t, drawing, string(logo.Data))
			require.Equal(t, "image/svg+xml", logo.Type)
			font, err := l.AssetOf("font")
			require.NoError(t, err)
			require.Equal(t, figtree, font.Data)
			require.Equal(t, was.Theme.CSS, l.Theme.CSS)
			require.Equal(t, "Jouw account", l.Messages["nl"]["account.title"])
			require.Equal(t, 2, a.writes, "a broken label is not stored")
			require.NoError(t, s.Reload())
			require.NotNil(t, s.ByKey("acme"), "and after a change of the modules")
			put(t, dir, "acme/label.cue", string(text))
			put(t, dir, "acme/messages/nl.json", `{"account.title": "Jouw account"}`)
			put(t, dir, "acme/assets/logo.svg", drawing)
		}

		// A valid version on disk takes precedence over the stored one, and is then stored.
		put(t, dir, "acme/label.cue", named("acme", "Acme in het nieuw"))
		s := restart(t, dir, a)
		require.Equal(t, "Acme in het nieuw", s.ByKey("acme").Info.Name)
		require.Empty(t, texts(s.Problems()))
		require.Zero(t, s.Stale())
		require.Equal(t, 3, a.writes)
		restart(t, dir, a)
		require.Equal(t, 3, a.writes, "a start without a change writes nothing")
	})
	t.Run("repaired while it runs", func(t *testing.T) {
		dir, a := folder(t, map[string]string{"acme": ""}), &memory{}
		restart(t, dir, a)
		put(t, dir, "acme/label.cue", "nonsense: 1")
		s := restart(t, dir, a)
		go s.Watch(t.Context(), slog.New(slog.DiscardHandler))
		go s.Keep(t.Context(), a, slog.New(slog.DiscardHandler))
		put(t, dir, "acme/label.cue", named("acme", "Weer goed"))
		eventually(t, patience, "repaired", func() bool { return s.ByKey("acme").Info.Name == "Weer goed" && len(s.Problems()) == 0 })
		eventually(t, patience, "kept", func() bool { a.mu.Lock(); defer a.mu.Unlock(); return a.writes == 2 })
	})
	t.Run("an archive error is logged once and retried", func(t *testing.T) {
		dir, a := folder(t, map[string]string{"acme": ""}), &memory{}
		s, err := Open(dir, func() []Fragment { return fragments })
		require.NoError(t, err)
		require.NoError(t, s.Restore(t.Context(), a))
		a.err = errors.New("away")
		require.ErrorContains(t, s.keep(t.Context(), a), "away")
		require.ErrorContains(t, s.applyRetired(t.Context(), a), "away")
		require.ErrorContains(t, s.Restore(t.Context(), a), "away")
		a.err = nil
		require.NoError(t, s.keep(t.Context(), a))
		require.Equal(t, 1, a.writes)
		require.NotNil(t, s.ByKey("acme"))
	})
	t.Run("damaged", func(t *testing.T) {
		_, err := Unpack([]byte("no archive"))
		require.Error(t, err)
		dir, a := folder(t, map[string]string{"acme": ""}), &memory{}
		restart(t, dir, a)
		a.versions[0].Files = nil
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "acme")))
		s := restart(t, dir, a)
		require.Nil(t, s.ByKey("acme"))
		require.Contains(t, texts(s.Problems()), "acme/label.cue: no such file or directory")
	})
}

func TestGone(t *testing.T) {
	t.Run("9-label-deleted", func(t *testing.T) {
		for what, c := range map[string]struct {
			lose func(dir string)
			want string
		}{
			"the folder of a label": {func(dir string) { require.NoError(t, os.RemoveAll(filepath.Join(dir, "acme"))) },
				"acme/label.cue: no such file or directory; the last good version stays live"},
			"label.cue": {func(dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "acme/label.cue"))) },
				"acme/label.cue: no such file or directory; the last good version stays live"},
			"a missing folder": {func(dir string) { require.NoError(t, os.RemoveAll(dir)) }, "the labels folder: no such file or directory"},
			"an empty folder": {func(dir string) {
				require.NoError(t, os.RemoveAll(dir))
				require.NoError(t, os.Mkdir(dir, 0o700))
			}, "the labels folder: is empty. Is its volume mounted?"},
			"a folder that cannot be read": {func(dir string) {
				require.NoError(t, os.RemoveAll(dir))
				require.NoError(t, os.WriteFile(dir, nil, 0o600))
			}, "the labels folder: not a directory"},
		} {
			t.Run(what, func(t *testing.T) {
				dir, a := filepath.Join(folder(t, nil), "labels"), &memory{}
				fill := func() {
					for _, key := range []string{"acme", "b"} {
						put(t, dir, key+"/assets/logo.svg", drawing)
						put(t, dir, key+"/assets/favicon.svg", drawing)
						put(t, dir, key+"/label.cue", source(key, ""))
					}
				}
				fill()
				running := restart(t, dir, a)
				go running.Watch(t.Context(), slog.New(slog.DiscardHandler))
				c.lose(dir)
				eventually(t, patience, "noticed", func() bool { // after the removal is complete
					return len(running.Problems()) == 1 && strings.Contains(texts(running.Problems()), c.want)
				})
				started := restart(t, dir, a)
				for when, s := range map[string]*Store{"while it runs": running, "after a restart": started} {
					require.Contains(t, texts(s.Problems()), c.want, when)
					require.Len(t, s.Problems(), 1, "%s: one problem, not one for each label", when)
					for _, key := range []string{"acme", "b"} {
						l := s.ByHost("mijn." + key + ".example")
						require.NotNil(t, l, "%s: %s", when, key)
						logo, err := l.AssetOf("logo")
						require.NoError(t, err)
						require.Equal(t, drawing, string(logo.Data))
					}
					require.NoError(t, s.Reload())
					require.Len(t, s.All(), 2, "and after a change of the modules")
				}
				go started.Watch(t.Context(), slog.New(slog.DiscardHandler))
				_ = os.Remove(dir) // removes a file with that name, but not a folder that contains labels
				fill()
				for _, s := range []*Store{running, started} {
					eventually(t, patience, "back: "+texts(s.Problems()), func() bool { return len(s.Problems()) == 0 && s.Stale() == 0 })
				}
			})
		}
	})
	t.Run("9-label-deleted", func(t *testing.T) { // the folder disappears while a label in it is compiled
		dir, a := folder(t, map[string]string{"acme": "", "b": ""}), &memory{}
		s := restart(t, dir, a)
		put(t, dir, "b/assets/logo.svg", drawing+"\n")
		prints, err := fingerprints(dir, nil)
		require.NoError(t, err)
		require.NoError(t, os.RemoveAll(dir))
		s.take(prints)
		s.scan(t.Context(), true)
		require.Equal(t, []Problem{{Message: "the labels folder: no such file or directory"}}, s.Problems(), "none of b as well")
		require.NotNil(t, s.ByHost("mijn.b.example"))
	})
	t.Run("a folder without label.cue that never was a label is ignored", func(t *testing.T) {
		dir := folder(t, map[string]string{"acme": ""})
		put(t, dir, "new/assets/logo.svg", drawing)
		s := restart(t, dir, &memory{})
		require.Empty(t, texts(s.Problems()))
		require.NoError(t, s.Unreadable())
	})
	t.Run("nothing kept", func(t *testing.T) {
		s := restart(t, filepath.Join(t.TempDir(), "nowhere"), &memory{})
		require.Empty(t, s.All())
		require.ErrorContains(t, s.Unreadable(), "the labels folder: no such file or directory")
	})
}

func TestRetire(t *testing.T) {
	t.Run("9-label-retire", func(t *testing.T) {
		dir, a := folder(t, map[string]string{"acme": "", "b": ""}), &memory{}
		running := restart(t, dir, a)
		go running.Watch(t.Context(), slog.New(slog.DiscardHandler))
		go running.Keep(t.Context(), a, slog.New(slog.DiscardHandler))
		live := func(s *Store) bool { return s.ByKey("acme") != nil && s.ByHost("acme.localhost") != nil }
		require.True(t, live(running))
		require.LessOrEqual(t, RetiredInterval, 5*time.Second, "each replica looks that often")

		a.retire("acme")
		eventually(t, patience, "retired", func() bool { return !live(running) })
		for _, s := range []*Store{running, restart(t, dir, a)} {
			require.False(t, live(s))
			require.NotNil(t, s.ByKey("b"))
			require.Contains(t, texts(s.Problems()),
				"acme/label.cue: is not served, because the brand was retired. To bring it back: wattle labels retire --undo acme")
		}
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "acme")))
		eventually(t, patience, "no problem is left", func() bool { return len(running.Problems()) == 0 })
		require.Empty(t, texts(restart(t, dir, a).Problems()))

		// Its host can be claimed by another label.
		put(t, dir, "c/assets/logo.svg", drawing)
		put(t, dir, "c/assets/favicon.svg", drawing)
		put(t, dir, "c/label.cue", strings.Replace(source("c", ""), "mijn.c.example\"}]", "mijn.acme.example\"}]", 1))
		eventually(t, patience, "the host moved", func() bool { l := running.ByHost("mijn.acme.example"); return l != nil && l.Key == "c" })
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "c")))
		a.retire("acme", "c")
		eventually(t, patience, "retired too", func() bool { return running.ByKey("c") == nil })

		// Restoring the folder does not restore the label; the command does, even without a folder.
		put(t, dir, "acme/assets/logo.svg", drawing)
		put(t, dir, "acme/assets/favicon.svg", drawing)
		put(t, dir, "acme/label.cue", named("acme", "Terug"))
		eventually(t, patience, "ignored", func() bool { return strings.Contains(texts(running.Problems()), "retired") })
		require.False(t, live(running))
		a.retire("c")
		eventually(t, patience, "back", func() bool { return live(running) })
		require.Equal(t, "Terug", running.ByKey("acme").Info.Name)
		a.retire()
		eventually(t, patience, "back without its folder", func() bool {
			return running.ByKey("c") == nil && strings.Contains(texts(running.Problems()), "label c")
		})
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "acme")))
		a.retire("acme")
		eventually(t, patience, "off again", func() bool { return !live(running) })
		a.retire()
		eventually(t, patience, "back without its folder", func() bool { return live(running) })
		require.Contains(t, texts(running.Problems()), "acme/label.cue: no such file or directory")
	})
	t.Run("an installation whose labels are all retired has no problem", func(t *testing.T) {
		dir, a := folder(t, map[string]string{"acme": ""}), &memory{}
		restart(t, dir, a)
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "acme")))
		a.retire("acme")
		s := restart(t, dir, a)
		require.Empty(t, texts(s.Problems()))
		require.Empty(t, s.All())
	})
}

func TestSchemaVersion(t *testing.T) {
	t.Run("9-label-schema-version", func(t *testing.T) {
		dir, a := folder(t, map[string]string{"acme": "modules: {account: {}, market: days: 30}"}), &memory{}
		old := restart(t, dir, a)
		require.Len(t, a.versions, 1)

		// A release with another module schema stores its own version of the label and keeps the earlier one.
		next := Fragment{Module: "market", Needs: market.Needs, Source: strings.Replace(market.Source, "days:", "limit: *5 | int\n\tdays:", 1)}
		put(t, dir, "acme/label.cue", source("acme", "modules: {account: {}, market: {days: 40, limit: 7}}"))
		upgraded := restart(t, dir, a, account, next)
		require.Empty(t, texts(upgraded.Problems()))
		require.NotEqual(t, old.ByKey("acme").Schema, upgraded.ByKey("acme").Schema)
		require.Len(t, a.versions, 2)

		// Each release restores the version of its own schema, even when another version is newer, because the same settings may have
		// another meaning.
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "acme")))
		back := restart(t, dir, a, account, market)
		require.JSONEq(t, `{"max_shares":100,"days":30}`, string(back.ByKey("acme").Settings["market"].Raw))
		second := restart(t, dir, a, account, next)
		require.JSONEq(t, `{"max_shares":100,"days":40,"limit":7}`, string(second.ByKey("acme").Settings["market"].Raw))

		// A third schema restores the newest version that is valid according to it, with its own defaults.
		third := Fragment{Module: "market", Needs: market.Needs, Source: strings.Replace(market.Source, "days:", "size: *\"m\" | string\n\tdays:",
			1)}
		s := restart(t, dir, a, account, third)
		require.JSONEq(t, `{"max_shares":100,"days":30,"size":"m"}`, string(s.ByKey("acme").Settings["market"].Raw))

		// When no version is valid, the label is not served, and a problem reports it.
		fourth := Fragment{Module: "market", Source: "#Settings: {color!: string}"}
		s = restart(t, dir, a, account, fourth)
		require.Nil(t, s.ByKey("acme"))
		require.Contains(t, texts(s.Problems()), "acme/label.cue")
	})
	t.Run("another module does not change the schema", func(t *testing.T) {
		dir, a := folder(t, map[string]string{"acme": "modules: account: {}"}), &memory{}
		restart(t, dir, a)
		restart(t, dir, a, account)
		restart(t, dir, a, account, market, Fragment{Module: "more", Source: "#Settings: {}"})
		require.Equal(t, 1, a.writes)
	})
}

// The host of a label that is broken or missing is never given to another label.
func TestHostsOfBrokenLabelsStayReserved(t *testing.T) {
	t.Run("9-label-host-kept", func(t *testing.T) {
		wants := func(key, host string) string {
			return strings.Replace(source(key, ""), `"mijn.`+key+`.example"}`, `"`+host+`"}`, 1)
		}
		for name, lose := range map[string]func(dir string){
			"broken": func(dir string) { put(t, dir, "m/label.cue", "nonsense: 1") },
			"gone":   func(dir string) { require.NoError(t, os.RemoveAll(filepath.Join(dir, "m"))) },
		} {
			t.Run(name, func(t *testing.T) {
				dir, a := folder(t, map[string]string{"m": "", "z": ""}), &memory{}
				running := restart(t, dir, a)
				lose(dir)
				require.NoError(t, running.Reload())
				for _, key := range []string{"a", "z"} { // labels with a key before and after the key of the new label
					put(t, dir, key+"/assets/logo.svg", drawing)
					put(t, dir, key+"/assets/favicon.svg", drawing)
					put(t, dir, key+"/label.cue", wants(key, "mijn.m.example"))
				}
				require.NoError(t, running.Reload())
				for when, s := range map[string]*Store{"while it runs": running, "after a restart": restart(t, dir, a)} {
					require.Equal(t, "m", s.ByHost("mijn.m.example").Key, when)
					require.NotNil(t, s.ByHost("mijn.z.example"), "%s: the last good version of z", when)
					for _, key := range []string{"a", "z"} {
						require.Contains(t, texts(s.Problems()), "mijn.m.example belongs to label m already, so label "+key+" cannot have it", when)
					}
				}
				a.retire("m")
				require.Contains(t, []string{"a", "z"}, restart(t, dir, a).ByHost("mijn.m.example").Key, "then it is free")
			})
		}
	})
	// the label that had the host keeps it, also after a restart and regardless of the order of keys
	t.Run("1-one-label-per-host", func(t *testing.T) {
		dir, a := folder(t, map[string]string{"b": ""}), &memory{}
		restart(t, dir, a)
		put(t, dir, "a/assets/logo.svg", drawing)
		put(t, dir, "a/assets/favicon.svg", drawing)
		put(t, dir, "a/label.cue", strings.Replace(source("a", ""), "mijn.a.example\"}]", "mijn.b.example\"}]", 1))
		s := restart(t, dir, a)
		require.Equal(t, "b", s.ByHost("mijn.b.example").Key)
		put(t, dir, "b/label.cue", named("b", "Changed while down"))
		s = restart(t, dir, a)
		require.Equal(t, "Changed while down", s.ByHost("mijn.b.example").Info.Name)
		require.Nil(t, s.ByKey("a"))
	})
}

func TestPluginDown(t *testing.T) {
	t.Run("9-label-plugin-down", func(t *testing.T) {
		plugin := Fragment{Module: "acme", Source: "#Settings: greeting: *\"Hallo\" | string"}
		down := Fragment{Module: "acme", Absent: true}
		dir, a := folder(t, map[string]string{"one": `modules: {account: {}, acme: greeting: "Moi"}
changes: auto: "acme.limit": "20s"`}), &memory{}

		// The plugin is installed but does not run: only its key is known, even at the first start.
		now := []Fragment{account, down}
		s, err := Open(dir, func() []Fragment { return now })
		require.NoError(t, err)
		require.NoError(t, s.Restore(t.Context(), a))
		l := s.ByKey("one")
		require.NotNil(t, l, texts(s.Problems()))
		require.NotContains(t, l.Modules, "acme")
		require.Contains(t, l.Modules, "account")
		require.Equal(t, []string{"acme"}, l.Missing)
		require.Contains(t, texts(s.Problems()),
			"one/label.cue:6:24: modules.acme: the plugin of this module is not running; the label goes on without it")
		require.NoError(t, s.keep(t.Context(), a))
		require.Empty(t, a.versions, "the label is served without one of its modules")

		// The plugin starts, and the label has the module.
		now = []Fragment{account, plugin}
		require.NoError(t, s.Reload())
		require.JSONEq(t, `{"greeting":"Moi"}`, string(s.ByKey("one").Settings["acme"].Raw))
		require.Empty(t, texts(s.Problems()))
		require.NoError(t, s.keep(t.Context(), a))
		require.Len(t, a.versions, 1)

		// Without the plugins folder the module is unknown: the label on disk is invalid, and its last valid version is served without the
		// module.
		s = restart(t, dir, a, account)
		require.Contains(t, texts(s.Problems()), "there is no module acme")
		require.NotNil(t, s.ByKey("one"))
		require.NotContains(t, s.ByKey("one").Modules, "acme")
		require.Len(t, a.versions, 1)

		// The label's folder becomes invalid while the plugin is down: the last valid version gets the module when the plugin starts.
		put(t, dir, "one/label.cue", "nonsense: 1")
		now = []Fragment{account, down}
		s, err = Open(dir, func() []Fragment { return now })
		require.NoError(t, err)
		require.NoError(t, s.Restore(t.Context(), a))
		require.NotContains(t, s.ByKey("one").Modules, "acme")
		now = []Fragment{account, plugin}
		require.NoError(t, s.Reload())
		require.Contains(t, s.ByKey("one").Modules, "acme")
	})
}

// Budget: 1,000 labels without a folder are served in under 2 s.
func BenchmarkRestore1000(b *testing.B) {
	dir, a := thousand(b), &memory{}
	restart(b, dir, a)
	require.NoError(b, os.RemoveAll(dir))
	for b.Loop() {
		s, err := Open(dir, func() []Fragment { return fragments })
		require.NoError(b, err)
		require.NoError(b, s.Restore(b.Context(), a))
		if len(s.All()) != 1000 {
			b.Fatal(texts(s.Problems()))
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s(budget<2)")
}
