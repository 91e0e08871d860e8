package identity

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/internal/token"
	"github.com/wattle-portal/wattle/core/value"
)

// temporaryLife is how long a temporary password can be used.
const temporaryLife = 7 * 24 * time.Hour

// local is the identity provider that is part of the server: passwords stand with the accounts, codes are mailed through the
// outbox, and id tokens are signed with a key of the label.
type local struct {
	accounts *accounts
	codes    *codes
	hasher   *hasher
	signer   *signer
	box      *box
	log      *slog.Logger
}

// SignIn takes as long for an unknown user as for a known one.
func (p *local) SignIn(ctx context.Context, l *label.Label, username, password string) (Grant, error) {
	r, err := p.accounts.byUsername(ctx, p.accounts.db.Read(), l.Key, username)
	if err != nil && !errors.Is(err, errNotFound) {
		return Grant{}, err
	}
	if r == nil {
		r = &login{}
	}
	stored := r.Password
	if stored == "" {
		if stored, err = p.decoy(ctx, l, username); err != nil {
			return Grant{}, err
		}
	}
	ok, stale, err := p.hasher.verify(ctx, password, stored)
	if err != nil {
		return Grant{}, err
	}
	ok = ok && r.Password != ""
	if !ok {
		return Grant{}, ErrWrongCredentials
	}
	g := Grant{Impersonator: r.Role == ImpersonatorRole}
	if r.Temporary {
		if !p.accounts.now().Before(r.TemporaryUntil) {
			return Grant{}, ErrTempExpired
		}
		g.Challenge, g.Demands = token.Hash(r.Password), ChallengeNewPassword
		return g, nil
	}
	if stale {
		p.renew(ctx, l, r, password)
	}
	return g, nil
}

// decoy is a hash to verify for a username without one. It has the cost of another account's, always the same for the same name:
// while hashes of an earlier cost are left, neither cost tells which names are known.
func (p *local) decoy(ctx context.Context, l *label.Label, username string) (string, error) {
	stored, err := p.accounts.passwordNear(ctx, l.Key, value.StableID(p.box.macs("decoy", l.Key, username)[0]))
	if err != nil {
		return "", err
	}
	cost, _, _, ok := parsePHC(stored)
	if !ok {
		cost = p.hasher.cost
	}
	return p.hasher.like(cost), nil
}

// renew replaces a hash of an earlier cost with one of the present. The sign-in goes on without: the next one tries again.
func (p *local) renew(ctx context.Context, l *label.Label, r *login, password string) {
	h, err := p.hasher.hash(ctx, password)
	if err == nil {
		err = p.accounts.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
			return p.accounts.renewPassword(ctx, tx, r, h)
		})
	}
	if err != nil {
		p.log.WarnContext(ctx, "the hash of a password could not be renewed", "label", l.Key, "account", r.ID, "err", err)
	}
}

// set replaces a password, unless it was replaced meanwhile: then ErrSessionExpired.
func (p *local) set(ctx context.Context, l *label.Label, r *login, password string) error {
	h, err := p.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return p.accounts.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
		return p.accounts.setPassword(ctx, tx, r, h)
	})
}

// NewPassword accepts a challenge only as long as the temporary password is there, so it works once.
func (p *local) NewPassword(ctx context.Context, l *label.Label, username, challenge, password string) (Grant, error) {
	r, err := p.accounts.byUsername(ctx, p.accounts.db.Read(), l.Key, username)
	if errors.Is(err, errNotFound) {
		return Grant{}, ErrSessionExpired
	}
	if err != nil {
		return Grant{}, err
	}
	if !r.Temporary || !same(token.Hash(r.Password), challenge) {
		return Grant{}, ErrSessionExpired
	}
	return Grant{}, p.set(ctx, l, r, password)
}

// AnswerCode has nothing to answer: no challenge of ours asks for a code.
func (p *local) AnswerCode(context.Context, *label.Label, string, string, string) (Grant, error) {
	return Grant{}, ErrSessionExpired
}

// Refresh has nothing to renew: the session is ours.
func (p *local) Refresh(context.Context, *label.Label, string, []byte) (Grant, error) {
	return Grant{}, nil
}

// SignOut has nothing to end: the session is ours.
func (p *local) SignOut(context.Context, *label.Label, []byte) error { return nil }

// Forgot writes a code for an unknown user too, which nobody gets.
func (p *local) Forgot(ctx context.Context, l *label.Label, username string) error {
	r, err := p.accounts.byUsername(ctx, p.accounts.db.Read(), l.Key, username)
	if err != nil && !errors.Is(err, errNotFound) {
		return err
	}
	known := err == nil && r.Email != "" && r.Role != ImpersonatorRole && !r.Disabled
	if known && r.Temporary {
		return ErrCannotReset
	}
	code := newCode()
	return p.accounts.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
		if err := p.codes.put(ctx, tx, l.Key, username, code, false); err != nil || !known {
			return err
		}
		return tx.Mail(ctx, codeMail(ctx, l, r, code))
	})
}

// ConfirmForgot hashes first: a wrong code takes as long as a right one.
func (p *local) ConfirmForgot(ctx context.Context, l *label.Label, username, code, password string) error {
	h, err := p.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return p.accounts.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
		ok, err := p.codes.take(ctx, tx, l.Key, username, code, false)
		if err != nil {
			return err
		}
		if !ok {
			return ErrCodeInvalid
		}
		r, err := p.accounts.byUsername(ctx, tx, l.Key, username)
		if errors.Is(err, errNotFound) {
			return ErrCodeInvalid
		}
		if err != nil {
			return err
		}
		if err := policy(password, owner(l, username, r)); err != nil {
			return err // and the code is not used up
		}
		return p.accounts.setPassword(ctx, tx, r, h)
	})
}

// ChangePassword wants the old password.
func (p *local) ChangePassword(ctx context.Context, l *label.Label, username string, _ []byte, old, new string) (Grant, error) {
	r, err := p.accounts.byUsername(ctx, p.accounts.db.Read(), l.Key, username)
	if err != nil {
		return Grant{}, err
	}
	ok, _, err := p.hasher.verify(ctx, old, r.Password)
	if err != nil {
		return Grant{}, err
	}
	if !ok {
		return Grant{}, ErrWrongCredentials
	}
	return Grant{}, p.set(ctx, l, r, new)
}

// Verify checks a token that we signed.
func (p *local) Verify(ctx context.Context, l *label.Label, token string) (Identity, error) {
	return p.signer.verify(ctx, l, token)
}

// Keys is the public halves of the label's signing keys.
func (p *local) Keys(ctx context.Context, l *label.Label) ([]byte, error) {
	if _, err := p.signer.keys.signing(ctx, l.Key); err != nil { // the first
		return nil, err
	}
	k, err := p.signer.keys.get(ctx, l.Key, false)
	if err != nil {
		return nil, err
	}
	return json.Marshal(k.public)
}

// Put hashes the password; the account keeps it.
func (p *local) Put(ctx context.Context, _ *label.Label, _ Account, password string, _ bool) (string, error) {
	if password == "" {
		return "", nil
	}
	return p.hasher.hash(ctx, password)
}

// Asleep looks at the account, which keeps the password.
func (p *local) Asleep(ctx context.Context, l *label.Label, a Account) (bool, error) {
	r, err := p.accounts.byID(ctx, p.accounts.db.Read(), l.Key, a.ID)
	if err != nil {
		return false, err
	}
	return r.Password == "" || r.Temporary, nil
}

// Wake hashes the password; the account keeps it.
func (p *local) Wake(ctx context.Context, _ *label.Label, _ Account, password string) (string, error) {
	return p.hasher.hash(ctx, password)
}

// SubjectOf is zero: the accounts are ours.
func (p *local) SubjectOf(context.Context, *label.Label, Account) (Subject, error) {
	return Subject{}, nil
}

// SetEmail has nothing to do: the account keeps the address.
func (p *local) SetEmail(context.Context, *label.Label, Account, string) error { return nil }

// Renames is true: the account keeps the name.
func (p *local) Renames() bool { return true }
