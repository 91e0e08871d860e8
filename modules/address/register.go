package address

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/source"
)

// Register is a source of addresses.
type Register interface {
	// Addresses returns the addresses at a postal code and house number, sorted by extension. It returns a wrapped source.ErrDown if the
	// register cannot be reached.
	Addresses(ctx context.Context, p ZipNumber) ([]Address, error)
}

// The lifetime of an entry in a register's cache, and the maximum number of entries.
const (
	cacheTTL  = time.Hour
	maxCached = 10_000
)

// registers contains one register per URL, so that all labels share its cache and its circuit breaker.
type registers struct {
	host  module.Host
	mu    sync.Mutex
	byURL map[string]Register
}

func newRegisters(h module.Host) *registers { return &registers{host: h, byURL: map[string]Register{}} }

// forLabel returns the register that the label of the call has chosen.
func (r *registers) forLabel(ctx context.Context) (Register, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	if set.Register.Name != "pdok" {
		return loadEmbedded(), nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	found, ok := r.byURL[set.Register.URL]
	if !ok {
		found = newPDOK(r.host, set.Register.URL)
		r.byURL[set.Register.URL] = found
	}
	return found, nil
}

// pdok is the national register, PDOK Locatieserver.
type pdok struct {
	*source.Source
	base  string
	now   func() time.Time
	cache *lru.Cache[ZipNumber, cacheEntry]
}

type cacheEntry struct {
	addresses []Address
	expiresAt time.Time
}

func newPDOK(h module.Host, base string) *pdok {
	cache, err := lru.New[ZipNumber, cacheEntry](maxCached)
	if err != nil {
		panic(err) // only for an invalid size
	}
	return &pdok{source.New(h.Web), base, h.Now, cache}
}

// Addresses implements Register. It caches complete results, including empty ones, but not errors.
func (r *pdok) Addresses(ctx context.Context, p ZipNumber) ([]Address, error) {
	if got, ok := r.cache.Get(p); ok && r.now().Before(got.expiresAt) {
		return got.addresses, nil
	}
	at := []Address{}
	for page := range maxPDOKPages {
		more := false
		err := r.Get(ctx, pdokURL(r.base, p, page*pdokPageSize), func(data []byte) error {
			found, next, err := parsePDOK(data, p)
			if err == nil {
				at, more = append(at, found...), next
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
	}
	at = sortDistinct(at)
	r.cache.Add(p, cacheEntry{at, r.now().Add(cacheTTL)})
	return at, nil
}
