package app

import (
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/base/traffic"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/people/identity/cognito"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

var peopleParts = fx.Provide(newIdentity, sweeps((*identity.Service).Sweep))

func newIdentity(e env, db store.DB, labels *label.Store, limits *limit.Limiter, a *audit.Log, key *masterkey.Key,
	calls *traffic.Meter) (*identity.Service, error) {
	c := e.Config
	cost, err := c.HashCost()
	if err != nil {
		return nil, err
	}
	return identity.New(identity.Deps{DB: db, Key: key, Labels: labels, Clock: e.Clock, Limits: limits, Demo: c.Demo, Log: e.Log, Audit: a,
		KeepSessions: config.Days(c.Keep.Sessions), KeepImpersonations: config.Days(c.Keep.Impersonations),
		Cost: cost, Cores: c.HashCores, Busy: calls.Busy, Cognito: cognito.New(cognito.Config{Secrets: c.Secret, Now: e.Clock.Now, Log: e.Log})})
}
