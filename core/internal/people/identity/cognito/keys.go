package cognito

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwk"
	"github.com/lestrrat-go/jwx/v3/jws"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
)

const (
	keysRefreshInterval = time.Hour        // how long the fetched keys of a pool are used
	keysRetryInterval   = 30 * time.Second // minimum interval between fetches because of an unknown key
	maxKeysSize         = 64 << 10         // maximum size of a JWKS in bytes
)

// keySets caches the public keys of user pools by URL.
type keySets struct {
	http *http.Client
	now  func() time.Time

	mu   sync.Mutex
	sets map[string]*keySet
}

type keySet struct {
	set  jwk.Set
	read time.Time
}

// get returns the keys. It fetches them again when they are old or do not contain kid. Old keys are used while the pool cannot be reached.
func (k *keySets) get(ctx context.Context, url, kid string) (jwk.Set, error) {
	now := k.now()
	k.mu.Lock()
	s := k.sets[url]
	k.mu.Unlock()
	if s != nil {
		age := now.Sub(s.read)
		_, known := s.set.LookupKeyID(kid)
		if age < keysRetryInterval || age < keysRefreshInterval && (known || kid == "") {
			return s.set, nil
		}
	}
	set, err := k.fetch(ctx, url)
	if err != nil {
		if s != nil {
			return s.set, nil
		}
		return nil, fmt.Errorf("%w: keys of the pool: %w", identity.ErrUnavailable, err)
	}
	k.mu.Lock()
	k.sets[url] = &keySet{set, now}
	k.mu.Unlock()
	return set, nil
}

func (k *keySets) fetch(ctx context.Context, url string) (jwk.Set, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	res, err := k.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", res.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxKeysSize))
	if err != nil {
		return nil, err
	}
	return jwk.Parse(body)
}

// issuer returns the issuer of a pool's tokens: the label's setting, or otherwise the default of AWS.
func issuer(l *label.Label) string {
	if l.Identity.Issuer != "" {
		return l.Identity.Issuer
	}
	return "https://cognito-idp." + l.Identity.Region + ".amazonaws.com/" + l.Identity.UserPoolID
}

func keysURL(l *label.Label) string {
	if l.Identity.Endpoint != "" {
		return strings.TrimSuffix(l.Identity.Endpoint, "/") + "/" + l.Identity.UserPoolID + "/.well-known/jwks.json"
	}
	return issuer(l) + "/.well-known/jwks.json"
}

// Verify implements identity.Provider for id tokens of the pool that were issued to the label's client.
func (p *Provider) Verify(ctx context.Context, l *label.Label, token string, at time.Time) (identity.Identity, error) {
	kid := ""
	if m, err := jws.ParseString(token); err == nil && len(m.Signatures()) > 0 {
		kid, _ = m.Signatures()[0].ProtectedHeaders().KeyID()
	}
	set, err := p.keys.get(ctx, keysURL(l), kid)
	if err != nil {
		return identity.Identity{}, err
	}
	t, err := identity.Parse(token, set, issuer(l), l.Identity.ClientID, at)
	if err != nil {
		return identity.Identity{}, err
	}
	id := identity.Identity{Impersonator: impersonator(t), Ref: ref(t), Subject: subject(t)}
	id.Expires, _ = t.Expiration()
	id.Issued, _ = t.IssuedAt()
	if err := t.Get(usernameClaim, &id.Username); err != nil {
		return identity.Identity{}, fmt.Errorf("%w: %w", identity.ErrUnauthorized, err)
	}
	return id, nil
}

// Keys returns the pool's public keys.
func (p *Provider) Keys(ctx context.Context, l *label.Label) ([]byte, error) {
	set, err := p.keys.get(ctx, keysURL(l), "")
	if err != nil {
		return nil, err
	}
	return json.Marshal(set)
}
