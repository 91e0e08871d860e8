package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/storage/token"
	"github.com/wattle-portal/wattle/core/problem"
)

// KeyPrefix is the prefix of every API key. It distinguishes keys from id tokens.
const KeyPrefix = "wk_"

// AllScopes is the scope of a key that may call every operation, including those of later versions.
const AllScopes = "*"

// Operator is the actor in the audit log for commands of the wattle program.
const Operator = "wattle"

// keyUsePrecision is the precision of Key.Used: further uses within this time are not stored.
const keyUsePrecision = time.Hour

type apiKey struct {
	bun.BaseModel `bun:"table:identity_api_keys,alias:k"`

	Label   string    `bun:"label_key,pk"`
	Hash    string    `bun:"hash,pk"`
	Name    string    `bun:"name"`
	Created time.Time `bun:"created_at"`
	Scopes  string    `bun:"scopes"`
	Expires time.Time `bun:"expires_at,nullzero"`
	Used    time.Time `bun:"used_at,nullzero"`
}

// Key is an API key without its secret.
type Key struct {
	Name    string
	Scopes  []string // AllScopes, or scopes that operations require, such as "changes:read"
	Created time.Time
	Expires time.Time // zero: never
	Used    time.Time // rounded to about an hour; zero: never
}

// HasScope reports whether a key has a scope (7.7-key-scopes).
func (k Key) HasScope(scope string) bool {
	return slices.Contains(k.Scopes, AllScopes) || scope != "" && slices.Contains(k.Scopes, scope)
}

func (r apiKey) key() Key {
	return Key{Name: r.Name, Scopes: strings.Fields(r.Scopes), Created: r.Created, Expires: r.Expires, Used: r.Used}
}

// apiKeys stores the API keys of back offices and support tools, and authenticates their requests.
type apiKeys struct {
	db          store.DB
	labels      label.Source
	revocations *revocations
	now         func() time.Time
	log         *slog.Logger
}

// AuthenticateKey finds an API key of the label by its secret. It returns ErrUnauthorized for a key that is unknown, revoked or
// expired. It reads the database every time, so that every process refuses a revoked key at once.
func (s *apiKeys) AuthenticateKey(ctx context.Context, l *label.Label, secret string) (Key, error) {
	if !strings.HasPrefix(secret, KeyPrefix) || len(secret) > maxFieldLength {
		return Key{}, ErrUnauthorized
	}
	var row apiKey
	err := s.db.Read().NewSelect().Model(&row).Where("label_key = ? AND hash = ?", l.Key, token.Hash(secret)).Scan(ctx)
	now := s.now()
	if errors.Is(err, sql.ErrNoRows) || err == nil && !row.Expires.IsZero() && !row.Expires.After(now) {
		return Key{}, ErrUnauthorized
	}
	if err != nil {
		return Key{}, err
	}
	if now.Sub(row.Used) >= keyUsePrecision {
		warn(ctx, s.log, s.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
			_, err := tx.NewUpdate().Model((*apiKey)(nil)).Set("used_at = ?", now).
				Where("label_key = ? AND hash = ?", l.Key, row.Hash).Exec(ctx)
			return err
		}), "the last use of an API key could not be stored")
	}
	return row.key(), nil
}

// AddKey creates an API key of a label that may call every operation and never expires.
func (s *apiKeys) AddKey(ctx context.Context, labelKey, name string) (secret string, err error) {
	return s.MakeKey(ctx, labelKey, Key{Name: name, Scopes: []string{AllScopes}})
}

// MakeKey creates an API key for the back office of a label, with the name, scopes and expiry of k, and returns its secret. Only the hash
// of the secret is stored. An existing key with that name is revoked.
func (s *apiKeys) MakeKey(ctx context.Context, labelKey string, k Key) (secret string, err error) {
	if s.labels.ByKey(labelKey) == nil {
		return "", fmt.Errorf("identity: no label %q", labelKey)
	}
	name := strings.TrimSpace(k.Name)
	if name == "" || !isWellFormed(name) {
		return "", errors.New("identity: an API key requires a name of at most 128 characters")
	}
	// The audit log uses these names for decisions that were not made by a back office.
	if name == audit.Auto || name == audit.Customer || name == Operator {
		return "", fmt.Errorf("identity: the name %q is reserved", name)
	}
	if len(k.Scopes) == 0 {
		return "", errors.New("identity: an API key requires a scope")
	}
	if !k.Expires.IsZero() && !k.Expires.After(s.now()) {
		return "", errors.New("identity: the expiry of an API key must be in the future")
	}
	secret = KeyPrefix + token.Random(32)
	row := apiKey{Label: labelKey, Hash: token.Hash(secret), Name: name, Created: s.now(), Scopes: strings.Join(k.Scopes, " "),
		Expires: k.Expires}
	return secret, s.deleteKey(ctx, labelKey, name, func(ctx context.Context, tx store.Tx, _ bool) error {
		_, err := tx.NewInsert().Model(&row).Exec(ctx)
		return err
	})
}

// RevokeKey revokes an API key and ends the impersonations that were started with it. It returns problem.ErrNotFound when there is no key
// with that name.
func (s *apiKeys) RevokeKey(ctx context.Context, labelKey, name string) error {
	return s.deleteKey(ctx, labelKey, strings.TrimSpace(name), func(_ context.Context, _ store.Tx, found bool) error {
		if !found {
			return problem.ErrNotFound
		}
		return nil
	})
}

// deleteKey deletes the key with a name, ends its impersonations, and calls the function then, all in one transaction.
func (s *apiKeys) deleteKey(ctx context.Context, labelKey, name string,
	then func(ctx context.Context, tx store.Tx, found bool) error) error {
	var ended []string
	err := s.db.Tx(system(ctx, labelKey), func(ctx context.Context, tx store.Tx) error {
		res, err := tx.NewDelete().Model((*apiKey)(nil)).Where("label_key = ? AND name = ?", labelKey, name).Exec(ctx)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		if ended, err = endImpersonations(ctx, tx, labelKey, s.now(), "key_name = ?", name); err != nil {
			return err
		}
		return then(ctx, tx, n > 0)
	})
	if err == nil {
		s.revocations.add(ended...)
	}
	return err
}

// Keys returns the API keys of a label, sorted by name.
func (s *apiKeys) Keys(ctx context.Context, labelKey string) ([]Key, error) {
	var rows []apiKey
	err := s.db.Read().NewSelect().Model(&rows).Where("label_key = ?", labelKey).OrderExpr("name").Scan(ctx)
	out := make([]Key, len(rows))
	for i, r := range rows {
		out[i] = r.key()
	}
	return out, err
}
