package move

import (
	"context"
	"fmt"
	"sync"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/source"
)

// ErrDown means that a provider is unreachable, fails, or sends an invalid response.
var ErrDown = source.ErrDown

// ConnectionSource is a source of connections.
type ConnectionSource interface {
	// Connections returns the connections at an address. It returns a wrapped ErrDown if they cannot be determined.
	Connections(ctx context.Context, a Address) ([]Connection, error)
}

// connectionSources contains one source per URL, so that all labels share its circuit breaker.
type connectionSources struct {
	host  module.Host
	mu    sync.Mutex
	byURL map[string]ConnectionSource
}

func newConnectionSources(h module.Host) *connectionSources {
	return &connectionSources{host: h, byURL: map[string]ConnectionSource{}}
}

func (p *connectionSources) forURL(url string) ConnectionSource {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, ok := p.byURL[url]
	if !ok {
		found = newHTTPSource(p.host, url)
		p.byURL[url] = found
	}
	return found
}

// connections returns the connections at an address from the label's source.
func (s *service) connections(ctx context.Context, a Address) ([]Connection, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	if set.Connections.Name != "http" {
		return loadEmbedded().Connections(ctx, a)
	}
	return s.sources.forURL(set.Connections.URL).Connections(ctx, a)
}

// httpSource gets connections from the label's HTTP service. README.md describes its API.
type httpSource struct {
	*source.Source
	base string
}

func newHTTPSource(h module.Host, base string) ConnectionSource {
	return &httpSource{source.New(h.Web), base}
}

// Connections implements ConnectionSource.
func (r *httpSource) Connections(ctx context.Context, a Address) (found []Connection, err error) {
	address, err := connectionsURL(r.base, a)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDown, err)
	}
	err = r.Get(ctx, address, func(data []byte) (err error) {
		found, err = parseConnections(data)
		return err
	})
	return found, err
}
