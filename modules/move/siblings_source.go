package move

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/wattle-portal/wattle/core/module"
)

// Bounds of asking a provider: who waits for a form field waits for patience at most, and after breakAfter failures in a row nobody
// waits at all for as long as rest.
const (
	patience   = 5 * time.Second
	oneAttempt = 2 * time.Second
	retries    = 2
	breakAfter = 6
	rest       = 15 * time.Second
	answerMax  = 1 << 20 // bytes
)

// How long an answer of the register is remembered, and how many of them are.
const (
	rememberFor = time.Hour
	remembered  = 10_000
)

// source is a provider on the web.
type source struct {
	client *http.Client
	run    failsafe.Executor[any]
}

func newSource(client *http.Client) *source {
	again := retrypolicy.NewBuilder[any]().WithMaxRetries(retries).WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.2).
		HandleIf(func(_ any, err error) bool { return err != nil }).
		AbortIf(func(_ any, err error) bool {
			return errors.Is(err, context.Canceled) || errors.Is(err, circuitbreaker.ErrOpen) || errors.As(err, new(refusal))
		}).ReturnLastFailure().Build()
	breaker := circuitbreaker.NewBuilder[any]().WithFailureThreshold(breakAfter).WithDelay(rest).
		HandleIf(func(_ any, err error) bool { return err != nil && !errors.Is(err, context.Canceled) }).Build() // a browser that leaves is no failure
	return &source{client, failsafe.With[any](again, breaker, timeout.New[any](oneAttempt))}
}

// refusal is a status that the same question will get again.
type refusal int

// Error names the status.
func (r refusal) Error() string { return fmt.Sprintf("status %d", int(r)) }

// get asks for an address and has read judge the answer; one that read refuses counts as a failure like any other. ErrDown
// (wrapped) when nothing came of it.
func (s *source) get(ctx context.Context, address string, read func([]byte) error) error {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := s.run.WithContext(waiting).RunWithExecution(func(e failsafe.Execution[any]) error {
		data, err := s.fetch(e.Context(), address)
		if err != nil {
			return err
		}
		return read(data)
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, module.ErrNested), errors.Is(err, ErrDown):
		return err
	}
	return fmt.Errorf("%w: %w", ErrDown, err)
}

func (s *source) fetch(ctx context.Context, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := s.client.Do(req)
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // the URL holds an address, which no log needs
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // read, or not wanted
	switch {
	case res.StatusCode >= http.StatusInternalServerError:
		return nil, fmt.Errorf("status %d", res.StatusCode)
	case res.StatusCode != http.StatusOK:
		return nil, refusal(res.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, answerMax+1))
	if err == nil && len(data) > answerMax {
		err = errors.New("the answer is too large")
	}
	return data, err
}

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
	*source
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
	return &pdok{newSource(h.Web), base, h.Now, known}
}

// At implements Register. What is remembered is whole answers; that there is nothing is one, a failure is none.
func (r *pdok) At(ctx context.Context, p Place) ([]Address, error) {
	if got, ok := r.known.Get(p); ok && r.now().Before(got.until) {
		return got.at, nil
	}
	at := []Address{}
	for page := range pdokPages {
		more := false
		err := r.get(ctx, pdokURL(r.base, p, page*pdokRows), func(data []byte) error {
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
	*source
	base string
}

func newConnections(h module.Host, base string) Connections { return &remote{newSource(h.Web), base} }

// Of implements Connections.
func (r *remote) Of(ctx context.Context, a Address) (found []Connection, err error) {
	address, err := connectionsURL(r.base, a)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDown, err)
	}
	err = r.get(ctx, address, func(data []byte) (err error) {
		found, err = readConnections(data)
		return err
	})
	return found, err
}
