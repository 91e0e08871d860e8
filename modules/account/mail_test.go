package account

import (
	"testing"

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
