package notifications

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
)

func TestMailOfANotification(t *testing.T) {
	title, message := Text{"Titel", "Title"},
		Text{`<p>Zie <a href="https://voorbeeld.example/a">hier</a> of <a href="/contact">bel ons</a></p><p>Groet</p>`, `<p>Look</p>`}
	t.Run("9-notification-unsubscribe", func(t *testing.T) {
		for k, text := range map[Kind][2]string{
			Project: {"Geen mail meer over projecten", "No more mail about projects"},
			News:    {"Geen mail meer over nieuws", "No more mail about news"},
			Market:  {"Geen mail meer over de energiemarkt", "No more mail about the energy market"},
		} {
			for i, locale := range []string{"nl", "en"} {
				m := mailNotification(locale, "a@voorbeeld.example", k, title, message, "t0ken")
				require.NotNil(t, m.Unsubscribe)
				assert.Equal(t, module.Unsubscribe{Text: text[i], Path: "/unsubscribe?token=t0ken", Call: "/notifications/unsubscribe/t0ken"},
					*m.Unsubscribe)
				assert.Empty(t, m.After)
			}
		}
	})
	t.Run("9-notification-kinds-fixed", func(t *testing.T) {
		m := mailNotification("nl", "a@voorbeeld.example", Security, title, message, "")
		assert.Nil(t, m.Unsubscribe)
		assert.Equal(t, module.Mail{To: "a@voorbeeld.example", Locale: "nl", Subject: "Titel", Title: "Titel",
			Lines:  []string{"Zie hier (https://voorbeeld.example/a) of bel ons", "Groet"},
			Button: &module.Button{Text: "Bekijk in het portaal", Path: "/notifications"},
			After:  []string{"Je krijgt dit bericht altijd, omdat het over je contract, je betalingen of je veiligheid gaat."}}, bare(m))
		m = mailNotification("en", "a@voorbeeld.example", Security, title, message, "")
		assert.Equal(t, module.Mail{To: "a@voorbeeld.example", Locale: "en", Subject: "Title", Title: "Title", Lines: []string{"Look"},
			Button: &module.Button{Text: "View in the portal", Path: "/notifications"},
			After:  []string{"You always get this message, because it is about your contract, your payments or your security."}}, bare(m))
	})
}

// The address of a link is added to its text, unless the text contains the address.
func TestParagraphs(t *testing.T) {
	for source, want := range map[string][]string{
		`<p>Mail <a href="mailto:a@b.example">ons</a></p>`:                     {"Mail ons (a@b.example)"},
		`<p>Mail <a href="mailto:a@b.example">a@b.example</a></p>`:             {"Mail a@b.example"},
		`<p>Bel <a href="tel:0201234567">ons</a>.</p>`:                         {"Bel ons (0201234567)."},
		`<p>https://a.example: <a href="https://a.example">hier</a></p>`:       {"https://a.example: hier (https://a.example)"},
		`<a href="https://a.example">een</a><a href="/b">twee</a>`:             {"een (https://a.example)twee"},
		`<p><a href="https://a.example">een</p><p>twee</a></p>`:                {"een", "twee"},
		`<ul><li>een</li><li></li><li><a href="/c">drie</a></li></ul>vier<br>`: {"- een", "- drie", "vier"},
		`<h3>Kop</h3><blockquote>Zin</blockquote> <p></p>`:                     {"Kop", "Zin"},
		``: nil,
	} {
		assert.Equal(t, want, paragraphs(source, true), source)
	}
	assert.Equal(t, []string{"Mail ons"}, paragraphs(`<p>Mail <a href="mailto:a@b.example">ons</a></p>`, false))
}

func TestMailGolden(t *testing.T) {
	mails := map[string]module.Mail{}
	for _, locale := range []string{"nl", "en", "de"} {
		for _, k := range []Kind{Project, News, Market} {
			mails[string(k)+" "+locale] = mailNotification(locale, "a@voorbeeld.example", k, Text{"Titel {a}", "Title {a}"},
				Text{"<p>Een</p><p>Twee 'x'</p>", "<p>One</p><p>Two 'x'</p>"}, "token")
		}
		mails["fixed "+locale] = mailNotification(locale, "a@voorbeeld.example", News, Text{"Titel", "Title"}, Text{"<p>Een</p>", "<p>One</p>"},
			"")
	}
	moduletest.Mails(t, "testdata/mails.json", mails)
}

// bare returns an email without the names of its texts.
func bare(m module.Mail) module.Mail {
	m.Texts = nil
	return m
}
