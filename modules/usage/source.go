package usage

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// Source is where historical meter data comes from. A retrieval asks it for a few months of one connection at a time and lays the
// answer over what is stored, so a source may be asked again for what it gave before.
//
// There is one: stored. A label that is connected to a grid operator or a data service puts another in its place (module.go).
type Source interface {
	// Days gives what is known of a connection from a day until the one before until. An error is tried again later.
	Days(ctx context.Context, ean string, from, until value.Day) ([]measuredDay, error)
}

// stored gives what the back office has delivered with `wattle import`. Its days are in the database already, so a retrieval finds
// out how far they reach and changes nothing.
type stored struct{ db module.DB }

// Days implements Source.
func (s stored) Days(ctx context.Context, ean string, from, until value.Day) ([]measuredDay, error) {
	rows, err := daysOf(ctx, s.db, ean, span{from: from, until: until})
	if err != nil {
		return nil, err
	}
	return profilesOf(rows)
}
