package identity

import (
	"context"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// Subject is the permanent identity of a user at a provider: the issuer and the sub claim of its tokens. It is zero for the built-in
// provider.
type Subject struct {
	Issuer string
	ID     string
}

type subjectRow struct {
	bun.BaseModel `bun:"table:identity_subjects,alias:u"`

	Label   string    `bun:"label_key,pk"`
	Issuer  string    `bun:"issuer,pk"`
	Subject string    `bun:"subject,pk"`
	Account string    `bun:"account_id"`
	Created time.Time `bun:"created_at"`
}

// bySubject returns the account of a provider's user that has signed in before.
func (s *accounts) bySubject(ctx context.Context, db bun.IDB, label string, u Subject) (*login, error) {
	if u == (Subject{}) {
		return nil, errNotFound
	}
	r := &login{}
	return scanAccount(ctx, selectAccount(db, r, label).
		Join("JOIN identity_subjects AS u ON u.label_key = a.label_key AND u.account_id = a.id").
		Where("u.issuer = ? AND u.subject = ?", u.Issuer, u.ID), r)
}

// bind stores the provider's user of an account, possibly at the same time as another process.
func (s *accounts) bind(ctx context.Context, label, account string, u Subject) error {
	if r, err := s.bySubject(ctx, s.db.Read(), label, u); err == nil && r.ID == account {
		return nil
	} else if err != nil && !errors.Is(err, errNotFound) {
		return err
	}
	return s.db.Tx(system(ctx, label), func(ctx context.Context, tx store.Tx) error {
		_, err := tx.NewInsert().Model(&subjectRow{Label: label, Issuer: u.Issuer, Subject: u.ID, Account: account, Created: s.now()}).
			On("CONFLICT DO NOTHING").Exec(ctx)
		return err
	})
}

// unbind deletes the provider's user of an account: the next user who signs in with its username is bound to it.
func (s *accounts) unbind(ctx context.Context, tx store.Tx, label, account string) error {
	_, err := tx.NewDelete().Model((*subjectRow)(nil)).Where("label_key = ? AND account_id = ?", label, account).Exec(ctx)
	return err
}

// withSubjects returns an account with its users at providers.
func (s *accounts) withSubjects(ctx context.Context, r *login) (Account, error) {
	a := r.account()
	err := s.db.Read().NewSelect().Model((*subjectRow)(nil)).ColumnExpr("issuer, subject AS id").
		Where("label_key = ? AND account_id = ?", r.Label, r.ID).Scan(ctx, &a.Subjects)
	return a, err
}

// rebind returns a function that stores, within a transaction, the provider's current user of an account; the provider may have
// created a new user.
func (s *accounts) rebind(ctx context.Context, l *label.Label, p Provider, a Account) (func(context.Context, store.Tx) error, error) {
	u, err := p.SubjectOf(ctx, l, a)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx store.Tx) error {
		if err := s.unbind(ctx, tx, l.Key, a.ID); err != nil || u == (Subject{}) {
			return err
		}
		_, err := tx.NewInsert().Model(&subjectRow{Label: l.Key, Issuer: u.Issuer, Subject: u.ID, Account: a.ID, Created: s.now()}).
			On("CONFLICT DO NOTHING").Exec(ctx)
		return err
	}, nil
}

// resolve finds the account of a provider's user (7.7-cognito-sub): by subject or, before the first sign-in, by the pool's name of the user
// or by the typed name that the pool accepted. An account that is bound to another user of the same pool does not match, so a new user with
// an old username does not get access to the account of its previous owner.
func (s *accounts) resolve(ctx context.Context, l *label.Label, u Subject, names ...string) (*login, error) {
	r, err := s.bySubject(ctx, s.db.Read(), l.Key, u)
	if !errors.Is(err, errNotFound) {
		return r, err
	}
	for _, name := range names {
		if name = NormalizeUsername(name); name == "" {
			continue
		}
		r, err := s.byUsername(ctx, s.db.Read(), l.Key, name)
		if errors.Is(err, errNotFound) {
			continue
		}
		if err != nil || u == (Subject{}) {
			return r, err
		}
		n, err := s.db.Read().NewSelect().Model((*subjectRow)(nil)).
			Where("label_key = ? AND account_id = ? AND issuer = ?", l.Key, r.ID, u.Issuer).Count(ctx)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			s.log.WarnContext(ctx, "a username belongs to another user of the identity provider than before; "+
				"reactivate the account if that is right", "label", l.Key, "account", r.ID)
			return nil, errNotFound
		}
		return r, nil
	}
	return nil, errNotFound
}
