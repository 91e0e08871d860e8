package move

import (
	"context"
	"fmt"
	"sync"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/source"
)

// ErrDown is what a provider wraps that gives no answer that can be used: it does not answer, fails, or answers junk.
var ErrDown = source.ErrDown

// Connections knows which connections lie at an address.
type Connections interface {
	// Of lists them; empty when there are none. ErrDown (wrapped) when that cannot be known.
	Of(ctx context.Context, a Address) ([]Connection, error)
}

// places are the services that the labels have chosen: one for each URL, so that one that is down is down for all.
type places struct {
	host  module.Host
	mu    sync.Mutex
	byURL map[string]Connections
}

func newPlaces(h module.Host) *places { return &places{host: h, byURL: map[string]Connections{}} }

func (p *places) at(url string) Connections {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, ok := p.byURL[url]
	if !ok {
		found = newConnections(p.host, url)
		p.byURL[url] = found
	}
	return found
}

// connections asks what lies at an address.
func (s *service) connections(ctx context.Context, a Address) ([]Connection, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	if set.Connections.Name != "http" {
		return readEmbedded().Of(ctx, a)
	}
	return s.places.at(set.Connections.URL).Of(ctx, a)
}

// remote asks a service of the label which connections lie at an address. README.md describes it.
type remote struct {
	*source.Source
	base string
}

func newConnections(h module.Host, base string) Connections {
	return &remote{source.New(h.Web), base}
}

// Of implements Connections.
func (r *remote) Of(ctx context.Context, a Address) (found []Connection, err error) {
	address, err := connectionsURL(r.base, a)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDown, err)
	}
	err = r.Get(ctx, address, func(data []byte) (err error) {
		found, err = readConnections(data)
		return err
	})
	return found, err
}
