package move

import (
	"context"
	"net/http"

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

// mayTry counts an attempt of the account that calls or, where nobody has signed in, of the caller's network address. Problem: 429.
func (s *service) mayTry(ctx context.Context, what string) error {
	who := module.ScopeOf(ctx).Subject
	return module.Limit{What: what + ":" + who, Most: tries, Window: tryWindow, PerClient: who == ""}.Try(ctx, s.host.Client)
}
