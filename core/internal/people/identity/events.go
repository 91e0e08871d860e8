package identity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Handles lists the event types that Handle processes as the subscriber "core".
var Handles = []string{coreapi.EventUsernameProcessed, coreapi.EventUsernameRejected, coreapi.EventEmailProcessed}

// decisions applies the decisions of modules about usernames and email addresses.
type decisions struct {
	db        store.DB
	labels    label.Source
	providers *providers
	accounts  *accounts
}

// Handle applies decisions about usernames and email addresses. It is idempotent. Events of an account may arrive late and in any order: a
// decision never overrides a later decision (9-event-late). The time of an event is the time of its decision, because it is published in
// the same transaction.
func (s *decisions) Handle(ctx context.Context, e module.Event) error {
	var d coreapi.AccountChange
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return fmt.Errorf("identity: %s: %w", e.Type, err)
	}
	l := s.labels.ByKey(scope.Of(ctx).Label)
	if l == nil {
		return fmt.Errorf("identity: %s: no label", e.Type)
	}
	if d.Account == "" {
		return fmt.Errorf("identity: %s without an account", e.Type)
	}
	err := s.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		switch e.Type {
		case coreapi.EventUsernameProcessed:
			return s.usernameProcessed(ctx, tx, l.Key, d, e.At)
		case coreapi.EventUsernameRejected:
			return s.accounts.release(ctx, tx, l.Key, d.Account, NormalizeUsername(d.Username), e.At)
		case coreapi.EventEmailProcessed:
			if _, err := s.accounts.byID(ctx, tx, l.Key, d.Account); err != nil {
				return err
			}
			if last, err := saveDecision(ctx, tx, l.Key, d.Account, "email_decided_at", e.At); err != nil || !last {
				return err
			}
			return s.accounts.setEmail(ctx, tx, l.Key, d.Account, d.Email)
		}
		return fmt.Errorf("identity: unexpected event %s", e.Type)
	})
	if err != nil || e.Type != coreapi.EventEmailProcessed {
		return err
	}
	return markRetryable(s.copyEmail(ctx, l, d.Account))
}

// usernameProcessed gives an account its username, unless a later decision is already stored.
func (s *decisions) usernameProcessed(ctx context.Context, tx store.Tx, label string, d coreapi.AccountChange, decided time.Time) error {
	name := NormalizeUsername(d.Username)
	if name == "" || !isWellFormed(name) {
		return fmt.Errorf("identity: %s without a username", coreapi.EventUsernameProcessed)
	}
	r, err := s.accounts.byID(ctx, tx, label, d.Account)
	if err != nil {
		return err
	}
	if last, err := saveDecision(ctx, tx, label, d.Account, "username_decided_at", decided); err != nil || !last || r.Username == name {
		return err
	}
	return s.accounts.rename(ctx, tx, label, d.Account, name)
}

// copyEmail gives the provider the address that is stored with an account. It runs for every delivery of an event, and repeats when the
// address has changed in the meantime, so that the provider ends up with the stored address regardless of the order of events and calls.
func (s *decisions) copyEmail(ctx context.Context, l *label.Label, account string) error {
	p, err := s.providers.of(l)
	if err != nil {
		return err
	}
	r, err := s.accounts.byID(ctx, s.db.Read(), l.Key, account)
	for copied := ""; err == nil && r.Email != copied; r, err = s.accounts.byID(ctx, s.db.Read(), l.Key, account) {
		a, err := s.accounts.withSubjects(ctx, r)
		if err != nil {
			return err
		}
		if err := p.SetEmail(ctx, l, a, r.Email); err != nil {
			return err
		}
		copied = r.Email
	}
	return err
}

// saveDecision stores the time of a decision about an account. It returns false when a later decision is already stored.
func saveDecision(ctx context.Context, tx store.Tx, label, account, column string, at time.Time) (bool, error) {
	res, err := tx.NewRaw("INSERT INTO identity_account_states AS st (label_key, account_id, disabled, ?0) VALUES (?1, ?2, FALSE, ?3) "+
		"ON CONFLICT (label_key, account_id) DO UPDATE SET ?0 = EXCLUDED.?0 WHERE st.?0 IS NULL OR st.?0 <= EXCLUDED.?0",
		bun.Ident(column), label, account, at).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// markRetryable marks an error as temporary if a later attempt may succeed.
func markRetryable(err error) error {
	if errors.Is(err, ErrUnavailable) || errors.Is(err, ErrAttempts) {
		return fmt.Errorf("%w: %w", problem.ErrRetry, err)
	}
	return err
}
