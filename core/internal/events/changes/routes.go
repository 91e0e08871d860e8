package changes

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/keyset"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Routes registers the operations with which staff and back offices read and decide change requests.
func (q *Queue) Routes(api huma.API) {
	own, read := map[string]any{audit.Ext: audit.Itself, module.ExtScope: "changes:decide"}, map[string]any{module.ExtScope: "changes:read"}
	module.Route(api, huma.Operation{OperationID: "listChanges", Method: http.MethodGet, Path: "/staff/changes", Extensions: read,
		Summary:     "List change requests",
		Description: "For staff and API keys with the scope changes:read. Returns the change requests of the label, newest first unless oldest is true."}, module.APIKey, module.Read, q.list)
	module.Route(api, huma.Operation{OperationID: "countChanges", Method: http.MethodGet, Path: "/staff/changes/summary",
		Extensions: maps.Clone(read),
		Summary:    "Count pending change requests by kind", Description: "For staff and API keys with the scope changes:read. "}, module.APIKey,
		module.Read, q.summary)
	module.Route(api, huma.Operation{OperationID: "decideChanges", Method: http.MethodPost, Path: "/staff/changes/decisions", Extensions: own,
		Summary:     "Process or reject several change requests",
		Description: "For staff and API keys with the scope changes:decide. Decides each change request separately: a refused one does not stop the others, and has its error code in the result."}, module.APIKey, module.Write, q.decideAll)
	module.Route(api, huma.Operation{OperationID: "getChange", Method: http.MethodGet, Path: "/staff/changes/{id}",
		Extensions:  maps.Clone(read),
		Summary:     "Get a change request",
		Description: "For staff and API keys with the scope changes:read. A view by staff is written to the audit log. 404 when the label has no such change request."}, module.APIKey, module.Read, q.get)
	module.Route(api, huma.Operation{OperationID: "decideChange", Method: http.MethodPost, Path: "/staff/changes/{id}/decision",
		Extensions:  maps.Clone(own),
		Summary:     "Process or reject a change request",
		Description: "For staff and API keys with the scope changes:decide. The module that owns the change request decides and may refuse with an error code of its own. 404 when the label has no such change request, 409 change_decided when it is decided already, 503 when the module does not answer."}, module.APIKey, module.Write, q.decide)
}

// Change is a change request as shown to staff.
type Change struct {
	ID        string          `json:"id" doc:"Id of the change request"`
	Module    string          `json:"module" doc:"Key of the module that owns it"`
	Kind      string          `json:"kind" doc:"Kind of change, prefixed with the key of its module: account.phone"`
	Key       string          `json:"key,omitempty" doc:"Identifies the change request where a relation can have several of one kind"`
	Relation  string          `json:"relation,omitempty" doc:"Customer whose data changes"`
	Subject   string          `json:"subject,omitempty" doc:"Account that filed it"`
	Name      string          `json:"name,omitempty" doc:"Name of that account; absent for an applicant"`
	State     string          `json:"state" enum:"PENDING,PROCESSED,REJECTED" doc:"State of the change request"`
	Effective *value.Day      `json:"effective,omitempty" doc:"First day on which it applies; absent: at once"`
	Data      json.RawMessage `json:"data" doc:"Requested values, in the format of the module"`
	Filed     time.Time       `json:"filed" doc:"Time of the request"`
	Due       *time.Time      `json:"due,omitempty" doc:"When it is processed automatically"`
	Decided   *time.Time      `json:"decided,omitempty" doc:"Time of the decision; absent while it is pending"`
	By        string          `json:"by,omitempty" doc:"Who decided: id of an account, name of an API key, customer or auto"`
	ByName    string          `json:"by_name,omitempty" doc:"Name of the account or API key that decided"`
	Reason    string          `json:"reason,omitempty" doc:"Reason of the decision, shown to the customer"`
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
	State  string `query:"state" enum:"PENDING,PROCESSED,REJECTED" doc:"Only change requests in this state"`
	Kind   string `query:"kind" maxLength:"100" doc:"Only change requests of this kind"`
	Q      string `query:"q" maxLength:"100" doc:"Only change requests whose relation, account, id, key or data contains this string"`
	Oldest bool   `query:"oldest" doc:"The oldest first, instead of the newest"`
	keyset.Input
}

type listAnswer struct{ Body keyset.Page[Change] }

func (q *Queue) list(ctx context.Context, in *listInput) (*listAnswer, error) {
	var rows []entry
	query := q.Store.Read().NewSelect().Model(&rows).Where("label_key = ?", scope.Of(ctx).Label)
	if in.State != "" {
		query = query.Where("state = ?", in.State)
	}
	if in.Kind != "" {
		query = query.Where("kind = ?", in.Kind)
	}
	if in.Q != "" {
		like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(in.Q)) + "%"
		query = query.WhereGroup(" AND ", func(either *bun.SelectQuery) *bun.SelectQuery {
			for _, column := range []string{"id", "relation_id", "subject", "key", "data"} {
				either = either.WhereOr(`lower(?) LIKE ? ESCAPE '\'`, bun.Ident(column), like)
			}
			return either
		})
	}
	apply := in.Apply
	if in.Oldest {
		apply = in.ApplyOldest
	}
	query, err := apply(query, "filed_at", "id")
	if err != nil {
		return nil, err
	}
	if err := query.Scan(ctx); err != nil {
		return nil, err
	}
	items, err := q.named(ctx, rows)
	if err != nil {
		return nil, err
	}
	return &listAnswer{keyset.Cut(in.Input, items, func(c Change) (time.Time, string) { return c.Filed, c.ID })}, nil
}

// named returns rows as shown to staff, with the names of the people who filed and decided them.
func (q *Queue) named(ctx context.Context, rows []entry) ([]Change, error) {
	ids := map[string]bool{}
	for _, e := range rows {
		ids[e.Subject], ids[e.By] = true, true
	}
	delete(ids, "")
	names, err := q.Audit.Names(ctx, q.Store.Read(), scope.Of(ctx).Label, slices.Sorted(maps.Keys(ids)))
	if err != nil {
		return nil, err
	}
	items := make([]Change, len(rows))
	for i, e := range rows {
		c := e.change()
		c.Name, c.ByName = names[c.Subject], names[c.By]
		if c.ByName == "" && c.By != audit.Auto && c.By != audit.Customer { // the id of an API key is its name
			c.ByName = c.By
		}
		items[i] = c
	}
	return items, nil
}

type summaryAnswer struct {
	Body map[string]int `doc:"Number of PENDING change requests by kind; kinds without any are absent"`
}

func (q *Queue) summary(ctx context.Context, _ *struct{}) (*summaryAnswer, error) {
	var rows []struct {
		Kind  string
		Count int
	}
	err := q.Store.Read().NewSelect().Model((*entry)(nil)).ColumnExpr("kind, count(*) AS count").
		Where("label_key = ? AND state = ?", scope.Of(ctx).Label, module.Pending).GroupExpr("kind").Scan(ctx, &rows)
	out := &summaryAnswer{Body: make(map[string]int, len(rows))}
	for _, r := range rows {
		out.Body[r.Kind] = r.Count
	}
	return out, err
}

type getInput struct {
	ID string `path:"id" maxLength:"100" doc:"Id of the change request"`
}

type answer struct{ Body Change }

// get returns one change. If the caller is staff, the access is written to the audit log first.
func (q *Queue) get(ctx context.Context, in *getInput) (*answer, error) {
	call := scope.Of(ctx)
	e, err := q.find(ctx, call.Label, in.ID)
	if err != nil {
		return nil, err
	}
	if by, _ := audit.By(call); by.Role == audit.Staff {
		by.Action, by.Relation, by.Kind, by.Target = audit.ChangeViewed, e.Relation, e.Kind, e.ID
		if err := q.Audit.Add(ctx, by); err != nil {
			return nil, err
		}
	}
	return q.answer(ctx, e)
}

func (q *Queue) answer(ctx context.Context, e entry) (*answer, error) {
	named, err := q.named(ctx, []entry{e})
	if err != nil {
		return nil, err
	}
	return &answer{named[0]}, nil
}

type decisionInput struct {
	ID   string `path:"id" maxLength:"100" doc:"Id of the change request"`
	Body struct {
		State  string `json:"state" enum:"PROCESSED,REJECTED" doc:"Whether it is applied or refused"`
		Reason string `json:"reason,omitempty" maxLength:"2000" doc:"Reason of the decision, shown to the customer"`
	}
}

func (q *Queue) decide(ctx context.Context, in *decisionInput) (*answer, error) {
	s := scope.Of(ctx)
	c, err := q.Decide(ctx, s.Label, module.Decision{ID: in.ID, State: in.Body.State, By: decider(s), Reason: in.Body.Reason})
	if err != nil {
		return nil, err
	}
	e, err := q.find(ctx, s.Label, c.ID)
	if err != nil {
		return nil, err
	}
	return q.answer(ctx, e)
}

func decider(s scope.Scope) string { return cmp.Or(s.Actor, s.Subject) }

type decisionsInput struct {
	Body struct {
		IDs    []string `json:"ids" minItems:"1" maxItems:"100" uniqueItems:"true" nullable:"false" doc:"Ids of the change requests"`
		State  string   `json:"state" enum:"PROCESSED,REJECTED" doc:"Whether they are applied or refused"`
		Reason string   `json:"reason,omitempty" maxLength:"2000" doc:"Reason of the decisions, shown to the customers"`
	}
}

// Result is the outcome of one decision in a list.
type Result struct {
	ID     string               `json:"id" doc:"Id of the change request"`
	State  string               `json:"state,omitempty" enum:"PROCESSED,REJECTED" doc:"New state; absent when it was not decided"`
	Code   string               `json:"code,omitempty" doc:"Error code when it was not decided: change_decided, not_found, unavailable, or one of the module"`
	Errors []problem.FieldError `json:"errors,omitempty" doc:"Fields that the module refuses"`
}

type decisionsAnswer struct {
	Body struct {
		Results []Result `json:"results" nullable:"false" doc:"Results in the order of ids"`
	}
}

// decideAll decides the changes one after another; a refused one does not stop the others.
func (q *Queue) decideAll(ctx context.Context, in *decisionsInput) (*decisionsAnswer, error) {
	s, out := scope.Of(ctx), &decisionsAnswer{}
	out.Body.Results = make([]Result, len(in.Body.IDs))
	for i, id := range in.Body.IDs {
		r := &out.Body.Results[i]
		r.ID = id
		c, err := q.Decide(ctx, s.Label, module.Decision{ID: id, State: in.Body.State, By: decider(s), Reason: in.Body.Reason})
		if err == nil {
			r.State = c.State
			continue
		}
		p := problem.Of(err)
		if p.Status >= http.StatusInternalServerError {
			problem.Observe(ctx, err)
		}
		r.Code, r.Errors = p.Code, p.Errors
	}
	return out, nil
}
