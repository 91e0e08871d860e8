package portal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

func TestPages(t *testing.T) {
	t.Parallel()
	storetest.EachConfig(t, func(t *testing.T, db store.Config) {
		s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Store: &db, Labels: []apptest.Label{
			{Key: "alpha", CUE: `
				modules: probe: greeting: "dag"
				privacy_and_cookie_url: "/pages/terms"
				pages: [
					{slug: "terms", title: {nl: "Voorwaarden", en: "Terms"}},
					{slug: "members", title: {nl: "Leden", en: "Members"}, public: false, place: "menu"},
				]`, Files: map[string]string{
				"pages/terms.nl.md": "## Je contract\n", "pages/terms.en.md": "## Your contract\n",
				"pages/members.nl.md": "Geheim\n", "pages/members.en.md": "Secret\n"}},
			{Key: "beta", CUE: `modules: probe: greeting: "hoi"`}}})
		get := func(host, slug, bearer string, header map[string]string) apptest.Answer {
			return s.Do(apptest.Call{Host: host, Path: "/pages/" + slug, Bearer: bearer, Header: header})
		}
		t.Run("9-label-pages,7-public-calls", func(t *testing.T) {
			a := get("alpha.localhost", "terms", "", nil)
			require.Equal(t, 200, a.Status, string(a.Body))
			require.JSONEq(t, `{"slug":"terms","locale":"nl","title":"Voorwaarden","html":"<h2 id=\"p-je-contract\">Je contract</h2>"}`,
				string(a.Body))
			a = get("alpha.localhost", "terms", "", map[string]string{"Accept-Language": "en"})
			require.Equal(t, "Terms", fields(t, a)["title"])
			require.Contains(t, a.Header.Get("Vary"), "Accept-Language")
			for host, slug := range map[string]string{"alpha.localhost": "nowhere", "beta.localhost": "terms"} {
				a = get(host, slug, "", nil)
				require.Equal(t, []any{404, "not_found"}, []any{a.Status, a.Code()}, "%s %s", host, slug)
			}
			a = get("alpha.localhost", "members", "", nil)
			require.Equal(t, []any{401, "unauthorized"}, []any{a.Status, a.Code()})
			require.NotContains(t, string(a.Body), "Geheim")
			for _, token := range []string{s.Customer("alpha", "r-1"), s.Staff("alpha"), s.Impersonator("alpha", "r-1")} {
				a = get("alpha.localhost", "members", token, nil)
				require.Equal(t, 200, a.Status, string(a.Body))
				require.Contains(t, string(a.Body), "Geheim")
				require.Equal(t, "private, no-cache", a.Header.Get("Cache-Control"))
			}
			require.NotEqual(t, 200, get("alpha.localhost", "members", s.Customer("beta", "r-2"), nil).Status, "a session of another label")
			m := fields(t, s.Do(apptest.Call{Path: "/portal"}))
			require.Equal(t, []any{
				map[string]any{"slug": "terms", "title": map[string]any{"nl": "Voorwaarden", "en": "Terms"}, "public": true, "place": "footer"},
				map[string]any{"slug": "members", "title": map[string]any{"nl": "Leden", "en": "Members"}, "public": false, "place": "menu"},
			}, m["pages"])
			require.Equal(t, "/pages/terms", m["label"].(map[string]any)["privacy_url"])
			require.Equal(t, s.Labels.ByKey("alpha").URL+"/pages/terms", fields(t,
				s.Do(apptest.Call{Path: "/labels/key?domain=alpha.localhost"}))["privacy_and_cookie_url"],
				"other clients get an address")
		})
		t.Run("9-label-pages-live", func(t *testing.T) {
			nl := get("alpha.localhost", "terms", "", nil)
			en := get("alpha.localhost", "terms", "", map[string]string{"Accept-Language": "en"})
			require.NotEmpty(t, nl.Header.Get("ETag"))
			require.NotEqual(t, nl.Header.Get("ETag"), en.Header.Get("ETag"))
			a := get("alpha.localhost", "terms", "", map[string]string{"If-None-Match": nl.Header.Get("ETag")})
			require.Equal(t, 304, a.Status)
			require.Empty(t, a.Body)
			require.Equal(t, 200, get("alpha.localhost", "terms", "", map[string]string{"If-None-Match": en.Header.Get("ETag")}).Status)
		})
	})
}
