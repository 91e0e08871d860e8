// Package billing contains a customer's agreements, products, invoices and term amounts, and requests to change the bank account. Start
// here; README.md explains the module.
package billing

import (
	"embed"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/billing/billingapi"
)

var (
	//go:embed label.cue
	settings string
	//go:embed migrations
	migrations embed.FS
	//go:embed messages
	messages embed.FS
)

// texts contains the module's email texts.
var texts = module.MustTexts(messages)

// Settings contains the settings of a label under modules: billing, as defined in label.cue.
type Settings struct {
	// BankAccountDetails enables the call of bankAccountDetails in the browser (6-sustainable-skip-bank-call).
	BankAccountDetails bool `json:"bank_account_details" browser:"true" doc:"Whether the account page shows the account holder, IBAN and payment method"`
}

var manifest = module.Manifest{
	Key:        "billing",
	Version:    "0.1.0",
	Settings:   settings,
	Needs:      []string{"account"},
	Publishes:  billingapi.Events,
	Changes:    []string{kindIBAN, kindTermAmount},
	Imports:    []string{kindAgreement, kindInvoice},
	Records:    recordKinds,
	Browser:    module.BrowserSettings[Settings](),
	Demo:       demo,
	Migrations: migrations,
	Texts:      texts,
	Problems:   problems,
}

// Module is the billing module, for the program and for a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host module.Host
}

var (
	_ module.Instance = (*service)(nil)
	_ module.Importer = (*service)(nil)
)

func newService(h module.Host) module.Instance {
	s := &service{module.NewRouter(manifest), h}
	module.ShowSettings[Settings](s.API)
	s.routes()
	return s
}
