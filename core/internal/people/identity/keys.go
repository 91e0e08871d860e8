package identity

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jwk"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	keyRotationInterval = 30 * 24 * time.Hour // age from which a new key signs
	keyOverlap          = 24 * time.Hour      // how long the previous key still verifies; longer than the lifetime of any token
	keyRefreshInterval  = time.Minute         // how long keys are not read again
	keyRetryInterval    = 2 * time.Second     // between two reads because of an unknown key
)

// keyring stores the signing keys of each label in the database, encrypted, for all replicas.
type keyring struct {
	db     store.DB
	sealer *sealer
	now    func() time.Time

	mu     sync.Mutex
	labels map[string]*keys
}

type keys struct {
	read   time.Time
	list   []key // newest first
	public jwk.Set
}

type key struct {
	id      string
	created time.Time
	private jwk.Key
}

type keyRow struct {
	bun.BaseModel `bun:"table:identity_keys,alias:k"`

	Label   string    `bun:"label_key,pk"`
	ID      string    `bun:"id,pk"`
	Private string    `bun:"private"`
	Created time.Time `bun:"created_at"`
}

// load returns the keys of a label. again forces a new read, unless the last one was less than keyRetryInterval ago.
func (r *keyring) load(ctx context.Context, label string, again bool) (*keys, error) {
	now := r.now()
	r.mu.Lock()
	k := r.labels[label]
	r.mu.Unlock()
	if k != nil {
		age := now.Sub(k.read)
		if age >= 0 && (age < keyRetryInterval || age < keyRefreshInterval && !again) {
			return k, nil
		}
	}
	var rows []keyRow
	err := r.db.Read().NewSelect().Model(&rows).Where("label_key = ?", label).OrderExpr("created_at DESC, id").Scan(ctx)
	if err != nil {
		return nil, err
	}
	k = &keys{read: now, public: jwk.NewSet()}
	for _, row := range rows {
		if now.Sub(row.Created) > keyRotationInterval+keyOverlap {
			continue
		}
		private, err := r.parse(row)
		if err != nil {
			return nil, err
		}
		public, err := private.PublicKey()
		if err != nil {
			return nil, err
		}
		if err := k.public.AddKey(public); err != nil {
			return nil, err
		}
		k.list = append(k.list, key{row.ID, row.Created, private})
	}
	r.mu.Lock()
	r.labels[label] = k
	r.mu.Unlock()
	return k, nil
}

// signingKey returns the key that signs now. It makes a key when there is none or the newest is too old. If two replicas make one
// at the same time, both keys verify.
func (r *keyring) signingKey(ctx context.Context, label string) (jwk.Key, error) {
	k, err := r.load(ctx, label, false)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(k.list, func(k key) bool { return r.now().Sub(k.created) < keyRotationInterval }); i >= 0 {
		return k.list[i].private, nil
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	row := keyRow{Label: label, ID: value.NewID(), Created: r.now()}
	row.Private = r.sealer.seal("signing", der, label, row.ID)
	err = r.db.Tx(system(ctx, label), func(ctx context.Context, tx store.Tx) error {
		_, err := tx.NewInsert().Model(&row).Exec(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	delete(r.labels, label)
	r.mu.Unlock()
	return r.parse(row)
}

func (r *keyring) parse(row keyRow) (jwk.Key, error) {
	der, err := r.sealer.open("signing", row.Private, row.Label, row.ID)
	if err != nil {
		return nil, err
	}
	private, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("identity: signing key %s: %w", row.ID, err)
	}
	k, err := jwk.Import(private)
	if err != nil {
		return nil, fmt.Errorf("identity: signing key %s: %w", row.ID, err)
	}
	for name, value := range map[string]any{jwk.KeyIDKey: row.ID, jwk.AlgorithmKey: jwa.ES256(), jwk.KeyUsageKey: "sig"} {
		if err := k.Set(name, value); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// sweep deletes keys that no longer verify any token.
func (r *keyring) sweep(ctx context.Context, tx store.Tx) error {
	_, err := tx.NewDelete().Model((*keyRow)(nil)).Where("created_at < ?", r.now().Add(-keyRotationInterval-keyOverlap)).Exec(ctx)
	return err
}

// system returns a context in which core itself writes for a label, independent of the caller.
func system(ctx context.Context, label string) context.Context {
	return scope.With(ctx, scope.Scope{Label: label, Role: scope.RoleSystem, Locale: scope.Of(ctx).Locale}, nil)
}
