package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/events/changes"
	"github.com/wattle-portal/wattle/core/internal/events/jobs"
	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/mail"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/modules/sibling"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

var eventsParts = fx.Provide(newChanges, newOutbox, newJobs, sweeps((*changes.Queue).Auto))

func newChanges(e env, s *store.Store, labels *label.Store, h *sibling.Hub, a *audit.Log) *changes.Queue {
	return changes.New(changes.Deps{Store: s, Clock: e.Clock, Log: e.Log, Labels: labels, Client: h.Client(coreManifest), ScopeFor: h.ScopeFor,
		Audit: a})
}

func newOutbox(e env, s *store.Store, r *registry.Registry, labels *label.Store, h *sibling.Hub, m *mail.Mailer, q *changes.Queue,
	key *masterkey.Key) *outbox.Outbox {
	send := func(ctx context.Context, labelKey, id string, queued module.Mail) error {
		opened, err := identity.OpenMail(key, labelKey, queued)
		if err != nil {
			return err
		}
		return m.Send(ctx, labelKey, id, opened)
	}
	keep := e.Config.Keep
	return outbox.New(outbox.Deps{Store: s, Clock: e.Clock, Log: e.Log, Subscriptions: subscriptions{r, labels}, ScopeFor: h.ScopeFor,
		Mail: send, Changes: q,
		Key: key, Web: outsideClient(e.Config), PlainWebhooks: e.Config.Demo, KeepMessages: config.Days(keep.Messages),
		KeepDead: config.Days(keep.DeadLetters)})
}

// subscriptions finds the modules that handle a label's events, in the versions of that label.
type subscriptions struct {
	registry *registry.Registry
	labels   *label.Store
}

// Handlers implements outbox.Subscriptions.
func (s subscriptions) Handlers(labelKey, eventType string) []outbox.Subscriber {
	return s.registry.Snapshot().Handlers(s.labels.ByKey(labelKey), eventType)
}

// sweeper does the housekeeping of a part. Package jobs runs it at every tick.
type sweeper func(context.Context) error

// sweeps adds a method of a part to the sweepers. They run in any order, and each must work even if others have failed.
func sweeps[Part any](method func(Part, context.Context) error) any {
	return fx.Annotate(func(p Part) sweeper { return func(ctx context.Context) error { return method(p, ctx) } },
		fx.ResultTags(`group:"sweepers"`))
}

// jobParts contains the dependencies of the jobs.
type jobParts struct {
	fx.In
	Store    *store.Store
	Labels   *label.Store
	Registry *registry.Registry
	Outbox   *outbox.Outbox
	Mails    *mail.Mailer
	Sweepers []sweeper `group:"sweepers"`
	Metrics  *prometheus.Registry
}

func newJobs(e env, p jobParts) *jobs.Jobs {
	d := jobs.Deps{Store: p.Store, Clock: e.Clock, Log: e.Log, Labels: p.Labels, Outbox: p.Outbox,
		Modules:  func() []module.Manifest { return p.Registry.Snapshot().Manifests() },
		IsServed: func(l *label.Label, m module.Manifest) bool { return p.Registry.Snapshot().IsServed(l, m) },
		Cleaners: []func(context.Context) error{func(context.Context) error { return p.Mails.Purge(config.Days(e.Config.Keep.Mailbox)) }},
	}
	for _, s := range p.Sweepers {
		d.Sweepers = append(d.Sweepers, s)
	}
	j := jobs.New(d)
	p.Metrics.MustRegister(p.Outbox, j)
	return j
}
