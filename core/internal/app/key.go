package app

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/masterkey"
	"github.com/wattle-portal/wattle/core/internal/outbox"
)

// Resealers seal all that the identity key has sealed in the database again.
func (a *App) Resealers() []masterkey.Resealer {
	return []masterkey.Resealer{identity.Reseal(a.Store), outbox.Reseal(a.Store, identity.ResealMail)}
}

// Lost is what a reset of the identity key could not keep.
type Lost struct {
	Webhooks []outbox.Webhook // each with its new secret
	Mails    int              // with a temporary password, that will not be sent
}

// ResetKey has the database take the identity key of this process, whatever it was written with: signing keys, sessions and mailed
// codes are discarded, webhooks get a new secret.
func (a *App) ResetKey(ctx context.Context) (lost Lost, err error) {
	if err := a.Key.Keep(); err != nil {
		return lost, err
	}
	err = a.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) (err error) {
		if err := identity.Discard(ctx, tx); err != nil {
			return err
		}
		if lost.Webhooks, lost.Mails, err = outbox.Discard(ctx, tx, a.Key, a.Clock.Now()); err != nil {
			return err
		}
		return a.Key.Discarded(ctx, tx)
	})
	return lost, err
}
