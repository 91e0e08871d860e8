package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

//go:embed marks
var migrations embed.FS

// Events that a version with a database handles.
const (
	rung   = "tide.rung"
	hourly = "tide.hourly"
)

// mark records which version handled an event or imported a record. If two versions handle the same event or record, there are two marks.
type mark struct {
	bun.BaseModel `bun:"table:tide_marks,alias:m" json:"-"`

	Label   string `bun:"label_key,pk" json:"-"`
	ID      string `bun:"id,pk" json:"id"`
	Version string `bun:"version,pk" json:"version"`
}

// withMarks adds a database, events, a schedule and imports to a manifest. "one" has only the first migration, and "two" has both.
func withMarks(m module.Manifest) module.Manifest {
	if about.Marks == "" {
		return m
	}
	m.Migrations, _ = fs.Sub(migrations, "marks/"+about.Marks) // both are embedded
	m.Handles = []string{rung, hourly}
	m.Publishes = []event.Type{event.Internal[event.None](rung, "Who", "A customer rang"), event.Internal[event.None](hourly, "None", "An hour has passed")}
	m.Schedule = map[string]string{hourly: "0 * * * *"}
	m.Imports = []string{"mark"}
	return m
}

type marks struct{ host module.Host }

// routes registers the operations. In "two" the customer's read needs the second migration.
func (s marks) routes(api huma.API) {
	type out struct{ Body []mark }
	module.Route(api, huma.Operation{OperationID: "ring", Method: http.MethodPost, Path: "/tide/ring", Summary: "Publish an event"}, module.Customer, module.Write,
		func(ctx context.Context, _ *struct{}) (*struct{ Body level }, error) {
			s.host.Log.Info("rung by a customer", "source", "postgres://tide:geheim@db/tide", "token", "eyJhbGciOi.eyJzdWIi.c2ln")
			return &struct{ Body level }{level{Version: about.Version}}, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
				return tx.Publish(ctx, module.Event{Type: rung, Key: module.ScopeOf(ctx).Relation, Data: json.RawMessage("{}")})
			})
		})
	module.Route(api, huma.Operation{OperationID: "marks", Method: http.MethodGet, Path: "/tide/marks", Summary: "List what was handled"}, module.Public, module.Read,
		func(ctx context.Context, _ *struct{}) (*out, error) {
			o := &out{Body: []mark{}}
			err := module.Label(ctx, "the table has no relation").Select(s.host.DB, &o.Body).Order("id").Scan(ctx)
			return o, err
		})
	module.Route(api, huma.Operation{OperationID: "mine", Method: http.MethodGet, Path: "/tide/mine", Summary: "Get the version that serves the customer"}, module.Customer, module.Read,
		func(ctx context.Context, _ *struct{}) (*struct{ Body level }, error) {
			if about.Marks == "two" {
				if _, err := module.Label(ctx, "the table has no relation").Select(s.host.DB, &[]mark{}).Where("depth > 0").Count(ctx); err != nil {
					return nil, err
				}
			}
			return &struct{ Body level }{level{Version: about.Version}}, nil
		})
	if about.Marks == "two" {
		module.Route(api, huma.Operation{OperationID: "deep", Method: http.MethodGet, Path: "/tide/deep", Summary: "Get what only this version has"}, module.Customer, module.Read,
			func(context.Context, *struct{}) (*struct{ Body level }, error) {
				return &struct{ Body level }{level{Version: about.Version}}, nil
			})
	}
}

// Handle implements module.Instance.
func (s marks) Handle(ctx context.Context, e module.Event) error {
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return s.add(ctx, tx, e.Type+" "+e.ID) })
}

// Import implements module.Importer.
func (s marks) Import(ctx context.Context, _ string, rows []record.Row) ([]record.Refusal, error) {
	for _, r := range rows {
		record.Warn(ctx, r.Line, "depth", problem.CodeRequired)
	}
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		for _, r := range rows {
			if err := s.add(ctx, tx, fmt.Sprintf("import %d", r.Line)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s marks) add(ctx context.Context, tx module.Tx, id string) error {
	m := mark{Label: module.ScopeOf(ctx).Label, ID: id, Version: about.Version}
	_, err := module.Label(ctx, "the table has no relation").Insert(tx, &m).On("CONFLICT DO NOTHING").Exec(ctx)
	return err
}
