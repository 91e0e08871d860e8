package identity

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jwk"
	"github.com/lestrrat-go/jwx/v3/jws"
	"github.com/lestrrat-go/jwx/v3/jwt"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	tokenLifetime = 10 * time.Minute // lifetime of an id token that the portal signs
	maxTokenSize  = 8 << 10          // maximum length in bytes; longer tokens are refused
)

// issuer returns the issuer of tokens that the portal signs for a label. It is unique per label.
func issuer(l *label.Label) string { return "urn:wattle:" + l.Key }

// audience returns the label's client id.
func audience(l *label.Label) string {
	if l.Identity.ClientID != "" {
		return l.Identity.ClientID
	}
	return l.Key
}

type act struct {
	Subject string `json:"sub"`
	Name    string `json:"name"`
}

// signer signs and verifies the portal's own id tokens.
type signer struct {
	keys *keyring
	now  func() time.Time
}

// sign returns an id token that expires at the given time.
func (s *signer) sign(ctx context.Context, l *label.Label, r *login, username, session string, actor *act,
	expires time.Time) (string, error) {
	key, err := s.keys.signingKey(ctx, l.Key)
	if err != nil {
		return "", err
	}
	b := jwt.NewBuilder().Issuer(issuer(l)).Audience([]string{audience(l)}).Subject(r.ID).IssuedAt(s.now()).Expiration(expires).
		Claim("token_use", "id").Claim("username", username).Claim("name", r.Name).Claim("sid", session).
		Claim("is_impersonator", actor != nil)
	if actor != nil {
		b = b.Claim("act", actor)
	}
	t, err := b.Build()
	if err != nil {
		return "", fmt.Errorf("identity: token: %w", err)
	}
	signed, err := jwt.Sign(t, jwt.WithKey(jwa.ES256(), key))
	return string(signed), err
}

// verify verifies an id token that the portal signed, as of a given time.
func (s *signer) verify(ctx context.Context, l *label.Label, token string, at time.Time) (Identity, error) {
	k, err := s.keys.load(ctx, l.Key, false)
	if err != nil {
		return Identity{}, err
	}
	if kid := keyID(token); kid != "" {
		if _, known := k.public.LookupKeyID(kid); !known { // another replica may have created the key
			if k, err = s.keys.load(ctx, l.Key, true); err != nil {
				return Identity{}, err
			}
		}
	}
	t, err := Parse(token, k.public, issuer(l), audience(l), at)
	if err != nil {
		return Identity{}, err
	}
	var id Identity
	id.Account, _ = t.Subject()
	id.Expires, _ = t.Expiration()
	id.Issued, _ = t.IssuedAt()
	err = errors.Join(t.Get("username", &id.Username), t.Get("is_impersonator", &id.Impersonator), t.Get("sid", &id.Session))
	if err != nil {
		return Identity{}, fmt.Errorf("%w: %w", ErrUnauthorized, err)
	}
	if t.Has("act") {
		var a act
		if err := decodeClaim(t, "act", &a); err != nil {
			return Identity{}, fmt.Errorf("%w: %w", ErrUnauthorized, err)
		}
		id.Actor, id.ActorName = a.Subject, a.Name
	}
	return id, nil
}

// Parse verifies the signature, issuer, client and expiry of an id token, as of a given time. It returns ErrUnauthorized when one of them
// is missing or wrong.
func Parse(token string, keys jwk.Set, issuer, audience string, at time.Time) (jwt.Token, error) {
	t, err := jwt.Parse([]byte(token), jwt.WithKeySet(keys), jwt.WithIssuer(issuer), jwt.WithAudience(audience),
		jwt.WithRequiredClaim(jwt.ExpirationKey), jwt.WithRequiredClaim(jwt.SubjectKey), jwt.WithClaimValue("token_use", "id"),
		jwt.WithClock(jwt.ClockFunc(func() time.Time { return at })))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnauthorized, err)
	}
	return t, nil
}

func decodeClaim(t jwt.Token, name string, into any) error {
	var v any
	if err := t.Get(name, &v); err != nil {
		return err
	}
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// keyID returns the key id in an unverified token.
func keyID(token string) string {
	m, err := jws.ParseString(token)
	if err != nil || len(m.Signatures()) == 0 {
		return ""
	}
	kid, _ := m.Signatures()[0].ProtectedHeaders().KeyID()
	return kid
}

const (
	keyRotationInterval = 30 * 24 * time.Hour // age at which a key is replaced by a new one
	keyOverlap          = 24 * time.Hour      // how long the previous key still verifies; longer than any token lives
	keyRefreshInterval  = time.Minute         // how long keys are used without reading them again
	keyRetryInterval    = 2 * time.Second     // minimum interval between reads because of an unknown key
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

// load returns the keys of a label. reload forces a new read, unless the last one was less than keyRetryInterval ago.
func (r *keyring) load(ctx context.Context, label string, reload bool) (*keys, error) {
	now := r.now()
	r.mu.Lock()
	k := r.labels[label]
	r.mu.Unlock()
	if k != nil {
		age := now.Sub(k.read)
		if age >= 0 && (age < keyRetryInterval || age < keyRefreshInterval && !reload) {
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

// signingKey returns the current signing key. It creates a key when there is none or the newest one is too old. If two replicas create a
// key at the same time, both keys verify.
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
