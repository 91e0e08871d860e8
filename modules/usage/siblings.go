package usage

import (
	"context"
	"slices"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/billing/billingapi"
	"github.com/wattle-portal/wattle/modules/usage/internal/cost"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// prices returns the prices that were agreed for a connection, each limited to the days of its agreement. Prices without a commodity have
// no kind, and make the cost of both commodities unknown.
func (s *service) prices(ctx context.Context, c meter.Connection, agreements []meter.Agreement) ([]cost.Price, error) {
	all, err := billingapi.New(s.host.Client).ListPrices(ctx)
	if err != nil {
		return nil, err
	}
	var out []cost.Price
	for _, one := range all {
		supplies := slices.ContainsFunc(agreements, func(a meter.Agreement) bool {
			return a.WithSequence == one.AgreementIdentifierWithSequence && a.Status != meter.Cancelled && c.BelongsTo(a)
		})
		if !supplies {
			continue
		}
		for _, p := range one.Prices {
			if p.Commodity != string(c.Commodity) && p.Commodity != "NONE" {
				continue
			}
			amount, err := value.ParsePrice(p.Amount.String())
			if err != nil {
				return nil, err
			}
			price := cost.Price{Kind: cost.PriceKind(p.Kind), Unit: p.Unit, Amount: amount, IncludesVAT: p.IncludesVat,
				From:  meter.Later(p.From, one.Period.From),
				Until: earlierEnd(p.To, one.Period.To)}
			if price.Until.IsZero() || price.From.Before(price.Until) {
				out = append(out, price)
			}
		}
	}
	return out, nil
}

// earlierEnd returns the day after the earlier of two last days, or zero if neither is known.
func earlierEnd(a, b *value.Day) value.Day {
	switch {
	case a == nil && b == nil:
		return value.Day{}
	case a == nil || b != nil && b.Before(*a):
		return b.AddDays(1)
	}
	return a.AddDays(1)
}

// agreements returns the agreements of the caller's relation from module billing.
func (s *service) agreements(ctx context.Context) ([]meter.Agreement, error) {
	all, err := billingapi.New(s.host.Client).ListSupplies(ctx)
	out := make([]meter.Agreement, len(all))
	for i, a := range all {
		out[i] = meter.Agreement{Identifier: a.AgreementIdentifier, WithSequence: a.AgreementIdentifierWithSequence, Status: a.Status,
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
	span        meter.Span
	agreements  []meter.Agreement // all sequences
	connections []meter.Connection
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
	k.agreements = slices.DeleteFunc(all, func(a meter.Agreement) bool { return !a.HasID(id) })
	if len(k.agreements) == 0 {
		return k, problem.ErrNotFound
	}
	if k.id = k.agreements[0].Identifier; k.id == "" {
		k.id = k.agreements[0].WithSequence
	}
	var spans []meter.Span
	for _, a := range k.agreements {
		spans = append(spans, a.Span())
	}
	k.span = meter.Union(spans)
	k.connections = slices.DeleteFunc(connections, func(c meter.Connection) bool { _, ok := meter.SupplySpan(c, k.agreements); return !ok })
	return k, nil
}

// spanOf returns the span in which the contract supplies a connection.
func (k contract) spanOf(c meter.Connection) meter.Span {
	return meter.SupplySpanOrEmpty(c, k.agreements)
}
