package share

import (
	"context"
	"slices"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// byDay reads the changes of the shares of a project by day: those of a relation and those of all.
func byDay(ctx context.Context, db module.DB, relation, project string) ([]SharesFrom, error) {
	issued, others, err := ledger.SharesByDay(ctx, db, relation, project, participation.ImportKind)
	if err != nil {
		return nil, err
	}
	for i, f := range issued {
		// An import without a history issues shares that existed before on the day of the import.
		if value.DayOf(f.At.In(state.Zone(ctx))) == f.Effective {
			issued[i].Effective = always
		}
	}
	out := make([]SharesFrom, 0, len(issued)+len(others))
	for _, f := range append(issued, others...) {
		out = append(out, SharesFrom{f.Effective, f.OwnShares, f.AllShares})
	}
	slices.SortStableFunc(out, func(a, b SharesFrom) int { return a.From.DaysSince(b.From) })
	return out, nil
}

// Now reads the shares of projects: those of a relation and those of all.
func Now(ctx context.Context, db module.Querier, relation string, codes []string) ([]SharesNow, error) {
	out := []SharesNow{}
	if len(codes) == 0 {
		return out, nil
	}
	found, err := ledger.SharesNow(ctx, db, relation, codes)
	for _, f := range found {
		out = append(out, SharesNow{f.ProjectCode, f.OwnShares, f.AllShares})
	}
	return out, err
}
