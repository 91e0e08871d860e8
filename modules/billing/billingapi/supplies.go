package billingapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/wattle-portal/wattle/core/problem"
)

// Supplies returns the connections and periods of the agreements of the caller's relation, latest start first. It calls ListSupplies, or
// ListAgreements if a billing plugin of the previous release lacks that operation. Remove the second call with the next release.
func (c Client) Supplies(ctx context.Context) ([]Supply, error) {
	all, err := c.ListSupplies(ctx)
	if p, refused := errors.AsType[*problem.Problem](err); !refused || p.Status != http.StatusNotFound {
		return all, err
	}
	agreements, err := c.ListAgreements(ctx)
	out := make([]Supply, len(agreements))
	for i, a := range agreements {
		out[i] = Supply{Addresses: a.Addresses, AgreementIdentifier: a.AgreementIdentifier, CompanyName: a.CompanyName, Name: a.Name,
			AgreementIdentifierWithSequence: a.AgreementIdentifierWithSequence, Period: a.Period, Status: a.Status}
	}
	return out, err
}
