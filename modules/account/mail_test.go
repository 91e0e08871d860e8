package account

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
)

func TestMailGolden(t *testing.T) {
	mails := map[string]module.Mail{}
	for _, locale := range []string{"nl", "en", "de"} {
		mails["verify "+locale] = mailVerify(locale, "a@voorbeeld.example", "token")
		mails["change_requested "+locale] = mailChangeRequested(locale, "a@voorbeeld.example")
	}
	r := &Relation{DebtorNumber: "D-1", Initials: "A.", Prefix: "van", LastName: "Dijk", Email: "a@voorbeeld.example",
		PhoneNumber: "0201234567"}
	for _, subject := range []Subject{"payments", "products", "usage", "relocation", "suggestion", "other"} {
		mails["contact "+string(subject)] = mailContact("b@voorbeeld.example", r,
			Contact{Subject: subject, Message: "Hallo {daar},\n\nik 'vraag' <b>iets</b>."})
	}
	mails["contact without phone"] = mailContact("b@voorbeeld.example", &Relation{DebtorNumber: "D-1", LastName: "Dijk",
		Email: "a@voorbeeld.example"}, Contact{Subject: "other", Message: "Dag"})
	moduletest.Mails(t, "testdata/mails.json", mails)
}

// The link and the notice of a requested change are urgent; a message to staff is not.
func TestSecurityMails(t *testing.T) {
	t.Run("11-mail-security-first", func(t *testing.T) {
		for _, m := range []module.Mail{mailVerify("nl", "a@b.example", "token"), mailChangeRequested("nl", "a@b.example")} {
			require.True(t, m.Security, m.Subject)
		}
		for _, m := range []module.Mail{mailContact("b@b.example", &Relation{}, Contact{Subject: "other"})} {
			require.False(t, m.Security, m.Subject)
		}
	})
}
