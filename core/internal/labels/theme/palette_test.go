package theme

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/palettes.json")

// A brand's derived colors and the findings about them are those of testdata/palettes.json: a change of the derivation changes the look of
// every label, and must be intended. Styles: dark and light brand colors, a link color, gray, and colors with too little contrast.
func TestPalettes(t *testing.T) {
	type palette struct {
		Primary, Text, Link, Header, Row string
		Roles                            map[string]string
		Findings                         []Finding
	}
	const file = "testdata/palettes.json"
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	var kept, computed []palette
	require.NoError(t, json.Unmarshal(raw, &kept))
	require.NotEmpty(t, kept)
	for _, k := range kept {
		s := style(k.Primary, k.Text)
		s.Link, s.HeaderBG, s.TableRowOdd = k.Link, k.Header, k.Row
		theme, err := Compute(s, Font{}, Font{})
		require.NoError(t, err)
		k.Roles = theme.Roles
		k.Findings, err = Check(s)
		require.NoError(t, err)
		computed = append(computed, k)
	}
	got, err := json.MarshalIndent(computed, "", "  ")
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(file, append(got, '\n'), 0o600))
		return
	}
	require.JSONEq(t, string(raw), string(got), "go test -update writes the file")
}

func TestOver(t *testing.T) {
	front, back := "#102030", "#405060"
	f, err := parse(front)
	require.NoError(t, err)
	b, err := parse(back)
	require.NoError(t, err)
	require.Equal(t, front, f.over(1, b).hex())
	require.Equal(t, back, f.over(0, b).hex())
	require.Equal(t, "#344454", f.over(0.25, b).hex())
}

// Known differences: black and white are 1 apart in lightness alone; red and green as in the OKLab values of CSS Color 4.
func TestDistance(t *testing.T) {
	require.InDelta(t, 1, distance(black, white), 0.001)
	red, err := parse("#ff0000")
	require.NoError(t, err)
	green, err := parse("#008000")
	require.NoError(t, err)
	require.InDelta(t, 0.3813, distance(red, green), 0.001)
	require.InDelta(t, distance(red, green), distance(green, red), 1e-9)
}

func TestFindingWithoutSuggestion(t *testing.T) {
	f := Finding{What: "text on a button", Front: "#ffffff", Back: "#8bc34a", Ratio: 2.1, Need: 4.5}
	require.Equal(t, "text on a button: #ffffff on #8bc34a has a contrast of 2.10:1 and needs 4.5:1", f.String())
	f.Suggestions = []string{"primary_color: #4a7c16"}
	require.Contains(t, f.String(), "; this would do: primary_color: #4a7c16")
}

// A font with known measures has a fallback of the same width, so that the text keeps its place when the font arrives.
func TestTextFontFallback(t *testing.T) {
	for _, adjusted := range []bool{true, false} {
		f := Font{URL: "/font"}
		if adjusted {
			f.SizeAdjust, f.Ascent, f.Descent = 1.05, 1, 0.3
		}
		theme, err := Compute(style("#0b7a3b", "#ffffff"), f, Font{})
		require.NoError(t, err)
		if adjusted {
			require.Contains(t, theme.CSS, `font-family:"Open Sans Fallback";src:local("Arial"),local("Liberation Sans");size-adjust:105.00%`)
		} else {
			require.NotContains(t, theme.CSS, "size-adjust")
		}
	}
}
