package marketplace

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/billing/billingapi"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/production/productionapi"
)

// core calls core's own operations.
func (s *service) core() coreapi.Client { return coreapi.New(s.host.Client) }

// accountOf is the oldest login of a relation. problem.ErrNotFound when it has none.
func (s *service) accountOf(ctx context.Context, relation string) (coreapi.AccountOutputBody, error) {
	a, err := s.core().AccountOfRelation(ctx, relation)
	return a, known(err)
}

// known makes a sibling's 404 an ErrNotFound.
func known(err error) error {
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Status == http.StatusNotFound {
		return problem.ErrNotFound
	}
	return err
}

// memberWith is the relation of the one active customer with a verified e-mail address. 404 marketplace.member_unknown for none and
// for several: couples share a mailbox, and shares must not go to the wrong one of them.
func (s *service) memberWith(ctx context.Context, email string) (string, error) {
	all, err := s.core().SearchAccounts(ctx, coreapi.SearchInputBody{Email: email, Active: true})
	if err != nil {
		return "", err
	}
	var found []string
	for _, a := range all {
		if a.Relation != "" && a.Role == module.RoleCustomer {
			found = append(found, a.Relation)
		}
	}
	slices.Sort(found)
	if found = slices.Compact(found); len(found) != 1 { // two logins of one relation are one member
		return "", problem.Fail(http.StatusNotFound, codeMemberUnknown)
	}
	return found[0], nil
}

// electricity reports whether electricity is delivered to a relation today (5.7-transfer-contract). A label without contracts for
// energy has nobody to whom it is.
func (s *service) electricity(ctx context.Context, relation string) (bool, error) {
	out, err := billingapi.New(s.host.Client).DeliveryOfRelation(ctx, relation)
	if errors.Is(known(err), problem.ErrNotFound) {
		return false, nil
	}
	return out.Electricity, err
}

// homeOf is where a relation lives: its shipping address, else any other. ok is false when none is known.
func (s *service) homeOf(ctx context.Context, of string) (at participation.Address, ok bool, err error) {
	all, err := accountapi.New(s.host.Client).AddressesOfRelation(ctx, of)
	if errors.Is(known(err), problem.ErrNotFound) || err == nil && len(all) == 0 {
		return at, false, nil
	}
	if err != nil {
		return at, false, err
	}
	a := all[max(0, slices.IndexFunc(all, func(a accountapi.Address) bool { return a.AddressType == "SHIPPING" }))]
	return participation.Address{StreetName: a.Street, HouseNumber: a.HouseNumber, HousePostfix: a.HouseNumberExtension, PostalCode: a.ZipCode, City: a.City}, true, nil
}

// holder is the name of the call's relation; empty when the back office has not sent it yet.
func (s *service) holder(ctx context.Context) (string, error) {
	r, err := accountapi.New(s.host.Client).GetRelation(ctx)
	if errors.Is(known(err), problem.ErrNotFound) {
		return "", nil
	}
	if r.Company.Name != "" {
		return r.Company.Name, err
	}
	return strings.Join(strings.Fields(r.Initials+" "+r.Prefix+" "+r.LastName), " "), err
}

// labelName is what the brand is called.
func (s *service) labelName(ctx context.Context) (string, error) {
	info, err := s.core().LabelInfo(ctx, module.ScopeOf(ctx).Label)
	return info.Name, err
}

// measured is what projects make, by code; nothing where the label has no module production. A list of projects does not wait for it to be
// there: while it is away, nothing is known.
func (s *service) measured(ctx context.Context, codes []string) map[string]productionapi.Measured {
	all, err := productionapi.New(s.host.Client).ListMeasured(ctx, productionapi.ListMeasuredParams{Projects: strings.Join(codes, ",")})
	if err != nil && !errors.Is(known(err), problem.ErrNotFound) {
		s.host.Log.WarnContext(ctx, "it is not known what projects make", "error", err)
	}
	out := make(map[string]productionapi.Measured, len(all))
	for _, m := range all {
		out[m.ProjectCode] = m
	}
	return out
}

// mayTry counts an attempt of the account that calls. Problem: 429 too_many_calls.
func (s *service) mayTry(ctx context.Context, what string, most int) error {
	return module.Limit{What: what + ":" + module.ScopeOf(ctx).Subject, Max: most, Window: tryWindow}.Try(ctx, s.host.Client)
}
