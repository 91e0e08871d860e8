package app

import (
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/modules/sibling"
	"github.com/wattle-portal/wattle/core/internal/records/imports/dryrun"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

var modulesParts = fx.Provide(registry.New, newHub, newHostFor)

func newHub(r *registry.Registry, labels *label.Store) *sibling.Hub { return sibling.New(r, labels) }

// newHostFor returns the function that creates the Host of each module.
func newHostFor(e env, s *store.Store, h *sibling.Hub, o *outbox.Outbox) module.HostFor {
	web := outsideClient(e.Config)
	return func(m module.Manifest) module.Host {
		return module.Host{Client: h.Client(m), Web: web, DB: dryrun.DB(s.Module(m, e.Clock, o.Wake)), Now: e.Clock.Now,
			Log: e.Log.With("module", m.Key)}
	}
}
