package token

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// Random returns a random secret of the given number of bytes, encoded for use in a URL.
func Random(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Hash returns the value that is stored instead of a secret. It needs no salt, because the secret is long and random.
func Hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Once contains the columns of a single-use secret. The row type of a table embeds it.
type Once struct {
	Label   string    `bun:"label_key,pk"`
	Hash    string    `bun:"hash,pk"`
	Expires time.Time `bun:"expires_at"`
	Used    time.Time `bun:"used_at,nullzero"`
}

// Make returns a new secret of 43 characters, and its columns.
func Make(label string, expires time.Time) (secret string, o Once) {
	secret = Random(32)
	return secret, Once{Label: label, Hash: Hash(secret), Expires: expires}
}

// Redeem marks a secret as used and reports whether this call did so: of several parallel calls, only one does. update may contain further
// conditions.
func (o Once) Redeem(ctx context.Context, update *bun.UpdateQuery, now time.Time) (bool, error) {
	res, err := update.Set("used_at = ?", now).Where("label_key = ? AND hash = ? AND used_at IS NULL", o.Label, o.Hash).Exec(ctx)
	if errors.Is(err, sql.ErrNoRows) { // an update with RETURNING found no row
		return false, nil
	}
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// Sweep deletes the secrets of all labels that expired before the given time.
func Sweep(ctx context.Context, db store.DB, model any, before time.Time) error {
	return db.Tx(scope.With(ctx, scope.Scope{Role: scope.RoleSystem}, nil), func(ctx context.Context, tx store.Tx) error {
		_, err := tx.NewDelete().Model(model).Where("expires_at <= ?", before).Exec(ctx)
		return err
	})
}
