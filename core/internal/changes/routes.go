package changes

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/keyset"
	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/module"
)

// Routes registers the operations through which staff and back offices see and decide change requests.
func (l *Ledger) Routes(api huma.API) {
	module.Route(api, huma.Operation{OperationID: "listChanges", Method: http.MethodGet, Path: "/staff/changes",
		Summary: "Change requests, newest first"}, module.APIKey, module.Read, l.list)
	module.Route(api, huma.Operation{OperationID: "getChange", Method: http.MethodGet, Path: "/staff/changes/{id}",
		Summary: "One change request"}, module.APIKey, module.Read, l.get)
	module.Route(api, huma.Operation{OperationID: "decideChange", Method: http.MethodPost, Path: "/staff/changes/{id}/decision",
		Summary: "Process or reject a change request"}, module.APIKey, module.Write, l.decide)
}

// Change is what staff see of a change request.
type Change struct {
	ID        string          `json:"id"`
	Module    string          `json:"module"`
	Kind      string          `json:"kind"`
	Key       string          `json:"key,omitempty" doc:"Which one, where a relation can have several"`
	Relation  string          `json:"relation,omitempty"`
	Subject   string          `json:"subject,omitempty" doc:"The account that filed it"`
	State     string          `json:"state" enum:"PENDING,PROCESSED,REJECTED"`
	Effective *module.Day     `json:"effective,omitempty" doc:"From which day it holds; absent: at once"`
	Data      json.RawMessage `json:"data" doc:"What is asked; its form is the module's"`
	Filed     time.Time       `json:"filed"`
	Due       *time.Time      `json:"due,omitempty" doc:"When it is processed without a person"`
	Decided   *time.Time      `json:"decided,omitempty"`
	By        string          `json:"by,omitempty" doc:"Who decided: an account, an API key's name, customer or auto"`
	Reason    string          `json:"reason,omitempty"`
}

func (e entry) change() Change {
	c := Change{ID: e.ID, Module: e.Module, Kind: e.Kind, Key: e.Key, Relation: e.Relation, Subject: e.Subject, State: e.State,
		Data: e.Data, Filed: e.Filed.UTC(), By: e.By, Reason: e.Reason}
	if !e.Effective.IsZero() {
		c.Effective = &e.Effective
	}
	if !e.Due.IsZero() {
		c.Due = new(e.Due.UTC())
	}
	if !e.Decided.IsZero() {
		c.Decided = new(e.Decided.UTC())
	}
	return c
}

type listInput struct {
	State string `query:"state" enum:"PENDING,PROCESSED,REJECTED" doc:"Only those in this state"`
	Kind  string `query:"kind" maxLength:"100" doc:"Only this kind"`
	Q     string `query:"q" maxLength:"100" doc:"Only those whose relation, account, id, key or content contains this"`
	keyset.Input
}

type listAnswer struct{ Body keyset.Page[Change] }

func (l *Ledger) list(ctx context.Context, in *listInput) (*listAnswer, error) {
	var rows []entry
	q := l.Store.Read().NewSelect().Model(&rows).Where("label_key = ?", scope.Of(ctx).Label)
	if in.State != "" {
		q = q.Where("state = ?", in.State)
	}
	if in.Kind != "" {
		q = q.Where("kind = ?", in.Kind)
	}
	if in.Q != "" {
		like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(in.Q)) + "%"
		q = q.WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
			for _, column := range []string{"id", "relation_id", "subject", "key", "data"} {
				q = q.WhereOr(`lower(?) LIKE ? ESCAPE '\'`, bun.Ident(column), like)
			}
			return q
		})
	}
	q, err := in.Apply(q, "filed_at", "id")
	if err != nil {
		return nil, err
	}
	if err := q.Scan(ctx); err != nil {
		return nil, err
	}
	items := make([]Change, len(rows))
	for i, e := range rows {
		items[i] = e.change()
	}
	return &listAnswer{keyset.Cut(in.Input, items, func(c Change) (time.Time, string) { return c.Filed, c.ID })}, nil
}

type getInput struct {
	ID string `path:"id" maxLength:"100"`
}

type answer struct{ Body Change }

func (l *Ledger) get(ctx context.Context, in *getInput) (*answer, error) {
	e, err := l.find(ctx, scope.Of(ctx).Label, in.ID)
	return &answer{e.change()}, err
}

type decisionInput struct {
	ID   string `path:"id" maxLength:"100"`
	Body struct {
		State  string `json:"state" enum:"PROCESSED,REJECTED"`
		Reason string `json:"reason,omitempty" maxLength:"1000"`
	}
}

func (l *Ledger) decide(ctx context.Context, in *decisionInput) (*answer, error) {
	s := scope.Of(ctx)
	by := s.Actor
	if by == "" {
		by = s.Subject
	}
	c, err := l.Decide(ctx, s.Label, module.Decision{ID: in.ID, State: in.Body.State, By: by, Reason: in.Body.Reason})
	if err != nil {
		return nil, err
	}
	e, err := l.find(ctx, s.Label, c.ID)
	return &answer{e.change()}, err
}
