package transfer

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/billing/billingapi"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
)

// memberWith returns the relation of the only active customer with a verified e-mail address. It returns 404 marketplace.member_unknown
// for none and for several: couples share a mailbox, and the wrong person must not get the shares.
func (s *Service) memberWith(ctx context.Context, email string) (string, error) {
	all, err := coreapi.New(s.host.Client).SearchAccounts(ctx, coreapi.SearchInputBody{Email: email, Active: true})
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
	if found = slices.Compact(found); len(found) != 1 { // two logins of one relation belong to one member
		return "", problem.Fail(http.StatusNotFound, codeMemberUnknown)
	}
	return found[0], nil
}

// hasElectricity reports whether electricity is delivered to a relation today (5.7-transfer-contract). It is false in a label without
// energy contracts.
func (s *Service) hasElectricity(ctx context.Context, relation string) (bool, error) {
	out, err := billingapi.New(s.host.Client).DeliveryOfRelation(ctx, relation)
	if errors.Is(sibling.MapNotFound(err), problem.ErrNotFound) {
		return false, nil
	}
	return out.Electricity, err
}

// homeOf returns the address of a relation: its shipping address or, without one, any other. ok is false when none is known.
func (s *Service) homeOf(ctx context.Context, of string) (at participation.Address, ok bool, err error) {
	all, err := accountapi.New(s.host.Client).AddressesOfRelation(ctx, of)
	if errors.Is(sibling.MapNotFound(err), problem.ErrNotFound) || err == nil && len(all) == 0 {
		return at, false, nil
	}
	if err != nil {
		return at, false, err
	}
	a := all[max(0, slices.IndexFunc(all, func(a accountapi.Address) bool { return a.AddressType == "SHIPPING" }))]
	return participation.Address{StreetName: a.Street, HouseNumber: a.HouseNumber, HousePostfix: a.HouseNumberExtension,
		PostalCode: a.ZipCode, City: a.City}, true, nil
}
