package move

import (
	"context"

	"github.com/wattle-portal/wattle/core/source"
)

// ErrDown is what a provider wraps that gives no answer that can be used: it does not answer, fails, or answers junk.
var ErrDown = source.ErrDown

// Register knows which addresses there are.
type Register interface {
	// At lists the addresses of a place, in the order in which a person counts; empty when there are none. ErrDown (wrapped) when
	// that cannot be known.
	At(ctx context.Context, p Place) ([]Address, error)
}

// Connections knows which connections lie at an address.
type Connections interface {
	// Of lists them; empty when there are none. ErrDown (wrapped) when that cannot be known.
	Of(ctx context.Context, a Address) ([]Connection, error)
}
