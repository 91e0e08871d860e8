package identity

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	feedInterval = time.Second      // between two reads of the revocations
	feedFresh    = 4 * time.Second  // after which a process that could not read them believes nothing that it remembers
	feedKept     = 10 * time.Minute // for which a revocation is kept: longer than tokenCached by more than clocks of replicas differ
)

// revocation says that something about a session, an impersonation or an account has ended.
type revocation struct {
	bun.BaseModel `bun:"table:identity_revocations,alias:r"`

	Label   string    `bun:"label_key,pk"`
	ID      string    `bun:"id,pk"`
	Subject string    `bun:"subject"`
	At      time.Time `bun:"at"`
}

// revoke writes down, in the transaction that ends it, that processes must look at a subject again.
func revoke(ctx context.Context, tx store.Tx, label, subject string, now time.Time) error {
	_, err := tx.NewInsert().Model(&revocation{Label: label, ID: value.NewID(), Subject: subject, At: now}).Exec(ctx)
	return err
}

// feed knows which subjects were revoked lately, so that a token that was good a moment ago is believed without a query
// (7.7-token-ends, docs/decisions/0025). It decides nothing: what it names is looked at again in the database.
type feed struct {
	db   store.DB
	now  func() time.Time     // the injected clock
	idle func() time.Duration // since the process began; it never jumps

	read    atomic.Int64 // when the last good read began, as idle tells; 0: never
	current atomic.Pointer[generation]

	mu   sync.Mutex
	seen map[string]bool          // rows of the last read
	till map[string]time.Duration // subject -> when it may be forgotten, as idle tells
}

// generation is what was known at one moment. It is immutable.
type generation struct {
	number   uint64
	subjects map[string]uint64 // number of the generation in which a subject was last revoked
}

func newFeed(db store.DB, now func() time.Time) *feed {
	began := time.Now()
	f := &feed{db: db, now: now, idle: func() time.Duration { return time.Since(began) + 1 }, seen: map[string]bool{}, till: map[string]time.Duration{}}
	f.current.Store(&generation{})
	return f
}

// number of the present generation; it is taken before that is read which is then remembered.
func (f *feed) number() uint64 { return f.current.Load().number }

// fresh reports whether the revocations were read lately: only then may a process believe what it remembers.
func (f *feed) fresh() bool {
	at := f.read.Load()
	return at > 0 && f.idle()-time.Duration(at) < feedFresh
}

// stands reports whether nothing of the claims was revoked since they were read in a generation.
func (f *feed) stands(c *Claims, since uint64) bool {
	g := f.current.Load()
	return g.number == since ||
		g.subjects[c.Session] <= since && g.subjects[c.Subject] <= since && g.subjects[c.Actor] <= since
}

// learn makes subjects known in this process, after the transaction that revoked them.
func (f *feed) learn(subjects ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, before := f.idle(), f.current.Load()
	next := &generation{before.number + 1, maps.Clone(before.subjects)}
	if next.subjects == nil {
		next.subjects = map[string]uint64{}
	}
	for _, s := range subjects {
		next.subjects[s], f.till[s] = next.number, now+feedKept
	}
	for s, till := range f.till {
		if till < now {
			delete(f.till, s)
			delete(next.subjects, s)
		}
	}
	f.current.Store(next)
}

// poll reads what other processes have revoked.
func (f *feed) poll(ctx context.Context) error {
	began := f.idle()
	var rows []revocation
	if err := f.db.Read().NewSelect().Model(&rows).Column("id", "subject").Where("at > ?", f.now().Add(-feedKept)).Scan(ctx); err != nil {
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
		f.learn(news...)
	}
	f.read.Store(int64(began))
	return nil
}

// Follow reads every second what other processes have revoked, until the context ends. Without it nothing is remembered: every
// token is looked up in the database.
func (s *Service) Follow(ctx context.Context) {
	tick := time.NewTicker(feedInterval)
	defer tick.Stop()
	failing := false
	for {
		once, cancel := context.WithTimeout(ctx, feedFresh)
		err := s.feed.poll(once)
		cancel()
		if err != nil && !failing && ctx.Err() == nil {
			s.d.Log.WarnContext(ctx, "revoked sessions cannot be read; until they can, every token is looked up", "err", err)
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
