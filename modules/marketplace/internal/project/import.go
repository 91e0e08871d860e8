package project

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
)

// Import stores projects. Of two records of the same project the later one wins.
func (s *Service) Import(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	wide := module.Label(ctx, "projects belong to the label; an import holds all of them")
	batch, place := []row{}, map[string]int{}
	for _, r := range rows {
		d, refusals := readProject(wide.Key(), r)
		if refusals != nil {
			refused = append(refused, refusals...)
			continue
		}
		document, err := json.Marshal(d)
		if err != nil {
			return nil, fmt.Errorf("marketplace: %w", err)
		}
		stored := row{LabelKey: wide.Key(), ProjectCode: d.Code, ProjectName: d.Name, Document: string(document)}
		if at, twice := place[d.Code]; twice {
			batch[at] = stored
			continue
		}
		place[d.Code] = len(batch)
		batch = append(batch, stored)
	}
	if len(batch) == 0 {
		return refused, nil
	}
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := wide.Insert(tx, &batch).On("CONFLICT (label_key, project_code) DO UPDATE").
			Set("project_name = EXCLUDED.project_name").Set("document = EXCLUDED.document").Exec(ctx)
		return err
	})
}
