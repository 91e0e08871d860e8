package portal_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/module"
)

// The response contains the promo for today on the server's clock, with or without a session.
func TestPromo(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Modules: []module.Module{apptest.Probe}, Labels: []apptest.Label{
		{Key: "alpha", CUE: `promos: [
			{name: "advent", from: "2026-12-05", until: "2026-12-06", title: {nl: "Advent", en: "Advent"}, slots: ["account"]},
			{name: "winter", from: "2026-12-01", until: "2026-12-31", title: {nl: "Winter", en: "Winter!"}, text: {nl: "Koud", en: "Cold"},
				picture: "logo.svg", link: {to: "/probe", text: {nl: "Lees meer", en: "Read more"}}, slots: ["dashboard", "home"]},
		]`},
		{Key: "beta"},
	}})
	t.Run("9-promo-dates", func(t *testing.T) {
		promo := func(c apptest.Call) any {
			c.Path = "/portal"
			a := s.Do(c)
			for _, name := range []string{"advent", "winter"} {
				shown := fields(t, a)["label"].(map[string]any)["promo"]
				require.Equal(t, shown != nil && shown.(map[string]any)["name"] == name, strings.Contains(string(a.Body), `"`+name+`"`),
					"the answer has no other promo")
			}
			return fields(t, a)["label"].(map[string]any)["promo"]
		}
		require.Nil(t, promo(apptest.Call{}), "2026-11-20")
		s.Clock.Set(time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)) // midnight in Amsterdam
		url := s.Labels.ByKey("alpha").PictureURLs("promo")["winter"]
		winter := map[string]any{"name": "winter", "title": map[string]any{"nl": "Winter", "en": "Winter!"},
			"text": map[string]any{"nl": "Koud", "en": "Cold"}, "picture": url,
			"link":  map[string]any{"to": "/probe", "text": map[string]any{"nl": "Lees meer", "en": "Read more"}},
			"slots": []any{"dashboard", "home"}}
		require.Equal(t, winter, promo(apptest.Call{}))
		require.Equal(t, winter, promo(apptest.Call{Bearer: s.Customer("alpha", "r1")}))
		require.Nil(t, promo(apptest.Call{Host: "beta.localhost"}))
		a := s.Do(apptest.Call{Path: strings.TrimPrefix(url, "/api/v0")})
		require.Equal(t, []any{200, "image/svg+xml"}, []any{a.Status, a.Header.Get("Content-Type")})
		s.Clock.Set(time.Date(2026, 12, 5, 12, 0, 0, 0, time.UTC))
		require.Equal(t, map[string]any{"name": "advent", "title": map[string]any{"nl": "Advent", "en": "Advent"}, "picture": nil, "link": nil,
			"slots": []any{"account"}}, promo(apptest.Call{}))
		s.Clock.Set(time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC))
		require.Nil(t, promo(apptest.Call{}))
	})
}
