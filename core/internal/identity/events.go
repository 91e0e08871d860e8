package identity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Handles lists the types of events that Handle processes, as subscriber "core".
var Handles = []string{coreapi.EventUsernameProcessed, coreapi.EventUsernameRejected, coreapi.EventEmailProcessed}

// Handle applies decisions about usernames and e-mail addresses. It is idempotent.
func (s *Service) Handle(ctx context.Context, e module.Event) error {
	var d coreapi.AccountChange
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return fmt.Errorf("identity: %s: %w", e.Type, err)
	}
	labelKey := scope.Of(ctx).Label
	l := s.d.Labels.ByKey(labelKey)
	if l == nil {
		return fmt.Errorf("identity: %s: no label", e.Type)
	}
	if d.Account == "" {
		return fmt.Errorf("identity: %s without an account", e.Type)
	}
	if e.Type == coreapi.EventEmailProcessed { // at the provider first: setting the address twice is harmless
		r, err := s.accounts.byID(ctx, s.d.DB.Read(), labelKey, d.Account)
		if err != nil {
			return err
		}
		p, err := s.provider(l)
		if err != nil {
			return err
		}
		a, err := s.withSubjects(ctx, r)
		if err != nil {
			return err
		}
		if err := p.SetEmail(ctx, l, a, d.Email); err != nil {
			return markRetryable(err)
		}
	}
	return s.d.DB.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		first, err := tx.Once(ctx, e)
		if err != nil || !first {
			return err
		}
		switch e.Type {
		case coreapi.EventUsernameProcessed:
			name := NormalizeUsername(d.Username)
			if name == "" || !isWellFormed(name) {
				return fmt.Errorf("identity: %s without a username", e.Type)
			}
			r, err := s.accounts.byID(ctx, tx, labelKey, d.Account)
			if err != nil || r.Username == name {
				return err
			}
			return s.accounts.rename(ctx, tx, labelKey, d.Account, name)
		case coreapi.EventUsernameRejected:
			return s.accounts.release(ctx, tx, labelKey, d.Account, NormalizeUsername(d.Username))
		case coreapi.EventEmailProcessed:
			return s.accounts.setEmail(ctx, tx, labelKey, d.Account, d.Email)
		}
		return fmt.Errorf("identity: unexpected event %s", e.Type)
	})
}

// markRetryable marks an error as temporary if a later attempt may succeed.
func markRetryable(err error) error {
	if errors.Is(err, ErrUnavailable) || errors.Is(err, ErrAttempts) {
		return fmt.Errorf("%w: %w", problem.ErrRetry, err)
	}
	return err
}
