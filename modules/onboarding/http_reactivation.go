package onboarding

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/onboarding/onboardingapi"
)

const (
	linkTTL            = 24 * time.Hour       // validity of a reactivation link
	linkRetention      = 180 * 24 * time.Hour // retention of expired links, so that an old link gets the correct problem
	maxLinksPerHour    = 5                    // per email address
	maxBeginsPerClient = 60                   // per hour and network address
	maxAddressTries    = 5                    // per link and day
)

// beginReactivation stores the request and responds. Handle looks up the account later, so neither the response nor its duration reveals
// whether there is one (7.5-reactivate-begin-privacy).
func (s *service) beginReactivation(ctx context.Context, in *beginInput) (*struct{}, error) {
	f := in.Body
	if f.LabelKey != "" && f.LabelKey != module.ScopeOf(ctx).Label {
		return nil, problem.Fail(http.StatusBadRequest, problem.CodeLabelMismatch)
	}
	if err := problem.Refuse(f.Check()...); err != nil {
		return nil, err
	}
	if err := s.takeLimit(ctx, module.Limit{Key: "begin", Max: maxBeginsPerClient, Window: time.Hour, PerClient: true}); err != nil {
		return nil, err
	}
	at := f.entered()
	if at.isPresent() {
		checked, unchecked, err := s.address(ctx, at)
		if err != nil {
			return nil, err // 404: 2.4-reactivation-address-reconcile
		}
		if !unchecked {
			at = checked
		}
	}
	if f.Token != "" {
		return nil, s.finish(ctx, f.Token, at)
	}
	email := mailboxKey(value.NormalizeEmail(f.Email))
	if err := s.takeLimit(ctx, module.Limit{Key: "begin:" + email, Max: maxLinksPerHour, Window: time.Hour}); err != nil {
		return nil, err
	}
	now := s.host.Now().Truncate(time.Microsecond)
	row := &reactivationRow{LabelKey: module.ScopeOf(ctx).Label, ID: value.NewID(), Email: email, Locale: module.ScopeOf(ctx).Locale,
		ZipCode: at.ZipCode, HouseNumber: at.HouseNumber, Extension: at.Extension, ExpiresAt: now.Add(linkTTL)}
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if _, err := module.Label(ctx, "a visitor has no relation yet").Insert(tx, row).Exec(ctx); err != nil {
			return err
		}
		return module.Publish(ctx, tx, onboardingapi.EventReactivationRequested, row.ID, event.None{})
	})
}

// finishReactivation reactivates the accounts of an emailed link (7.5-reactivate-finish). Problems: 410 onboarding.token_invalid for an
// expired or unknown link; 412 if the link was used; 404 with the fields of the address if the address is required or does not match: the
// link stays valid, and beginReactivation accepts its token with an address.
func (s *service) finishReactivation(ctx context.Context, in *finishInput) (*reactivatedAnswer, error) {
	if err := s.takeLimit(ctx, module.Limit{Key: "finish", Max: maxBeginsPerClient, Window: time.Hour, PerClient: true}); err != nil {
		return nil, err
	}
	return &reactivatedAnswer{Reactivated{true}}, s.finish(ctx, in.Token, Address{})
}

var (
	errToken       = problem.Fail(http.StatusGone, codeTokenInvalid)
	errReactivated = problem.Fail(http.StatusPreconditionFailed, codeReactivated)
)

// finish reactivates every account of the link's email address that has no password. at is the address in this call, or zero.
func (s *service) finish(ctx context.Context, token string, at Address) error {
	row, err := reactivationOf(ctx, s.host.DB, "hash", hashed(token))
	switch {
	case errors.Is(err, problem.ErrNotFound):
		return errToken
	case err != nil:
		return err
	case !row.UsedAt.IsZero():
		return errReactivated
	case !s.host.Now().Before(row.ExpiresAt):
		return errToken
	}
	if !at.isPresent() {
		at = Address{ZipCode: row.ZipCode, HouseNumber: row.HouseNumber, Extension: row.Extension}
	}
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return err
	}
	all, err := s.accountsOf(ctx, row.Email)
	if err != nil {
		return err
	}
	if set.ReactivationAddress || at.isPresent() {
		if all, err = s.at(ctx, row, all, at); err != nil {
			return err
		}
	}
	var first bool
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		first, err = useReactivation(ctx, tx, row.ID, s.host.Now().Truncate(time.Microsecond))
		return err
	})
	if err != nil {
		return err
	}
	if !first { // a concurrent call used the link
		return errReactivated
	}
	reactivated := false
	for _, a := range all {
		done, err := s.reactivate(ctx, a.ID)
		if err != nil && !reactivated {
			return errors.Join(err, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return reopenReactivation(ctx, tx, row.ID) }))
		}
		reactivated = reactivated || done
	}
	if !reactivated { // all accounts have a password
		return errReactivated
	}
	return nil
}

// at returns the accounts whose relation has the address. It returns 404 with the fields if there is none or the address is empty.
func (s *service) at(ctx context.Context, row *reactivationRow, all []coreapi.FoundAccount, at Address) (matching []coreapi.FoundAccount,
	err error) {
	unknown := problem.Fail(http.StatusNotFound, codeAddressUnknown, UnknownAddress(at.Extension)...)
	if !at.isPresent() {
		return nil, unknown
	}
	if err := s.takeLimit(ctx, module.Limit{Key: "address:" + row.ID, Max: maxAddressTries, Window: linkTTL}); err != nil {
		return nil, err
	}
	for _, a := range all {
		if a.Relation == "" {
			continue
		}
		found, err := s.hasAddress(ctx, a.Relation, at)
		if err != nil {
			return nil, err
		}
		if found {
			matching = append(matching, a)
		}
	}
	if len(matching) == 0 {
		return nil, unknown
	}
	return matching, nil
}
