package notifications

import (
	"strings"
	"unicode"
)

// Text is a text in both languages of the portal.
type Text struct {
	NL string `json:"nl"`
	EN string `json:"en"`
}

// In is the text in a language; any other than "en" is Dutch.
func (t Text) In(locale string) string {
	if locale == "en" {
		return t.EN
	}
	return t.NL
}

// each applies f to both languages.
func (t Text) each(f func(string) string) Text { return Text{f(t.NL), f(t.EN)} }

// line makes one line of a text: white space is one blank, and control characters, which PostgreSQL does not store, go.
func line(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))), " ")
}
