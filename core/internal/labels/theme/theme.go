// Package theme computes the colors of a portal from the few colors of a label (docs/design-of-screens.md, colors).
package theme

import (
	"fmt"
	"strings"
)

// Style is the configured appearance of a label.
type Style struct {
	HeaderBG        string `json:"header_bg_color"`
	PageTitle       string `json:"page_title"`
	Primary         string `json:"primary_color"`
	Secondary       string `json:"secondary_color"`
	Tertiary        string `json:"tertiary_color"`
	PrimaryText     string `json:"primary_color_text_color"`
	Link            string `json:"link_color,omitempty"` // color of links, quiet buttons and large numbers; empty: Primary, darkened
	Font            string `json:"font_family_web"`
	FontFile        string `json:"font_file,omitempty"`           // woff2 in assets/; empty: the font of the product
	FontExtended    string `json:"font_file_extended,omitempty"`  // woff2 in assets/ with letters that FontFile does not contain
	HeadingFont     string `json:"heading_font_family,omitempty"` // heading font family; empty: that of the text
	HeadingFontFile string `json:"heading_font_file,omitempty"`   // woff2 in assets/
	CornerRadius    *int   `json:"corner_radius,omitempty"`       // corner radius of cards in px; nil: DefaultRadius
	ButtonShape     string `json:"button_shape,omitempty"`        // rounded, pill, square; empty: rounded
	Density         string `json:"density,omitempty"`             // normal, compact, roomy; empty: normal
	HeaderStyle     string `json:"header_style,omitempty"`        // plain, filled, centered; empty: plain
	TableRowOdd     string `json:"table_row_odd_color"`
	TableRowEven    string `json:"table_row_even_color"`
	EmailButtonBG   string `json:"email_button_bg_color"`
	EmailButtonText string `json:"email_button_text_color"`
	Logo            string `json:"logo"`                     // SVG in assets/
	LogoOnHeader    string `json:"logo_on_header,omitempty"` // SVG for a dark header
	LogoMail        string `json:"logo_mail,omitempty"`      // PNG for emails
	Favicon         string `json:"favicon"`                  // SVG in assets/
	AppIcon         string `json:"app_icon,omitempty"`       // square PNG for the home screen of a phone
	Illustration    string `json:"illustration,omitempty"`   // SVG next to the sign-in form
	// IllustrationMail is a PNG at the top of emails.
	IllustrationMail string            `json:"illustration_mail,omitempty"`
	Illustrations    map[string]string `json:"illustrations,omitempty"` // SVG in assets/, by name of the drawing that it replaces
	Photos           map[string]string `json:"photos,omitempty"`        // picture in assets/, by place
}

// Theme is computed when the label is compiled: a color in hex for each role of docs/design-of-screens.md, and the CSS that defines them.
type Theme struct {
	Roles map[string]string
	CSS   string // "@font-face{…}:root{--w-header:#…;…}", the content of <style nonce>
}

// Font is the label's own font file; the zero Font means that the label has none.
type Font struct {
	URL      string // URL of the file for the browser
	Extended string // URL of a second file with letters that the first does not contain; empty: none
	Variable bool   // one file for all weights
	// SizeAdjust is the width of the font's letters relative to Arial; the other metrics are in em. They make text in the fallback font
	// take the same space until the font is loaded. Zero means unknown.
	SizeAdjust, Ascent, Descent, LineGap float64
}

// roles lists the color roles in the order of the CSS.
var roles = strings.Fields(`header on-header primary on-primary primary-ink primary-hover primary-pressed accent accent-2 page surface
	tint tint-strong text text-quiet line control-line positive positive-tint warning warning-tint negative negative-tint focus
	row-odd row-even chart-1 chart-2 chart-3 chart-4 chart-5 chart-6`)

// LatinExtended are the characters for which a browser loads the second file of a font: the subset latin-ext of Google Fonts and
// Fontsource, from which operators download files.
const LatinExtended = "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F," +
	"U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF"

// Minimum contrast ratios of WCAG 2.2 AA.
const (
	textContrast    = 4.5 // criterion 1.4.3
	controlContrast = 3.0 // criterion 1.4.11
)

// Shares of the primary color in the hover and pressed states; the rest is black.
const (
	hoverShare   = 0.88
	pressedShare = 0.80
)

// Compute returns the theme of a style with the files of its two fonts. It returns an error only for an invalid color.
func Compute(s Style, font, heading Font) (Theme, error) {
	p, err := paint(s)
	if err != nil {
		return Theme{}, err
	}
	t := Theme{Roles: make(map[string]string, len(p))}
	for role, c := range p {
		t.Roles[role] = c.hex()
	}
	t.CSS = t.css(s, font, heading)
	return t, nil
}

// palette has a color by role.
type palette map[string]color

func paint(s Style) (palette, error) {
	p := palette{}
	for _, f := range []struct{ role, field, hex string }{
		{"header", "header_bg_color", s.HeaderBG}, {"primary", "primary_color", s.Primary},
		{"on-primary", "primary_color_text_color", s.PrimaryText}, {"accent", "secondary_color", s.Secondary},
		{"accent-2", "tertiary_color", s.Tertiary}, {"row-odd", "table_row_odd_color", s.TableRowOdd},
		{"row-even", "table_row_even_color", s.TableRowEven},
	} {
		c, err := parse(f.hex)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.field, err)
		}
		p[f.role] = c
	}
	primary := p["primary"]
	_, _, hue := primary.OkLch()

	p["page"] = oklch(0.985, 0.006, hue)
	p["surface"] = white
	p["tint"] = primary.mix(0.08, white)
	p["tint-strong"] = primary.mix(0.16, white)
	p["text"] = oklch(0.24, 0.02, hue)
	p["text-quiet"] = oklch(0.46, 0.02, hue)
	p["line"] = p["text"].over(0.14, white)
	p["control-line"] = p["text"].over(0.55, white)
	p["focus"] = p["text"]
	p["on-header"] = onHeader(p["header"])
	if s.HeaderStyle == Filled {
		p["header"], p["on-header"] = primary, p["on-primary"]
	}
	p["primary-hover"] = primary.mix(hoverShare, black)
	p["primary-pressed"] = primary.mix(pressedShare, black)
	p["primary-ink"] = ink(primary, p["page"], p["tint"])
	inkHue := hue
	if s.Link != "" {
		link, err := parse(s.Link)
		if err != nil {
			return nil, fmt.Errorf("link_color: %w", err)
		}
		p["primary-ink"] = link
		_, _, inkHue = link.OkLch()
	}
	for role, hex := range map[string]string{"positive": "#1b7f4b", "warning": "#8a5a00", "negative": "#b3261e"} {
		c, err := parse(hex)
		if err != nil {
			return nil, err
		}
		p[role], p[role+"-tint"] = c, c.mix(0.08, white)
	}
	p.charts(hue, inkHue)
	return p, nil
}

// onHeader returns white or nearly black, whichever has more contrast.
func onHeader(header color) color {
	dark, _ := parse("#17211b")
	if contrast(white, header) >= contrast(dark, header) {
		return white
	}
	return dark
}

// ink returns the primary color, darkened in steps of .02 until it is readable on page and tint.
func ink(primary, page, tint color) color {
	l, c, h := primary.OkLch()
	out := primary
	for ; !enough(out, textContrast, page, tint) && l > 0; l -= 0.02 {
		out = oklch(l, c, h)
	}
	return out
}

// charts sets the series colors of docs/design-of-screens.md: normal, low, feed-in, gas, last year, and one more. A standard color that is
// too close to the hue of the label's primary color or of its links is replaced.
func (p palette) charts(hue, inkHue float64) {
	p["chart-1"] = p["primary-ink"]
	p["chart-2"] = p["primary"].mix(0.45, white)
	first := func(hues ...float64) float64 {
		for _, h := range hues {
			if hueDistance(hue, h) >= 40 && hueDistance(inkHue, h) >= 40 {
				return h
			}
		}
		return hues[len(hues)-1]
	}
	feedIn, gas := first(75, 165, 35), first(250, 310, 205)
	p["chart-3"] = oklch(0.62, 0.14, feedIn)
	p["chart-4"] = oklch(0.48, 0.11, gas)
	p["chart-5"] = p["text-quiet"]
	for _, l := range []float64{0.34, 0.62} { // the brand color may be about as gray and dark as chart-5
		if distance(p["chart-5"], p["chart-1"]) < 0.1 {
			p["chart-5"] = oklch(l, 0.02, hue)
		}
	}
	best := -1.0
	for h := 0.0; h < 360; h += 15 {
		c := oklch(0.58, 0.15, h)
		nearest := 1.0
		for _, other := range []string{"chart-1", "chart-2", "chart-3", "chart-4", "chart-5", "negative"} {
			nearest = min(nearest, distance(c, p[other]))
		}
		if nearest > best {
			best, p["chart-6"] = nearest, c
		}
	}
}

func (t Theme) css(s Style, font, heading Font) string {
	var b strings.Builder
	fallback := "Open Sans Fallback" // defined in @wattle/ui
	if font.URL != "" {
		if font.Extended != "" {
			font.face(&b, s.Font, font.Extended, "400", ";unicode-range:"+LatinExtended)
		}
		// browsers check the last rule first, so characters in both files do not load the extended file
		font.face(&b, s.Font, font.URL, "400", "")
		if font.SizeAdjust > 0 {
			fallback = s.Font + " Fallback"
			font.fallbackFace(&b, fallback, "")
		}
	}
	headings := ""
	if heading.URL != "" {
		heading.face(&b, s.HeadingFont, heading.URL, "600", "")
		headings = `"` + s.HeadingFont + `",`
		if heading.SizeAdjust > 0 {
			// Other letters, such as ş, are shown in the text font.
			heading.fallbackFace(&b, s.HeadingFont+" Fallback", ";unicode-range:"+latin)
			headings += `"` + s.HeadingFont + ` Fallback",`
		}
	}
	b.WriteString(":root{")
	for _, role := range roles {
		fmt.Fprintf(&b, "--w-%s:%s;", role, t.Roles[role])
	}
	text := fmt.Sprintf(`"%s","%s",Arial`, s.Font, fallback)
	fmt.Fprintf(&b, `--w-font:"%s";--w-font-fallback:"%s",Arial;--w-font-heading:%s;%s`, s.Font, fallback, headings+text, s.measures())
	return b.String()
}

// face writes the rule of a font file. weight applies to a font that is not variable.
func (f Font) face(b *strings.Builder, family, url, weight, more string) {
	if f.Variable {
		weight = "100 900"
	}
	fmt.Fprintf(b, `@font-face{font-family:"%s";src:url("%s") format("woff2");font-weight:%s;font-style:normal;font-display:swap%s}`,
		family, url, weight, more)
}

// fallbackFace writes the rule for Arial with the metrics of the font.
func (f Font) fallbackFace(b *strings.Builder, family, more string) {
	percent := func(of float64) float64 { return 100 * of / f.SizeAdjust }
	fmt.Fprintf(b, `@font-face{font-family:"%s";src:local("Arial"),local("Liberation Sans");size-adjust:%.2f%%;`+
		`ascent-override:%.2f%%;descent-override:%.2f%%;line-gap-override:%.2f%%%s}`,
		family, 100*f.SizeAdjust, percent(f.Ascent), percent(f.Descent), percent(f.LineGap), more)
}
