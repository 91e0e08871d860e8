package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Wrong settings for the providers of a move are reported with their position when the label is checked.
func TestMoveSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, "labels", "new", "acme", "--name", "Acme Energie", "--labels", dir)
	file := filepath.Join(dir, "acme", "label.cue")
	plain, err := os.ReadFile(file)
	require.NoError(t, err)
	vet := func(settings string) (string, error) {
		require.NoError(t, os.WriteFile(file, append(plain, "\nmodules: {account: _, billing: _, move: "+settings+"}\n"...), 0o600))
		return run(t, "labels", "vet", "--labels", dir)
	}
	t.Run("9-settings-moved", func(t *testing.T) {
		out, err := vet(`{register: provider: "pdok", connections: {provider: "http", url: "https://connections.example/at"}}`)
		require.NoError(t, err, out)
		require.Contains(t, out, `modules.move.register: is read here for this release only; write instead: modules: address: register: {"provider":"pdok"}`)
	})
	const connections = `connections: {provider: "http", url: "https://connections.example/at?region=north"}`
	for _, fine := range []string{"{}", "{" + connections + "}", `{register: provider: "pdok", ` + connections + "}",
		`{register: {provider: "pdok", url: "https://register.example/v3_1"}, ` + connections + "}"} {
		out, err := vet(fine)
		require.NoError(t, err, "%s: %s", fine, out)
	}
	for wrong, field := range map[string]string{
		`{connections: provider: "http"}`:                                    "connections.url",
		`{connections: {provider: "embedded", url: "https://a.example/at"}}`: "connections.url",
		`{register: provider: "kadaster"}`:                                   "register.provider",
		`{register: url: "register.example"}`:                                "register.url",
		`{register: provider: "pdok"}`:                                       "connections.provider",
		`{}, address: register: provider: "pdok"`:                            "connections.provider",
		`{register: provider: "pdok", connections: provider: "embedded"}`:    "connections.provider",
		`{register: {provider: "pdok", key: "s3cret"}}`:                      "register.key",
	} {
		out, err := vet(wrong)
		require.Error(t, err, wrong)
		require.Contains(t, out, "acme/label.cue:", wrong)
		require.Contains(t, out, "modules.move."+field, wrong)
	}
}
