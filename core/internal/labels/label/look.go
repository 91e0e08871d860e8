package label

import (
	"regexp"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/labels/font"
	"github.com/wattle-portal/wattle/core/internal/labels/theme"
)

// vetHeadings checks the heading font (9-brand-fonts). Letters that it lacks are shown in the text font, but it must contain the letters of
// Dutch and English.
func (c *candidate) vetHeadings() (ps []Problem) {
	s := c.label.Style
	switch {
	case s.HeadingFont != "" && s.HeadingFontFile == "":
		return []Problem{c.at([]string{"style", "heading_font_family"},
			"style.heading_font_family: put the .woff2 of %s into assets/ and name it in heading_font_file", s.HeadingFont)}
	case s.HeadingFont == "" && s.HeadingFontFile != "":
		return []Problem{c.at([]string{"style", "heading_font_file"}, "style.heading_font_file: say in heading_font_family which family this is")}
	case s.HeadingFont == s.Font:
		return []Problem{c.at([]string{"style", "heading_font_family"},
			"style.heading_font_family: %s is the font of the text; leave both fields of the font of titles out", s.Font)}
	}
	own, exists := c.label.Assets[s.HeadingFontFile]
	if lacks := strings.Map(basicLatin, font.Missing(own.Has)); exists && lacks != "" {
		ps = append(ps, c.at([]string{"style", "heading_font_file"}, "style.heading_font_file: %s lacks %s", s.HeadingFont, lacks))
	}
	return ps
}

// basicLatin returns c if it is a letter of Dutch or English, a digit or a sign of an amount, and -1 otherwise.
func basicLatin(c rune) rune {
	if c < 'ÿ' || c == '€' {
		return c
	}
	return -1
}

var hexColor = regexp.MustCompile(`#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b`)

// logoContrast is the minimum contrast of a logo with the header (WCAG 1.4.11 requires nothing of logos).
const logoContrast = 3

// vetHeader checks the logo on a header in the primary color (9-brand-header): it must be a separate drawing, and at least one of its
// colors must be visible on the header.
func (c *candidate) vetHeader() []Problem {
	l := c.label
	if l.Style.HeaderStyle != theme.Filled {
		return nil
	}
	if l.Style.LogoOnHeader == "" {
		return []Problem{c.at([]string{"style", "header_style"},
			"style.header_style: a filled header needs logo_on_header, a logo for the primary color %s", l.Style.Primary)}
	}
	drawn := hexColor.FindAllString(string(l.Assets[l.Style.LogoOnHeader].Data), -1)
	visible := func(hex string) bool { return theme.Contrast(longHex(hex), l.Style.Primary) >= logoContrast }
	if slices.ContainsFunc(drawn, visible) {
		return nil
	}
	return []Problem{c.at([]string{"style", "logo_on_header"},
		"style.logo_on_header: no color of assets/%s has a contrast of %d:1 with the header, which has the primary color %s",
		l.Style.LogoOnHeader, logoContrast, l.Style.Primary)}
}

// longHex returns a color such as #fff as #ffffff.
func longHex(hex string) string {
	if len(hex) != 4 {
		return hex
	}
	return "#" + strings.Repeat(hex[1:2], 2) + strings.Repeat(hex[2:3], 2) + strings.Repeat(hex[3:4], 2)
}
