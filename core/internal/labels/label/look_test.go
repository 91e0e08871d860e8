package label

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Labels without appearance settings have the theme in testdata.
func TestPlainLook(t *testing.T) {
	fragments := append(shipped(t), Fragment{Demo: true})
	s, err := Open(repo+"/core/cmd/wattle/testdata/stored/labels", func() []Fragment { return fragments })
	require.NoError(t, err)
	require.Len(t, s.All(), 2, texts(s.Problems()))
	t.Run("9-brand-optional", func(t *testing.T) {
		for _, l := range s.All() {
			want, err := os.ReadFile("testdata/plain-theme-" + l.Key + ".css")
			require.NoError(t, err)
			require.Equal(t, strings.TrimSpace(string(want)), l.Theme.CSS)
			require.Empty(t, l.AssetURL("heading-font"))
		}
	})
}

func TestVetLook(t *testing.T) {
	figtree, err := os.ReadFile(labels + "/1042/assets/figtree.woff2")
	require.NoError(t, err)
	extended, err := os.ReadFile(repo + "/shell/ui/src/fonts/open-sans-latin-ext.woff2")
	require.NoError(t, err)
	size := len(figtree) + 30<<10
	large := string(figtree[:8]) + string(binary.BigEndian.AppendUint32(nil, uint32(size))) + string(figtree[12:]) +
		strings.Repeat("x", 30<<10)
	visible := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#fff" d="M0 0h9v9z"/><path fill="#0b7a3c" d="M0 0h9v9z"/></svg>`
	hidden := strings.ReplaceAll(visible, "#fff", "#0b7a3f")
	// problems returns the problems of a label with this style and these assets.
	problems := func(t *testing.T, style string, files map[string]string) string {
		t.Helper()
		dir := folder(t, map[string]string{"acme": "style: {" + style + "}"})
		for name, content := range files {
			put(t, dir, filepath.Join("acme/assets", name), content)
		}
		return vet(t, dir, nil)
	}
	for id, cases := range map[string][]struct{ style, want string }{
		"9-brand-radius": {
			{"corner_radius: 0", ""}, {"corner_radius: 24", ""},
			{"corner_radius: 25", "style.corner_radius"}, {"corner_radius: -1", "style.corner_radius"},
			{"corner_radius: 2.5", "style.corner_radius"},
		},
		"9-brand-buttons": {{`button_shape: "pill"`, ""}, {`button_shape: "square"`, ""}, {`button_shape: "rounded"`, ""},
			{`button_shape: "oval"`, "rounded, pill or square"}},
		"9-brand-density": {{`density: "compact"`, ""}, {`density: "roomy"`, ""}, {`density: "normal"`, ""},
			{`density: "tight"`, "normal, compact or roomy"}},
		"9-brand-header": {
			{`header_style: "plain"`, ""}, {`header_style: "centered"`, ""},
			{`header_style: "boxed"`, "plain, filled or centered"},
			{`header_style: "filled"`, "style.header_style: a filled header needs logo_on_header"},
			{`header_style: "filled", logo_on_header: "visible.svg"`, ""},
			{`header_style: "filled", logo_on_header: "hidden.svg"`, "style.logo_on_header: no color of assets/hidden.svg has a contrast of 3:1"},
			{`header_style: "plain", logo_on_header: "hidden.svg"`, ""},
			{`header_style: "filled", logo_on_header: "visible.svg", primary_color_text_color: "#0b7a00"`, "text on the header"},
		},
		"9-brand-fonts": {
			{`heading_font_family: "Figtree", heading_font_file: "a.woff2"`, ""},
			{`heading_font_family: "Figtree"`, "name it in heading_font_file"},
			{`heading_font_file: "a.woff2"`, "style.heading_font_file: say in heading_font_family"},
			{`heading_font_family: "Open Sans", heading_font_file: "a.woff2"`, "is the font of the text"},
			{`heading_font_family: "Figtree", heading_font_file: "none.woff2"`, "assets/none.woff2 is not there"},
			{`heading_font_family: "Figtree", heading_font_file: "bad.woff2"`, "not a WOFF2"},
			{`heading_font_family: "Figtree", heading_font_file: "large.woff2"`, "is larger than 40 KB"},
			{`heading_font_family: "Extended", heading_font_file: "extended.woff2"`, "style.heading_font_file: Extended lacks A"},
		},
	} {
		t.Run(id, func(t *testing.T) {
			for _, c := range cases {
				got := problems(t, c.style, map[string]string{"visible.svg": visible, "hidden.svg": hidden, "a.woff2": string(figtree),
					"bad.woff2": string(figtree[:200]), "large.woff2": large, "extended.woff2": string(extended)})
				if c.want == "" {
					require.Empty(t, got, c.style)
				} else {
					require.Contains(t, got, c.want, c.style)
				}
			}
		})
	}
}
