package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
)

// Invalid provider settings for a move are reported with their position when the label is checked.
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
	const connections = `connections: {provider: "http", url: "https://connections.example/at?region=north"}`
	for _, fine := range []string{"{}", "{" + connections + "}", "{" + connections + `}, address: register: provider: "pdok"`,
		"{" + connections + `}, address: register: {provider: "pdok", url: "https://register.example/v3_1"}`} {
		out, err := vet(fine)
		require.NoError(t, err, "%s: %s", fine, out)
	}
	t.Run("9-settings-moved", func(t *testing.T) {
		var out strings.Builder
		moved := label.Problem{File: "acme/label.cue", Message: "is read here for this release only", State: label.StateMoved}
		require.NoError(t, printProblems(&out, []label.Problem{moved}), "it is a warning")
		require.Contains(t, out.String(), moved.Message)
		require.Equal(t, exitStatus(1), printProblems(&out, []label.Problem{moved, {File: moved.File, Message: "is wrong"}}))
	})
	for invalid, field := range map[string]string{
		`{connections: provider: "http"}`:                                             "move.connections.url",
		`{connections: {provider: "embedded", url: "https://a.example/at"}}`:          "move.connections.url",
		`{}, address: register: provider: "kadaster"`:                                 "address.register.provider",
		`{}, address: register: url: "register.example"`:                              "address.register.url",
		`{}, address: register: provider: "pdok"`:                                     "move.connections.provider",
		`{connections: provider: "embedded"}, address: register: provider: "pdok"`:    "move.connections.provider",
		"{" + connections + `}, address: register: {provider: "pdok", key: "s3cret"}`: "address.register.key",
		"{" + connections + `, register: provider: "pdok"}`:                           "move.register",
	} {
		out, err := vet(invalid)
		require.Error(t, err, invalid)
		require.Contains(t, out, "acme/label.cue:", invalid)
		require.Contains(t, out, "modules."+field, invalid)
	}
}
