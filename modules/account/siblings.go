package account

import (
	"context"
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
)

// core calls core's own operations.
func (s *service) core() coreapi.Client { return coreapi.New(s.host.Client) }

// reserve keeps a username for the account until its change is decided. 409 account.username_taken when another account of the
// label has it or has reserved it (5.5-username-unique).
func (s *service) reserve(ctx context.Context, username string) error {
	_, err := s.core().ReserveUsername(ctx, coreapi.ReserveInputBody{Username: username})
	return err
}

// token makes a single-use token that, once followed, comes back as core.email_verified with the purpose and the key.
func (s *service) token(ctx context.Context, purpose, key string, ttl time.Duration) (string, error) {
	out, err := s.core().CreateToken(ctx, coreapi.Request{Purpose: purpose, Key: key, TTLSeconds: int64(ttl.Seconds())})
	return out.Token, err
}

// mayTry counts an attempt of the account that calls. Problem: 429 too_many_calls after max of them in a window.
func (s *service) mayTry(ctx context.Context, what string, most int, window time.Duration) error {
	return module.Limit{What: what + ":" + module.ScopeOf(ctx).Subject, Most: most, Window: window}.Try(ctx, s.host.Client)
}

// serviceEmail is the address of the label's customer service.
func (s *service) serviceEmail(ctx context.Context) (string, error) {
	info, err := s.core().LabelInfo(ctx, module.ScopeOf(ctx).Label)
	return info.Email, err
}
