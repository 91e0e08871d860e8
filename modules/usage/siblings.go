package usage

import (
	"context"
	"slices"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/billing/billingapi"
)

// agreements returns the agreements of the caller's relation from module billing.
func (s *service) agreements(ctx context.Context) ([]Agreement, error) {
	all, err := billingapi.New(s.host.Client).ListSupplies(ctx)
	out := make([]Agreement, len(all))
	for i, a := range all {
		out[i] = Agreement{Identifier: a.AgreementIdentifier, WithSequence: a.AgreementIdentifierWithSequence, Status: a.Status,
			From: a.Period.From}
		if a.Period.To != nil {
			out[i].To = *a.Period.To
		}
		for _, at := range a.Addresses {
			for _, c := range at.Connections {
				out[i].EANs = append(out[i].EANs, c.EANCode)
			}
		}
	}
	return out, err
}

// contract is an agreement of the caller's relation with all its sequences, and the connections that it supplies.
type contract struct {
	id          string // identifier without sequence
	span        span
	agreements  []Agreement // all sequences
	connections []Connection
}

// contract returns a contract by the id of an agreement. It returns ErrNotFound if the relation has no such agreement.
func (s *service) contract(ctx context.Context, id string) (k contract, err error) {
	connections, err := s.callerConnections(ctx)
	if err != nil {
		return k, err
	}
	all, err := s.agreements(ctx)
	if err != nil {
		return k, err
	}
	k.agreements = slices.DeleteFunc(all, func(a Agreement) bool { return !a.hasID(id) })
	if len(k.agreements) == 0 {
		return k, problem.ErrNotFound
	}
	if k.id = k.agreements[0].Identifier; k.id == "" {
		k.id = k.agreements[0].WithSequence
	}
	var spans []span
	for _, a := range k.agreements {
		spans = append(spans, a.span())
	}
	k.span = union(spans)
	k.connections = slices.DeleteFunc(connections, func(c Connection) bool { _, ok := supplySpan(c, k.agreements); return !ok })
	return k, nil
}

// spanOf returns the span in which the contract supplies a connection.
func (k contract) spanOf(c Connection) span { return supplySpanOrEmpty(c, k.agreements) }
