// Package account contains the customer's own data: the relation with its addresses and company, requests to change phone number, email
// address and username, and the contact form. Start here; README.md explains the module.
package account

import (
	"embed"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/billing/billingapi"
	"github.com/wattle-portal/wattle/modules/onboarding/onboardingapi"
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

// Settings contains the settings of a label under modules: account, as defined in label.cue.
type Settings struct {
	// ShowShippingAddresses shows the shipping addresses on the account page (6-sustainable-skip-addresses).
	ShowShippingAddresses bool `json:"show_shipping_addresses" browser:"true" doc:"Whether the account page shows the shipping addresses of the relation"`
}

var manifest = module.Manifest{
	Key:        "account",
	Version:    "0.1.0",
	Settings:   settings,
	Handles:    []string{coreapi.EventEmailVerified, billingapi.EventIBANEffective, onboardingapi.EventApproved},
	Publishes:  accountapi.Events,
	Changes:    []string{kindPhone, kindEmail, kindUsername},
	Imports:    []string{kindRelation},
	Records:    recordKinds,
	Browser:    module.BrowserSettings[Settings](),
	Demo:       demo,
	Migrations: migrations,
	Texts:      texts,
	Problems:   problems,
}

// Module is the account module, for the program and for a plugin.
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
