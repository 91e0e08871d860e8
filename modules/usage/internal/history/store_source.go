package history

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// storedSource returns the days that the back office delivered with `wattle import`. They are already stored, so a retrieval only
// determines their last day.
type storedSource struct{ db module.DB }

// NewStoredSource returns the source of days that are already stored.
func NewStoredSource(db module.DB) Source { return storedSource{db} }

// Days implements Source.
func (s storedSource) Days(ctx context.Context, ean string, from, until value.Day) ([]interval.Measured, error) {
	return interval.Find(ctx, s.db, ean, meter.Span{From: from, Until: until})
}
