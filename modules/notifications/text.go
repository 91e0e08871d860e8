package notifications

import (
	"strings"
	"unicode"
)

// Text is a text in both languages of the portal.
type Text struct {
	NL string `json:"nl" doc:"Text in Dutch"`
	EN string `json:"en" doc:"Text in English"`
}

// In returns the text in English for locale "en", and otherwise in Dutch.
func (t Text) In(locale string) string {
	if locale == "en" {
		return t.EN
	}
	return t.NL
}

// each applies f to the text in both languages.
func (t Text) each(f func(string) string) Text { return Text{f(t.NL), f(t.EN)} }

// line returns the text as one line: white space becomes a space, and control characters, which PostgreSQL refuses, are removed.
func line(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))), " ")
}
