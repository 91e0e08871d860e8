package mykey

import (
	"testing"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
)

func TestOpenAPI(t *testing.T) {
	moduletest.OpenAPI(t, "../../schemas/openapi/mykey.json", newService(module.Host{}).OpenAPI())
}

func TestAsyncAPI(t *testing.T) {
	moduletest.AsyncAPI(t, "../../schemas/asyncapi/mykey.json", manifest)
}

// {mail}

// TestMail writes every email, so that a placeholder without a value fails, and a changed text is visible in the diff.
func TestMail(t *testing.T) {
	mails := map[string]module.Mail{}
	for _, locale := range []string{"nl", "en"} {
		mails["added "+locale] = addedMail(locale, "anna@voorbeeld.example", Note{Text: "Bel mij."})
	}
	moduletest.Mails(t, "testdata/mails.json", mails)
}

// {/mail}
