package identity

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/storage/token"
)

const (
	impersonationCodeLifetime = 60 * time.Second // how long a code can be used
	impersonationLifetime     = 30 * time.Minute // how long an impersonation lasts; it cannot be renewed
	impersonationRetention    = 400 * 24 * time.Hour
)

type impersonation struct {
	bun.BaseModel `bun:"table:identity_impersonations,alias:i"`

	token.Once
	ID      string    `bun:"id"`
	Account string    `bun:"account_id"`
	Actor   string    `bun:"actor_id"`
	Tool    bool      `bun:"tool"`
	Created time.Time `bun:"created_at"`
	Ended   time.Time `bun:"ended_at,nullzero"` // when it was ended early
	Key     string    `bun:"key_name"`          // API key of the support tool
}

// mayImpersonate reports whether an account may impersonate another: staff and accounts with is_impersonator (6-impersonator-attribute) may
// impersonate customers, unless either account is disabled.
func mayImpersonate(actor, r *login) bool {
	return !actor.Disabled && (actor.Role == Staff || actor.Role == ImpersonatorRole) && !r.Disabled && r.Role == Customer
}

// impersonations reads and ends running impersonations. The codes in impersonation_code.go start them.
type impersonations struct {
	db          store.DB
	revocations *revocations
	now         func() time.Time
}

// check returns ErrUnauthorized for the token of an impersonation that was ended early.
func (s *impersonations) check(ctx context.Context, l *label.Label, r *login, id *Identity) error {
	n, err := s.db.Read().NewSelect().Model((*impersonation)(nil)).
		Where("label_key = ? AND id = ? AND account_id = ? AND actor_id = ?", l.Key, id.Session, r.ID, id.Actor).
		Where("used_at IS NOT NULL AND ended_at IS NULL").Count(ctx)
	if err == nil && n == 0 {
		return ErrUnauthorized
	}
	return err
}

// runsUntil returns when the impersonation in earlier claims ends. It returns ErrSessionExpired when that impersonation has ended.
func (s *impersonations) runsUntil(ctx context.Context, label string, before Claims) (time.Time, error) {
	now := s.now()
	var x impersonation
	err := s.db.Read().NewSelect().Model(&x).Where("label_key = ? AND id = ? AND account_id = ? AND actor_id = ?", label, before.Session,
		before.Subject, before.Actor).Scan(ctx)
	ends := x.Used.Add(impersonationLifetime)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (x.Used.IsZero() || !x.Ended.IsZero() || !now.Before(ends)) {
		return time.Time{}, ErrSessionExpired
	}
	return ends, err
}

// end ends the impersonation of the calling browser.
func (s *impersonations) end(ctx context.Context, label, id string) error {
	err := s.db.Tx(system(ctx, label), func(ctx context.Context, tx store.Tx) error {
		_, err := endImpersonations(ctx, tx, label, s.now(), "id = ?", id)
		return err
	})
	s.revocations.add(id)
	return err
}

// endImpersonations ends the matching impersonations that are running or have not started, and their tokens. It returns their ids. After
// the transaction the caller must call revocations.add with those ids or with the actor.
func endImpersonations(ctx context.Context, tx store.Tx, label string, now time.Time, where string, args ...any) (ids []string, err error) {
	var ended []impersonation
	oldest := now.Add(-impersonationCodeLifetime - impersonationLifetime)
	err = tx.NewUpdate().Model(&ended).Set("ended_at = ?", now).
		Where("label_key = ? AND ended_at IS NULL AND created_at > ?", label, oldest).
		Where(where, args...).Returning("id").Scan(ctx)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	for _, x := range ended {
		if err := recordRevocation(ctx, tx, label, x.ID, now); err != nil {
			return nil, err
		}
		ids = append(ids, x.ID)
	}
	return ids, nil
}
