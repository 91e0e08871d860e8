package move

import (
	"context"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/module"
)

// agreements are those of the call's relation, as billing has them.
func (s *service) agreements(ctx context.Context) ([]Agreement, error) {
	return module.Call[[]Agreement](ctx, s.host.Client, http.MethodGet, "http://billing/agreements", nil)
}

// email is the address of the call's relation; empty when none is known.
func (s *service) email(ctx context.Context) (string, error) {
	r, err := module.Call[struct {
		Email string `json:"email"`
	}](ctx, s.host.Client, http.MethodGet, "http://account/relations", nil)
	return r.Email, err
}

// mayLookUp counts a lookup: of the account that calls or, where nobody has signed in, of the caller's address. Problem: 429.
func (s *service) mayLookUp(ctx context.Context) error {
	in := map[string]any{"key": "lookup:" + module.ScopeOf(ctx).Subject, "max": lookups, "window_seconds": int(lookupWindow / time.Second),
		"per_client": module.ScopeOf(ctx).Subject == ""}
	out, err := module.Call[struct {
		Allowed bool `json:"allowed"`
	}](ctx, s.host.Client, http.MethodPost, "http://core/limits", in)
	if err != nil || out.Allowed {
		return err
	}
	return module.Fail(http.StatusTooManyRequests, module.CodeTooManyCalls)
}
