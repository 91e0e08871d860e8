package production

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// projectRow is a project with its rated power and weather station.
type projectRow struct {
	bun.BaseModel  `bun:"table:production_projects,alias:p"`
	LabelKey       string `bun:",pk"`
	ProjectCode    string `bun:",pk"`
	RatedPower     int64  // W
	WeatherStation string // empty: the station of the label
}

// projectsOf returns the projects of the label by code.
func projectsOf(ctx context.Context, db module.Querier) (map[string]projectRow, error) {
	var found []projectRow
	err := module.Label(ctx, "what a project makes belongs to the label").Select(db, &found).Scan(ctx)
	out := make(map[string]projectRow, len(found))
	for _, p := range found {
		out[p.ProjectCode] = p
	}
	return out, err
}
