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

// texts contains the module's email texts.
var texts = module.MustTexts(messages)

// Settings contains the settings of a label under modules: onboarding, as defined in label.cue.
type Settings struct {
	// Registration is true if visitors can register. If it is false, no visitor data is stored.
	Registration bool `json:"registration" browser:"true" doc:"Whether visitors can register"`
	// GenderOther is true if the registration form offers a third gender (9-register-gender-other).
	GenderOther bool `json:"gender_other" browser:"true" doc:"Whether the registration form offers a third gender"`
	// ReactivationAddress is true if a reactivation requires an address of the customer (2.4-reactivation-address-reconcile).
	ReactivationAddress bool `json:"reactivation_address" browser:"true" doc:"Whether a reactivation requires an address of the customer in addition to the mailed link"`
}

var manifest = module.Manifest{
	Key:      "onboarding",
	Version:  "0.1.0",
	Settings: settings,
	Needs:    []string{"account", "address"},
	Handles: []string{coreapi.EventEmailVerified, onboardingapi.EventApproved, onboardingapi.EventReactivationRequested,
		onboardingapi.EventSweep},
	Publishes:  onboardingapi.Events,
	Changes:    []string{kindApplication},
	Schedule:   map[string]string{onboardingapi.EventSweep: "23 4 * * *"},
	Browser:    module.BrowserSettings[Settings](),
	Migrations: migrations,
	Texts:      texts,
	Problems:   problems,
}

// Module is the onboarding module, for the program and for a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host    module.Host
	running singleflight.Group // registrations that are being stored, by label and attempt
}

var _ module.Instance = (*service)(nil)

func newService(h module.Host) module.Instance {
	s := &service{Router: module.NewRouter(manifest), host: h}
	module.ShowSettings[Settings](s.API)
	s.routes()
	return s
}
