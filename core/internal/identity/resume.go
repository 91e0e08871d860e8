package identity

import (
	"context"
	"database/sql"
	"errors"

	"github.com/wattle-portal/wattle/core/internal/label"
)

// Resume gives what a session's token would say now, for core's own work on behalf of a session without its token at hand: it takes
// Session, Subject, Actor and ReadOnly of earlier claims. ErrSessionExpired when that session has been signed out or is over, when
// its account is gone, or when the impersonator may no longer look along.
func (s *Service) Resume(ctx context.Context, l *label.Label, before Claims) (Claims, error) {
	id := Identity{Session: before.Session}
	db, now := s.d.DB.Read(), s.now()
	if before.ReadOnly {
		var x impersonation
		err := db.NewSelect().Model(&x).Where("label_key = ? AND id = ? AND account_id = ? AND actor_id = ?", l.Key, before.Session,
			before.Subject, before.Actor).Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) || err == nil && (x.Used.IsZero() || !x.Ended.IsZero() || !now.Before(x.Used.Add(impersonationLife))) {
			return Claims{}, ErrSessionExpired
		}
		if err != nil {
			return Claims{}, err
		}
		id.Actor, id.Expires = x.Actor, x.Used.Add(impersonationLife)
	} else {
		var x session
		q := db.NewSelect().Model(&x).Where("label_key = ? AND account_id = ? AND ends_at > ?", l.Key, before.Subject, now)
		if before.Session != before.Subject { // a provider's own token does not name our session
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
