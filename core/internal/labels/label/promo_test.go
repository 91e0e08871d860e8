package label

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func promoCUE(name, from, until, more string) string {
	return `{name: "` + name + `", from: "` + from + `", until: "` + until + `", title: {nl: "Titel", en: "Title"}` + more + `}`
}

func TestPromos(t *testing.T) {
	t.Run("9-promo-dates", func(t *testing.T) {
		t.Run("of the day in the label's time zone, the first one, first and last day included", func(t *testing.T) {
			l := open(t, folder(t, map[string]string{"acme": "promos: [" +
				promoCUE("short", "2026-12-05", "2026-12-06", "") + "," +
				promoCUE("long", "2026-12-01", "2026-12-31", ", slots: [\"home\", \"account\"]") + "," +
				promoCUE("same", "2027-03-28", "2027-03-28", "") + "]"})).ByKey("acme")
			require.NotNil(t, l)
			require.Equal(t, [][]string{{"dashboard"}, {"home", "account"}}, [][]string{l.Promos[0].Slots, l.Promos[1].Slots})
			for at, want := range map[string]string{
				"2026-11-30T22:59:59Z": "", "2026-11-30T23:00:00Z": "long", // midnight in Amsterdam
				"2026-12-04T22:59:59Z": "long", "2026-12-04T23:00:00Z": "short", "2026-12-06T22:59:59Z": "short", "2026-12-06T23:00:00Z": "long",
				"2026-12-31T22:59:59Z": "long", "2026-12-31T23:00:00Z": "",
				"2027-03-27T23:00:00Z": "same", "2027-03-28T21:59:59Z": "same", "2027-03-28T22:00:00Z": "", // a day of 23 hours
			} {
				now, err := time.Parse(time.RFC3339, at)
				require.NoError(t, err)
				got := ""
				if p := l.Promo(now); p != nil {
					got = p.Name
				}
				require.Equal(t, want, got, at)
			}
			other := open(t, folder(t, map[string]string{"acme": "zone: \"America/Curacao\"\npromos: [" +
				promoCUE("one", "2026-12-01", "2026-12-01", "") + "]"})).ByKey("acme")
			require.Nil(t, other.Promo(time.Date(2026, 12, 1, 3, 59, 59, 0, time.UTC)))
			require.NotNil(t, other.Promo(time.Date(2026, 12, 2, 3, 59, 59, 0, time.UTC)))
		})
		t.Run("what is refused", func(t *testing.T) {
			good := promoCUE("winter", "2026-12-01", "2026-12-31", "")
			for promos, want := range map[string]string{
				good: "",
				promoCUE("winter", "2026-12-02", "2026-12-01", ""): "promos.0.until: 2026-12-01 is before 2026-12-02, the first day",
				promoCUE("winter", "2026-02-29", "2026-12-01", ""): "promos.0.from",
				promoCUE("winter", "1-12-2026", "2026-12-01", ""):  "promos.0.from",
				good + "," + good: "promos.1.name: winter is listed twice",
				promoCUE("Winter sale", "2026-12-01", "2026-12-31", ""):                         "promos.0.name",
				promoCUE("winter", "2026-12-01", "2026-12-31", `, slots: ["invoices"]`):         "promos.0.slots",
				promoCUE("winter", "2026-12-01", "2026-12-31", `, slots: []`):                   "promos.0.slots",
				promoCUE("winter", "2026-12-01", "2026-12-31", `, text: nl: "Alleen dit"`):      "promos.0.text.en",
				promoCUE("winter", "2026-12-01", "2026-12-31", `, picture: "gone.svg"`):         "promos.0.picture: assets/gone.svg is not there",
				promoCUE("winter", "2026-12-01", "2026-12-31", `, picture: "logo.gif"`):         "promos.0.picture",
				promoCUE("winter", "2026-12-01", "2026-12-31", link("https://www.acme.nl/a?b")): "",
				promoCUE("winter", "2026-12-01", "2026-12-31", link("/pages/terms")):            "promos.0.link.to: the label has no page terms",
				promoCUE("winter", "2026-12-01", "2026-12-31", link("http://www.acme.nl")):      "promos.0.link.to",
				promoCUE("winter", "2026-12-01", "2026-12-31", link("//www.acme.nl")):           "promos.0.link.to",
				promoCUE("winter", "2026-12-01", "2026-12-31", link("javascript:alert(1)")):     "promos.0.link.to",
				promoCUE("winter", "2026-12-01", "2026-12-31", `, link: to: "/usage"`):          "promos.0.link.text",
				strings.Repeat(good+",", 11):                                                    "promos",
			} {
				s := open(t, folder(t, map[string]string{"acme": "promos: [" + promos + "]"}))
				if want == "" {
					require.NotNil(t, s.ByKey("acme"), texts(s.Problems()))
					continue
				}
				require.Nil(t, s.ByKey("acme"), promos)
				require.Contains(t, texts(s.Problems()), want)
				require.Contains(t, texts(s.Problems()), "acme/label.cue:6:", promos)
			}
		})
		t.Run("links to pages of modules are those of the label's portal", func(t *testing.T) {
			face := &FrontEnd{Routes: map[string][]string{"shell": {"/dashboard"}, "account": {"/account", "/account/:id"}, "market": {"/offers"}}}
			check := func(more, to, want string) {
				t.Helper()
				dir := folder(t, map[string]string{"acme": more + "\npromos: [" + promoCUE("winter", "2026-12-01", "2026-12-31", link(to)) + "]"})
				ps, err := Vet(dir, fragments, face)
				require.NoError(t, err)
				if want == "" {
					require.Empty(t, texts(ps))
				} else {
					require.Contains(t, texts(ps), want)
				}
				require.NotNil(t, open(t, dir).ByKey("acme"), "it is reported, not refused")
			}
			for _, to := range []string{"/dashboard", "/account", "/account/1", "https://www.acme.nl"} {
				check("modules: account: {}", to, "")
			}
			check("modules: account: {}", "/acount", "acme/label.cue:7:")
			check("modules: account: {}", "/acount", "promos.0.link.to: the portal of this label has no page /acount")
			check("modules: account: {}", "/offers", "the portal of this label has no page /offers") // the module of the page is off
		})
		t.Run("with its picture, which an earlier version keeps", func(t *testing.T) {
			l := open(t, folder(t, map[string]string{"acme": "promos: [" + promoCUE("winter", "2026-12-01", "2026-12-31",
				`, picture: "favicon.svg"`) + "]"})).ByKey("acme")
			require.Equal(t, map[string]string{"winter": "/api/v0/labels/acme/pictures/promo-winter?v=" + l.Assets["favicon.svg"].Hash},
				l.PictureURLs("promo"))
			a, err := l.Picture("promo-winter")
			require.NoError(t, err)
			require.Equal(t, drawing, string(a.Data))
			require.Contains(t, l.Files(), "assets/favicon.svg")
		})
	})
}

func link(to string) string {
	return `, link: {to: "` + to + `", text: {nl: "Lees meer", en: "Read more"}}`
}
