// Package onboarding lets people in: it takes the registrations of those who are not customers yet, which staff approve or reject,
// and wakes accounts that cannot be signed in with (any more). Start here; README.md says its words.
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
)

// Settings is what a label may set under modules: onboarding. Its source is label.cue.
type Settings struct {
	// Registration lets visitors ask for access; where it is off nothing that they send is kept.
	Registration bool `json:"registration" browser:"true"`
	// ReactivationAddress asks for an address of the customer beside the mailed link (2.4-reactivation-address-reconcile).
	ReactivationAddress bool `json:"reactivation_address" browser:"true"`
}

var manifest = module.Manifest{
	Key:        "onboarding",
	Version:    "0.1.0",
	Settings:   settings,
	Needs:      []string{"account", "address"},
	Handles:    []string{coreapi.EventEmailVerified, onboardingapi.EventApproved, onboardingapi.EventReactivationAsked, onboardingapi.EventSweep},
	Publishes:  onboardingapi.Events,
	Changes:    []string{kindApplication},
	Schedule:   map[string]string{onboardingapi.EventSweep: "23 4 * * *"},
	Browser:    module.BrowserSettings[Settings](),
	Migrations: migrations,
}

// Module is the onboarding module: the same value in the program and in a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host     module.Host
	underWay singleflight.Group // registrations, by label and attempt
}

var _ module.Instance = (*service)(nil)

func newService(h module.Host) module.Instance {
	s := &service{Router: module.NewRouter(manifest), host: h}
	module.ShowSettings[Settings](s.API)
	s.routes()
	return s
}
