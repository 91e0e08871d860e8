package label

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cut contains module address, which was split off from module move.
var cut = []Fragment{
	{Module: "address", Source: `#Settings: register: {
	provider: "embedded" | "pdok" | *"embedded"
	url: string | *"https://register.example"
} @formerly("move.register")`},
	{Module: "move", Needs: []string{"address"}, Source: `#Settings: {
	register?: {provider?: "embedded" | "pdok", url?: string} @moved("address.register")
	connections: {
		provider: "embedded" | "http" | *"embedded"
	}
}
#Together: {
	address: {register: {provider: string, ...}, ...}
	move: {...}
	if address.register.provider == "pdok" {
		move: {connections: {provider: "http" @say("\"http\" with the national register"), ...}, ...}
	}
	...
}`},
	{Module: "onboarding", Needs: []string{"move"}, Source: `#Settings: on: bool | *true`},
}

func vetCut(t *testing.T, fragments []Fragment, modules string) (*Label, []Problem) {
	t.Helper()
	sc, err := compose(fragments)
	require.NoError(t, err)
	dir := folder(t, map[string]string{"acme": modules})
	k := sc.compiler().compile(dir, "acme")
	return k.label, k.problems
}

func TestNeededModules(t *testing.T) {
	t.Run("9-needed-modules", func(t *testing.T) {
		l, ps := vetCut(t, cut, "modules: onboarding: {}")
		require.Empty(t, texts(ps))
		require.JSONEq(t, `{"connections":{"provider":"embedded"}}`, string(l.Settings["move"].Raw))
		require.JSONEq(t, `{"register":{"provider":"embedded","url":"https://register.example"}}`, string(l.Settings["address"].Raw))
		l, ps = vetCut(t, cut, "modules: {move: {}, address: register: url: \"https://own.example\"}")
		require.Empty(t, texts(ps))
		require.Contains(t, string(l.Settings["address"].Raw), "https://own.example")
		require.NotContains(t, l.Settings, "onboarding")
		l, ps = vetCut(t, cut, "modules: address: {}")
		require.Empty(t, texts(ps))
		require.NotContains(t, l.Modules, "move", "nothing needs it")
		l, ps = vetCut(t, append([]Fragment{{Module: "address", Absent: true}}, cut[1:]...), "modules: move: {}")
		require.NotNil(t, l, texts(ps))
		require.Equal(t, []string{"address"}, l.Missing, "its plugin does not run")
		_, ps = vetCut(t, cut[1:], "modules: move: {}")
		require.Contains(t, texts(ps), "modules.move: needs the module address, which is not there")
	})
}

func TestSettingsThatMoved(t *testing.T) {
	t.Run("9-settings-moved", func(t *testing.T) {
		const http = "connections: provider: \"http\""
		l, ps := vetCut(t, cut, "modules: move: {register: provider: \"pdok\", "+http+"}")
		require.NotNil(t, l, texts(ps))
		require.JSONEq(t, `{"register":{"provider":"pdok","url":"https://register.example"}}`, string(l.Settings["address"].Raw))
		require.JSONEq(t, `{"connections":{"provider":"http"}}`, string(l.Settings["move"].Raw), "it is the other module's")
		require.Len(t, ps, 1)
		assert.Equal(t, StateMoved, ps[0].State)
		assert.Equal(t, `acme/label.cue:6:17: modules.move.register: is read here for this release only; write instead: modules: address: register: {"provider":"pdok"}`, ps[0].String())

		l, ps = vetCut(t, cut, "modules: {move: register: provider: \"pdok\", address: register: provider: \"embedded\"}")
		require.NotNil(t, l, texts(ps))
		require.Contains(t, string(l.Settings["address"].Raw), `"provider":"embedded"`, "the setting at its own path takes precedence")
		require.Contains(t, texts(ps), "is not read any more")

		previous := Fragment{Module: "move", Source: `#Settings: register: {provider: *"embedded" | "pdok", url: *"https://register.example" | string}`}
		l, ps = vetCut(t, []Fragment{cut[0], previous}, "modules: {move: register: provider: \"pdok\", address: {}}")
		require.Empty(t, texts(ps), "a plugin of the release before")
		require.Contains(t, string(l.Settings["address"].Raw), `"provider":"pdok"`)
		require.Contains(t, string(l.Settings["move"].Raw), `"provider":"pdok"`)

		for _, alone := range []string{`modules: {move: {}, address: register: provider: "pdok"}`, `modules: move: register: provider: "pdok"`,
			`modules: {move: connections: provider: "embedded", address: register: provider: "pdok"}`} {
			l, ps = vetCut(t, cut, alone)
			require.Nil(t, l)
			require.Contains(t, texts(ps), `modules.move.connections.provider: must be "http" with the national register`, alone)
		}
	})
}
