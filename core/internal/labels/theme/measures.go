package theme

import "fmt"

// Values of header_style, button_shape and density that differ from the defaults.
const (
	Filled   = "filled"
	Centered = "centered"
	pill     = "pill"
	square   = "square"
	compact  = "compact"
	roomy    = "roomy"
)

// DefaultRadius is the corner radius of cards in pixels when a style sets none.
const DefaultRadius = 16

// latin are the letters that every heading font must contain: those of Dutch and English, digits, and the signs in amounts.
const latin = "U+0000-00FF,U+2013-2026,U+20AC,U+2212"

// measures returns the declarations of the corners and spaces of a style, the end of the rule that they belong to, and those for phones:
//
//	--w-radius, --w-radius-control, --w-radius-button   corners of cards, of fields and rows, and of buttons
//	--w-pad, --w-gap, --w-row                           padding of a card, space between cards, height of a row of a table
func (s Style) measures() string {
	radius := DefaultRadius
	if s.CornerRadius != nil {
		radius = *s.CornerRadius
	}
	button := radius / 2
	switch s.ButtonShape {
	case pill:
		button = 999
	case square:
		button = 0
	}
	gap, pad, row, phoneGap, phonePad := 16, 24, 64, 16, 16
	switch s.Density {
	case compact:
		gap, pad, row, phoneGap, phonePad = 12, 16, 52, 8, 12
	case roomy:
		gap, pad, row, phoneGap, phonePad = 24, 32, 76, 16, 24
	}
	return fmt.Sprintf("--w-radius:%dpx;--w-radius-control:%dpx;--w-radius-button:%dpx;--w-gap:%dpx;--w-pad:%dpx;--w-row:%dpx}"+
		"@media(max-width:767px){:root{--w-gap:%dpx;--w-pad:%dpx}}", radius, radius/2, button, gap, pad, row, phoneGap, phonePad)
}
