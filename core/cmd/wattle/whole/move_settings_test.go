package whole_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/modules"
)

// Invalid provider settings for a move are reported with their position when the label is checked.
func TestMoveSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	vet := func(settings string) string {
		apptest.WriteLabel(t, dir, apptest.Label{Key: "acme", CUE: "modules: {account: _, billing: _, move: " + settings + "}\n"}, modules.All)
		problems, err := label.Vet(dir, app.Fragments(modules.All), nil)
		require.NoError(t, err)
		return fmt.Sprint(problems)
	}
	const connections = `connections: {provider: "http", url: "https://connections.example/at?region=north"}`
	for _, fine := range []string{"{}", "{" + connections + "}", "{" + connections + `}, address: register: provider: "pdok"`,
		"{" + connections + `}, address: register: {provider: "pdok", url: "https://register.example/v3_1"}`} {
		require.NotRegexp(t, `modules\.(move|address)`, vet(fine), fine)
	}
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
		out := vet(invalid)
		require.Contains(t, out, "acme/label.cue:", invalid)
		require.Contains(t, out, "modules."+field, invalid)
	}
}
