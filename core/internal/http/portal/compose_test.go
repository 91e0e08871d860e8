package portal

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/http/assets"
	"github.com/wattle-portal/wattle/core/internal/modules/contract"
)

func front(manifests map[string]string) *assets.Front {
	f := &assets.Front{Remotes: map[string]assets.Remote{}}
	for key, m := range manifests {
		f.Remotes[key] = assets.Remote{Entry: "/assets/" + key + "/1/entry.js", Manifest: json.RawMessage(m)}
	}
	return f
}

func TestConflictingRemotesAreLeftOut(t *testing.T) {
	good := `{"contract":1,"routes":[{"path":"/account/:id"}],"overlays":[{"name":"edit"}],"titles":{"nl":{"account.t":"x"},"en":{"account.t":"x"}}}`
	rowsOf := map[string]string{"public": "2.4-public-declared/", "group": "9-offer-group/", "groups": "9-offer-group/",
		"slot": "9-offer-slot/", "audience": "9-offer-slot/", "contract": "10-contract-former/", "contract of before": "10-contract-former/"}
	for name, c := range map[string]struct{ manifest, problem string }{
		"path":               {`{"contract":1,"routes":[{"path":"/account/:other"}]}`, "path /account/: already belongs to remote account"},
		"overlay":            {`{"contract":1,"overlays":[{"name":"edit"}]}`, "overlay edit already belongs to remote account"},
		"message":            {`{"contract":1,"titles":{"nl":{"account.t":"x"}}}`, "message account.t does not begin with billing."},
		"twice":              {`{"contract":1,"routes":[{"path":"/a"},{"path":"/a/"}]}`, "path /a is declared twice"},
		"contract":           {`{"contract":2}`, "it was built for contract 2, this portal supports 1"},
		"contract of before": {`{"contract":0}`, "it was built for contract 0, this portal supports 1"},
		"public": {`{"contract":1,"routes":[{"path":"/Dashboard/","access":"public"}]}`,
			"path /Dashboard/ is the portal's own and cannot be public"},
		"group":  {`{"contract":1,"groups":[{"id":"account.heat"}]}`, "group account.heat does not begin with billing."},
		"groups": {`{"contract":1,"groups":[{"id":"billing.heat"},{"id":"billing.heat"}]}`, "group billing.heat is declared twice"},
		"slot":   {`{"contract":1,"offers":{"dashboard":{"description":"x"}}}`, "slot dashboard does not begin with billing."},
		"audience": {`{"contract":1,"offers":{"billing.bill":{"access":"public"}}}`,
			`slot billing.bill is for "public", which is neither customer nor staff`},
		"junk": {`{`, "its remote.json cannot be read: unexpected end of JSON input"},
	} {
		t.Run(rowsOf[name]+name, func(t *testing.T) {
			c2 := compose([]string{"account", "billing", "usage"}, nil,
				front(map[string]string{"account": good, "billing": c.manifest, "usage": `{"contract":1}`}))
			require.Equal(t, []string{"remote billing is left out: " + c.problem}, c2.problems)
			require.Len(t, c2.remotes, 2, "the other remotes are kept")
		})
	}
	t.Run("2.4-public-declared", func(t *testing.T) {
		for path, own := range map[string]bool{"/": true, "/dashboard": true, "/Home": true, "/notfound/": true, "/dashboards": false,
			"/dashboard/open": false, "/brochure": false} {
			declared := func(access string) []string {
				m := fmt.Sprintf(`{"contract":1,"routes":[{"path":%q,"access":%q}]}`, path, access)
				return compose([]string{"billing"}, nil, front(map[string]string{"billing": m})).problems
			}
			if own {
				want := "remote billing is left out: path " + path + " is the portal's own and cannot be public"
				require.Equal(t, []string{want}, declared("public"))
			} else {
				require.Empty(t, declared("public"), path)
			}
			require.Empty(t, declared("customer"), path)
		}
	})
	t.Run("9-offer-slot,9-offer-group,2.4-public-declared", func(t *testing.T) {
		offer := `{"contract":1,"groups":[{"id":"billing.heat"}],"offers":{"billing.bill":{"description":"x","access":"staff"}},"routes":[{"path":"/brochure/:year","access":"public"}]}`
		c := compose([]string{"billing"}, nil, front(map[string]string{"billing": offer}))
		require.Empty(t, c.problems)
		require.JSONEq(t, offer, string(c.remotes[0].Manifest), "the browser gets what the remote declares")
	})
	t.Run("10-contract-former", func(t *testing.T) {
		for portal, runs := range map[contract.Version]string{1: "1", 2: "1 and 2", 3: "2 and 3"} {
			for built := range 6 {
				why := checkClaims(portal, "a", json.RawMessage(fmt.Sprintf(`{"contract":%d}`, built)), map[string]string{})
				if built > 0 && (built == int(portal) || built == int(portal)-1) {
					require.Empty(t, why)
				} else {
					require.Equal(t, fmt.Sprintf("it was built for contract %d, this portal supports %s", built, runs), why)
				}
			}
		}
	})
	ok := compose([]string{"account", "api-only"}, nil, front(map[string]string{"account": good, "elsewhere": good}))
	require.Empty(t, ok.problems)
	require.Equal(t, []Remote{{"account", "/assets/account/1/entry.js", json.RawMessage(good)}}, ok.remotes)

	// a build with versions of plugins has a hash of its own, so that open pages notice another version
	built := front(map[string]string{"billing": good})
	built.Build = "b1"
	require.Equal(t, "b1", compose([]string{"billing"}, nil, built).build)
	one, two := compose([]string{"billing"}, map[string]string{"billing": "1.0.0"}, built), compose([]string{"billing"},
		map[string]string{"billing": "1.0.1"}, built)
	require.Regexp(t, `^b1-[0-9a-f]{12}$`, one.build)
	require.Regexp(t, `^b1-[0-9a-f]{12}$`, two.build)
	require.NotEqual(t, one.build, two.build)
	require.Empty(t, compose([]string{"billing"}, map[string]string{"billing": "1.0.0"}, front(nil)).build, "a program without a front end")
}

// A remote is compared with the others, not with the version of itself that it replaces.
func TestConflict(t *testing.T) {
	manifest := func(path string) json.RawMessage {
		return json.RawMessage(`{"contract":1,"routes":[{"path":"` + path + `"}]}`)
	}
	others := map[string]json.RawMessage{"account": manifest("/account"), "billing": manifest("/invoices")}
	require.Empty(t, Conflict("billing", manifest("/invoices"), others))
	require.Equal(t, "path /account already belongs to remote account", Conflict("billing", manifest("/account"), others))
}
