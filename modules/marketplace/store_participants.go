package marketplace

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// heldBy are the changes of the shares of a relation, by project and in the order in which they count: when they were written down
// and their day had begun.
func heldBy(ctx context.Context, db module.Querier, rows module.Rows) ([]held, error) {
	all := module.Label(ctx, "entries have no relation: the participations that they are joined to are narrowed")
	var found []struct {
		ProjectCode string
		Effective   value.Day
		At          time.Time
		Share       int64
	}
	err := all.Select(db, (*entryRow)(nil)).ColumnExpr("p.project_code, e.effective, e.at, e.share").
		Join("JOIN marketplace_participations AS p ON p.label_key = e.label_key AND p.id = e.participation_id").
		Where("p.relation_id = ? AND e.share <> 0", rows.Relation()).Scan(ctx, &found)
	if err != nil {
		return nil, err
	}
	zone, out := zoneOf(ctx), make([]held, len(found))
	for i, f := range found {
		out[i] = held{f.ProjectCode, f.At.UTC(), f.Share}
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

// havingShares are the relations that had shares of a project at a moment.
func havingShares(ctx context.Context, db module.Querier, project string, at time.Time) *bun.SelectQuery {
	return module.Label(ctx, "siblings and staff ask who takes part in a project").Select(db, (*entryRow)(nil)).ColumnExpr("p.relation_id").
		Join("JOIN marketplace_participations AS p ON p.label_key = e.label_key AND p.id = e.participation_id").
		Where("p.project_code = ? AND e.share <> 0 AND e.at <= ? AND (e.effective IS NULL OR e.effective <= ?)", project, at, value.DayOf(at.In(zoneOf(ctx))).String()).
		GroupExpr("p.relation_id").Having("SUM(e.share) > 0")
}

func countParticipants(ctx context.Context, db module.Querier, project string, at time.Time) (n int, err error) {
	return n, module.Over(havingShares(ctx, db, project, at), "having_shares").ColumnExpr("count(*)").Scan(ctx, &n)
}

// participantsAt are a page of them, in their order from the one after another.
func participantsAt(ctx context.Context, db module.Querier, project string, at time.Time, after string, limit int) ([]string, error) {
	out := []string{}
	err := havingShares(ctx, db, project, at).Where("p.relation_id > ?", after).OrderExpr("p.relation_id").Limit(int64(limit)).Scan(ctx, &out)
	return out, err
}
