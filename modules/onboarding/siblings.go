package onboarding

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// place is what module move says of an address (3-address-validation-fields).
type place struct {
	Street   string `json:"street"`
	Number   string `json:"houseNumber"`
	Addition string `json:"houseNumberAddition"`
	City     string `json:"city"`
	ZipCode  string `json:"postcode"`
}

// address checks an address in the register, through module move (7.3-two-lookups-reconcile). A Problem of 404 says that it does
// not exist; unchecked that the register cannot be reached (4-addr-lookup-down): then it is as it was typed.
func (s *service) address(ctx context.Context, typed Address) (_ Address, unchecked bool, err error) {
	in := map[string]string{"zipCode": typed.ZipCode, "houseNumber": typed.HouseNumber, "houseNumberExtension": typed.Extension}
	p, err := module.Call[place](ctx, s.host.Client, http.MethodPost, "http://move/lambda/address-validation/postcode", in)
	refused, isProblem := errors.AsType[*problem.Problem](err)
	switch {
	case isProblem && (refused.Status == http.StatusNotFound || refused.Status == http.StatusBadRequest):
		return typed, false, problem.Fail(http.StatusNotFound, codeAddressUnknown, UnknownAddress(typed.Extension)...)
	case errors.Is(err, problem.ErrUnavailable):
		s.host.Log.WarnContext(ctx, "an address was not checked", "err", err)
		return typed, true, nil
	case err != nil:
		return typed, false, err
	}
	return Address{Street: p.Street, HouseNumber: p.Number, Extension: p.Addition, ZipCode: p.ZipCode, City: p.City}, false, nil
}

// account is a login, as core's accounts have it.
type account struct {
	ID       string `json:"id"`
	Relation string `json:"relation"`
	Role     string `json:"role"`
}

const accounts = "http://core/accounts"

// accountsOf are the logins with an e-mail address, of whatever role.
func (s *service) accountsOf(ctx context.Context, email string) ([]account, error) {
	return module.Call[[]account](ctx, s.host.Client, http.MethodPost, accounts+"/search", map[string]string{"email": email})
}

// open makes the login of an approved applicant, and mails a temporary password; doing it again does nothing. Problem: 409
// account.username_taken.
func (s *service) open(ctx context.Context, a approved, username string) error {
	in := map[string]string{"key": a.Change, "relation": a.Relation, "username": username, "email": a.Email, "name": a.Name, "locale": a.Locale}
	_, err := module.Call[account](ctx, s.host.Client, http.MethodPost, accounts, in)
	return err
}

// wake gives a login a temporary password and mails that; false when it can be signed in with as it is.
func (s *service) wake(ctx context.Context, id string) (bool, error) {
	out, err := module.Call[struct {
		Reactivated bool `json:"reactivated"`
	}](ctx, s.host.Client, http.MethodPost, accounts+"/"+id+"/reactivate", nil)
	return out.Reactivated, err
}

// livesAt reports whether a relation has an address.
func (s *service) livesAt(ctx context.Context, relation string, at Address) (bool, error) {
	all, err := module.Call[[]Address](ctx, s.host.Client, http.MethodGet, "http://account/relations/"+relation+"/addresses", nil)
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Status == http.StatusNotFound {
		return false, nil
	}
	for _, a := range all {
		if sameAddress(a, at) {
			return true, nil
		}
	}
	return false, err
}

// token makes a single-use token that, once followed, comes back as core.email_verified with the purpose and the key.
func (s *service) token(ctx context.Context, purpose, key string, ttl time.Duration) (string, error) {
	in := map[string]any{"purpose": purpose, "key": key, "ttl_seconds": int(ttl.Seconds())}
	out, err := module.Call[struct {
		Token string `json:"token"`
	}](ctx, s.host.Client, http.MethodPost, "http://core/tokens", in)
	return out.Token, err
}

// mayTry counts an attempt. Problem: 429 too_many_calls.
func (s *service) mayTry(ctx context.Context, l module.Limit) error {
	return l.Try(ctx, s.host.Client)
}
