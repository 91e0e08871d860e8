package identity

import (
	"context"
	"time"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// MaxFeedAge limits how long a process trusts cached tokens, and FeedInterval is how often it reads the revocations.
const MaxFeedAge, FeedInterval = maxRevocationsAge, feedInterval

// Poll reads the revocations once, as Follow does every second.
func (s *Service) Poll(ctx context.Context) error { return s.revocations.poll(ctx) }

// ExpireFeed simulates that the revocations have not been read for MaxFeedAge.
func (s *Service) ExpireFeed() {
	idle := s.revocations.elapsed
	s.revocations.elapsed = func() time.Duration { return idle() + maxRevocationsAge }
}

// Forget returns a transaction that deletes the provider's user of an account, as it was before the first sign-in.
func Forget(label, account string) func(context.Context, store.Tx) error {
	return func(ctx context.Context, tx store.Tx) error { return (&accounts{}).unbind(ctx, tx, label, account) }
}

// Attempt calls attempts.run.
func (s *Service) Attempt(ctx context.Context, l *label.Label, key string, try func() error) error {
	return s.signIns.attempts.run(ctx, l, key, try)
}
