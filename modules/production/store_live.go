package production

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// statesOf returns the states of projects, in the order of codes. Unknown projects are left out.
func (s *service) statesOf(ctx context.Context, codes []string) (out []state, loc *time.Location, err error) {
	if loc, err = zone(ctx); err != nil || len(codes) == 0 {
		return nil, loc, err
	}
	db := s.host.DB
	projects, err := projectsOf(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	meters, err := metersOf(ctx, db, codes)
	if err != nil {
		return nil, nil, err
	}
	today := module.Today(ctx, s.host.Now())
	of, err := sumsOf(ctx, db, codes, today)
	if err != nil {
		return nil, nil, err
	}
	for _, code := range codes {
		p, known := projects[code]
		x := state{code: code, rated: p.RatedPower, sums: of[code], meters: meters[code]}
		if !known && x.sums.Days == 0 && len(x.meters) == 0 {
			continue
		}
		if x.sums.Days > 0 {
			if x.last, err = newest(ctx, s.host.DB, code); err != nil {
				return nil, nil, err
			}
		}
		out = append(out, x)
	}
	return out, loc, nil
}

// sumsOf returns the totals of projects by code. The query reads only an index, not the rows.
func sumsOf(ctx context.Context, db module.Querier, codes []string, today value.Day) (map[string]sums, error) {
	all := module.Label(ctx, "what a project makes belongs to the label")
	first := value.Day{Year: today.Year, Month: time.January, Day: 1}
	var rows []struct {
		ProjectCode                                    string
		Total, Running, Year, YearRunning, Today, Days int64
	}
	sum := func(what, where string) string {
		return "CAST(sum(CASE WHEN " + where + " THEN d." + what + " ELSE 0 END) AS bigint)"
	}
	err := all.Select(db, (*dayRow)(nil)).ColumnExpr("d.project_code, count(*) AS days, CAST(sum(d.total) AS bigint) AS total, CAST(sum(d.running) AS bigint) AS running").
		ColumnExpr(sum("total", "d.day >= ?")+" AS year", first.String()).ColumnExpr(sum("running", "d.day >= ?")+" AS year_running",
		first.String()).
		ColumnExpr(sum("total", "d.day = ?")+" AS today", today.String()).
		Where("d.project_code IN (?)", bun.List(codes)).GroupExpr("d.project_code").Scan(ctx, &rows)
	out := make(map[string]sums, len(rows))
	for _, r := range rows {
		out[r.ProjectCode] = sums{r.Total, r.Running, r.Year, r.YearRunning, r.Today, r.Days}
	}
	return out, err
}
