package identity

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/storage/token"
	"github.com/wattle-portal/wattle/core/value"
)

// temporaryLifetime is how long a temporary password can be used.
const temporaryLifetime = 7 * 24 * time.Hour

// local is the built-in identity provider: passwords are stored with the accounts, codes are sent by email through the outbox, and id
// tokens are signed with a key of the label.
type local struct {
	accounts *accounts
	codes    *codes
	hasher   *hasher
	signer   *signer
	sealer   *sealer
	log      *slog.Logger
}

// SignIn implements Provider. It takes equally long for unknown and known users.
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
		if stored, err = p.decoyHash(ctx, l, username); err != nil {
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
	g := Grant{Account: r.ID, Impersonator: r.Role == ImpersonatorRole}
	if r.Temporary {
		if !p.accounts.now().Before(r.TemporaryUntil) {
			return Grant{}, ErrTempExpired
		}
		g.Challenge, g.Demands = token.Hash(r.Password), ChallengeNewPassword
		return g, nil
	}
	if stale {
		p.rehash(ctx, l, r, password)
	}
	return g, nil
}

// decoyHash returns a hash to verify for a username without a hash. Its cost is that of another account's hash and never changes for the
// same name, so while hashes with an earlier cost remain, the duration of a sign-in does not reveal which names exist.
func (p *local) decoyHash(ctx context.Context, l *label.Label, username string) (string, error) {
	stored, err := p.accounts.passwordNear(ctx, l.Key, value.StableID(p.sealer.macs("decoy", l.Key, username)[0]))
	if err != nil {
		return "", err
	}
	cost, _, _, ok := parsePHC(stored)
	if !ok {
		cost = p.hasher.cost
	}
	return p.hasher.randomHash(cost), nil
}

// rehash replaces a hash that has an earlier cost. An error does not make the sign-in fail: the next sign-in tries again.
func (p *local) rehash(ctx context.Context, l *label.Label, r *login, password string) {
	h, err := p.hasher.hash(ctx, password)
	if err == nil {
		err = p.accounts.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
			return p.accounts.renewPassword(ctx, tx, r, h)
		})
	}
	if err != nil {
		p.log.WarnContext(ctx, "the hash of a password could not be renewed", "label", l.Key, "account", r.ID, "error", err)
	}
}

// replacePassword replaces a password. It returns ErrSessionExpired if the password has been replaced in the meantime.
func (p *local) replacePassword(ctx context.Context, l *label.Label, r *login, password string) error {
	h, err := p.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return p.accounts.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
		return p.accounts.setPassword(ctx, tx, r, h)
	})
}

// NewPassword implements Provider. It accepts a challenge only while the account has the temporary password, so a challenge works once.
func (p *local) NewPassword(ctx context.Context, l *label.Label, username, challenge, password string) (Grant, error) {
	r, err := p.accounts.byUsername(ctx, p.accounts.db.Read(), l.Key, username)
	if errors.Is(err, errNotFound) {
		return Grant{}, ErrSessionExpired
	}
	if err != nil {
		return Grant{}, err
	}
	if !r.Temporary || !constantTimeEqual(token.Hash(r.Password), challenge) {
		return Grant{}, ErrSessionExpired
	}
	return Grant{Account: r.ID}, p.replacePassword(ctx, l, r, password)
}

// AnswerCode implements Provider. This provider has no challenges that require a code.
func (p *local) AnswerCode(context.Context, *label.Label, string, string, string) (Grant, error) {
	return Grant{}, ErrSessionExpired
}

// Refresh implements Provider. Sessions of this provider have nothing to renew.
func (p *local) Refresh(context.Context, *label.Label, string, []byte) (Grant, error) {
	return Grant{}, nil
}

// SignOut implements Provider. Sessions of this provider have nothing else to end.
func (p *local) SignOut(context.Context, *label.Label, []byte) error { return nil }

// Forgot implements Provider. It stores a code for an unknown user too, but sends it to nobody.
func (p *local) Forgot(ctx context.Context, l *label.Label, username string) error {
	r, err := p.accounts.byUsername(ctx, p.accounts.db.Read(), l.Key, username)
	if err != nil && !errors.Is(err, errNotFound) {
		return err
	}
	known := err == nil && r.Email != "" && r.Role != ImpersonatorRole && !r.Disabled
	if known && r.Temporary {
		return ErrCannotReset
	}
	code, owner := newCode(), ""
	if known {
		owner = r.ID
	}
	return p.accounts.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
		if err := p.codes.save(ctx, tx, l.Key, username, owner, code, false); err != nil || !known {
			return err
		}
		return tx.Mail(ctx, codeMail(ctx, l, r, code))
	})
}

// ConfirmForgot implements Provider. It hashes the password first, so that a wrong code takes as long as a right one.
func (p *local) ConfirmForgot(ctx context.Context, l *label.Label, username, code, password string) error {
	h, err := p.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return p.accounts.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
		r, err := p.accounts.byUsername(ctx, tx, l.Key, username)
		if errors.Is(err, errNotFound) {
			r, err = &login{}, nil
		}
		if err != nil {
			return err
		}
		ok, err := p.codes.redeem(ctx, tx, l.Key, username, r.ID, code, false)
		switch {
		case err != nil:
			return err
		case !ok || r.Disabled:
			return ErrCodeInvalid
		case r.Temporary: // the password became temporary after the code was sent
			return ErrCannotReset
		}
		if err := checkPasswordPolicy(password, ownerOf(l, username, r)); err != nil {
			return err // the code stays valid
		}
		return p.accounts.setPassword(ctx, tx, r, h)
	})
}

// ChangePassword implements Provider. It requires the old password.
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
	return Grant{}, p.replacePassword(ctx, l, r, new)
}

// Verify implements Provider for tokens that the portal signed.
func (p *local) Verify(ctx context.Context, l *label.Label, token string, at time.Time) (Identity, error) {
	return p.signer.verify(ctx, l, token, at)
}

// Keys returns the public halves of the label's signing keys.
func (p *local) Keys(ctx context.Context, l *label.Label) ([]byte, error) {
	if _, err := p.signer.keys.signingKey(ctx, l.Key); err != nil { // creates the first key if there is none
		return nil, err
	}
	k, err := p.signer.keys.load(ctx, l.Key, false)
	if err != nil {
		return nil, err
	}
	return json.Marshal(k.public)
}

// Put implements Provider. It only hashes the password; the caller stores the hash with the account.
func (p *local) Put(ctx context.Context, _ *label.Label, _ Account, password string, _ bool) (string, error) {
	if password == "" {
		return "", nil
	}
	return p.hasher.hash(ctx, password)
}

// IsInactive implements Provider. It reads the account, which contains the password.
func (p *local) IsInactive(ctx context.Context, l *label.Label, a Account) (bool, error) {
	r, err := p.accounts.byID(ctx, p.accounts.db.Read(), l.Key, a.ID)
	if err != nil {
		return false, err
	}
	return r.Password == "" || r.Temporary, nil
}

// SetTemporaryPassword implements Provider. It only hashes the password; the caller stores the hash with the account.
func (p *local) SetTemporaryPassword(ctx context.Context, _ *label.Label, _ Account, password string) (string, error) {
	return p.hasher.hash(ctx, password)
}

// SubjectOf implements Provider. It returns the zero Subject, because this provider has no users other than the accounts.
func (p *local) SubjectOf(context.Context, *label.Label, Account) (Subject, error) {
	return Subject{}, nil
}

// SetEmail implements Provider. It does nothing: the address is stored with the account.
func (p *local) SetEmail(context.Context, *label.Label, Account, string) error { return nil }

// Renames implements Provider. Usernames can change, because they are stored with the accounts.
func (p *local) Renames() bool { return true }
