package label

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cuelang.org/go/cue/format"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/theme"
)

const (
	repo   = "../../../.."
	labels = repo + "/labels"
)

// shipped returns the fragments of the modules in this repository, read from their files: core imports no module.
func shipped(t testing.TB) (out []Fragment) {
	t.Helper()
	files, err := filepath.Glob(repo + "/modules/*/label.cue")
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		out = append(out, Fragment{Module: filepath.Base(filepath.Dir(f)), Source: string(text)})
	}
	return out
}

// productTexts returns the messages of kit, shell, remotes and emails.
func productTexts(t testing.TB) Catalogue {
	t.Helper()
	out := Catalogue{"nl": {}, "en": {}}
	for locale, texts := range out {
		for _, pattern := range []string{"shell/*/messages/", "remotes/*/src/messages/", "modules/*/messages/", "modules/*/internal/*/messages/",
			"core/internal/labels/mail/messages/"} {
			files, err := filepath.Glob(filepath.Join(repo, pattern, locale+".json"))
			require.NoError(t, err)
			for _, f := range files {
				raw, err := os.ReadFile(f)
				require.NoError(t, err)
				require.NoError(t, json.Unmarshal(raw, &texts), f)
			}
		}
	}
	return out
}

var routePath = regexp.MustCompile(`\bpath: '(/[^']*)'`)

// productRoutes returns the paths of the pages of shell and remotes.
func productRoutes(t testing.TB) map[string][]string {
	t.Helper()
	out := map[string][]string{shell: {"/"}}
	files, err := filepath.Glob(filepath.Join(repo, "remotes/*/src/remote.ts"))
	require.NoError(t, err)
	for _, f := range files {
		raw, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range routePath.FindAllStringSubmatch(string(raw), -1) {
			key := filepath.Base(filepath.Dir(filepath.Dir(f)))
			out[key] = append(out[key], m[1])
		}
	}
	return out
}

func TestShippedLabels(t *testing.T) {
	fragments := append(shipped(t), Fragment{Demo: true})
	s, err := Open(labels, func() []Fragment { return fragments })
	require.NoError(t, err)
	require.Empty(t, texts(s.Problems()))
	ps, err := Vet(labels, fragments, &FrontEnd{Texts: productTexts(t),
		Slots: map[string][]string{
			"home": {"billing.latest", "usage.latest", "production.glance", "production.projects", "account.service", "account.contact-info",
				"move.teaser"},
			"dashboard": {"usage.month", "billing.open", "billing.term-amount", "billing.latest", "shell.attention", "shell.quick-start",
				"account.service"},
		},
		Menu: map[Kind][]string{KindCustomer: {"shell.home", "usage.metermeasuring", "production.overview"}, KindParticipant: {"shell.home"}},
		MenuItems: map[Kind][]string{KindCustomer: {"shell.home", "usage.usage", "billing.invoices"},
			KindParticipant: {"shell.home", "marketplace.offers", "marketplace.participation", "production.overview"}},
		Paths:  map[string]string{"shell.home": "/home"},
		Routes: productRoutes(t)})
	require.NoError(t, err)
	t.Run("9-label-pages-demo", func(t *testing.T) { require.Empty(t, texts(ps)) })
	entries, err := os.ReadDir(labels)
	require.NoError(t, err)
	require.Len(t, s.All(), len(entries), "every folder is a label")

	t.Run("1-label-attributes", func(t *testing.T) {
		logos, names, colors, phones := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, l := range s.All() {
			for _, kind := range []string{"logo", "favicon"} {
				a, err := l.AssetOf(kind)
				require.NoError(t, err, l.Key)
				require.Equal(t, "image/svg+xml", a.Type)
				logos[a.Hash] = true
				require.Contains(t, l.AssetURL(kind), "/api/v0/labels/"+l.Key+"/"+kind+"?v="+a.Hash)
			}
			names[l.Info.Name], colors[l.Style.Primary], phones[l.Info.Phone] = true, true, true
			require.NotEmpty(t, l.Info.Email, l.Key)
			require.NotEmpty(t, l.Info.Opening, l.Key)
			require.NotEmpty(t, l.PrivacyURL, l.Key)
			require.NotEmpty(t, l.Style.Font, l.Key)
			require.NotEmpty(t, l.Style.PageTitle, l.Key)
		}
		n := len(s.All())
		require.Len(t, logos, 2*n, "every logo and favicon is its own")
		require.Len(t, names, n)
		require.Len(t, colors, n)
		require.Len(t, phones, n)
	})
	t.Run("2.1-home-1060", func(t *testing.T) {
		require.ElementsMatch(t, []string{"billing.latest", "usage.latest"}, s.ByKey("1060").Slots["home"].Hide)
	})
	t.Run("9-brand-three", func(t *testing.T) {
		three := []string{"1024", "1042", "1060"}
		or := func(value, standard string) string {
			if value == "" {
				return standard
			}
			return value
		}
		looks := map[string]func(l *Label) string{
			"colors":         func(l *Label) string { return l.Style.Primary + l.Style.HeaderBG },
			"font of text":   func(l *Label) string { return l.Style.Font },
			"its file":       func(l *Label) string { return l.Assets[l.Style.FontFile].Hash },
			"font of titles": func(l *Label) string { return l.Style.HeadingFont },
			"the file of it": func(l *Label) string { return l.Assets[l.Style.HeadingFontFile].Hash },
			"corners": func(l *Label) string {
				if l.Style.CornerRadius == nil {
					return strconv.Itoa(theme.DefaultRadius)
				}
				return strconv.Itoa(*l.Style.CornerRadius)
			},
			"buttons":         func(l *Label) string { return or(l.Style.ButtonShape, "rounded") },
			"density":         func(l *Label) string { return or(l.Style.Density, "normal") },
			"header":          func(l *Label) string { return or(l.Style.HeaderStyle, "plain") },
			"sign-in":         func(l *Label) string { return l.Assets[l.Style.Illustration].Hash },
			"picture of mail": func(l *Label) string { return l.Assets[l.Style.IllustrationMail].Hash },
		}
		for _, name := range []string{"dashboard", "empty", "error", "sent", "mill", "sun", "house"} {
			looks["drawing "+name] = func(l *Label) string { return l.Assets[l.Style.Illustrations[name]].Hash }
		}
		for what, of := range looks {
			values := map[string]string{}
			for _, key := range three {
				value := of(s.ByKey(key))
				require.NotEmpty(t, value, "%s of %s", what, key)
				require.Empty(t, values[value], "%s of %s", what, key)
				values[value] = key
			}
		}
	})
	t.Run("9-brand-each", func(t *testing.T) {
		looks := map[string]func(l *Label) string{
			"font of titles": func(l *Label) string { return l.Style.HeadingFont },
			"the file of it": func(l *Label) string { return l.Assets[l.Style.HeadingFontFile].Hash },
			"sign-in":        func(l *Label) string { return l.Assets[l.Style.Illustration].Hash },
			"mails":          func(l *Label) string { return l.Assets[l.Style.IllustrationMail].Hash },
			"logo of mails":  func(l *Label) string { return l.Assets[l.Style.LogoMail].Hash },
			"app icon":       func(l *Label) string { return l.Assets[l.Style.AppIcon].Hash },
		}
		for _, name := range []string{"dashboard", "empty", "error", "sent", "mill", "sun", "house"} {
			looks["drawing "+name] = func(l *Label) string { return l.Assets[l.Style.Illustrations[name]].Hash }
		}
		for what, of := range looks {
			values := map[string]string{}
			for _, l := range s.All() {
				value := of(l)
				require.NotEmpty(t, value, "%s of %s", what, l.Key)
				require.Empty(t, values[value], "%s of %s", what, l.Key)
				values[value] = l.Key
			}
		}
		for key, first := range map[string]string{
			"1000": "billing.open billing.term-amount",
			"1008": "billing.open shell.quick-start shell.attention billing.term-amount",
			"1021": "billing.open usage.month shell.attention billing.term-amount shell.quick-start",
			"1095": "billing.open billing.latest",
		} {
			require.True(t, strings.HasPrefix(strings.Join(s.ByKey(key).Slots["dashboard"].Order, " "), first), "first tiles of %s", key)
		}
		require.Equal(t, []string{"production.glance", "billing.latest"}, s.ByKey("1071").Slots["home"].Order[:2])
		frames, corners := map[string]string{}, map[int]string{}
		for _, key := range []string{"1000", "1008", "1042", "1060", "1071"} {
			style := s.ByKey(key).Style
			frame := fmt.Sprint(cmp.Or(style.HeaderStyle, "plain"), cmp.Or(style.ButtonShape, "rounded"), style.Photos["dashboard"] != "")
			require.Empty(t, frames[frame], "frame of %s", key)
			require.Empty(t, corners[*style.CornerRadius], "corners of %s", key)
			frames[frame], corners[*style.CornerRadius] = key, key
		}
	})
	t.Run("1-participant-label-list", func(t *testing.T) {
		var participant []string
		for _, l := range s.All() {
			if l.Kind == KindParticipant {
				participant = append(participant, l.Key)
			} else {
				require.Equal(t, KindCustomer, l.Kind)
			}
		}
		require.Equal(t, []string{"1024", "1060", "1071"}, participant)
	})
	t.Run("1-sustainable-labels,2.1-marketplace-routes-gate,2.5-cart-labels-reconcile,2.5-menu-participation-sub", func(t *testing.T) {
		with := func(has func(l *Label) bool) (keys []string) {
			for _, l := range s.All() {
				if has(l) {
					keys = append(keys, l.Key)
				}
			}
			return keys
		}
		setting := func(l *Label, module, name string) any {
			var all map[string]any
			if raw, on := l.Modules[module]; on {
				require.NoError(t, json.Unmarshal(raw, &all))
			}
			return all[name]
		}
		sustainable := []string{"1024", "1060", "1071"}
		require.Equal(t, sustainable, with(func(l *Label) bool { _, on := l.Modules["marketplace"]; return on }), "basket, orders, future moves")
		require.Equal(t, sustainable, with(func(l *Label) bool { return setting(l, "billing", "bank_account_details") == false }),
			"payment data of the relation")
		require.Equal(t, sustainable, with(func(l *Label) bool { return setting(l, "account", "show_shipping_addresses") == false }),
			"no delivery addresses")
		require.Equal(t, []string{"1071"}, with(func(l *Label) bool { return setting(l, "marketplace", "participation_single_link") == true }),
			"2.5-menu-participation-sub: one plain link")
	})
	t.Run("1-migrated-labels,1-migrated-test-host,1-migrated-1024,1-migrated-link-target,1-test-host-rule,1-migrated-1024-reconcile", func(t *testing.T) {
		var migrated, open []string
		for _, l := range s.All() {
			if l.Migrated == nil {
				continue
			}
			require.Regexp(t, "^https://", l.Migrated.URL)
			require.NotEmpty(t, l.Migrated.Name)
			if l.Migrated.Form {
				open = append(open, l.Key)
				continue
			}
			migrated = append(migrated, l.Key)
			demo := slices.DeleteFunc(slices.Clone(l.Hosts), func(h Host) bool { return !strings.HasSuffix(h.Name, ".localhost") })
			require.Len(t, demo, 2, l.Key)
			test, live := l.Key+".localhost", l.Key+"-live.localhost" // the demo has a test host and a live host per label
			require.True(t, s.ByHost(test) == l && l.IsTestHost(test))
			require.True(t, s.ByHost(live) == l && !l.IsTestHost(live))
		}
		require.Equal(t, []string{"1000", "1008", "1021", "1025", "1058", "1086", "1095"}, migrated)
		require.Equal(t, []string{"1024"}, open, "it has the message and the form")
		for _, locale := range []string{"nl", "en"} { // every label has its own message
			require.Contains(t, s.ByKey("1024").Messages[locale], "shell.migrated.open")
			for _, key := range migrated {
				require.NotContains(t, s.ByKey(key).Messages[locale], "shell.migrated.text", key)
				require.NotContains(t, s.ByKey(key).Messages[locale], "shell.migrated.open", key)
			}
		}
		require.Contains(t, s.ByKey("1024").Modules, "marketplace")
		require.Contains(t, s.ByKey("1024").Modules, "production")
		require.Contains(t, string(s.ByKey("1024").Modules["onboarding"]), `"registration":true`)
		// each label configures its own target
		require.NotEqual(t, s.ByKey("1000").Migrated.URL, s.ByKey("1058").Migrated.URL)
	})
	t.Run("1-one-label-per-host", func(t *testing.T) {
		owner := map[string]string{}
		for _, l := range s.All() {
			for _, h := range l.Hosts {
				require.Empty(t, owner[h.Name], h.Name)
				owner[h.Name] = l.Key
				require.Equal(t, l, s.ByHost(h.Name))
			}
		}
	})
}

// Labels differ only in their settings: no source file contains a label key (rule 2 of the house).
func TestNoKeyInCode(t *testing.T) {
	t.Run("1-no-key-in-code", func(t *testing.T) {
		entries, err := os.ReadDir(labels)
		require.NoError(t, err)
		var keys []string
		for _, e := range entries {
			keys = append(keys, regexp.QuoteMeta(e.Name()))
		}
		require.Greater(t, len(keys), 10)
		// Matches a key in quotes or as the first part of a host, but not maxLength:"1000" in a struct tag.
		names := regexp.MustCompile("(?:^|[^:])[\"'`](" + strings.Join(keys, "|") + ")(-live)?([\"'`]|\\.[a-z])")
		require.Regexp(t, names, `if key == "1024" {`)
		require.Regexp(t, names, "host === '1024.localhost'")
		require.NotRegexp(t, names, `width: "1024px"; max(1024)`)
		require.NotRegexp(t, names, `maxLength:"1000"`)
		seen := 0
		for _, root := range []string{"core", "modules", "schemas", "shell", "remotes"} {
			err := filepath.WalkDir(filepath.Join(repo, root), func(path string, d os.DirEntry, err error) error {
				if err != nil {
					return err
				}
				if d.IsDir() {
					if slices.Contains([]string{"node_modules", "dist", "testdata", "e2e", "demo", "moduletest", "storetest", "apptest"}, d.Name()) {
						return filepath.SkipDir
					}
					return nil
				}
				if !isSource(d.Name()) {
					return nil
				}
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				seen++
				for i, line := range strings.Split(string(text), "\n") {
					if names.MatchString(line) {
						t.Errorf("%s:%d names a label: %s", path, i+1, strings.TrimSpace(line))
					}
				}
				return nil
			})
			require.NoError(t, err)
		}
		require.Greater(t, seen, 20)
	})
}

var testName = regexp.MustCompile(`_test\.go$|\.(test|spec|stories)\.tsx?$`)

func isSource(name string) bool {
	return slices.Contains([]string{".go", ".ts", ".tsx", ".mjs", ".js", ".sql", ".cue"}, filepath.Ext(name)) && !testName.MatchString(name)
}

func TestFormatted(t *testing.T) {
	files, err := filepath.Glob(labels + "/*/label.cue")
	require.NoError(t, err)
	for _, f := range append(files, repo+"/schemas/label.cue") {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		tidy, err := format.Source(text)
		require.NoError(t, err)
		require.Equal(t, string(tidy), string(text), f)
	}
}
