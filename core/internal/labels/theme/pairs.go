package theme

import (
	"fmt"
	"strings"
)

// Finding is a pair of colors with too little contrast (1-contrast).
type Finding struct {
	Field       string // style field to report: "primary_color_text_color"
	What        string // description: "text on a button"
	Front, Back string
	Ratio, Need float64
	Suggestions []string // "primary_color_text_color: #17211b"
}

// String returns both colors, their contrast and suggestions.
func (f Finding) String() string {
	s := fmt.Sprintf("%s: %s on %s has a contrast of %.2f:1 and needs %.1f:1", f.What, f.Front, f.Back, f.Ratio, f.Need)
	if len(f.Suggestions) > 0 {
		s += "; this would do: " + strings.Join(f.Suggestions, ", or ")
	}
	return s
}

// pairs are all color pairs that the product uses, including the button in emails. A pair that does not depend on the style has no field
// but is checked too.
var pairs = []struct {
	what, front, back     string
	frontField, backField string // style fields that set the colors
	need                  float64
}{
	{"text on the header", "on-header", "header", "", "header_bg_color", textContrast},
	{"text on a button", "on-primary", "primary", "primary_color_text_color", "primary_color", textContrast},
	{"text on a button under the mouse", "on-primary", "primary-hover", "primary_color_text_color", "primary_color", textContrast},
	{"text on a pressed button", "on-primary", "primary-pressed", "primary_color_text_color", "primary_color", textContrast},
	{"links on the page", "primary-ink", "page", "", "primary_color", textContrast},
	{"links on a tint", "primary-ink", "tint", "", "primary_color", textContrast},
	{"text on a strong tint", "text", "tint-strong", "", "primary_color", textContrast},
	{"quiet text on a tint", "text-quiet", "tint", "", "primary_color", textContrast},
	{"the line of a field", "control-line", "surface", "", "primary_color", controlContrast},
	{"good news", "positive", "positive-tint", "", "", textContrast},
	{"a warning", "warning", "warning-tint", "", "", textContrast},
	{"bad news", "negative", "negative-tint", "", "", textContrast},
	{"quiet text on odd rows", "text-quiet", "row-odd", "", "table_row_odd_color", textContrast},
	{"quiet text on even rows", "text-quiet", "row-even", "", "table_row_even_color", textContrast},
	{"text on the button in e-mails", "email-text", "email-button", "email_button_text_color", "email_button_bg_color", textContrast},
}

// Check returns the pairs of a style with a contrast below WCAG AA. It returns an error only for an invalid color.
func Check(s Style) ([]Finding, error) {
	p, err := paint(s)
	if err != nil {
		return nil, err
	}
	if p["email-button"], err = parse(s.EmailButtonBG); err != nil {
		return nil, fmt.Errorf("email_button_bg_color: %w", err)
	}
	if p["email-text"], err = parse(s.EmailButtonText); err != nil {
		return nil, fmt.Errorf("email_button_text_color: %w", err)
	}
	var out []Finding
	for _, pair := range pairs {
		if pair.back == "header" && s.HeaderStyle == Filled {
			pair.front, pair.back, pair.frontField, pair.backField = "on-primary", "primary", "primary_color_text_color", "primary_color"
		}
		if pair.front == "primary-ink" && s.Link != "" {
			pair.frontField, pair.backField = "link_color", ""
		}
		front, back := p[pair.front], p[pair.back]
		ratio := contrast(front, back)
		if ratio >= pair.need {
			continue
		}
		f := Finding{Field: pair.backField, What: pair.what, Front: front.hex(), Back: back.hex(), Ratio: ratio, Need: pair.need}
		backs := []color{back}
		if strings.HasPrefix(pair.back, "primary") {
			backs = p.states(p["primary"])
		}
		if pair.frontField != "" {
			f.Field = pair.frontField
			if c, ok := front.toward(pair.need, backs...); ok {
				f.Suggestions = append(f.Suggestions, pair.frontField+": "+c.hex())
			}
		}
		if pair.backField != "" {
			if c, ok := p.background(pair.back, pair.need, front); ok {
				f.Suggestions = append(f.Suggestions, pair.backField+": "+c.hex())
			}
		}
		out = append(out, f)
	}
	return out, nil
}

// states returns the colors of a button in its states.
func (p palette) states(primary color) []color {
	return []color{primary, primary.mix(hoverShare, black), primary.mix(pressedShare, black)}
}

// background returns the color closest to that of the style on which front has enough contrast in every state.
func (p palette) background(role string, need float64, front color) (color, bool) {
	states := func(c color) []color { return []color{c} }
	if strings.HasPrefix(role, "primary") {
		role, states = "primary", p.states
	}
	l, c, h := p[role].OkLch()
	for step := 0.0; step <= 1; step += 0.005 {
		for _, next := range []float64{l - step, l + step} {
			if next < 0 || next > 1 {
				continue
			}
			if out := oklch(next, c, h); enough(front, need, states(out)...) {
				return out, true
			}
		}
	}
	return color{}, false
}

// TextOn returns the text color for a button of the given color with enough contrast in every state, white if possible; "" when neither
// color has enough contrast or primary is invalid.
func TextOn(primary string) string {
	c, err := parse(primary)
	if err != nil {
		return ""
	}
	for _, hex := range []string{"#ffffff", "#17211b", "#000000"} {
		if text, _ := parse(hex); enough(text, textContrast, palette(nil).states(c)...) {
			return hex
		}
	}
	return ""
}
