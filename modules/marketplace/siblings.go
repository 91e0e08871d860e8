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

// core returns the client of core's own operations.
func (s *service) core() coreapi.Client { return coreapi.New(s.host.Client) }

// accountOf reads the oldest login of a relation. It returns problem.ErrNotFound when there is none.
func (s *service) accountOf(ctx context.Context, relation string) (coreapi.AccountOutputBody, error) {
	a, err := s.core().AccountOfRelation(ctx, relation)
	return a, known(err)
}

// known returns a sibling's 404 as ErrNotFound.
func known(err error) error {
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Status == http.StatusNotFound {
		return problem.ErrNotFound
	}
	return err
}

// memberWith returns the relation of the one active customer with a verified e-mail address. It returns 404 marketplace.member_unknown for
// none and for several: couples share a mailbox, and shares must not go to the wrong person.
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

// hasElectricity reports whether electricity is delivered to a relation today (5.7-transfer-contract). It is false in a label without energy
// contracts.
func (s *service) hasElectricity(ctx context.Context, relation string) (bool, error) {
	out, err := billingapi.New(s.host.Client).DeliveryOfRelation(ctx, relation)
	if errors.Is(known(err), problem.ErrNotFound) {
		return false, nil
	}
	return out.Electricity, err
}

// homeOf returns the address of a relation: its shipping address, else any other. ok is false when none is known.
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

// holder returns the name of the call's relation; empty when the back office has not sent it yet.
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

// labelName returns the name of the label.
func (s *service) labelName(ctx context.Context) (string, error) {
	info, err := s.core().LabelInfo(ctx, module.ScopeOf(ctx).Label)
	return info.Name, err
}

// measured returns the measured production of projects, by code; empty when the label has no module production or it is unavailable.
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

// countAttempt counts an attempt of the account that calls. It returns 429 too_many_calls above limit.
func (s *service) countAttempt(ctx context.Context, what string, limit int) error {
	return module.Limit{What: what + ":" + module.ScopeOf(ctx).Subject, Max: limit, Window: tryWindow}.Try(ctx, s.host.Client)
}
