package identity

import (
	"context"
	"time"

	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/store"
)

// FeedFresh bounds how long a process believes what it remembers.
const FeedFresh = feedFresh

// Poll does once what Follow does every second.
func (s *Service) Poll(ctx context.Context) error { return s.feed.poll(ctx) }

// Stand lets the revocations go unread for as long as a process may believe what it remembers.
func (s *Service) Stand() {
	idle := s.feed.idle
	s.feed.idle = func() time.Duration { return idle() + feedFresh }
}

// TokenWithoutSession signs a token that says no session, as another version may have done.
func (s *Service) TokenWithoutSession(ctx context.Context, l *label.Label, username string) (string, error) {
	r, err := s.accounts.byUsername(ctx, s.d.DB.Read(), l.Key, username)
	if err != nil {
		return "", err
	}
	return s.signer.sign(ctx, l, r, r.Username, "", nil, s.now().Add(tokenLife))
}

// Forget is a transaction that forgets the provider's user of an account, as before there was one.
func Forget(label, account string) func(context.Context, store.Tx) error {
	return func(ctx context.Context, tx store.Tx) error { return (&accounts{}).unbind(ctx, tx, label, account) }
}

// Attempt counts an attempt and tries.
func (s *Service) Attempt(ctx context.Context, l *label.Label, key string, try func() error) error {
	return s.attempt(ctx, l, key, try)
}
