package address

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
)

// mayTry counts a look-up of the account that calls or, where nobody has signed in, of the caller's network address. Problem: 429.
func (s *service) mayTry(ctx context.Context) error {
	who := module.ScopeOf(ctx).Subject
	return module.Limit{What: "lookup:" + who, Most: tries, Window: tryWindow, PerClient: who == ""}.Try(ctx, s.host.Client)
}
