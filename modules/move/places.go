package move

import (
	"context"
	"fmt"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/source"
)

// How long an answer of the register is remembered, and how many of them are.
const (
	rememberFor = time.Hour
	remembered  = 10_000
)

// places are the providers that the labels have chosen: one for each URL, so that a provider that is down is down for all.
type places struct {
	host        module.Host
	mu          sync.Mutex
	registers   map[string]Register
	connections map[string]Connections
}

func newPlaces(h module.Host) *places {
	return &places{host: h, registers: map[string]Register{}, connections: map[string]Connections{}}
}

func one[T any](p *places, all map[string]T, url string, build func() T) T {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, ok := all[url]
	if !ok {
		found = build()
		all[url] = found
	}
	return found
}

// addresses asks the register of the call's label.
func (s *service) addresses(ctx context.Context, p Place) ([]Address, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	if set.Register.Name != "pdok" {
		return readEmbedded().At(ctx, p)
	}
	r := one(s.places, s.places.registers, set.Register.URL, func() Register { return newPDOK(s.host, set.Register.URL) })
	return r.At(ctx, p)
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
	c := one(s.places, s.places.connections, set.Connections.URL, func() Connections { return newConnections(s.host, set.Connections.URL) })
	return c.Of(ctx, a)
}

// pdok is PDOK Locatieserver.
type pdok struct {
	*source.Source
	base  string
	now   func() time.Time
	known *lru.Cache[Place, remembrance]
}

type remembrance struct {
	at    []Address
	until time.Time
}

func newPDOK(h module.Host, base string) *pdok {
	known, err := lru.New[Place, remembrance](remembered)
	if err != nil {
		panic(err) // not a size
	}
	return &pdok{source.New(h.Web), base, h.Now, known}
}

// At implements Register. What is remembered is whole answers; that there is nothing is one, a failure is none.
func (r *pdok) At(ctx context.Context, p Place) ([]Address, error) {
	if got, ok := r.known.Get(p); ok && r.now().Before(got.until) {
		return got.at, nil
	}
	at := []Address{}
	for page := range pdokPages {
		more := false
		err := r.Get(ctx, pdokURL(r.base, p, page*pdokRows), func(data []byte) error {
			found, next, err := readPDOK(data, p)
			if err == nil {
				at, more = append(at, found...), next
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
	}
	at = distinct(at)
	r.known.Add(p, remembrance{at, r.now().Add(rememberFor)})
	return at, nil
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
