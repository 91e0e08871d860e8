package app

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"go.uber.org/fx"

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

// coreManifest describes core's own operations as a module, so that the same access checks apply to all operations.
var coreManifest = module.Manifest{Key: registry.Core, Version: Version, Handles: identity.Handles, Publishes: coreapi.Events,
	Imports: []string{"account"}, Records: identity.RecordKinds}

// instance is core as a module.
type instance struct {
	module.Router
	identity *identity.Service
}

var (
	_ module.Instance = (*instance)(nil)
	_ module.Importer = (*instance)(nil)
)

// coreParts are the parts that have core operations.
type coreParts struct {
	fx.In
	Config   config.Config
	Portal   *portal.Portal
	Identity *identity.Service
	Tokens   *token.Service
	Tickets  *ticket.Service
	Limits   *limit.Limiter
	Files    *files.Store
	Changes  *changes.Queue
	Audit    *audit.Log
	Outbox   *outbox.Outbox
	Demo     *demo.Service
}

func newCore(p coreParts) module.Running {
	in := &instance{module.NewRouter(coreManifest), p.Identity}
	all := []interface{ Routes(huma.API) }{p.Portal, p.Identity, p.Tokens, p.Tickets, p.Limits, p.Files, secret.Source(p.Config.Secret),
		p.Changes, p.Audit, p.Outbox}
	if p.Config.Demo {
		all = append(all, p.Demo)
	}
	for _, part := range all {
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
