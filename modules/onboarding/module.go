// Package onboarding handles the registrations of people who are not customers yet, which staff approve or reject, and reactivates accounts
// without a password. README.md explains the terms.
package onboarding

import (
	"embed"

	"golang.org/x/sync/singleflight"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
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

// texts are the texts of its mails.
var texts = module.MustTexts(messages)

// Settings are the settings of a label under modules: onboarding. label.cue is their source.
type Settings struct {
	// Registration is whether visitors can register. If false, no data of visitors is stored.
	Registration bool `json:"registration" browser:"true" doc:"Whether visitors can register"`
	// GenderOther is whether the registration form offers a third gender (9-register-gender-other).
	GenderOther bool `json:"gender_other" browser:"true" doc:"Whether the registration form offers a third gender"`
	// ReactivationAddress is whether a reactivation requires an address of the customer (2.4-reactivation-address-reconcile).
	ReactivationAddress bool `json:"reactivation_address" browser:"true" doc:"Whether a reactivation requires an address of the customer in addition to the mailed link"`
}

var manifest = module.Manifest{
	Key:      "onboarding",
	Version:  "0.1.0",
	Settings: settings,
	Needs:    []string{"account", "address"},
	Handles: []string{coreapi.EventEmailVerified, onboardingapi.EventApproved, onboardingapi.EventReactivationAsked,
		onboardingapi.EventSweep},
	Publishes:  onboardingapi.Events,
	Changes:    []string{kindApplication},
	Schedule:   map[string]string{onboardingapi.EventSweep: "23 4 * * *"},
	Browser:    module.BrowserSettings[Settings](),
	Migrations: migrations,
	Texts:      texts,
}

// Module is the onboarding module: the same value in the program and in a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host    module.Host
	running singleflight.Group // running registrations, by label and attempt
}

var _ module.Instance = (*service)(nil)

func newService(h module.Host) module.Instance {
	s := &service{Router: module.NewRouter(manifest), host: h}
	module.ShowSettings[Settings](s.API)
	s.routes()
	return s
}
