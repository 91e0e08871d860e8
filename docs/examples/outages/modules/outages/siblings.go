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

// address is where a customer gets power or gas.
type address struct {
	Street      string `json:"street"`
	HouseNumber string `json:"house_number" doc:"With its extension"`
	ZipCode     string `json:"zip_code" doc:"Postal code, 1234AB"`
	City        string `json:"city"`
}

// addresses returns the addresses of the caller, each once: an address that is also for invoices is listed twice by module account.
func (s *service) addresses(ctx context.Context) ([]address, error) {
	known, err := accountapi.New(s.host.Client).ListAddresses(ctx)
	if p := problem.Of(err); err != nil && p != nil && p.Status == 404 {
		return []address{}, nil // no relation: nothing is near
	}
	if err != nil {
		return nil, err
	}
	out := []address{}
	for _, a := range known {
		if a.AddressType == "INVOICE" && slices.ContainsFunc(known, func(b accountapi.Address) bool { return b.AddressType != "INVOICE" }) {
			continue // an invoice may go anywhere; a customer with a connection has its address too
		}
		one := address{Street: a.Street, HouseNumber: a.HouseNumber + a.HouseNumberExtension, ZipCode: value.NormaliseZipCode(a.ZipCode),
			City: a.City}
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out, nil
}

// mailboxes returns the mail addresses of relations. One without a login is left out.
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
