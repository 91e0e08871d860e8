package marketplace

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// providers are the payment providers in use, one for each label and key, so that a refused key stops only its own label.
type providers struct {
	mu    sync.Mutex
	known map[string]payment.Provider
}

// provider returns the payment provider of the call's label.
func (s *service) provider(ctx context.Context) (payment.Provider, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	return s.providerOf(ctx, set.Payment.Provider)
}

// providerOf returns the provider of a payment, also when the label has another provider now.
func (s *service) providerOf(ctx context.Context, name string) (payment.Provider, error) {
	if name == payment.ProviderSandbox {
		return s.sandbox(), nil
	}
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	if set.Payment.Key == "" {
		return nil, fmt.Errorf("%w: marketplace: payments of %s without its key in the settings", problem.ErrUnavailable, name)
	}
	secret, err := s.core().Secret(ctx, set.Payment.Key)
	if errors.Is(known(err), problem.ErrNotFound) {
		err = fmt.Errorf("%w: marketplace: there is no secret of the name in the settings", problem.ErrUnavailable)
	}
	if err != nil {
		return nil, err
	}
	s.providers.mu.Lock()
	defer s.providers.mu.Unlock()
	id := module.ScopeOf(ctx).Label + "\x00" + set.Payment.URL + "\x00" + secret.Value
	p := s.providers.known[id]
	if p == nil {
		p = payment.NewMollie(s.host.Web, set.Payment.URL, secret.Value)
		if s.providers.known == nil {
			s.providers.known = map[string]payment.Provider{}
		}
		s.providers.known[id] = p
	}
	return p, nil
}
