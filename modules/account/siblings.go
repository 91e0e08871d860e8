package account

import (
	"context"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/module"
)

const reservation = "http://core/accounts/me/reserved-username"

// me is what core's accounts say of the account that signed in.
type me struct {
	Username string `json:"username"`
}

func (s *service) me(ctx context.Context) (me, error) {
	return module.Call[me](ctx, s.host.Client, http.MethodGet, "http://core/accounts/me", nil)
}

// reserve keeps a username for the account until its change is decided. 409 account.username_taken when another account of the
// label has it or has reserved it (5.5-username-unique).
func (s *service) reserve(ctx context.Context, username string) error {
	_, err := module.Call[struct{}](ctx, s.host.Client, http.MethodPut, reservation, map[string]string{"username": username})
	return err
}

func (s *service) release(ctx context.Context) error {
	_, err := module.Call[struct{}](ctx, s.host.Client, http.MethodDelete, reservation, nil)
	return err
}

// token makes a single-use token that, once followed, comes back as core.email_verified with the purpose and the key.
func (s *service) token(ctx context.Context, purpose, key string, ttl time.Duration) (string, error) {
	in := map[string]any{"purpose": purpose, "key": key, "ttl_seconds": int(ttl.Seconds())}
	out, err := module.Call[struct {
		Token string `json:"token"`
	}](ctx, s.host.Client, http.MethodPost, "http://core/tokens", in)
	return out.Token, err
}

// mayTry counts an attempt of the account that calls. Problem: 429 too_many_calls after max of them in a window.
func (s *service) mayTry(ctx context.Context, what string, most int, window time.Duration) error {
	return module.Limit{What: what + ":" + module.ScopeOf(ctx).Subject, Most: most, Window: window}.Try(ctx, s.host.Client)
}

// serviceEmail is the address of the label's customer service.
func (s *service) serviceEmail(ctx context.Context) (string, error) {
	info, err := module.Call[struct {
		Email string `json:"email"`
	}](ctx, s.host.Client, http.MethodGet, "http://core/labels/"+module.ScopeOf(ctx).Label+"/info", nil)
	return info.Email, err
}
