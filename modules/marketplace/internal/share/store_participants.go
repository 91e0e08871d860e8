package share

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// heldBy reads the changes of the shares of a relation, sorted by project and by the time from which they count: once they were written
// and their day had begun.
func heldBy(ctx context.Context, db module.Querier, rows module.Rows) ([]held, error) {
	found, err := ledger.ChangesOf(ctx, db, rows)
	if err != nil {
		return nil, err
	}
	zone, out := state.Zone(ctx), make([]held, len(found))
	for i, f := range found {
		out[i] = held{f.Project, f.At.UTC(), f.Shares}
		if f.Effective.IsZero() {
			continue
		}
		if day := f.Effective.In(zone).UTC(); day.After(out[i].from) {
			out[i].from = day
		}
	}
	slices.SortStableFunc(out, func(a, b held) int { return cmp.Or(cmp.Compare(a.project, b.project), a.from.Compare(b.from)) })
	return out, nil
}

// countParticipants counts the relations that had shares of a project at a time.
func countParticipants(ctx context.Context, db module.Querier, project string, at time.Time) (int, error) {
	return ledger.CountHolders(ctx, db, project, at, value.DayOf(at.In(state.Zone(ctx))))
}

// participantsAt reads a page of those relations in ascending order, starting after the relation after.
func participantsAt(ctx context.Context, db module.Querier, project string, at time.Time, after string, limit int) ([]string, error) {
	return ledger.Holders(ctx, db, project, at, value.DayOf(at.In(state.Zone(ctx))), after, limit)
}
