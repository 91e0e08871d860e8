package app

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"path/filepath"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/base/outside"
	"github.com/wattle-portal/wattle/core/internal/base/private"
	"github.com/wattle-portal/wattle/core/internal/base/traffic"
	"github.com/wattle-portal/wattle/core/internal/events/changes"
	"github.com/wattle-portal/wattle/core/internal/events/jobs"
	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/http/assets"
	"github.com/wattle-portal/wattle/core/internal/http/portal"
	"github.com/wattle-portal/wattle/core/internal/http/ticket"
	"github.com/wattle-portal/wattle/core/internal/http/web"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/label/archive"
	"github.com/wattle-portal/wattle/core/internal/labels/mail"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/modules/sibling"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/demo"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/people/identity/cognito"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/internal/records/imports/dryrun"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/files"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/storage/token"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
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

var core = fx.Options(
	fx.Provide(
		slog.Default, newClock, newStore, newKey, registry.New, newLabels, newArchive, newHub, newMetrics, newHostFor, health.New, newProbes,
		newCalls,
		newAudit, newChanges, newOutbox, newDB, newLimits, newTokens, newFiles, newTickets, newIdentity, newMail, newJobs, newAssets, newPortal, newDemo, newHandler,
		fx.Annotate(newCore, fx.ResultTags(`group:"modules"`)),
	),
)

func newClock(c config.Config) (*clock.Clock, error) {
	k := &clock.Clock{}
	at, err := c.Start()
	if err == nil && !at.IsZero() {
		k.Set(at)
	}
	return k, err
}

func newStore(c config.Config, log *slog.Logger) (*store.Store, error) {
	if err := private.SecureFolder(c.Data, log); err != nil {
		return nil, err
	}
	return store.Open(context.Background(), store.Config{Dir: c.Data, URL: c.Database, Direct: c.Direct, Unsafe: c.Unsafe})
}

// newLabels compiles the labels with the schemas of the in-process modules; they are compiled again when plugins have started. A plugin
// that is installed and does not run has a fragment too, so that its labels are served without it (9-label-plugin-down). The store has
// made the data folder, which has the cache, private.
func newLabels(c config.Config, r *registry.Registry, manifests []module.Manifest, log *slog.Logger, _ *store.Store) (*label.Store, error) {
	return label.Open(c.Labels, func() []label.Fragment {
		out := r.Upcoming().Fragments()
		if c.Demo || c.Sandbox {
			out = append(out, label.Fragment{Demo: true})
		}
		if len(r.Upcoming().Modules) == 0 {
			for _, m := range manifests {
				out = append(out, fragment(m))
			}
		}
		specs, _ := pluginhost.Scan(c.Plugins) // the start of the plugins reports these errors
		disabled := pluginhost.Disabled(c.Plugins)
		for _, s := range specs {
			if !slices.ContainsFunc(out, func(f label.Fragment) bool { return f.Module == s.Key }) {
				out = append(out, label.Fragment{Module: s.Key, Absent: true, Disabled: disabled[s.Key]})
			}
		}
		return out
	}, label.CacheIn(filepath.Join(c.Data, label.CacheFolder), log))
}

func newArchive(s *store.Store, k *clock.Clock) *archive.Archive { return archive.New(s, k.Now) }

func newKey(c config.Config) (*masterkey.Key, error) {
	return masterkey.Load(c.Secret(masterkey.SecretName), c.Data)
}

func newHub(r *registry.Registry, labels *label.Store) *sibling.Hub { return sibling.New(r, labels) }

func newMetrics() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// newHostFor returns the function that makes the Host of each module.
func newHostFor(s *store.Store, k *clock.Clock, h *sibling.Hub, o *outbox.Outbox, c config.Config, log *slog.Logger) module.HostFor {
	web := outsideClient(c)
	return func(m module.Manifest) module.Host {
		return module.Host{Client: h.Client(m), Web: web, DB: dryrun.DB(s.Module(m, k, o.Wake)), Now: k.Now, Log: log.With("module", m.Key)}
	}
}

func outsideClient(c config.Config) *http.Client { return outside.Client(allowedPrivate(c)...) }

// allowedPrivate returns the private addresses that modules and webhooks may call: this machine in a demo, where payment and webhooks are
// stubs.
func allowedPrivate(c config.Config) []netip.Prefix {
	if !c.Demo {
		return nil
	}
	return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

// subscriptions finds the modules that handle events of a label, in the versions of that label.
type subscriptions struct {
	registry *registry.Registry
	labels   *label.Store
}

// Handlers implements outbox.Subscriptions.
func (s subscriptions) Handlers(labelKey, eventType string) []outbox.Subscriber {
	return s.registry.Snapshot().Handlers(s.labels.ByKey(labelKey), eventType)
}

func newAudit(s *store.Store, k *clock.Clock) *audit.Log {
	return audit.New(audit.Deps{Store: s, Clock: k, Names: identity.NamesOf})
}

func newChanges(s *store.Store, k *clock.Clock, log *slog.Logger, labels *label.Store, h *sibling.Hub, a *audit.Log) *changes.Queue {
	return changes.New(changes.Deps{Store: s, Clock: k, Log: log, Labels: labels, Client: h.Client(coreManifest), ScopeFor: h.ScopeFor, Audit: a})
}

func newOutbox(s *store.Store, k *clock.Clock, log *slog.Logger, r *registry.Registry, labels *label.Store, h *sibling.Hub, m *mail.Mailer,
	l *changes.Queue, c config.Config, key *masterkey.Key) *outbox.Outbox {
	send := func(ctx context.Context, labelKey, id string, queued module.Mail) error {
		opened, err := identity.OpenMail(key, labelKey, queued)
		if err != nil {
			return err
		}
		return m.Send(ctx, labelKey, id, opened)
	}
	return outbox.New(outbox.Deps{Store: s, Clock: k, Log: log, Subscriptions: subscriptions{r, labels}, ScopeFor: h.ScopeFor, Mail: send, Changes: l, Key: key,
		Web: outsideClient(c), PlainWebhooks: c.Demo, KeepMessages: config.Days(c.Keep.Messages), KeepDead: config.Days(c.Keep.DeadLetters)})
}

// newDB returns core's own database: identity, tokens and limits publish events and queue mail as a module does.
func newDB(s *store.Store, k *clock.Clock, o *outbox.Outbox) store.DB {
	return store.Core(dryrun.DB(s.Module(coreManifest, k, o.Wake)))
}

func newLimits(db store.DB, k *clock.Clock) *limit.Limiter { return limit.New(db, k.Now) }
func newTokens(c config.Config, db store.DB, k *clock.Clock) *token.Service {
	s := token.New(db, k.Now)
	s.Keep = config.Days(c.Keep.Tokens)
	return s
}

func newFiles(c config.Config) (*files.Store, error) {
	s, err := files.Open(context.Background(), files.Config{At: c.Files, Data: c.Data, Secrets: c.Secret})
	if err != nil {
		return nil, fmt.Errorf("--files: %w", err)
	}
	return s, nil
}

func newIdentity(c config.Config, db store.DB, labels *label.Store, k *clock.Clock, limits *limit.Limiter, a *audit.Log, log *slog.Logger, key *masterkey.Key,
	calls *traffic.Meter) (*identity.Service, error) {
	cost, err := c.HashCost()
	if err != nil {
		return nil, err
	}
	return identity.New(identity.Deps{DB: db, Key: key, Labels: labels, Clock: k, Limits: limits, Demo: c.Demo, Log: log, Audit: a,
		KeepSessions: config.Days(c.Keep.Sessions), KeepImpersonations: config.Days(c.Keep.Impersonations),
		Cost: cost, Cores: c.HashCores, Busy: calls.Busy, Cognito: cognito.New(cognito.Config{Secrets: c.Secret, Now: k.Now, Log: log})})
}

// newCalls returns the meter of the running calls, which have priority over hashing passwords.
func newCalls() *traffic.Meter { return &traffic.Meter{} }

func newTickets(db store.DB, r *registry.Registry, i *identity.Service, limits *limit.Limiter, h *sibling.Hub, k *clock.Clock) *ticket.Service {
	return ticket.New(ticket.Deps{DB: db, Registry: r, Identity: i, Limits: limits, Client: h.Client(coreManifest), Enter: h.Enter, Now: k.Now})
}

func newMail(c config.Config, labels *label.Store, k *clock.Clock, log *slog.Logger) (*mail.Mailer, error) {
	m, err := mail.Server(c.SMTP)
	if err != nil {
		return nil, fmt.Errorf("--smtp: %w", err)
	}
	m.From, m.Dir, m.Now, m.Log = c.MailFrom, filepath.Join(c.Data, "mailbox"), k.Now, log
	return mail.New(m, labels, labels)
}

func newJobs(c config.Config, s *store.Store, mails *mail.Mailer, k *clock.Clock, log *slog.Logger, labels *label.Store, r *registry.Registry, o *outbox.Outbox,
	l *changes.Queue, i *identity.Service, limits *limit.Limiter, tokens *token.Service, tickets *ticket.Service, m *prometheus.Registry) *jobs.Jobs {
	manifests := func() []module.Manifest { return r.Snapshot().Manifests() }
	isServed := func(l *label.Label, m module.Manifest) bool { return r.Snapshot().IsServed(l, m) }
	j := jobs.New(jobs.Deps{Store: s, Clock: k, Log: log, Labels: labels, Modules: manifests, IsServed: isServed, Outbox: o,
		Sweepers: []func(context.Context) error{l.Auto, i.Sweep, limits.Sweep, tokens.Sweep, tickets.Sweep},
		Cleaners: []func(context.Context) error{func(context.Context) error { return mails.Purge(config.Days(c.Keep.Mailbox)) }}})
	m.MustRegister(o, j)
	return j
}

func newAssets(c config.Config, log *slog.Logger) (*assets.Store, error) {
	return assets.Open(assets.Config{Dir: c.Front, Own: c.Remotes, Keep: filepath.Join(c.Data, "assets"), Dev: c.Dev, Log: log})
}

func newPortal(c config.Config, r *registry.Registry, labels *label.Store, f *assets.Store, k *clock.Clock, m *mail.Mailer,
	i *identity.Service, log *slog.Logger) *portal.Portal {
	return portal.New(portal.Deps{Registry: r, Labels: labels, Assets: f, Clock: k, Demo: c.Demo, Dev: c.Dev, Mailbox: m.Mailbox(),
		Impersonate: i.DemoImpersonation(), SignIn: i.DemoSignIn(), Log: log})
}

func newDemo(s *store.Store, labels *label.Store, i *identity.Service, r *registry.Registry, h *sibling.Hub, k *clock.Clock,
	f *files.Store, queue *changes.Queue, o *outbox.Outbox, hostFor module.HostFor, manifests []module.Manifest, log *slog.Logger) *demo.Service {
	put := func(ctx context.Context, labelKey, name string, content []byte) error {
		return f.Put(ctx, labelKey, name, bytes.NewReader(content))
	}
	file := func(_ context.Context, labelKey, moduleKey string, c module.Change) error {
		m, on := r.Snapshot().Modules[moduleKey]
		inside, ok := h.ScopeFor(labelKey, moduleKey)
		if !on || !ok {
			return problem.ErrNotFound
		}
		return hostFor(m.Manifest).DB.Tx(inside, func(ctx context.Context, tx module.Tx) error {
			_, err := tx.File(ctx, c)
			return err
		})
	}
	return demo.New(demo.Deps{Store: s, Modules: manifests, Put: put, File: file, Processed: queue.Processed, Work: o.Work, Labels: labels, Identity: i, Client: h.Client(coreManifest), Enter: h.Enter, Now: k.Now, Log: log,
		Import: func(labelKey string) ([]string, imports.Target) {
			target, order := imports.Find(r.Snapshot().For(labels.ByKey(labelKey), ""), labelKey, h.ScopeFor)
			return order, target
		}})
}

func newHandler(c config.Config, r *registry.Registry, labels *label.Store, h *sibling.Hub, i *identity.Service, p *portal.Portal,
	ready *probes, m *prometheus.Registry, a *audit.Log, log *slog.Logger, calls *traffic.Meter) http.Handler {
	return web.New(web.Deps{Calls: calls, Registry: r, Labels: labels, Scopes: h, Identity: i, Pages: p, Health: ready, Log: log, Proxies: c.Proxies, Metrics: m, Audit: a})
}
