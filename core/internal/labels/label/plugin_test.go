package label

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Vet reports the chosen plugin versions that do not run; only 1.1.0 and 1.0.0 run.
func TestVetOfVersions(t *testing.T) {
	with := append(slices.Clone(fragments), Fragment{Module: "tide", Source: "#Settings: {}", Versions: []string{"1.1.0", "1.0.0"}})
	t.Run("10-version-missing", func(t *testing.T) {
		for more, want := range map[string]string{
			`plugins: tide: {version: "1.0.0", canary: {version: "1.1.0", percent: 10}}`:  "",
			`plugins: tide: version: "2.0.0"`:                                             "plugins.tide.version: version 2.0.0 of this plugin is not installed or does not run; version 1.1.0 serves",
			`plugins: tide: {version: "1.0.0", canary: {version: "2.0.0", percent: 10}}`:  "plugins.tide.canary.version: version 2.0.0 of this plugin is not installed or does not run; its customers get version 1.0.0",
			`plugins: ebb: version: "1.0.0"`:                                              "plugins.ebb.version: this label does not switch on the module ebb",
			`plugins: tide: version: "newest"`:                                            "the version of a plugin, such as 1.2.0",
			`plugins: tide: {version: "1.0.0", canary: {version: "1.1.0", percent: 101}}`: "a whole number of customers in a hundred, from 0 to 100",
			`plugins: tide: canary: {version: "1.1.0", percent: 10}`:                      "plugins.tide.version: is missing; it serves everybody outside the canary",
		} {
			found, err := Vet(folder(t, map[string]string{"acme": "modules: tide: {}\n" + more}), with, nil)
			require.NoError(t, err)
			if want == "" {
				require.Empty(t, found)
				continue
			}
			require.Contains(t, texts(found), want, more)
		}
	})
}

// An empty entry is ignored: it remains when an operator deletes only its content.
func TestAnEntryThatChoosesNoVersion(t *testing.T) {
	with := append(slices.Clone(fragments), Fragment{Module: "tide", Source: "#Settings: {}", Versions: []string{"1.1.0", "1.0.0"}})
	t.Run("10-version-none", func(t *testing.T) {
		dir := folder(t, map[string]string{"acme": "modules: tide: {}\nplugins: {tide: {}, ebb: {}}"})
		found, err := Vet(dir, with, nil)
		require.NoError(t, err)
		require.Empty(t, found)
		s, err := Open(dir, func() []Fragment { return with })
		require.NoError(t, err)
		require.NotNil(t, s.ByKey("acme"), "it is served")
		require.Empty(t, s.ByKey("acme").Plugins)
		require.Nil(t, s.ByKey("acme").Versions("tide", "customer-1"), "by the highest version")

		found, err = Vet(folder(t, map[string]string{"acme": "modules: tide: {}\nplugins: tide: canary: {version: \"1.1.0\", percent: 10}"}),
			with, nil)
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.Contains(t, found[0].String(), "plugins.tide.version: is missing; it serves everybody outside the canary")
		require.NotContains(t, found[0].String(), "\n", "in one sentence")
	})
}
