package identity

import (
	"context"
	"database/sql"
	"errors"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
)

// Resume returns the current claims of a session, for work of core on behalf of a session without its token. It uses Session,
// Subject, Actor and ReadOnly of earlier claims. It returns ErrSessionExpired when the session has ended, when its account was
// deleted, or when the impersonator may no longer impersonate.
func (s *Service) Resume(ctx context.Context, l *label.Label, before Claims) (Claims, error) {
	id := Identity{Session: before.Session}
	db, now := s.d.DB.Read(), s.now()
	if before.ReadOnly {
		var x impersonation
		err := db.NewSelect().Model(&x).Where("label_key = ? AND id = ? AND account_id = ? AND actor_id = ?", l.Key, before.Session,
			before.Subject, before.Actor).Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) || err == nil && (x.Used.IsZero() || !x.Ended.IsZero() || !now.Before(x.Used.Add(impersonationLifetime))) {
			return Claims{}, ErrSessionExpired
		}
		if err != nil {
			return Claims{}, err
		}
		id.Actor, id.Expires = x.Actor, x.Used.Add(impersonationLifetime)
	} else {
		var x session
		q := db.NewSelect().Model(&x).Where("label_key = ? AND account_id = ? AND ends_at > ?", l.Key, before.Subject, now)
		if before.Session != before.Subject { // a provider's own token does not contain the portal's session
			q = q.Where("id = ?", before.Session)
		}
		err := q.OrderExpr("ends_at DESC").Limit(1).Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return Claims{}, ErrSessionExpired
		}
		if err != nil {
			return Claims{}, err
		}
		id.Expires = x.Ends
	}
	r, err := s.accounts.byID(ctx, db, l.Key, before.Subject)
	if err == nil {
		var c Claims
		if c, err = s.claims(ctx, l, r, id); err == nil {
			c.Session = before.Session
			return c, nil
		}
	}
	if errors.Is(err, errNotFound) || errors.Is(err, ErrUnauthorized) {
		err = ErrSessionExpired
	}
	return Claims{}, err
}
