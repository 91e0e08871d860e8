package app

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/events/outbox"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
)

// Resealers encrypt with a new key everything in the database that the identity key has encrypted.
func (a *App) Resealers() []masterkey.Resealer {
	return []masterkey.Resealer{identity.Reseal(a.Store), outbox.Reseal(a.Store, identity.ResealMail)}
}

// ResetResult describes what a reset of the identity key has discarded.
type ResetResult struct {
	Webhooks []outbox.Webhook // each has a new secret
	Mails    int              // number of emails with a temporary password that are not sent
}

// ResetKey makes the database accept the identity key of this process. Signing keys, sessions and emailed codes are deleted, and webhooks
// get a new secret.
func (a *App) ResetKey(ctx context.Context) (lost ResetResult, err error) {
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
		return a.Key.Discard(ctx, tx)
	})
	return lost, err
}
