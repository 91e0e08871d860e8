package app

import (
	"net/http"
	"path/filepath"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/base/traffic"
	"github.com/wattle-portal/wattle/core/internal/http/assets"
	"github.com/wattle-portal/wattle/core/internal/http/portal"
	"github.com/wattle-portal/wattle/core/internal/http/ticket"
	"github.com/wattle-portal/wattle/core/internal/http/web"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/mail"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/modules/sibling"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

var httpParts = fx.Provide(newTickets, newAssets, newPortal, newHandler, sweeps((*ticket.Service).Sweep))

func newTickets(e env, db store.DB, r *registry.Registry, i *identity.Service, limits *limit.Limiter, h *sibling.Hub) *ticket.Service {
	return ticket.New(ticket.Deps{DB: db, Registry: r, Identity: i, Limits: limits, Client: h.Client(coreManifest), Enter: h.Enter,
		Now: e.Clock.Now})
}

func newAssets(e env) (*assets.Store, error) {
	c := e.Config
	return assets.Open(assets.Config{Dir: c.Front, Own: c.Remotes, Keep: filepath.Join(c.Data, "assets"), Dev: c.Dev, Log: e.Log})
}

func newPortal(e env, r *registry.Registry, labels *label.Store, f *assets.Store, m *mail.Mailer, i *identity.Service) *portal.Portal {
	c := e.Config
	return portal.New(portal.Deps{Registry: r, Labels: labels, Assets: f, Clock: e.Clock, Demo: c.Demo, Dev: c.Dev, Mailbox: m.Mailbox(),
		Impersonate: i.DemoImpersonation(), SignIn: i.DemoSignIn(), Log: e.Log})
}

// handlerParts contains the dependencies of the handler for the portal's address.
type handlerParts struct {
	fx.In
	Registry *registry.Registry
	Labels   *label.Store
	Hub      *sibling.Hub
	Identity *identity.Service
	Portal   *portal.Portal
	Health   *probes
	Metrics  *prometheus.Registry
	Audit    *audit.Log
	Calls    *traffic.Meter
}

func newHandler(e env, p handlerParts) http.Handler {
	return web.New(web.Deps{Calls: p.Calls, Registry: p.Registry, Labels: p.Labels, Scopes: p.Hub, Identity: p.Identity, Pages: p.Portal,
		Health: p.Health, Log: e.Log, Proxies: e.Config.Proxies, Metrics: p.Metrics, Audit: p.Audit})
}
