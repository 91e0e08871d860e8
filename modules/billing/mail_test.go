package billing

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
)

func TestMailGolden(t *testing.T) {
	mails := map[string]module.Mail{}
	for _, locale := range []string{"nl", "en", "de"} {
		mails["iban "+locale] = mailIBANRequested(locale, "a@voorbeeld.example", "NL91ABNA0417164300", value.Day{Year: 2026, Month: 12, Day: 1})
	}
	moduletest.Mails(t, "testdata/mails.json", mails)
}

// The email is urgent, because the bank account change may have been requested by somebody else.
func TestSecurityMails(t *testing.T) {
	t.Run("11-mail-security-first", func(t *testing.T) {
		for _, m := range []module.Mail{mailIBANRequested("nl", "a@b.example", "NL91ABNA0417164300", value.Day{Year: 2026, Month: 12, Day: 1})} {
			require.True(t, m.Security, m.Subject)
		}
	})
}
