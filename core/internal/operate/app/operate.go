package app

import (
	"bytes"
	"context"

	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/events/changes"
	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/modules/sibling"
	"github.com/wattle-portal/wattle/core/internal/operate/demo"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/internal/storage/files"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

var operateParts = fx.Provide(newDemo, newProbes, fx.Annotate(newCore, fx.ResultTags(`group:"modules"`)))

// demoParts contains the dependencies of a demo's people and clock.
type demoParts struct {
	fx.In
	Store     *store.Store
	Labels    *label.Store
	Identity  *identity.Service
	Registry  *registry.Registry
	Hub       *sibling.Hub
	Files     *files.Store
	Changes   *changes.Queue
	Outbox    *outbox.Outbox
	HostFor   module.HostFor
	Manifests []module.Manifest
}

func newDemo(e env, p demoParts) *demo.Service {
	put := func(ctx context.Context, labelKey, name string, content []byte) error {
		return p.Files.Put(ctx, labelKey, name, bytes.NewReader(content))
	}
	file := func(_ context.Context, labelKey, moduleKey string, c module.Change) error {
		m, on := p.Registry.Snapshot().Modules[moduleKey]
		inside, ok := p.Hub.ScopeFor(labelKey, moduleKey)
		if !on || !ok {
			return problem.ErrNotFound
		}
		return p.HostFor(m.Manifest).DB.Tx(inside, func(ctx context.Context, tx module.Tx) error {
			_, err := tx.File(ctx, c)
			return err
		})
	}
	return demo.New(demo.Deps{Store: p.Store, Modules: p.Manifests, Put: put, File: file, Processed: p.Changes.Processed,
		Work: p.Outbox.DeliverDue, Labels: p.Labels, Identity: p.Identity, Client: p.Hub.Client(coreManifest), Enter: p.Hub.Enter,
		Now: e.Clock.Now, Log: e.Log,
		Import: func(labelKey string) ([]string, imports.Target) {
			target, order := imports.Find(p.Registry.Snapshot().For(p.Labels.ByKey(labelKey), ""), labelKey, p.Hub.ScopeFor)
			return order, target
		}})
}
