package module

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

var letterTexts = Texts{
	"nl": {"acme.mail.hello.subject": "Dag {name}", "acme.mail.hello.text": "Regel {name}\nDe reden: {reason}",
		"acme.mail.hello.button": "Open"},
	"en": {"acme.mail.hello.subject": "Hello {name}", "acme.mail.hello.text": "Line {name}\nThe reason: {reason}",
		"acme.mail.hello.button": "Open it"},
}

func TestTexts(t *testing.T) {
	hello := Values{"name": "Anna", "reason": ""}
	t.Run("a mail in two languages", func(t *testing.T) {
		m := letterTexts.Mail("de", "acme.mail.hello", hello)
		require.Equal(t, Mail{Locale: "de", Subject: "Dag Anna", Title: "Dag Anna", Lines: []string{"Regel Anna"}, Button: &Button{Text: "Open"},
			Texts: &MailTexts{"acme.mail.hello", hello}}, m)
		m = letterTexts.Mail("en", "acme.mail.hello", Values{"name": "Anna", "reason": "late"})
		require.Equal(t, []string{"Line Anna", "The reason: late"}, m.Lines)
		require.Panics(t, func() { letterTexts.Mail("nl", "acme.mail.hello", Values{"name": "Anna"}) }, "a placeholder without a value")
	})
	t.Run("9-mail-texts-own", func(t *testing.T) {
		var m Mail // as the outbox returns it
		data, err := json.Marshal(letterTexts.Mail("nl", "acme.mail.hello", hello))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &m))
		got, err := m.WithOverrides(map[string]string{"acme.mail.hello.subject": "Hoi {name}", "acme.mail.hello.text": "Eigen\n{name}",
			"acme.mail.hello.button": "Kijk",
			"acme.mail.hello.title":  "Titel {name}", "acme.mail.hello.after": "Groet", "acme.mail.other.subject": "x"})
		require.NoError(t, err)
		require.Equal(t, []any{"Hoi Anna", "Titel Anna", []string{"Eigen", "Anna"}, "Kijk", []string{"Groet"}},
			[]any{got.Subject, got.Title, got.Lines, got.Button.Text, got.After})
		require.Equal(t, "Open", m.Button.Text, "the mail itself stays")
		m.Unsubscribe = &Unsubscribe{Text: "Geen mail meer", Path: "/x"}
		got, err = m.WithOverrides(map[string]string{"acme.mail.hello.unsubscribe": "Stop, {name}"})
		require.NoError(t, err)
		require.Equal(t, []any{&Unsubscribe{Text: "Stop, Anna", Path: "/x"}, "Geen mail meer", "Dag Anna"},
			[]any{got.Unsubscribe, m.Unsubscribe.Text, got.Subject}, "only the text that the label has")
		m.Unsubscribe = nil
		got, err = m.WithOverrides(map[string]string{"acme.mail.hello.subject": "Hoi {name}"})
		require.NoError(t, err)
		require.Equal(t, "Hoi Anna", got.Title, "a title that is the subject follows it")
		for _, bad := range []string{"Hoi {nobody}", "Hoi {name"} {
			got, err = m.WithOverrides(map[string]string{"acme.mail.hello.subject": bad, "acme.mail.hello.button": "Kijk"})
			require.Error(t, err)
			require.Equal(t, []string{"Dag Anna", "Kijk"}, []string{got.Subject, got.Button.Text}, "the other texts are used")
		}
		got, err = Mail{Subject: "Vrij"}.WithOverrides(map[string]string{"acme.mail.hello.subject": "x"})
		require.NoError(t, err)
		require.Equal(t, "Vrij", got.Subject, "a mail without names of its texts")
	})
	t.Run("9-mail-texts-complete", func(t *testing.T) {
		read := func(nl, en string) error {
			_, err := readTexts(fstest.MapFS{"messages/nl.json": {Data: []byte(nl)}, "messages/en.json": {Data: []byte(en)}})
			return err
		}
		require.NoError(t, read(`{"a.mail.b.text": "Dag {c}"}`, `{"a.mail.b.text": "Hi {c}"}`))
		require.ErrorContains(t, read(`{"a.mail.b.text": "Dag {c}"}`, `{"a.mail.b.text": "Hi"}`), "do not have the same placeholders")
		require.ErrorContains(t, read(`{"a.mail.b.text": "Dag"}`, `{}`), "do not have the same messages")
		require.ErrorContains(t, read(`{"a.mail.b.text": "Dag {c"}`, `{"a.mail.b.text": "Hi"}`), "braces that do not match")
		require.Panics(t, func() { MustTexts(fstest.MapFS{}) })
	})
}
