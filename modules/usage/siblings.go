package usage

import (
	"context"
	"net/http"
	"slices"

	"github.com/wattle-portal/wattle/core/module"
)

// agreements are those of the call's relation, as billing has them.
func (s *service) agreements(ctx context.Context) ([]Agreement, error) {
	return module.Call[[]Agreement](ctx, s.host.Client, http.MethodGet, "http://billing/agreements", nil)
}

// contract is one agreement of the call's relation with all its sequences, and the connections that it supplies.
type contract struct {
	id          string // identifier without sequence
	span        span
	connections []Connection
}

// contract finds one. ErrNotFound when the relation has no such agreement.
func (s *service) contract(ctx context.Context, id string) (k contract, err error) {
	connections, err := s.mine(ctx)
	if err != nil {
		return k, err
	}
	all, err := s.agreements(ctx)
	if err != nil {
		return k, err
	}
	named := slices.DeleteFunc(all, func(a Agreement) bool { return !a.named(id) })
	if len(named) == 0 {
		return k, module.ErrNotFound
	}
	if k.id = named[0].Identifier; k.id == "" {
		k.id = named[0].WithSequence
	}
	for _, c := range connections {
		t, ok := supplied(c, named)
		if !ok {
			continue
		}
		k.span = t.hull(k.span)
		k.connections = append(k.connections, c)
	}
	if len(k.connections) == 0 {
		for _, a := range named {
			k.span = a.span().hull(k.span)
		}
	}
	return k, nil
}
