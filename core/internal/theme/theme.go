// Package theme computes the colours of a portal from the few that an operator gives (face.md, exact instruction 1).
package theme

// Style is what an operator says of the looks.
type Style struct {
	HeaderBG        string `json:"header_bg_color"`
	PageTitle       string `json:"page_title"`
	Primary         string `json:"primary_color"`
	Secondary       string `json:"secondary_color"`
	Tertiary        string `json:"tertiary_color"`
	PrimaryText     string `json:"primary_color_text_color"`
	Font            string `json:"font_family_web"`
	FontFile        string `json:"font_file,omitempty"` // woff2 in assets/; empty: shipped with the product
	TableRowOdd     string `json:"table_row_odd_color"`
	TableRowEven    string `json:"table_row_even_color"`
	EmailButtonBG   string `json:"email_button_bg_color"`
	EmailButtonText string `json:"email_button_text_color"`
	Logo            string `json:"logo"`                     // SVG in assets/
	LogoOnHeader    string `json:"logo_on_header,omitempty"` // SVG for a dark header
	LogoMail        string `json:"logo_mail,omitempty"`      // PNG for e-mail
	Favicon         string `json:"favicon"`                  // SVG in assets/
	Illustration    string `json:"illustration,omitempty"`   // SVG beside the sign-in form
}


// Theme is computed when the label is compiled: the roles of face.md as hex by role name, and the CSS that carries them.
type Theme struct {
	Roles map[string]string
	CSS   string // "@font-face{…}:root{--w-header:#…;…}", to stand in <style nonce>
}

// Compute maps a style to roles. fontURL is where the browser finds the label's own font file; empty without one.
func Compute(s Style, fontURL string) (Theme, error) { return Theme{}, nil }
