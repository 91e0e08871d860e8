package payment

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
)

// Providers are the payment providers in use, one for each label and key, so that a rejected key affects only its own label.
type Providers struct {
	host    module.Host
	sandbox Provider
	mu      sync.Mutex
	cached  map[string]Provider
}

// NewProviders returns the providers of a host; sandbox is the provider that moves no money.
func NewProviders(h module.Host, sandbox Provider) *Providers {
	return &Providers{host: h, sandbox: sandbox, cached: map[string]Provider{}}
}

// ProviderSandbox is the name of a provider that moves no money: the outcome of a payment is chosen on a page of package sandbox.
const ProviderSandbox = "sandbox"

// Of returns the provider of a payment, even if the label uses another provider now.
func (s *Providers) Of(ctx context.Context, name string) (Provider, error) {
	if name == ProviderSandbox {
		return s.sandbox, nil
	}
	set, err := SettingsOf(ctx)
	if err != nil {
		return nil, err
	}
	if set.Key == "" {
		return nil, fmt.Errorf("%w: marketplace: payments of %s without its key in the settings", problem.ErrUnavailable, name)
	}
	secret, err := coreapi.New(s.host.Client).Secret(ctx, set.Key)
	if errors.Is(sibling.MapNotFound(err), problem.ErrNotFound) {
		err = fmt.Errorf("%w: marketplace: there is no secret of the name in the settings", problem.ErrUnavailable)
	}
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := module.ScopeOf(ctx).Label + "\x00" + set.URL + "\x00" + secret.Value
	p := s.cached[id]
	if p == nil {
		p = NewMollie(s.host.Web, set.URL, secret.Value)
		s.cached[id] = p
	}
	return p, nil
}
