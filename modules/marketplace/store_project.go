package marketplace

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
)

func (r projectRow) document() (d projectDocument, err error) {
	if err = json.Unmarshal([]byte(r.Document), &d); err != nil {
		err = fmt.Errorf("marketplace: document of a project: %w", err)
	}
	return d, err
}

// projectOf reads a project of the label. It returns problem.ErrNotFound when there is none.
func projectOf(ctx context.Context, db module.DB, code string) (projectDocument, error) {
	row := projectRow{}
	err := db.Find(ctx, module.Label(ctx, "projects belong to the label, not to a relation"), &row, "AND project_code = ?", code)
	if errors.Is(err, sql.ErrNoRows) {
		return projectDocument{}, problem.ErrNotFound
	}
	if err != nil {
		return projectDocument{}, err
	}
	return row.document()
}

// allProjects reads the projects of the label, by name.
func allProjects(ctx context.Context, db module.DB) ([]projectDocument, error) {
	all := module.Label(ctx, "projects belong to the label, not to a relation")
	var rows []projectRow
	if err := db.Find(ctx, all, &rows, "ORDER BY project_name, project_code"); err != nil {
		return nil, err
	}
	out := make([]projectDocument, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = r.document(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// projectsBy reads projects of the label by their codes; unknown codes are absent.
func projectsBy(ctx context.Context, db module.Querier, codes []string) (map[string]projectDocument, error) {
	all := module.Label(ctx, "projects belong to the label, not to a relation")
	out := map[string]projectDocument{}
	if codes = participation.Distinct(codes); len(codes) == 0 {
		return out, nil
	}
	var rows []projectRow
	err := all.Select(db, &rows).Where("project_code IN (?)", bun.List(codes)).Scan(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if out[r.ProjectCode], err = r.document(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
