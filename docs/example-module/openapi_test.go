package acme

import (
	"testing"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
)

func TestOpenAPI(t *testing.T) {
	moduletest.OpenAPI(t, "openapi.json", newService(module.Host{}).OpenAPI())
}

func TestAsyncAPI(t *testing.T) {
	moduletest.AsyncAPI(t, "asyncapi.json", manifest)
}

// Every mail is written here, so that a text without a value fails a test, and a change of a text shows in the diff.
func TestMail(t *testing.T) {
	moduletest.Mails(t, "testdata/mails.json", map[string]module.Mail{
		"saved": savedMail("a"),
		"week":  texts.Mail("nl", "acme.mail.week", module.Values{"count": "1"}),
	})
}
