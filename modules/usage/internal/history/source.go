package history

import (
	"context"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
)

// Source is a source of historical meter data. A retrieval calls it for a few months of one connection at a time and merges the result into
// the stored days, so a source may return the same days repeatedly.
//
// The only implementation is storedSource. A label that is connected to a grid operator or a data service can use another implementation
// (module.go).
type Source interface {
	// Days returns the measured days of a connection between from and until (exclusive). After an error, it is called again later.
	Days(ctx context.Context, ean string, from, until value.Day) ([]interval.Measured, error)
}
