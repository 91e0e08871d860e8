package address

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
)

// takeLimit counts a look-up by the account or, without a session, by the caller's network address. It returns 429 too_many_calls above the
// limit.
func (s *service) takeLimit(ctx context.Context) error {
	subject := module.ScopeOf(ctx).Subject
	return module.Limit{Key: "lookup:" + subject, Max: maxLookups, Window: lookupWindow, PerClient: subject == ""}.Try(ctx, s.host.Client)
}
