package production

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
)

// importProjects stores a batch of projects. If a code occurs several times, its last record is stored.
func (s *service) importProjects(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	all := module.Label(ctx, "what a project makes belongs to the label")
	place, projects := map[string]int{}, []projectRow{}
	for _, row := range rows {
		p, invalid := readProject(row.Data)
		if invalid != nil {
			refused = append(refused, record.Refusal{Line: row.Line, Field: invalid.field, Code: invalid.code})
			continue
		}
		p.LabelKey = all.Key()
		if at, twice := place[p.ProjectCode]; twice {
			projects[at] = p
			continue
		}
		place[p.ProjectCode] = len(projects)
		projects = append(projects, p)
	}
	if len(projects) == 0 {
		return refused, nil
	}
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := all.Insert(tx, &projects).On("CONFLICT (label_key, project_code) DO UPDATE").
			Set("rated_power = EXCLUDED.rated_power").Set("weather_station = EXCLUDED.weather_station").Exec(ctx)
		return err
	})
}

// importMeasurements stores a batch of measurements. The rules of pushMeasurements apply.
func (s *service) importMeasurements(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	var all []Measurement
	var lines []int
	for _, row := range rows {
		var r measurementRecord
		invalid := decode(row.Data, &r)
		if invalid == nil {
			var m Measurement
			if m, invalid = r.measurement(); invalid == nil {
				all, lines = append(all, m), append(lines, row.Line)
				continue
			}
		}
		refused = append(refused, record.Refusal{Line: row.Line, Field: invalid.field, Code: invalid.code})
	}
	done, err := s.take(ctx, all)
	for _, r := range done.Refused {
		refused = append(refused, record.Refusal{Line: lines[r.Index], Field: r.Field, Code: r.Code})
	}
	return refused, err
}
