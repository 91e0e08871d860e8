package onboarding

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// applicationRow is an unverified registration.
type applicationRow struct {
	bun.BaseModel `bun:"table:onboarding_applications,alias:a"`
	LabelKey      string `bun:",pk"`
	ID            string `bun:",pk"`
	Email         string
	Locale        string
	Document      json.RawMessage
	Attempt       *string // unique; nil if the browser sent no key
	FiledAt       time.Time
	ExpiresAt     time.Time
}

// reactivationRow is a request to reactivate the accounts of an email address.
type reactivationRow struct {
	bun.BaseModel `bun:"table:onboarding_reactivations,alias:r"`
	LabelKey      string `bun:",pk"`
	ID            string `bun:",pk"`
	Email         string
	Locale        string
	ZipCode       string
	HouseNumber   string
	Extension     string
	Hash          *string
	ExpiresAt     time.Time
	UsedAt        time.Time `bun:",nullzero"`
}

type keyRow struct {
	bun.BaseModel `bun:"table:onboarding_keys,alias:k"`
	LabelKey      string `bun:",pk"`
	Secret        string
}

func (r *applicationRow) application() (a Application, err error) {
	err = json.Unmarshal(r.Document, &a)
	return a, err
}

// applicationOf returns an unverified registration, or problem.ErrNotFound if it was verified or deleted.
func applicationOf(ctx context.Context, db module.Querier, id string) (*applicationRow, error) {
	row := new(applicationRow)
	return row, orNotFound(module.Label(ctx, "a visitor has no relation yet").Select(db, row).Where("id = ?", id).Scan(ctx))
}

// isAttemptStored reports whether the attempt is stored as an unverified registration.
func isAttemptStored(ctx context.Context, db module.Querier, attempt *string) (bool, error) {
	if attempt == nil {
		return false, nil
	}
	return module.Label(ctx, "a visitor has no relation yet").Select(db, (*applicationRow)(nil)).Where("attempt = ?", *attempt).Exists(ctx)
}

func orNotFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return problem.ErrNotFound
	}
	return err
}

// deleteApplications deletes all unverified registrations with an email address, after one of them was verified.
func deleteApplications(ctx context.Context, tx module.Tx, email string) error {
	_, err := module.Label(ctx, "a visitor has no relation yet").Delete(tx, (*applicationRow)(nil)).Where("email = ?", email).Exec(ctx)
	return err
}

// applicationsOf returns the page of unverified registrations, newest first, that follows the one with (at, id).
func applicationsOf(ctx context.Context, db module.Querier, at time.Time, id string, limit int) ([]Waiting, error) {
	rows := []applicationRow{}
	q := module.Label(ctx, "staff read unverified registrations").Select(db, &rows).OrderExpr("filed_at DESC, id DESC").Limit(int64(limit))
	if id != "" {
		q.Where("(filed_at, id) < (?, ?)", at, id)
	}
	if err := q.Scan(ctx); err != nil {
		return nil, err
	}
	out := make([]Waiting, len(rows))
	for i, r := range rows {
		a, err := r.application()
		if err != nil {
			return nil, err
		}
		out[i] = Waiting{ID: r.ID, Name: a.Name(), Email: a.Email, Filed: r.FiledAt, Expires: r.ExpiresAt}
	}
	return out, nil
}

// secretOf returns the key for the label's challenges, and creates it if there is none.
func secretOf(ctx context.Context, db module.DB) (string, error) {
	rows := module.Label(ctx, "the key of challenges belongs to the label")
	row := new(keyRow)
	read := func(from module.Querier) error {
		return rows.Select(from, row).Scan(ctx)
	}
	err := read(db)
	if !errors.Is(err, sql.ErrNoRows) {
		return row.Secret, err
	}
	err = db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		created := &keyRow{LabelKey: rows.Key(), Secret: rand.Text() + rand.Text()}
		if _, err := rows.Insert(tx, created).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
			return err
		}
		return read(tx) // another replica may have created it first
	})
	return row.Secret, err
}

// newToken returns a token of 43 characters and the hash to store.
func newToken() (token, hash string) {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	token = base64.RawURLEncoding.EncodeToString(b[:])
	return token, hashed(token)
}

func hashed(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// reactivationOf returns a request by its id or the hash of its token, or problem.ErrNotFound.
func reactivationOf(ctx context.Context, db module.Querier, column, value string) (*reactivationRow, error) {
	row := new(reactivationRow)
	return row, orNotFound(module.Label(ctx, "a visitor has no relation yet").Select(db, row).Where("? = ?", bun.Ident(column),
		value).Scan(ctx))
}

// setReactivationHash stores the hash of the emailed token. It returns false if a hash is stored already.
func setReactivationHash(ctx context.Context, tx module.Tx, id, hash string, expires time.Time) (bool, error) {
	return isChanged(module.Label(ctx, "a visitor has no relation yet").Update(tx, (*reactivationRow)(nil)).Where("id = ? AND hash IS NULL",
		id).
		Set("hash = ?", hash).Set("expires_at = ?", expires).Exec(ctx))
}

// useReactivation marks a link as used. It returns false if it was used before.
func useReactivation(ctx context.Context, tx module.Tx, id string, at time.Time) (bool, error) {
	return isChanged(module.Label(ctx, "a visitor has no relation yet").Update(tx, (*reactivationRow)(nil)).Where("id = ? AND used_at IS NULL",
		id).
		Set("used_at = ?", at).Exec(ctx))
}

// reopenReactivation makes a link valid again after its use failed.
func reopenReactivation(ctx context.Context, tx module.Tx, id string) error {
	_, err := module.Label(ctx, "a visitor has no relation yet").Update(tx, (*reactivationRow)(nil)).Where("id = ?", id).
		Set("used_at = NULL").Exec(ctx)
	return err
}

// deleteReactivation deletes a request for an unknown email address.
func deleteReactivation(ctx context.Context, tx module.Tx, id string) error {
	_, err := module.Label(ctx, "a visitor has no relation yet").Delete(tx, (*reactivationRow)(nil)).Where("id = ?", id).Exec(ctx)
	return err
}

// sweep deletes expired unverified registrations, and expired links after their retention.
func sweep(ctx context.Context, tx module.Tx, now time.Time) error {
	rows := module.Label(ctx, "a job deletes expired rows of all visitors")
	_, err := rows.Delete(tx, (*applicationRow)(nil)).Where("expires_at <= ?", now).Exec(ctx)
	if err != nil {
		return err
	}
	_, err = rows.Delete(tx, (*reactivationRow)(nil)).Where("expires_at <= ?", now.Add(-linkRetention)).Exec(ctx)
	return err
}

func isChanged(res sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
