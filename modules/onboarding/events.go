package onboarding

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/onboarding/onboardingapi"
)

// kindApplication is the kind of the change request for a verified registration. Its data is an Application. It has no relation until
// approval. Its key is a hash of the email address, so that a mailbox has at most one pending registration.
const kindApplication = "onboarding.application"

// decided processes the decision on a registration (4-access-approval). An approval publishes the event that creates relation and login; a
// rejection is emailed with its reason.
func (s *service) decided(ctx context.Context, tx module.Tx, c module.Change) error {
	var a Application
	if err := json.Unmarshal(c.Data, &a); err != nil {
		return fmt.Errorf("onboarding: data of change %s: %w", c.ID, err)
	}
	if c.State == module.Rejected {
		if err := tx.Mail(ctx, mailRejected(a.Locale, a.Email, c.Reason)); err != nil {
			return err
		}
		return module.Publish(ctx, tx, onboardingapi.EventRejected, c.ID, event.None{})
	}
	number := DebtorNumber(c.ID)
	// module account creates the relation, and this module the login
	return module.Publish(ctx, tx, onboardingapi.EventApproved, c.ID, onboardingapi.Approved{Change: c.ID, DebtorNumber: number,
		Relation: value.StableID(c.Label, "relation", number), RelationSince: module.Today(ctx, s.host.Now()), Salutation: a.Salutation(),
		Name: a.Name(), Applicant: a.Applicant()})
}

// Handle processes an event of one of the types in the manifest.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	switch e.Type {
	case coreapi.EventEmailVerified:
		return retryable(s.emailVerified(ctx, e))
	case onboardingapi.EventApproved:
		return retryable(s.createLogin(ctx, e))
	case onboardingapi.EventReactivationRequested:
		return retryable(s.sendReactivationLink(ctx, e))
	case onboardingapi.EventSweep:
		return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
			return sweep(ctx, tx, s.host.Now().Truncate(time.Microsecond))
		})
	}
	return fmt.Errorf("onboarding: does not handle %s", e.Type)
}

// retryable marks a problem.ErrUnavailable of a sibling with problem.ErrRetry, so that the event is delivered again.
func retryable(err error) error {
	if errors.Is(err, problem.ErrUnavailable) {
		return fmt.Errorf("%w: %w", problem.ErrRetry, err)
	}
	return err
}

// emailVerified files the registration whose link was followed. If the email address already has an account, it sends an email that says so
// instead. It does not file a second registration for a mailbox.
func (s *service) emailVerified(ctx context.Context, e module.Event) error {
	var verified coreapi.EmailVerified
	if err := json.Unmarshal(e.Data, &verified); err != nil {
		return fmt.Errorf("onboarding: data of event %s: %w", e.ID, err)
	}
	if verified.Purpose != kindApplication || verified.Module != manifest.Key { // a link for another purpose or module
		return nil
	}
	row, err := applicationOf(ctx, s.host.DB, verified.Key)
	if errors.Is(err, problem.ErrNotFound) { // already handled, or expired
		return nil
	}
	if err != nil {
		return err
	}
	accounts, err := s.accountsOf(ctx, row.Email)
	if err != nil {
		return err
	}
	a, err := row.application()
	if err != nil {
		return err
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		if err := deleteApplications(ctx, tx, row.Email); err != nil {
			return err
		}
		if len(accounts) > 0 {
			return tx.Mail(ctx, mailKnown(row.Locale, a.Email))
		}
		_, err := tx.File(ctx, module.Change{Kind: kindApplication, Key: value.StableID("email", row.Email), Data: row.Document})
		if errors.Is(err, problem.ErrPending) {
			return nil
		}
		if err != nil {
			return err
		}
		return tx.Mail(ctx, mailReceived(row.Locale, a.Email))
	})
}

// createLogin creates the login. The username is the email address or, if that is taken, the debtor number.
func (s *service) createLogin(ctx context.Context, e module.Event) error {
	var a onboardingapi.Approved
	if err := json.Unmarshal(e.Data, &a); err != nil {
		return fmt.Errorf("onboarding: data of event %s: %w", e.ID, err)
	}
	err := s.openAccount(ctx, a, a.Email)
	if p, ok := errors.AsType[*problem.Problem](err); ok && (p.Status == http.StatusConflict || p.Status == http.StatusBadRequest) {
		return s.openAccount(ctx, a, strings.ToLower(a.DebtorNumber))
	}
	return err
}

// sendReactivationLink emails the link if an account has the email address (7.5-reactivate-begin-privacy).
func (s *service) sendReactivationLink(ctx context.Context, e module.Event) error {
	row, err := reactivationOf(ctx, s.host.DB, "id", e.Key)
	if errors.Is(err, problem.ErrNotFound) || err == nil && row.Hash != nil { // already handled
		return nil
	}
	if err != nil {
		return err
	}
	all, err := s.accountsOf(ctx, row.Email)
	if err != nil {
		return err
	}
	token, hash := newToken()
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if len(all) == 0 {
			return deleteReactivation(ctx, tx, row.ID)
		}
		first, err := setReactivationHash(ctx, tx, row.ID, hash, s.host.Now().Add(linkTTL).Truncate(time.Microsecond))
		if err != nil || !first {
			return err
		}
		return tx.Mail(ctx, mailReactivate(row.Locale, row.Email, token))
	})
}
