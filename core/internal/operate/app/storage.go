package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/base/private"
	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/records/imports/dryrun"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/files"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/storage/token"
)

var storageParts = fx.Provide(newStore, newKey, newDB, newAudit, newLimits, newTokens, newFiles,
	sweeps((*limit.Limiter).Sweep), sweeps((*token.Service).Sweep))

// opened closes everything that the constructors have opened when a later constructor fails: fx fills parts only after all constructors
// have succeeded.
type opened struct{ closers []func() error }

func (o *opened) close() (err error) {
	for _, c := range slices.Backward(o.closers) {
		err = errors.Join(err, c())
	}
	return err
}

func newStore(e env, o *opened) (*store.Store, error) {
	c := e.Config
	if err := private.SecureFolder(c.Data, e.Log); err != nil {
		return nil, err
	}
	s, err := store.Open(context.Background(), store.Config{Dir: c.Data, URL: c.Database, Direct: c.Direct, Unsafe: c.Unsafe})
	if err == nil {
		o.closers = append(o.closers, s.Close)
	}
	return s, err
}

func newKey(c config.Config) (*masterkey.Key, error) {
	return masterkey.Load(c.Secret(masterkey.SecretName), c.Data)
}

func newAudit(e env, s *store.Store) *audit.Log {
	return audit.New(audit.Deps{Store: s, Clock: e.Clock, Names: identity.NamesOf})
}

// newDB returns core's own database: identity, tokens and limits publish events and queue emails the way a module does.
func newDB(e env, s *store.Store, o *outbox.Outbox) store.DB {
	return store.Core(dryrun.DB(s.Module(coreManifest, e.Clock, o.Wake)))
}

func newLimits(e env, db store.DB) *limit.Limiter { return limit.New(db, e.Clock.Now) }

func newTokens(e env, db store.DB) *token.Service {
	s := token.New(db, e.Clock.Now)
	s.Keep = config.Days(e.Config.Keep.Tokens)
	return s
}

func newFiles(c config.Config, o *opened) (*files.Store, error) {
	s, err := files.Open(context.Background(), files.Config{At: c.Files, Data: c.Data, Secrets: c.Secret})
	if err != nil {
		return nil, fmt.Errorf("--files: %w", err)
	}
	o.closers = append(o.closers, s.Close)
	return s, nil
}
