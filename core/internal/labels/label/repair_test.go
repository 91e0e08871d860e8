package label

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var styled = Fragment{Module: "styled", Source: `#Settings: {
	color: *"red" | "green" | "blue"
	name?: string
	api_secret?: =~"^[A-Z_]+$"
	limit: int | *3
}`}

// problemsOf returns the problems of a label, one per line.
func problemsOf(t *testing.T, more string, files map[string]string) []string {
	t.Helper()
	dir := folder(t, map[string]string{"acme": more})
	for name, text := range files {
		put(t, dir, "acme/"+name, text)
	}
	ps, err := Vet(dir, []Fragment{account, market, styled}, nil)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(texts(ps), "\n"), "\n")
}

func TestDidYouMean(t *testing.T) {
	t.Run("11-vet-did-you-mean", func(t *testing.T) {
		for more, want := range map[string]string{
			`style: primary_colour: "#0b7a3b"`: "acme/label.cue:6:8: style.primary_colour: there is no such field; did you mean primary_color?",
			`style: dencity: "compact"`:        "acme/label.cue:6:8: style.dencity: there is no such field; did you mean density?",
			`modules: acount: {}`:              "acme/label.cue:6:10: modules.acount: there is no module acount; did you mean account?",
			`modules: styled: colour: "red"`:   "modules.styled.colour: there is no such field; did you mean color?",
			`kindd: "customer"`:                "kindd: there is no such field; did you mean kind?",
			`style: density: "compat"`:         "style.density: must be normal, compact or roomy; did you mean compact?",
			`kind: "custommer"`:                "kind: must be customer or participant; did you mean customer?",
			`modules: styled: color: "gren"`:   "modules.styled.color: must be red, green or blue; did you mean green?",
			`modules: styled: color: "purple"`: "modules.styled.color: must be red, green or blue",
			`slots: hme: hide: []`:             "slots.hme: there is no such field; did you mean home?",
		} {
			got := problemsOf(t, more, nil)
			require.True(t, slices.ContainsFunc(got, func(p string) bool { return strings.HasSuffix(p, want) }), "%s: %s", more, got)
			require.Len(t, got, 1, more)
		}
	})
	t.Run("11-vet-quotes", func(t *testing.T) {
		for more, want := range map[string]string{
			`modules: styled: name: 12`:            `modules.styled.name: must be text in quotes; put it in quotes: "12"`,
			`modules: styled: name: true`:          `modules.styled.name: must be text in quotes; put it in quotes: "true"`,
			`modules: styled: name: 1.50`:          `modules.styled.name: must be text in quotes; put it in quotes: "1.50"`,
			`style: logo: 3`:                       `style.logo: must be the name of an .svg file in assets/; put it in quotes: "3"`,
			`modules: styled: api_secret: 1234567`: `modules.styled.api_secret: does not fit; put it in quotes`,
			`modules: styled: limit: "3"`:          `modules.styled.limit: must be a whole number`,
			`kind: customer`:                       `kind: reference "customer" not found; a text stands in quotes`,
		} {
			got := strings.Join(problemsOf(t, more, nil), "\n")
			require.True(t, strings.HasSuffix(got, want), "%s: %s", more, got)
			require.NotContains(t, got, "1234567")
		}
		dir := folder(t, nil)
		put(t, dir, "3001/label.cue", strings.Replace(source("3001", ""), `label_key: "3001"`, "label_key: 3001", 1))
		ps, err := Vet(dir, fragments, nil)
		require.NoError(t, err)
		require.Contains(t, texts(ps),
			`3001/label.cue:1:12: label_key: must be the folder name: lower case letters, digits and hyphens; put it in quotes: "3001"`)
	})
}

func TestAllMistakes(t *testing.T) {
	t.Run("11-vet-json", func(t *testing.T) {
		got := problemsOf(t, "zone: \"Mars\"", map[string]string{"messages/nl.json": "{\n  \"account.title\": \"Hallo\",\n}\n"})
		require.Equal(t, []string{`acme/label.cue:6:1: zone: "Mars" is not a time zone such as Europe/Amsterdam`,
			"acme/messages/nl.json:3:1: is not valid JSON: there is a comma after the last entry"}, got)
	})
	t.Run("11-vet-all-mistakes", func(t *testing.T) {
		for _, c := range []struct {
			more string
			want []string // the beginnings of all problems, in any order
		}{
			// a misspelled field, an invalid value, a missing file, a zone, a module that is missing
			{`style: {dencity: "compat", corner_radius: 99, logo: "gone.svg"}
zone: "Mars"
modules: market: days: 0`, []string{
				"style.dencity: there is no such field; did you mean density?",
				"style.density: must be normal, compact or roomy; did you mean compact?",
				"style.corner_radius: must be a whole number of pixels from 0 to 24",
				"style.logo: assets/gone.svg is not there",
				`zone: "Mars" is not a time zone`,
				"modules.market.days: ",
			}},
			// the contrast of a misspelled color is that of the color that was meant
			{`style: primary_colour_text_color: "#0b7a3c"`, []string{
				"style.primary_colour_text_color: there is no such field; did you mean primary_color_text_color?",
				"style.primary_color_text_color: text on a button: #0b7a3c on #0b7a3b has a contrast of 1.",
				"style.primary_color_text_color: text on a button under the mouse: ",
				"style.primary_color_text_color: text on a pressed button: ",
				"style.email_button_text_color: text on the button in e-mails: ",
			}},
			// nothing follows from a color that is left out
			{`style: {nonsense: "#000000", dencity: "compact"}`, []string{
				"style.nonsense: there is no such field; there are: ",
				"style.dencity: there is no such field; did you mean density?",
			}},
			// a misspelled module is switched on, with what it requires
			{`modules: markt: days: 500
changes: auto: "market.offer": "20s"`, []string{
				"modules.markt: there is no module markt; did you mean market?",
				"modules.market.days: ",
			}},
			// an unknown module is not reported again where it is used
			{`modules: faraway: {}
slots: home: hide: ["faraway.panel"]
landing: "nowhere"`, []string{
				"modules.faraway: there is no module faraway; there are: account, market, styled",
				"landing: must be the path of a main menu item",
			}},
			// a required field in a group that is left out
			{`migrated: {url: "http://x.nl"}
pages: [{slug: "Terms", title: {nl: "a", en: "b"}}]
privacy_and_cookie_url: "/pages/terms"`, []string{
				"migrated.name: is missing",
				"migrated.url: must be an address that begins with https://",
				"pages.0.slug: must be lower case letters",
			}},
			// values that do not fit together
			{`identity: provider: "cognito"
promos: [{name: "a", from: "2026-02-01", until: "2026-01-01", title: {nl: "a", en: "b"}}]`, []string{
				"identity.region: is missing", "identity.user_pool_id: is missing", "identity.client_id: is missing",
				"promos.0.until: 2026-01-01 is before 2026-02-01, the first day",
			}},
		} {
			got := problemsOf(t, c.more, nil)
			for _, want := range c.want {
				require.True(t, slices.ContainsFunc(got, func(p string) bool { return strings.Contains(p, ": "+want) }), "%s\n%s\n%s", c.more, want,
					strings.Join(got, "\n"))
			}
			require.Len(t, got, len(c.want), "%s\n%s", c.more, strings.Join(got, "\n"))
			for _, p := range got {
				require.Regexp(t, `^acme/label\.cue:[1-9][0-9]*:[1-9][0-9]*: `, p)
			}
		}
	})
	t.Run("11-vet-all-mistakes", func(t *testing.T) { // of settings that a label cannot be without
		dir := folder(t, map[string]string{"acme": ""})
		put(t, dir, "acme/label.cue", strings.NewReplacer("https://mijn.acme.example", "nonsense", `"acme.localhost"`, `"a/b"`, "010 234 56 78",
			"none", "#0b7a3b", "red", `page_title: "T"`, `pagetitle: "T", logo: "gone.svg"`).Replace(source("acme", `zone: "Mars"`)))
		ps, err := Vet(dir, fragments, nil)
		require.NoError(t, err)
		for _, want := range []string{"2:6: url: must be https://", "3:16: hosts.0.name: must be a host name", "phone_number: must be a phone number",
			"style.primary_color: must be a colour", "style.pagetitle: there is no such field; did you mean page_title?",
			"style.logo: assets/gone.svg is not there", `zone: "Mars" is not a time zone`} {
			require.Contains(t, texts(ps), want)
		}
		require.NotContains(t, texts(ps), "contrast")
	})
	t.Run("a label with mistakes is not served", func(t *testing.T) {
		dir := folder(t, map[string]string{"acme": `style: dencity: "compact"`})
		require.Nil(t, open(t, dir).ByKey("acme"))
		require.Len(t, open(t, dir).Problems(), 1)
	})
}

func TestLeaveOut(t *testing.T) {
	data := func() map[string]any {
		return map[string]any{"a": map[string]any{"b": "c"}, "l": []any{map[string]any{"x": "y"}, "z"}}
	}
	for path, want := range map[string]string{"a.b": "a.b", "a.c": "a", "a.b.c": "a.b", "l.0.x": "l.0.x", "l.0.q": "l", "l.1": "l", "l.7.x": "l",
		"q": "", "q.r": ""} {
		d := data()
		require.Equal(t, want, strings.Join(leaveOut(d, strings.Split(path, ".")), "."), path)
		if want != "" {
			require.NotEqual(t, data(), d, path)
		}
	}
}
