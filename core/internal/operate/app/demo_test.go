package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/plugintest"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// people returns the usernames of a label.
func people(t *testing.T, s *apptest.Server, label string) (out []string) {
	t.Helper()
	require.NoError(t, s.Store.Read().NewRaw("SELECT username FROM identity_usernames WHERE label_key = ? ORDER BY username",
		label).Scan(t.Context(), &out))
	return out
}

// withPerson returns a label whose demo has one person.
func withPerson(l apptest.Label, username string) apptest.Label {
	l.Files = map[string]string{
		"demo/account.ndjson": `{"username":"` + username + `","email":"` + username + `@voorbeeld.example","name":"` + username +
			`","debtor_number":"1","password":"Wattle2026"}`,
		"demo/people.json": `{"` + username + `": {"shows": "everyday", "note": "Gewone klant"}}`,
	}
	return l
}

func TestDemoOfALaterLabel(t *testing.T) {
	storetest.EachConfig(t, func(t *testing.T, db store.Config) {
		t.Run("10-demo-later", func(t *testing.T) {
			dir, labels := plugins(t), t.TempDir()
			add := func(key, cue, username string) {
				apptest.WriteLabel(t, labels, withPerson(apptest.Label{Key: key, CUE: cue}, username), nil)
			}
			add("alpha", "modules: tide: height: 7", "anna")
			add("beta", "", "bram")
			s := apptest.Start(t, apptest.Options{LabelsDir: labels, Config: config.Config{Demo: true, Plugins: dir}, Store: &db})
			require.Equal(t, []string{"bram"}, people(t, s, "beta"))
			require.Empty(t, people(t, s, "alpha"), "it needs a plugin that is not installed")
			plugintest.Write(t, dir, plugintest.Plugin{Route: "/tide"})
			until(t, "the label whose plugin came has its people", func() bool { return len(people(t, s, "alpha")) == 1 })
			require.Equal(t, []string{"anna"}, people(t, s, "alpha"))
			add("gamma", "", "gijs")
			until(t, "the label whose folder came has its people", func() bool { return len(people(t, s, "gamma")) == 1 })
			require.Equal(t, []string{"bram"}, people(t, s, "beta"))
		})
	})
}
