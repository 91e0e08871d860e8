package outages

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// address is an address at which a customer gets power or gas.
type address struct {
	Street      string `json:"street"`
	HouseNumber string `json:"house_number" doc:"With its extension"`
	ZipCode     string `json:"zip_code" doc:"Postal code, 1234AB"`
	City        string `json:"city"`
}

// addresses returns the caller's addresses without duplicates: module account lists an address that is also the invoice address twice.
func (s *service) addresses(ctx context.Context) ([]address, error) {
	known, err := accountapi.New(s.host.Client).ListAddresses(ctx)
	if p := problem.Of(err); err != nil && p != nil && p.Status == 404 {
		return []address{}, nil // without a relation there are no addresses
	}
	if err != nil {
		return nil, err
	}
	out := []address{}
	for _, a := range known {
		if a.AddressType == "INVOICE" && slices.ContainsFunc(known, func(b accountapi.Address) bool { return b.AddressType != "INVOICE" }) {
			continue // invoices may be sent elsewhere; the address of a connection is listed separately
		}
		one := address{Street: a.Street, HouseNumber: a.HouseNumber + a.HouseNumberExtension, ZipCode: value.NormalizeZipCode(a.ZipCode),
			City: a.City}
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out, nil
}

// mailboxes returns the email addresses of relations. Relations without a login are left out.
func (s *service) mailboxes(ctx context.Context, relations []string) ([]coreapi.Mailbox, error) {
	if len(relations) == 0 {
		return nil, nil
	}
	found, err := coreapi.New(s.host.Client).ListMailboxes(ctx, coreapi.MailboxesInputBody{Relations: relations})
	if errors.Is(err, problem.ErrUnavailable) {
		return nil, fmt.Errorf("%w: %w", problem.ErrRetry, err)
	}
	return found, err
}
