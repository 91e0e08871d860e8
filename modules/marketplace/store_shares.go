package marketplace

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// sharesOf are the changes of the shares of a project, those of a relation and those of all, in the order of their days.
func sharesOf(ctx context.Context, db module.DB, relation, project string) ([]SharesFrom, error) {
	sums := func() *bun.SelectQuery {
		return module.Label(ctx, "a chart compares the caller's shares with those of all members").Select(db, (*entryRow)(nil)).
			Join("JOIN marketplace_participations AS p ON p.label_key = e.label_key AND p.id = e.participation_id").
			Where("p.project_code = ? AND e.share <> 0", project).
			ColumnExpr("e.effective").ColumnExpr("CAST(SUM(e.share) AS bigint) AS all_shares").
			ColumnExpr("CAST(SUM(CASE WHEN p.relation_id = ? THEN e.share ELSE 0 END) AS bigint) AS own_shares", relation)
	}
	var found []struct {
		Effective            value.Day
		At                   time.Time
		AllShares, OwnShares int64
	}
	const imported = "e.kind = ? AND e.ref = ?"
	if err := sums().ColumnExpr("e.at").Where(imported, entryIssued, importParticipation).GroupExpr("e.effective, e.at").Scan(ctx, &found); err != nil {
		return nil, err
	}
	for i, f := range found {
		// Without a history an import issues on its own day what had been there before.
		if value.DayOf(f.At.In(zoneOf(ctx))) == f.Effective {
			found[i].Effective = always
		}
	}
	issued := found
	found = nil
	if err := sums().Where("NOT ("+imported+")", entryIssued, importParticipation).GroupExpr("e.effective").Scan(ctx, &found); err != nil {
		return nil, err
	}
	out := make([]SharesFrom, 0, len(issued)+len(found))
	for _, f := range append(issued, found...) {
		out = append(out, SharesFrom{f.Effective, f.OwnShares, f.AllShares})
	}
	slices.SortStableFunc(out, func(a, b SharesFrom) int { return a.From.DaysSince(b.From) })
	return out, nil
}

// sharesNow are the shares that there are of projects, those of a relation and those of all.
func sharesNow(ctx context.Context, db module.Querier, relation string, codes []string) ([]SharesNow, error) {
	rows := module.Label(ctx, "a chart compares the caller's shares with those of all members")
	out := []SharesNow{}
	if len(codes) == 0 {
		return out, nil
	}
	var found []struct {
		ProjectCode          string
		AllShares, OwnShares int64
	}
	err := rows.Select(db, (*participationRow)(nil)).ColumnExpr("project_code, CAST(SUM(share) AS bigint) AS all_shares").
		ColumnExpr("CAST(SUM(CASE WHEN relation_id = ? THEN share ELSE 0 END) AS bigint) AS own_shares", relation).Where("project_code IN (?)", bun.List(codes)).GroupExpr("project_code").OrderExpr("project_code").Scan(ctx, &found)
	for _, f := range found {
		out = append(out, SharesNow{f.ProjectCode, f.OwnShares, f.AllShares})
	}
	return out, err
}
