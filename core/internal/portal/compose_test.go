package portal

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/assets"
)

func front(manifests map[string]string) *assets.Front {
	f := &assets.Front{Remotes: map[string]assets.Remote{}}
	for key, m := range manifests {
		f.Remotes[key] = assets.Remote{Entry: "/assets/" + key + "/1/entry.js", Manifest: json.RawMessage(m)}
	}
	return f
}

func TestRemotesThatClash(t *testing.T) {
	good := `{"contract":1,"routes":[{"path":"/account/:id"}],"overlays":[{"name":"edit"}],"titles":{"nl":{"account.t":"x"},"en":{"account.t":"x"}}}`
	for name, c := range map[string]struct{ manifest, problem string }{
		"path":     {`{"contract":1,"routes":[{"path":"/account/:other"}]}`, "path /account/: is already of remote account"},
		"overlay":  {`{"contract":1,"overlays":[{"name":"edit"}]}`, "overlay edit is already of remote account"},
		"message":  {`{"contract":1,"titles":{"nl":{"account.t":"x"}}}`, "message account.t does not begin with billing."},
		"twice":    {`{"contract":1,"routes":[{"path":"/a"},{"path":"/a/"}]}`, "path /a is declared twice"},
		"contract": {`{"contract":2}`, "it was built for contract 2, this portal speaks 1"},
		"junk":     {`{`, "its remote.json cannot be read: unexpected end of JSON input"},
	} {
		t.Run(name, func(t *testing.T) {
			c2 := compose([]string{"account", "billing", "usage"}, front(map[string]string{"account": good, "billing": c.manifest, "usage": `{"contract":1}`}))
			require.Equal(t, []string{"remote billing is left out: " + c.problem}, c2.problems)
			require.Len(t, c2.remotes, 2, "the others go on")
		})
	}
	ok := compose([]string{"account", "api-only"}, front(map[string]string{"account": good, "elsewhere": good}))
	require.Empty(t, ok.problems)
	require.Equal(t, []Remote{{"account", "/assets/account/1/entry.js", json.RawMessage(good)}}, ok.remotes)
}
