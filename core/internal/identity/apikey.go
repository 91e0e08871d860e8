package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/audit"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/module"
)

// KeyPrefix begins every API key, so that core can tell it from an id token.
const KeyPrefix = "wk_"

type apiKey struct {
	bun.BaseModel `bun:"table:identity_api_keys,alias:k"`

	Label   string    `bun:"label_key,pk"`
	Hash    string    `bun:"hash,pk"`
	Name    string    `bun:"name"`
	Created time.Time `bun:"created_at"`
}

// AddKey makes an API key of a label, for its back office, and returns its secret; only the hash is stored. A key of that name
// that is there is replaced: that is how a lost one is withdrawn.
func (s *Service) AddKey(ctx context.Context, labelKey, name string) (secret string, err error) {
	if s.d.Labels.ByKey(labelKey) == nil {
		return "", fmt.Errorf("identity: no label %q", labelKey)
	}
	if name = strings.TrimSpace(name); name == "" || !wellFormed(name) {
		return "", errors.New("identity: a key wants a name of at most 128 characters")
	}
	if name == audit.Auto || name == audit.Customer { // so a decision is signed that nobody, or the customer, took
		return "", fmt.Errorf("identity: no key may be called %q", name)
	}
	secret = KeyPrefix + random(32)
	row := apiKey{Label: labelKey, Hash: hash(secret), Name: name, Created: s.now()}
	return secret, s.d.DB.Tx(system(ctx, labelKey), func(ctx context.Context, tx module.Tx) error {
		if _, err := tx.NewDelete().Model(&row).Where("label_key = ? AND name = ?", labelKey, name).Exec(ctx); err != nil {
			return err
		}
		_, err := tx.NewInsert().Model(&row).Exec(ctx)
		return err
	})
}

// AuthenticateKey checks an API key of the label and answers its name. A key that is no good is ErrUnauthorized.
func (s *Service) AuthenticateKey(ctx context.Context, l *label.Label, key string) (name string, err error) {
	if !strings.HasPrefix(key, KeyPrefix) || len(key) > fieldMax {
		return "", ErrUnauthorized
	}
	var row apiKey
	err = s.d.DB.Read().NewSelect().Model(&row).Where("label_key = ? AND hash = ?", l.Key, hash(key)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrUnauthorized
	}
	return row.Name, err
}
