package module

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/wattle-portal/wattle/core/internal/labels/icu"
)

// Texts contains the email texts of a module: ICU messages by locale ("nl" and "en") and id. The id of a text is
// <module>.mail.<mail>.<part>; the parts of an email are subject, title, text, button, after and unsubscribe. A label can replace any of
// them, like the texts of the front end.
type Texts map[string]map[string]string

// Values are the values of the placeholders in an email text, by name. Dates, amounts and numbers are already formatted; the number of a
// plural is a whole number in digits.
type Values map[string]string

// Flag returns the value of a boolean for an ICU select with the cases true and other.
func Flag(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// MailTexts identifies the texts of an email and contains their values, so that a label's own texts can replace them when the email is
// sent.
type MailTexts struct {
	ID     string `json:"id"` // <module>.mail.<mail>
	Values Values `json:"values,omitempty"`
}

// textLocales are the languages of emails.
var textLocales = []string{"nl", "en"}

// MustTexts reads messages/nl.json and messages/en.json from an embedded file system. Each file is an object of messages by id. MustTexts
// panics when a file cannot be read, when a message is invalid, or when the languages differ in ids or placeholders.
func MustTexts(files fs.FS) Texts {
	t, err := readTexts(files)
	if err != nil {
		panic("module: " + err.Error())
	}
	return t
}

func readTexts(files fs.FS) (Texts, error) {
	out := Texts{}
	for _, locale := range textLocales {
		name := "messages/" + locale + ".json"
		raw, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		var texts map[string]string
		if err := json.Unmarshal(raw, &texts); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[locale] = texts
	}
	return out, out.Check()
}

// Check returns an error when a message is invalid, or when the languages differ in ids or placeholders.
func (t Texts) Check() error {
	first := t[textLocales[0]]
	for _, locale := range textLocales {
		if !slices.Equal(slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(t[locale]))) {
			return fmt.Errorf("the languages nl and %s do not have the same messages", locale)
		}
		for id, text := range t[locale] {
			m, err := icu.Parse(text)
			if err != nil {
				return fmt.Errorf("the text of %s in %s %w", id, locale, err)
			}
			if other, err := icu.Parse(first[id]); err == nil && !slices.Equal(m.Names(), other.Names()) {
				return fmt.Errorf("the texts of %s do not have the same placeholders", id)
			}
		}
	}
	return nil
}

// Mail returns the email with the given id (<module>.mail.<mail>), in English if locale is "en" and otherwise in Dutch. It sets the parts
// that have a text; without a title, the title is the subject. The caller adds the address, the button path and the code. Mail panics when
// a placeholder has no value, so that the module's own tests detect an email that cannot be written.
func (t Texts) Mail(locale, id string, v Values) Mail {
	m := Mail{Locale: locale, Texts: &MailTexts{id, v}}
	m.Subject = t.Text(locale, id+".subject", v)
	if m.Title = t.Text(locale, id+".title", v); m.Title == "" {
		m.Title = m.Subject
	}
	m.Lines, m.After = t.lines(locale, id+".text", v), t.lines(locale, id+".after", v)
	if text := t.Text(locale, id+".button", v); text != "" {
		m.Button = &Button{Text: text}
	}
	return m
}

// Text returns the text with the given id on one line, or "" when the module has no such text. It panics when a placeholder has no value.
func (t Texts) Text(locale, id string, v Values) string {
	m := t.message(locale, id)
	if m == nil {
		return ""
	}
	text, err := m.Format(v)
	if err != nil {
		panic(fmt.Sprintf("module: the text %s: %v", id, err))
	}
	return text
}

func (t Texts) lines(locale, id string, v Values) []string {
	m := t.message(locale, id)
	if m == nil {
		return nil
	}
	lines, err := m.Lines(v)
	if err != nil {
		panic(fmt.Sprintf("module: the text %s: %v", id, err))
	}
	return lines
}

// message returns the message with the given id, or nil when there is none.
func (t Texts) message(locale, id string) *icu.Message {
	if locale != "en" {
		locale = "nl"
	}
	text, ok := t[locale][id]
	if !ok {
		return nil
	}
	m, err := icu.Parse(text)
	if err != nil {
		panic(fmt.Sprintf("module: the text of %s %v", id, err))
	}
	return m
}

// WithOverrides returns the email with the module's texts replaced by the label's own texts, which it finds by id. own has the texts in
// the language of the email. A text that cannot be formatted with the values of the email is skipped; WithOverrides then returns the email
// together with an error.
func (m Mail) WithOverrides(own map[string]string) (Mail, error) {
	if m.Texts == nil || len(own) == 0 {
		return m, nil
	}
	var failed error
	find := func(part string) *icu.Message {
		text, ok := own[m.Texts.ID+"."+part]
		if !ok || text == "" {
			return nil
		}
		parsed, err := icu.Parse(text)
		if err != nil {
			failed = fmt.Errorf("the text of %s.%s %w", m.Texts.ID, part, err)
			return nil
		}
		return parsed
	}
	say := func(part string, into *string) {
		if parsed := find(part); parsed != nil {
			if text, err := parsed.Format(m.Texts.Values); err != nil {
				failed = fmt.Errorf("%s.%s: %w", m.Texts.ID, part, err)
			} else {
				*into = text
			}
		}
	}
	lines := func(part string, into *[]string) {
		if parsed := find(part); parsed != nil {
			if text, err := parsed.Lines(m.Texts.Values); err != nil {
				failed = fmt.Errorf("%s.%s: %w", m.Texts.ID, part, err)
			} else {
				*into = text
			}
		}
	}
	titled := m.Title != m.Subject
	say("subject", &m.Subject)
	if !titled {
		m.Title = m.Subject
	}
	say("title", &m.Title)
	lines("text", &m.Lines)
	lines("after", &m.After)
	if m.Button != nil {
		b := *m.Button
		say("button", &b.Text)
		m.Button = &b
	}
	if m.Unsubscribe != nil {
		u := *m.Unsubscribe
		say("unsubscribe", &u.Text)
		m.Unsubscribe = &u
	}
	return m, failed
}
