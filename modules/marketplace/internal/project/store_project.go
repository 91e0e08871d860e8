package project

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

// row is a stored project.
type row struct {
	bun.BaseModel `bun:"table:marketplace_projects,alias:pr"`
	LabelKey      string `bun:",pk"`
	ProjectCode   string `bun:",pk"`
	ProjectName   string
	Document      string // JSON of the project
}

func (r row) document() (d Document, err error) {
	if err = json.Unmarshal([]byte(r.Document), &d); err != nil {
		err = fmt.Errorf("marketplace: document of a project: %w", err)
	}
	return d, err
}

// Find reads a project of the label. It returns problem.ErrNotFound when there is none.
func Find(ctx context.Context, db module.DB, code string) (Document, error) {
	found := row{}
	err := db.Find(ctx, module.Label(ctx, "projects belong to the label, not to a relation"), &found, "AND project_code = ?", code)
	if errors.Is(err, sql.ErrNoRows) {
		return Document{}, problem.ErrNotFound
	}
	if err != nil {
		return Document{}, err
	}
	return found.document()
}

// All reads the projects of the label, sorted by name.
func All(ctx context.Context, db module.DB) ([]Document, error) {
	all := module.Label(ctx, "projects belong to the label, not to a relation")
	var rows []row
	if err := db.Find(ctx, all, &rows, "ORDER BY project_name, project_code"); err != nil {
		return nil, err
	}
	out := make([]Document, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = r.document(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ByCode reads projects of the label by their codes. Unknown codes are absent from the result.
func ByCode(ctx context.Context, db module.Querier, codes []string) (map[string]Document, error) {
	all := module.Label(ctx, "projects belong to the label, not to a relation")
	out := map[string]Document{}
	if codes = participation.Distinct(codes); len(codes) == 0 {
		return out, nil
	}
	var rows []row
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

// Name reads the name of a project of the label.
func Name(ctx context.Context, db module.Querier, code string) (name string, err error) {
	err = module.Label(ctx, "projects belong to the label, not to a relation").Select(db, (*row)(nil)).Column("project_name").
		Where("project_code = ?", code).Scan(ctx, &name)
	if errors.Is(err, sql.ErrNoRows) {
		return code, nil
	}
	return name, err
}
