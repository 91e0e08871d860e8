package app

import (
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/events/changes"
	"github.com/wattle-portal/wattle/core/internal/events/jobs"
	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/http/assets"
	"github.com/wattle-portal/wattle/core/internal/http/portal"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/label/archive"
	"github.com/wattle-portal/wattle/core/internal/labels/mail"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/modules/sibling"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/demo"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/files"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

// parts are the parts that the app starts and that commands and tests use.
type parts struct {
	fx.In
	Config   config.Config
	Log      *slog.Logger
	Clock    *clock.Clock
	Store    *store.Store
	Key      *masterkey.Key
	Registry *registry.Registry
	Labels   *label.Store
	Archive  *archive.Archive
	Hub      *sibling.Hub
	Identity *identity.Service
	Limits   *limit.Limiter
	Files    *files.Store
	Mail     *mail.Mailer
	Outbox   *outbox.Outbox
	Changes  *changes.Queue
	Audit    *audit.Log
	Jobs     *jobs.Jobs
	Assets   *assets.Store
	Portal   *portal.Portal
	Demo     *demo.Service
	Metrics  *prometheus.Registry
	Health   *probes
	Checks   *health.Checks
	Handler  http.Handler
	Modules  []module.Running `group:"modules"`
}

// core contains core's own parts, by the package groups of core/internal that they belong to.
var core = fx.Options(baseParts, storageParts, labelsParts, eventsParts, peopleParts, modulesParts, httpParts, operateParts)
