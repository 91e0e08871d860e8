package onboarding

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/address/addressapi"
	"github.com/wattle-portal/wattle/modules/onboarding/onboardingapi"
)

// address validates an address with module address (7.3-two-lookups-reconcile). It returns 404 for an unknown address. If the register is
// unavailable, unchecked is true and the address is returned as entered (4-addr-lookup-down).
func (s *service) address(ctx context.Context, entered Address) (_ Address, unchecked bool, err error) {
	p, err := addressapi.New(s.host.Client).ValidateAddress(ctx, addressapi.ValidateInputBody{ZipCode: entered.ZipCode,
		HouseNumber: entered.HouseNumber, HouseNumberExtension: entered.Extension})
	refused, isProblem := errors.AsType[*problem.Problem](err)
	switch {
	case isProblem && (refused.Status == http.StatusNotFound || refused.Status == http.StatusBadRequest):
		return entered, false, problem.Fail(http.StatusNotFound, codeAddressUnknown, UnknownAddress(entered.Extension)...)
	case errors.Is(err, problem.ErrUnavailable):
		s.host.Log.WarnContext(ctx, "an address was not checked", "error", err)
		return entered, true, nil
	case err != nil:
		return entered, false, err
	}
	return Address{Street: p.Street, HouseNumber: p.HouseNumber, Extension: p.HouseNumberAddition, ZipCode: p.Postcode, City: p.City}, false,
		nil
}

// core returns a client for core's operations.
func (s *service) core() coreapi.Client { return coreapi.New(s.host.Client) }

// accountsOf returns the accounts with an email address, of any role.
func (s *service) accountsOf(ctx context.Context, email string) ([]coreapi.FoundAccount, error) {
	return s.core().SearchAccounts(ctx, coreapi.SearchInputBody{Email: email})
}

// openAccount creates the login of an approved applicant; core emails a temporary password. It is idempotent. It returns 409
// account.username_taken.
func (s *service) openAccount(ctx context.Context, a onboardingapi.Approved, username string) error {
	_, err := s.core().OpenAccount(ctx, coreapi.OpenInputBody{Key: a.Change, Relation: a.Relation, Username: username, Email: a.Email,
		Name: a.Name, PreferredName: a.PreferredName, Locale: a.Locale})
	return err
}

// reactivate gives a login a temporary password, which core mails. It returns false if the login has a password.
func (s *service) reactivate(ctx context.Context, id string) (bool, error) {
	out, err := s.core().ReactivateAccount(ctx, id)
	return out.Reactivated, err
}

// hasAddress reports whether a relation has an address.
func (s *service) hasAddress(ctx context.Context, relation string, at Address) (bool, error) {
	all, err := accountapi.New(s.host.Client).AddressesOfRelation(ctx, relation)
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Status == http.StatusNotFound {
		return false, nil
	}
	for _, a := range all {
		if sameAddress(Address{a.Street, a.HouseNumber, a.HouseNumberExtension, a.ZipCode, a.City}, at) {
			return true, nil
		}
	}
	return false, err
}

// token creates a single-use token. When its link is followed, core publishes core.email_verified with the purpose and the key.
func (s *service) token(ctx context.Context, purpose, key string, ttl time.Duration) (string, error) {
	out, err := s.core().CreateToken(ctx, coreapi.Request{Purpose: purpose, Key: key, TTLSeconds: int64(ttl.Seconds())})
	return out.Token, err
}

// takeLimit counts an attempt. It returns 429 too_many_calls if the limit is reached.
func (s *service) takeLimit(ctx context.Context, l module.Limit) error {
	return l.Try(ctx, s.host.Client)
}
