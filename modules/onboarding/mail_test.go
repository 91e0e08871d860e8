package onboarding

import (
	"testing"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
)

func TestMailGolden(t *testing.T) {
	mails := map[string]module.Mail{}
	for _, locale := range []string{"nl", "en", "de"} {
		const to = "a@voorbeeld.example"
		mails["verify "+locale] = mailVerify(locale, to, "token")
		mails["received "+locale] = mailReceived(locale, to)
		mails["known "+locale] = mailKnown(locale, to)
		mails["rejected "+locale] = mailRejected(locale, to, "")
		mails["rejected with a reason "+locale] = mailRejected(locale, to, "Geen adres")
		mails["reactivate "+locale] = mailReactivate(locale, to, "token")
	}
	moduletest.Mails(t, "testdata/mails.json", mails)
}
