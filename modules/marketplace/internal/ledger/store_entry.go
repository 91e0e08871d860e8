package ledger

import (
	"context"
	"database/sql"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// Newest reads entries of a participation before a sequence (0: all), newest first, and the balance after the newest of them.
func Newest(ctx context.Context, db module.DB, of Participation, before int64, limit int) (entries []Entry, after Balance, err error) {
	all := module.Label(ctx, "entries have no relation: their participation was found among the caller's")
	var rows []entryRow
	q := all.Select(db, &rows).
		Where("participation_id = ?", of.ID).OrderExpr("sequence DESC").Limit(int64(limit))
	if before <= 0 {
		q = q.Where("sequence <= ?", of.Sequence) // the balance was read earlier and does not include later entries
	} else {
		q = q.Where("sequence < ?", before)
	}
	if err := q.Scan(ctx); err != nil {
		return nil, after, err
	}
	entries = make([]Entry, len(rows))
	for i, r := range rows {
		entries[i] = r.Entry
	}
	if before <= 0 {
		return entries, of.Balance, nil
	}
	var share, offered, reserved, held, moving sql.NullInt64
	err = all.Select(db, (*entryRow)(nil)).
		ColumnExpr("SUM(e.share), SUM(e.offered), SUM(e.reserved), SUM(e.held), SUM(e.moving)").
		Where("participation_id = ? AND sequence < ?", of.ID, before).Scan(ctx, &share, &offered, &reserved, &held, &moving)
	return entries, Balance{share.Int64, offered.Int64, reserved.Int64, held.Int64, moving.Int64}, err
}

// Change is an entry that changed the number of shares.
type Change struct {
	Participation string
	Project       string
	Effective     value.Day
	At            time.Time
	Shares        int64
}

// Changes reads the changes of participations, by participation and in the order in which they were written. It sets only Effective and
// Shares.
func Changes(ctx context.Context, db module.Querier, ids []string) (map[string][]Change, error) {
	all := module.Label(ctx, "entries have no relation: their participations were found before")
	out := map[string][]Change{}
	if len(ids) == 0 {
		return out, nil
	}
	var rows []entryRow
	err := all.Select(db, &rows).Column("participation_id", "share", "effective").
		Where("participation_id IN (?) AND share <> 0", bun.List(ids)).OrderExpr("participation_id, sequence").Scan(ctx)
	for _, r := range rows {
		out[r.ParticipationID] = append(out[r.ParticipationID], Change{Participation: r.ParticipationID, Effective: r.Effective, Shares: r.Share})
	}
	return out, err
}

// ChangesOf reads the changes of the shares of the relation in rows, unsorted.
func ChangesOf(ctx context.Context, db module.Querier, rows module.Rows) ([]Change, error) {
	var out []Change
	err := module.Label(ctx, "entries have no relation: the participations that they are joined to are narrowed").Select(db, (*entryRow)(nil)).
		ColumnExpr("p.id AS participation, p.project_code AS project, e.effective, e.at, e.share AS shares").
		Join("JOIN marketplace_participations AS p ON p.label_key = e.label_key AND p.id = e.participation_id").
		Where("p.relation_id = ? AND e.share <> 0", rows.Relation()).Scan(ctx, &out)
	return out, err
}

// Shares are the numbers of shares of a project: those of one relation and those of all.
type Shares struct {
	ProjectCode          string
	Effective            value.Day
	At                   time.Time
	AllShares, OwnShares int64
}

// SharesByDay reads the changes of the shares of a project by day: those that were issued from a ref, grouped by the time of writing as
// well, and all others.
func SharesByDay(ctx context.Context, db module.Querier, relation, project, ref string) (issued, others []Shares, err error) {
	sums := func() *bun.SelectQuery {
		return module.Label(ctx, "a chart compares the caller's shares with those of all members").Select(db, (*entryRow)(nil)).
			Join("JOIN marketplace_participations AS p ON p.label_key = e.label_key AND p.id = e.participation_id").
			Where("p.project_code = ? AND e.share <> 0", project).
			ColumnExpr("e.effective").ColumnExpr("CAST(SUM(e.share) AS bigint) AS all_shares").
			ColumnExpr("CAST(SUM(CASE WHEN p.relation_id = ? THEN e.share ELSE 0 END) AS bigint) AS own_shares", relation)
	}
	const of = "e.kind = ? AND e.ref = ?"
	if err := sums().ColumnExpr("e.at").Where(of, Issued, ref).GroupExpr("e.effective, e.at").Scan(ctx, &issued); err != nil {
		return nil, nil, err
	}
	err = sums().Where("NOT ("+of+")", Issued, ref).GroupExpr("e.effective").Scan(ctx, &others)
	return issued, others, err
}

// SharesNow reads the numbers of shares of projects, by project.
func SharesNow(ctx context.Context, db module.Querier, relation string, codes []string) (out []Shares, err error) {
	err = module.Label(ctx, "a chart compares the caller's shares with those of all members").Select(db, (*participationRow)(nil)).
		ColumnExpr("project_code, CAST(SUM(share) AS bigint) AS all_shares").
		ColumnExpr("CAST(SUM(CASE WHEN relation_id = ? THEN share ELSE 0 END) AS bigint) AS own_shares", relation).
		Where("project_code IN (?)", bun.List(codes)).GroupExpr("project_code").OrderExpr("project_code").Scan(ctx, &out)
	return out, err
}

// holders selects the relations that had shares of a project at a time; today is the day of that time.
func holders(ctx context.Context, db module.Querier, project string, at time.Time, today value.Day) *bun.SelectQuery {
	return module.Label(ctx, "siblings and staff ask who takes part in a project").Select(db, (*entryRow)(nil)).ColumnExpr("p.relation_id").
		Join("JOIN marketplace_participations AS p ON p.label_key = e.label_key AND p.id = e.participation_id").
		Where("p.project_code = ? AND e.share <> 0 AND e.at <= ? AND (e.effective IS NULL OR e.effective <= ?)", project, at, today.String()).
		GroupExpr("p.relation_id").Having("SUM(e.share) > 0")
}

// CountHolders counts the relations that had shares of a project at a time; today is the day of that time.
func CountHolders(ctx context.Context, db module.Querier, project string, at time.Time, today value.Day) (n int, err error) {
	return n, module.SelectFrom(holders(ctx, db, project, at, today), "having_shares").ColumnExpr("count(*)").Scan(ctx, &n)
}

// Holders reads a page of those relations in ascending order, starting after the relation after.
func Holders(ctx context.Context, db module.Querier, project string, at time.Time, today value.Day, after string, limit int) ([]string,
	error) {
	out := []string{}
	err := holders(ctx, db, project, at, today).Where("p.relation_id > ?", after).OrderExpr("p.relation_id").Limit(int64(limit)).Scan(ctx,
		&out)
	return out, err
}
