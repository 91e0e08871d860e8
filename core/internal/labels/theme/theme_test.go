package theme

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func style(primary, text string) Style {
	return Style{HeaderBG: "#ffffff", Primary: primary, PrimaryText: text, Secondary: primary, Tertiary: primary, Font: "Open Sans",
		TableRowOdd: "#ffffff", TableRowEven: "#f6f7f7", EmailButtonBG: primary, EmailButtonText: text}
}

// Conversions return known values: the WCAG examples, and OKLCH values from CSS Color 4.
func TestColorConversions(t *testing.T) {
	require.InDelta(t, 21, Contrast("#000000", "#ffffff"), 0.001)
	require.InDelta(t, 4.48, Contrast("#777777", "#ffffff"), 0.005)
	require.InDelta(t, 1, Contrast("#0b7a3b", "#0b7a3b"), 0.001)
	require.Zero(t, Contrast("#fff", "#000000"), "a colour is written in full")
	c, err := parse("#ff0000")
	require.NoError(t, err)
	l, ch, h := c.OkLch()
	require.InDelta(t, 0.628, l, 0.001)
	require.InDelta(t, 0.2577, ch, 0.001)
	require.InDelta(t, 29.23, h, 0.05)
	require.True(t, oklch(0.6, 0.4, 150).IsValid(), "chroma is reduced to sRGB")
	gl, _, gh := oklch(0.6, 0.4, 150).OkLch()
	require.InDelta(t, 0.6, gl, 0.005)
	require.InDelta(t, 150, gh, 2)
}

func TestCompute(t *testing.T) {
	s := style("#0b7a3b", "#ffffff")
	s.Secondary, s.HeaderBG = "#b7e04a", "#0b5a33"
	theme, err := Compute(s, Font{}, Font{})
	require.NoError(t, err)
	r := theme.Roles
	require.Equal(t, "#ffffff", r["on-header"])
	require.Equal(t, "#0b7a3b", r["primary"])
	require.Equal(t, "#b7e04a", r["accent"])
	require.Equal(t, "#ffffff", r["surface"])
	require.Equal(t, r["text"], r["focus"])
	require.Equal(t, "#b3261e", r["negative"])
	require.Less(t, Contrast(r["primary-hover"], "#000000"), Contrast(r["primary"], "#000000"))
	require.Less(t, Contrast(r["primary-pressed"], "#000000"), Contrast(r["primary-hover"], "#000000"))
	for _, role := range roles {
		require.Regexp(t, "^#[0-9a-f]{6}$", r[role], role)
		require.Contains(t, theme.CSS, "--w-"+role+":"+r[role]+";")
	}
	require.Len(t, r, len(roles))
	require.NotContains(t, theme.CSS, "<")

	s.HeaderBG = "#fff3e4"
	theme, err = Compute(s, Font{URL: "/api/v0/labels/x/font?v=1", Variable: true}, Font{})
	require.NoError(t, err)
	require.Equal(t, "#17211b", theme.Roles["on-header"])
	require.True(t, strings.HasPrefix(theme.CSS,
		`@font-face{font-family:"Open Sans";src:url("/api/v0/labels/x/font?v=1") format("woff2");font-weight:100 900;`))
	require.Contains(t, theme.CSS, "font-display:swap")
	require.NotContains(t, theme.CSS, "unicode-range", "one file has to do for all")

	theme, err = Compute(s, Font{URL: "/font", Extended: "/more"}, Font{})
	require.NoError(t, err)
	more, base := strings.Index(theme.CSS, `url("/more")`), strings.Index(theme.CSS, `url("/font")`)
	require.True(t, 0 < more && more < base, "the last one is asked first")
	require.Equal(t, 1, strings.Count(theme.CSS, "unicode-range:"+LatinExtended))

	s.Primary = "green"
	_, err = Compute(s, Font{}, Font{})
	require.ErrorContains(t, err, "primary_color")
	require.ErrorContains(t, err, "green")
}

func TestContrast(t *testing.T) {
	t.Run("1-contrast", func(t *testing.T) {
		found, err := Check(style("#0b7a3b", "#ffffff"))
		require.NoError(t, err)
		require.Empty(t, found)

		found, err = Check(style("#8bc34a", "#ffffff"))
		require.NoError(t, err)
		require.NotEmpty(t, found)
		f := found[0]
		require.Equal(t, "primary_color_text_color", f.Field)
		require.Equal(t, "#ffffff", f.Front)
		require.Equal(t, "#8bc34a", f.Back)
		require.InDelta(t, Contrast("#ffffff", "#8bc34a"), f.Ratio, 0.001)
		require.Contains(t, f.String(), "#ffffff on #8bc34a has a contrast of 2.10:1 and needs 4.5:1")
		require.Len(t, f.Suggestions, 2)
		for _, s := range f.Suggestions { // the suggestions pass
			field, hex, _ := strings.Cut(s, ": ")
			fixed := style("#8bc34a", "#ffffff")
			switch field {
			case "primary_color":
				fixed = style(hex, "#ffffff")
			case "primary_color_text_color":
				fixed = style("#8bc34a", hex)
			}
			second, err := Check(fixed)
			require.NoError(t, err)
			require.Empty(t, second, s)
		}

		for gray, good := range map[string]bool{"#767676": true, "#777777": false} { // contrast 4.54:1 and 4.48:1
			mail := style("#0b7a3b", "#ffffff")
			mail.EmailButtonBG = gray
			found, err = Check(mail)
			require.NoError(t, err)
			require.Equal(t, good, len(found) == 0, gray)
		}

		bold := style("#0b8a6b", "#000000") // black is readable on it, but not on the darker colors under the mouse and when pressed
		found, err = Check(bold)
		require.NoError(t, err)
		var failed []string
		for _, f := range found {
			failed = append(failed, f.What)
		}
		require.Equal(t, []string{"text on a button under the mouse", "text on a pressed button"}, failed)

		dim := style("#0b7a3b", "#ffffff")
		dim.HeaderBG = "#7c7c7c" // neither white nor nearly black is readable on it
		found, err = Check(dim)
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.Equal(t, "header_bg_color", found[0].Field)
		require.Len(t, found[0].Suggestions, 1)

		mail := style("#0b7a3b", "#ffffff")
		mail.EmailButtonBG, mail.TableRowOdd, mail.TableRowEven = "#ffd23f", "#7f8f80", "#7f8f80"
		found, err = Check(mail)
		require.NoError(t, err)
		require.Len(t, found, 3)
		require.Equal(t, "table_row_odd_color", found[0].Field)
		require.Equal(t, "table_row_even_color", found[1].Field)
		require.Equal(t, "email_button_text_color", found[2].Field)
	})
}

// A style without appearance settings keeps the default measures, with a separate rule for phones; each setting changes only its own
// measures.
func TestMeasures(t *testing.T) {
	css := func(set func(*Style)) string {
		s := style("#0b7a3b", "#ffffff")
		set(&s)
		theme, err := Compute(s, Font{}, Font{})
		require.NoError(t, err)
		_, measures, found := strings.Cut(theme.CSS, "--w-font-heading:")
		require.True(t, found)
		return measures
	}
	plain := css(func(*Style) {})
	t.Run("9-brand-optional", func(t *testing.T) {
		require.Equal(t, `"Open Sans","Open Sans Fallback",Arial;--w-radius:16px;--w-radius-control:8px;--w-radius-button:8px;--w-gap:16px;--w-pad:24px;--w-row:64px}`+
			`@media(max-width:767px){:root{--w-gap:16px;--w-pad:16px}}`, plain)
		require.Equal(t, plain, css(func(s *Style) {
			radius := DefaultRadius
			s.CornerRadius, s.ButtonShape, s.Density, s.HeaderStyle = &radius, "rounded", "normal", "plain"
		}))
	})
	t.Run("9-brand-radius", func(t *testing.T) {
		for radius, want := range map[int]string{
			0:  "--w-radius:0px;--w-radius-control:0px;--w-radius-button:0px;",
			5:  "--w-radius:5px;--w-radius-control:2px;--w-radius-button:2px;",
			24: "--w-radius:24px;--w-radius-control:12px;--w-radius-button:12px;",
		} {
			require.Contains(t, css(func(s *Style) { s.CornerRadius = &radius }), want)
		}
	})
	t.Run("9-brand-buttons", func(t *testing.T) {
		for shape, want := range map[string]string{"rounded": "8px", "pill": "999px", "square": "0px"} {
			require.Contains(t, css(func(s *Style) { s.ButtonShape = shape }), "--w-radius:16px;--w-radius-control:8px;--w-radius-button:"+want+";")
		}
	})
	t.Run("9-brand-density", func(t *testing.T) {
		require.Contains(t, css(func(s *Style) { s.Density = "compact" }),
			"--w-gap:12px;--w-pad:16px;--w-row:52px}@media(max-width:767px){:root{--w-gap:8px;--w-pad:12px}}")
		require.Contains(t, css(func(s *Style) { s.Density = "roomy" }),
			"--w-gap:24px;--w-pad:32px;--w-row:76px}@media(max-width:767px){:root{--w-gap:16px;--w-pad:24px}}")
	})
}

func TestFilledHeader(t *testing.T) {
	t.Run("9-brand-header", func(t *testing.T) {
		s := style("#0b7a3b", "#fffdf5")
		s.HeaderStyle, s.HeaderBG = Filled, "#ffffff"
		theme, err := Compute(s, Font{}, Font{})
		require.NoError(t, err)
		require.Equal(t, []string{"#0b7a3b", "#fffdf5"}, []string{theme.Roles["header"], theme.Roles["on-header"]})
		s.HeaderStyle = Centered
		theme, err = Compute(s, Font{}, Font{})
		require.NoError(t, err)
		require.Equal(t, []string{"#ffffff", "#17211b"}, []string{theme.Roles["header"], theme.Roles["on-header"]})

		s = style("#8bc34a", "#ffffff")
		s.HeaderStyle, s.HeaderBG = Filled, "#7c7c7c" // a filled header does not use this color
		found, err := Check(s)
		require.NoError(t, err)
		require.Equal(t, "text on the header", found[0].What)
		require.Equal(t, []string{"primary_color_text_color", "#ffffff", "#8bc34a"}, []string{found[0].Field, found[0].Front, found[0].Back})
		for _, f := range found {
			require.NotEqual(t, "header_bg_color", f.Field)
		}
		require.Regexp(t, "^primary_color_text_color: #", found[0].Suggestions[0])
	})
}

func TestLinkColor(t *testing.T) {
	t.Run("9-brand-link-color", func(t *testing.T) {
		s := style("#ffc21f", "#1f1c12")
		without, err := Compute(s, Font{}, Font{})
		require.NoError(t, err)
		s.Link = "#14432d"
		with, err := Compute(s, Font{}, Font{})
		require.NoError(t, err)
		require.Equal(t, []string{"#14432d", "#14432d"}, []string{with.Roles["primary-ink"], with.Roles["chart-1"]})
		for _, role := range []string{"primary", "page", "tint", "text", "line", "chart-2"} {
			require.Equal(t, without.Roles[role], with.Roles[role], role)
		}
		hueOf := func(hex string) float64 {
			c, err := parse(hex)
			require.NoError(t, err)
			_, _, h := c.OkLch()
			return h
		}
		require.NotEqual(t, s.Primary, without.Roles["primary-ink"])
		require.InDelta(t, hueOf(s.Primary), hueOf(without.Roles["primary-ink"]), 5, "the primary color, darkened")
		for role, theme := range map[string]*Theme{"without": &without, "with": &with} {
			for _, back := range []string{"page", "tint"} {
				require.GreaterOrEqual(t, Contrast(theme.Roles["primary-ink"], theme.Roles[back]), 4.5, "%s on %s", role, back)
			}
		}
		for _, own := range []string{s.Primary, s.Link} {
			for _, role := range []string{"chart-3", "chart-4"} {
				require.GreaterOrEqual(t, hueDistance(hueOf(own), hueOf(with.Roles[role])), 35.0, "%s and %s", own, role)
			}
		}
		found, err := Check(s)
		require.NoError(t, err)
		require.Empty(t, found)

		s.Link = "#7fae8f" // this color is too light for text
		found, err = Check(s)
		require.NoError(t, err)
		require.Len(t, found, 2, "on page and tint")
		for _, f := range found {
			require.Equal(t, "link_color", f.Field)
			require.Len(t, f.Suggestions, 1)
			require.Regexp(t, "^link_color: #", f.Suggestions[0])
		}
		s.Link = "green"
		_, err = Compute(s, Font{}, Font{})
		require.ErrorContains(t, err, "link_color")
	})
}

func TestHeadingFont(t *testing.T) {
	t.Run("9-brand-fonts", func(t *testing.T) {
		s := style("#0b7a3b", "#ffffff")
		s.HeadingFont = "Fraunces"
		theme, err := Compute(s, Font{}, Font{URL: "/heading", SizeAdjust: 1.1, Ascent: 0.99, Descent: 0.33})
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(theme.CSS,
			`@font-face{font-family:"Fraunces";src:url("/heading") format("woff2");font-weight:600;font-style:normal;font-display:swap}`+
				`@font-face{font-family:"Fraunces Fallback";src:local("Arial"),local("Liberation Sans");size-adjust:110.00%;ascent-override:90.00%;descent-override:30.00%;line-gap-override:0.00%;unicode-range:U+0000-00FF`), theme.CSS)
		require.Contains(t, theme.CSS, `--w-font:"Open Sans";`)
		require.Contains(t, theme.CSS, `--w-font-heading:"Fraunces","Fraunces Fallback","Open Sans","Open Sans Fallback",Arial;`,
			"other letters have the font of the text")
		theme, err = Compute(s, Font{URL: "/text"}, Font{URL: "/heading", Variable: true})
		require.NoError(t, err)
		require.Contains(t, theme.CSS, `src:url("/heading") format("woff2");font-weight:100 900;`)
		second, err := Compute(s, Font{URL: "/text"}, Font{URL: "/heading", Variable: true})
		require.NoError(t, err)
		require.Equal(t, theme.CSS, second.CSS)
	})
}

// For any color that an operator chooses, the derived colors are readable and the chart series are distinguishable.
func TestAnyColor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		primary := fmt.Sprintf("#%06x", rapid.IntRange(0, 0xffffff).Draw(t, "primary"))
		theme, err := Compute(style(primary, "#ffffff"), Font{}, Font{})
		if err != nil {
			t.Fatal(err)
		}
		r := theme.Roles
		for _, p := range [][2]string{{"primary-ink", "page"}, {"primary-ink", "tint"}, {"primary-ink", "surface"}, {"text", "page"},
			{"text", "tint-strong"},
			{"text-quiet", "page"}, {"text-quiet", "tint"}, {"positive", "positive-tint"}, {"warning", "warning-tint"},
			{"negative", "negative-tint"}} {
			if c := Contrast(r[p[0]], r[p[1]]); c < 4.5 {
				t.Fatalf("%s %s on %s %s: %.2f", p[0], r[p[0]], p[1], r[p[1]], c)
			}
		}
		if c := Contrast(r["control-line"], r["page"]); c < 3 {
			t.Fatalf("control-line: %.2f", c)
		}
		for i := 1; i <= 6; i++ {
			for j := i + 1; j <= 6; j++ {
				a, _ := parse(r[fmt.Sprint("chart-", i)])
				b, _ := parse(r[fmt.Sprint("chart-", j)])
				if d := distance(a, b); d < 0.045 {
					t.Fatalf("chart-%d %s and chart-%d %s are %.3f apart", i, a.hex(), j, b.hex(), d)
				}
			}
		}
		if text := TextOn(primary); text != "" {
			found, err := Check(style(primary, text))
			if err != nil || len(found) > 0 {
				t.Fatal(err, found)
			}
		}
	})
}

func TestComparisonColor(t *testing.T) {
	t.Run("9-charts-comparison-contrast", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			primary := fmt.Sprintf("#%06x", rapid.OneOf(rapid.IntRange(0, 0xffffff),
				rapid.Map(rapid.IntRange(0, 0xff), func(gray int) int { return gray * 0x010101 })).Draw(t, "primary"))
			theme, err := Compute(style(primary, "#ffffff"), Font{}, Font{})
			if err != nil {
				t.Fatal(err)
			}
			for _, back := range []string{"surface", "page", "tint"} {
				if c := Contrast(theme.Roles["chart-5"], theme.Roles[back]); c < 3 {
					t.Fatalf("last year %s on %s %s: %.2f", theme.Roles["chart-5"], back, theme.Roles[back], c)
				}
			}
		})
	})
}

func TestHueDistance(t *testing.T) {
	require.InDelta(t, 20, hueDistance(350, 10), 0.001)
	require.InDelta(t, 40, hueDistance(250, 210), 0.001)
	require.False(t, math.IsNaN(hueDistance(0, 0)))
}
