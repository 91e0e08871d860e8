package billing

import (
	"testing"

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
