package account

import (
	"context"
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
)

// core returns a client of core's operations.
func (s *service) core() coreapi.Client { return coreapi.New(s.host.Client) }

// reserve reserves a username for the account until its change is decided. It returns 409 account.username_taken if another account of the
// label uses it or has reserved it (5.5-username-unique).
func (s *service) reserve(ctx context.Context, username string) error {
	_, err := s.core().ReserveUsername(ctx, coreapi.ReserveInputBody{Username: username})
	return err
}

// token creates a single-use token. Following it publishes core.email_verified with the purpose and the key.
func (s *service) token(ctx context.Context, purpose, key string, ttl time.Duration) (string, error) {
	out, err := s.core().CreateToken(ctx, coreapi.Request{Purpose: purpose, Key: key, TTLSeconds: int64(ttl.Seconds())})
	return out.Token, err
}

// takeLimit counts an attempt of the calling account. It returns 429 too_many_calls after limit attempts in the window.
func (s *service) takeLimit(ctx context.Context, what string, limit int, window time.Duration) error {
	return module.Limit{Key: what + ":" + module.ScopeOf(ctx).Subject, Max: limit, Window: window}.Try(ctx, s.host.Client)
}

// serviceEmail returns the email address of the label's customer service.
func (s *service) serviceEmail(ctx context.Context) (string, error) {
	info, err := s.core().LabelInfo(ctx, module.ScopeOf(ctx).Label)
	return info.Email, err
}
