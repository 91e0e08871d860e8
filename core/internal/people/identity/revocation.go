package identity

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	feedInterval      = time.Second     // interval between reads of the revocations
	maxRevocationsAge = 4 * time.Second // a process that has not read them for longer trusts no cached token
	// revocationRetention is how long a revocation is kept: longer than tokenCacheTime plus the clock difference between replicas.
	revocationRetention = 10 * time.Minute
)

// revocation records that a session, an impersonation or an account has ended.
type revocation struct {
	bun.BaseModel `bun:"table:identity_revocations,alias:r"`

	Label   string    `bun:"label_key,pk"`
	ID      string    `bun:"id,pk"`
	Subject string    `bun:"subject"`
	At      time.Time `bun:"at"`
}

// recordRevocation records, in the transaction that ends a subject, that every process must check the subject in the database again.
func recordRevocation(ctx context.Context, tx store.Tx, label, subject string, now time.Time) error {
	_, err := tx.NewInsert().Model(&revocation{Label: label, ID: value.NewID(), Subject: subject, At: now}).Exec(ctx)
	return err
}

// revocations contains the subjects that were revoked recently, so that a cached token can be trusted without a query (7.7-token-ends,
// docs/decisions/0025). It does not refuse tokens: the tokens of these subjects are checked in the database again.
type revocations struct {
	db      store.DB
	now     func() time.Time // the injected clock
	log     *slog.Logger
	elapsed func() time.Duration // time since the process started; monotonic

	readAt  atomic.Int64 // start of the last successful read, by elapsed; 0: never
	current atomic.Pointer[generation]

	mu      sync.Mutex
	seen    map[string]bool          // rows of the last read
	expires map[string]time.Duration // subject -> when it may be removed, by elapsed
}

// generation is an immutable snapshot of the revocations.
type generation struct {
	number   uint64
	subjects map[string]uint64 // subject -> number of the generation in which it was last revoked
}

func newRevocations(db store.DB, now func() time.Time, log *slog.Logger) *revocations {
	began := time.Now()
	f := &revocations{db: db, now: now, log: log, elapsed: func() time.Duration { return time.Since(began) + 1 },
		seen: map[string]bool{}, expires: map[string]time.Duration{}}
	f.current.Store(&generation{})
	return f
}

// currentNumber returns the number of the current generation. It must be read before the data that is then cached.
func (f *revocations) currentNumber() uint64 { return f.current.Load().number }

// isFresh reports whether the revocations were read recently, so that cached tokens can be trusted.
func (f *revocations) isFresh() bool {
	at := f.readAt.Load()
	return at > 0 && f.elapsed()-time.Duration(at) < maxRevocationsAge
}

// isUnrevoked reports whether no subject of the claims was revoked after the given generation.
func (f *revocations) isUnrevoked(c *Claims, since uint64) bool {
	g := f.current.Load()
	return g.number == since ||
		g.subjects[c.Session] <= since && g.subjects[c.Subject] <= since && g.subjects[c.Actor] <= since
}

// add adds subjects to the revocations of this process, after the transaction that revoked them.
func (f *revocations) add(subjects ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, before := f.elapsed(), f.current.Load()
	next := &generation{before.number + 1, maps.Clone(before.subjects)}
	if next.subjects == nil {
		next.subjects = map[string]uint64{}
	}
	for _, s := range subjects {
		next.subjects[s], f.expires[s] = next.number, now+revocationRetention
	}
	for s, till := range f.expires {
		if till < now {
			delete(f.expires, s)
			delete(next.subjects, s)
		}
	}
	f.current.Store(next)
}

// poll reads the revocations of other processes.
func (f *revocations) poll(ctx context.Context) error {
	began := f.elapsed()
	var rows []revocation
	err := f.db.Read().NewSelect().Model(&rows).Column("id", "subject").Where("at > ?", f.now().Add(-revocationRetention)).Scan(ctx)
	if err != nil {
		return err
	}
	var news []string
	seen := make(map[string]bool, len(rows))
	f.mu.Lock()
	for _, r := range rows {
		if seen[r.ID] = true; !f.seen[r.ID] {
			news = append(news, r.Subject)
		}
	}
	f.seen = seen
	f.mu.Unlock()
	if len(news) > 0 {
		f.add(news...)
	}
	f.readAt.Store(int64(began))
	return nil
}

// Follow reads the revocations of other processes every second until the context ends. Without it no cached token is trusted: each token is
// checked in the database.
func (f *revocations) Follow(ctx context.Context) {
	tick := time.NewTicker(feedInterval)
	defer tick.Stop()
	failing := false
	for {
		once, cancel := context.WithTimeout(ctx, maxRevocationsAge)
		err := f.poll(once)
		cancel()
		if err != nil && !failing && ctx.Err() == nil {
			f.log.WarnContext(ctx, "revocations cannot be read; until they can, every token is checked in the database", "error", err)
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

const (
	tokenCacheTime = time.Minute // how long a verified token is trusted
	cacheSize      = 8192        // maximum number of cached tokens
)

// tokenCache caches the claims of verified tokens by a hash of label, label revision and token. Claims are valid for a minute, or until
// their session or account is revoked (7.7-token-ends).
type tokenCache struct {
	revocations *revocations
	entries     *lru.Cache[tokenHash, cachedClaims]
}

type tokenHash [sha256.Size]byte

type cachedClaims struct {
	claims Claims
	until  time.Time
	since  uint64 // revocation generation before the token was verified
}

func newTokenCache(f *revocations) *tokenCache {
	entries, err := lru.New[tokenHash, cachedClaims](cacheSize)
	if err != nil {
		panic(err) // fails only for a size below one
	}
	return &tokenCache{f, entries}
}

// get returns the claims of a token that was verified recently. If there are none, the caller verifies the token and passes its hash and
// since to put.
func (c *tokenCache) get(l *label.Label, bearer string, now time.Time) (claims Claims, hash tokenHash, since uint64, ok bool) {
	hash = sha256.Sum256([]byte(l.Key + "\x00" + l.Revision + "\x00" + bearer))
	if hit, ok := c.entries.Get(hash); ok && now.Before(hit.until) &&
		c.revocations.isUnrevoked(&hit.claims, hit.since) && c.revocations.isFresh() {
		return hit.claims, hash, hit.since, true
	}
	return Claims{}, hash, c.revocations.currentNumber(), false
}

// put stores the claims of a token that was verified after get returned hash and since.
func (c *tokenCache) put(hash tokenHash, since uint64, claims Claims, now time.Time) {
	until := now.Add(tokenCacheTime)
	if claims.Expires.Before(until) {
		until = claims.Expires
	}
	c.entries.Add(hash, cachedClaims{claims, until, since})
}
