package identity

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
	"github.com/wattle-portal/wattle/core/problem"
)

// Limits for failed attempts, such as failed sign-ins: one that is reached is a lockout until its window ends (8-id-attempt-limit).
// Many people share a network, but few share a username.
var (
	perUsername = limit.Rule{Max: 5, Window: 15 * time.Minute}
	perAddress  = limit.Rule{Max: 60, Window: 15 * time.Minute}
)

// attempts limits attempts that can fail, such as signing in, per key and per client network.
type attempts struct {
	limits *limit.Limiter
	log    *slog.Logger
}

// run counts an attempt per key and per client network and then calls try. When try fails for a reason that is not the caller's, the
// attempt is refunded. When it succeeds, the count of the key is cleared.
func (s *attempts) run(ctx context.Context, l *label.Label, key string, try func() error) error {
	if err := s.count(ctx, l, key); err != nil {
		return err
	}
	err := try()
	ctx = context.WithoutCancel(ctx) // the refund must happen even if the caller has disconnected
	if err != nil && problem.Of(err).Status < http.StatusInternalServerError {
		return err
	}
	if err == nil {
		s.clear(ctx, l, key)
	} else {
		warn(ctx, s.log, err, "the identity provider did not answer")
		warn(ctx, s.log, s.limits.Refund(ctx, l.Key, key), "an attempt could not be refunded")
	}
	if network := scope.ClientOf(ctx).Network(); network != "" {
		warn(ctx, s.log, s.limits.Refund(ctx, l.Key, "address:"+network), "an attempt could not be refunded")
	}
	return err
}

// count counts an attempt. It returns ErrAttempts when there have been too many.
func (s *attempts) count(ctx context.Context, l *label.Label, key string) error {
	if network := scope.ClientOf(ctx).Network(); network != "" {
		ok, _, err := s.limits.Take(ctx, l.Key, "address:"+network, perAddress)
		if err != nil {
			return err
		}
		if !ok {
			return ErrAttempts
		}
	}
	ok, _, err := s.limits.Take(ctx, l.Key, key, perUsername)
	if err != nil {
		return err
	}
	if !ok {
		return ErrAttempts
	}
	return nil
}

// clear forgets the attempts of a key. An error is only logged.
func (s *attempts) clear(ctx context.Context, l *label.Label, key string) {
	warn(ctx, s.log, s.limits.Clear(ctx, l.Key, key), "attempts could not be cleared")
}
