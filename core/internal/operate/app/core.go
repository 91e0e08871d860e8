package app

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/internal/events/changes"
	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/http/portal"
	"github.com/wattle-portal/wattle/core/internal/http/ticket"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/modules/secret"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/demo"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/files"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
	"github.com/wattle-portal/wattle/core/internal/storage/token"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
)

// coreManifest makes core's own operations a module, so that the same access checks apply to all operations.
var coreManifest = module.Manifest{Key: registry.Core, Version: Version, Handles: identity.Handles, Publishes: coreapi.Events, Imports: []string{"account"}, Records: identity.RecordKinds}

// instance is core as a module.
type instance struct {
	module.Router
	identity *identity.Service
}

var (
	_ module.Instance = (*instance)(nil)
	_ module.Importer = (*instance)(nil)
)

func newCore(c config.Config, i *identity.Service, tokens *token.Service, tickets *ticket.Service, limits *limit.Limiter, l *changes.Queue, a *audit.Log, o *outbox.Outbox,
	f *files.Store, p *portal.Portal, d *demo.Service) module.Running {
	in := &instance{module.NewRouter(coreManifest), i}
	parts := []interface{ Routes(huma.API) }{p, i, tokens, tickets, limits, f, secret.Source(c.Secret), l, a, o}
	if c.Demo {
		parts = append(parts, d)
	}
	for _, part := range parts {
		part.Routes(in.API)
	}
	return module.Running{Manifest: coreManifest, Instance: in}
}

// Handle implements module.Instance.
func (in *instance) Handle(ctx context.Context, e module.Event) error {
	return in.identity.Handle(ctx, e)
}

// Import implements module.Importer.
func (in *instance) Import(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error) {
	return in.identity.Import(ctx, kind, rows)
}
