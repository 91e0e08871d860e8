package address

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/source"
)

// Register knows which addresses there are.
type Register interface {
	// At lists the addresses of a place, in the order in which a person counts; empty when there are none. source.ErrDown (wrapped)
	// when that cannot be known.
	At(ctx context.Context, p Place) ([]Address, error)
}

// How long an answer of the register is remembered, and how many of them are.
const (
	rememberFor = time.Hour
	remembered  = 10_000
)

// registers are those that the labels have chosen: one for each URL, so that a register that is down is down for all.
type registers struct {
	host  module.Host
	mu    sync.Mutex
	byURL map[string]Register
}

func newRegisters(h module.Host) *registers { return &registers{host: h, byURL: map[string]Register{}} }

// of is the register of the call's label.
func (r *registers) of(ctx context.Context) (Register, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	if set.Register.Name != "pdok" {
		return readEmbedded(), nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	found, ok := r.byURL[set.Register.URL]
	if !ok {
		found = newPDOK(r.host, set.Register.URL)
		r.byURL[set.Register.URL] = found
	}
	return found, nil
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
