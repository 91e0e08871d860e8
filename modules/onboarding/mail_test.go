package onboarding

import (
	"testing"

	"github.com/stretchr/testify/require"

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

// Links are urgent, because a person waits for them; decisions by staff are not.
func TestSecurityMails(t *testing.T) {
	t.Run("11-mail-security-first", func(t *testing.T) {
		for _, m := range []module.Mail{mailVerify("nl", "a@b.example", "token"), mailReactivate("nl", "a@b.example", "token")} {
			require.True(t, m.Security, m.Subject)
		}
		for _, m := range []module.Mail{mailReceived("nl", "a@b.example"), mailKnown("nl", "a@b.example"),
			mailRejected("nl", "a@b.example", "")} {
			require.False(t, m.Security, m.Subject)
		}
	})
}
