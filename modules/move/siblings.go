package move

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/address/addressapi"
	"github.com/wattle-portal/wattle/modules/billing/billingapi"
)

// agreements returns the agreements of the caller's relation from module billing.
func (s *service) agreements(ctx context.Context) ([]Agreement, error) {
	all, err := billingapi.New(s.host.Client).ListSupplies(ctx)
	out := make([]Agreement, len(all))
	for i, a := range all {
		out[i] = Agreement{ID: a.AgreementIdentifierWithSequence, Name: a.Name, CompanyName: a.CompanyName, Status: a.Status}
		for _, at := range a.Addresses {
			d := DeliveryAddress{Type: at.AddressType, Address: Address{Street: at.Street, Number: Number(at.HouseNumber),
				Extension: at.HouseNumberExtension, ZipCode: at.ZipCode, City: at.City}, Connections: make([]Connection, len(at.Connections))}
			for j, c := range at.Connections {
				d.Connections[j] = Connection{c.EANCode, Commodity(c.Commodity)}
			}
			out[i].Addresses = append(out[i].Addresses, d)
		}
	}
	return out, err
}

// email returns the email address of the caller's relation, or "".
func (s *service) email(ctx context.Context) (string, error) {
	r, err := accountapi.New(s.host.Client).GetRelation(ctx)
	return r.Email, err
}

// emailOf returns the current email address of any relation, or "".
func (s *service) emailOf(ctx context.Context, relation string) (string, error) {
	found, err := accountapi.New(s.host.Client).LookUpRelations(ctx, accountapi.LookupInputBody{Relations: []string{relation}})
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0].Email, nil
}

// takeLimit counts an attempt by the account or, without a session, by the caller's network address. It returns 429 too_many_calls above
// the limit.
func (s *service) takeLimit(ctx context.Context, what string) error {
	subject := module.ScopeOf(ctx).Subject
	return module.Limit{Key: what + ":" + subject, Max: maxAttempts, Window: attemptWindow, PerClient: subject == ""}.Try(ctx, s.host.Client)
}

// find looks up an address in module address, or the extensions to choose from. It returns errUnknown for an unknown address, and ErrDown
// if the register is down.
func (s *service) find(ctx context.Context, zip, number string, extension *string) (*Address, []string, error) {
	found, err := addressapi.New(s.host.Client).FindAddress(ctx, addressapi.FindInputBody{ZipCode: zip, HouseNumber: number,
		HouseNumberExtension: extension})
	refused, isProblem := errors.AsType[*problem.Problem](err)
	switch {
	case isProblem && refused.Status == http.StatusNotFound:
		return nil, nil, errUnknown
	case errors.Is(err, problem.ErrUnavailable):
		return nil, nil, fmt.Errorf("%w: %w", ErrDown, err)
	case err != nil || found.Address == nil:
		return nil, found.Alternatives, err
	}
	a := found.Address
	return &Address{Street: a.Street, Number: Number(a.HouseNumber), Extension: a.HouseNumberExtension, ZipCode: a.ZipCode, City: a.City}, nil,
		nil
}
