package identity

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

const codeLifetime = 30 * time.Minute

// codes stores the six-digit codes that are sent by email to reset a password: single-use, hashed, one per username. A code belongs to the
// account that it was sent for (9-reset-code-owner), because another account may get the username while the code is valid.
type codes struct {
	db     store.DB
	sealer *sealer
	now    func() time.Time
}

type codeRow struct {
	bun.BaseModel `bun:"table:identity_codes,alias:c"`

	Label    string    `bun:"label_key,pk"`
	Username string    `bun:"username,pk"`
	Account  string    `bun:"account_id"` // empty: the code was not sent to anybody
	Hash     string    `bun:"hash"`
	Blocked  bool      `bun:"blocked"`
	Expires  time.Time `bun:"expires_at"`
}

// newCode returns six random digits.
func newCode() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		panic(err) // crypto/rand never fails
	}
	return fmt.Sprintf("%06d", n)
}

// hashes returns the hashes with which a code may be stored; a new code is stored with the first one.
func (c *codes) hashes(label, username, code string) []string {
	return c.sealer.macs("code", label, username, code)
}

// save stores a code and replaces the previous one. account is empty when the code is not sent to anybody. Redeeming a blocked code returns
// ErrCannotReset, so that only somebody who reads the mailbox learns that the account has a temporary password.
func (c *codes) save(ctx context.Context, tx store.Tx, label, username, account, code string, blocked bool) error {
	_, err := tx.NewInsert().Model(&codeRow{Label: label, Username: username, Account: account, Hash: c.hashes(label, username, code)[0],
		Blocked: blocked, Expires: c.now().Add(codeLifetime)}).
		On("CONFLICT (label_key, username) DO UPDATE").Set("account_id = excluded.account_id").Set("hash = excluded.hash").
		Set("blocked = excluded.blocked").Set("expires_at = excluded.expires_at").Exec(ctx)
	return err
}

// redeem deletes a code and reports whether it was valid for the current account of the username. account is empty for a username without
// an account, whose code is never valid.
func (c *codes) redeem(ctx context.Context, tx store.Tx, label, username, account, code string, blocked bool) (bool, error) {
	res, err := tx.NewDelete().Model((*codeRow)(nil)).
		Where("label_key = ? AND username = ? AND account_id = ? AND account_id <> '' AND hash IN ? AND blocked = ? AND expires_at > ?",
			label, username, account, bun.Tuple(c.hashes(label, username, code)), blocked, c.now()).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// deleteCodes deletes the codes of an account whose username, email address or password has changed.
func deleteCodes(ctx context.Context, tx store.Tx, label, account string) error {
	_, err := tx.NewDelete().Model((*codeRow)(nil)).Where("label_key = ? AND account_id = ?", label, account).Exec(ctx)
	return err
}
