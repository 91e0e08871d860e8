package outages

import (
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
)

func TestOpenAPI(t *testing.T) {
	moduletest.OpenAPI(t, "../../schemas/openapi/outages.json", newService(module.Host{}).OpenAPI())
}

func TestAsyncAPI(t *testing.T) {
	moduletest.AsyncAPI(t, "../../schemas/asyncapi/outages.json", manifest)
}

// This test writes every email, so that a text without a value fails, and a changed text is visible in the diff.
func TestMail(t *testing.T) {
	fault := &outage{Commodity: "electricity", StartsAt: at(-3)}
	work := &outage{Commodity: "gas", Planned: true, StartsAt: at(24), ExpectedEnd: end(28), TextNL: "Wij vervangen een leiding.",
		TextEN: "We replace a pipe."}
	over := &outage{Commodity: "electricity", StartsAt: at(-3), EndedAt: end(-1)}
	mails := map[string]module.Mail{}
	for _, locale := range []string{"nl", "en"} {
		mails["fault reported "+locale] = outageMail(locale, changeReported, fault, time.UTC)
		mails["fault ended "+locale] = outageMail(locale, changeEnded, over, time.UTC)
		mails["planned reported "+locale] = outageMail(locale, changeReported, work, time.UTC)
		mails["planned ended "+locale] = outageMail(locale, changeEnded, work, time.UTC)
	}
	moduletest.Mails(t, "testdata/mails.json", mails)
}
