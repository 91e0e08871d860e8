package audit

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Routes registers the log for staff, the customer's own part of it, and the call by which a module writes what only it can know.
func (l *Log) Routes(api huma.API) {
	module.Route(api, huma.Operation{OperationID: "listAudit", Method: http.MethodGet, Path: "/staff/audit",
		Summary: "Who looked at or acted on what, newest first"}, module.Staff, module.Read, l.list)
	module.Route(api, huma.Operation{OperationID: "listAccess", Method: http.MethodGet, Path: "/account/access-log",
		Summary: "Who looked at or acted on the data of the customer who calls, newest first"}, module.Customer, module.Read, l.mine)
	module.Route(api, huma.Operation{OperationID: "writeAudit", Method: http.MethodPost, Path: "/audit", DefaultStatus: http.StatusNoContent,
		Summary: "Note what staff or a back office saw or did"}, module.Sibling, module.Write, l.note)
}

// Noted is an entry as staff see it.
type Noted struct {
	Seq      int64      `json:"seq" doc:"Number of the entry in the label, without gaps"`
	At       time.Time  `json:"at"`
	Action   string     `json:"action" doc:"change.processed, change.rejected, change.viewed, impersonation.made, impersonation.used, impersonation.refused, operation.called, operation.refused, or one of a module: staff.customer_viewed"`
	Role     string     `json:"role" enum:"staff,impersonator,key,auto,customer" doc:"What the actor is"`
	Actor    string     `json:"actor,omitempty" doc:"Account, or name of the API key"`
	Name     string     `json:"name,omitempty" doc:"Of the actor, as it was then"`
	Relation string     `json:"relation,omitempty" doc:"Whose data it is about"`
	Kind     string     `json:"kind,omitempty" doc:"Of the change, or which operation"`
	Target   string     `json:"target,omitempty" doc:"Id of the change, the impersonation or what a module names"`
	Reason   string     `json:"reason,omitempty"`
	Until    *time.Time `json:"until,omitempty" doc:"When an impersonation ends by itself"`
	Hash     string     `json:"hash" doc:"Over this entry and the hash of the one before"`
}

func until(e Entry) *time.Time {
	if e.Until.IsZero() {
		return nil
	}
	return new(e.Until.UTC())
}

// PageInput asks for a page: entries have numbers, so the last of the page before is enough.
type PageInput struct {
	After string `query:"after" pattern:"^[0-9]{1,18}$" doc:"The next of the page before"`
	Limit int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

func (in PageInput) apply(q *bun.SelectQuery) *bun.SelectQuery {
	if before, err := strconv.ParseInt(in.After, 10, 64); err == nil {
		q = q.Where("seq < ?", before)
	}
	return q.OrderExpr("seq DESC").Limit(int64(in.Limit) + 1)
}

// cut drops the row beyond the page and says where the next begins.
func (in PageInput) cut(rows []Entry) ([]Entry, string) {
	if len(rows) <= in.Limit {
		return rows, ""
	}
	return rows[:in.Limit], strconv.FormatInt(rows[in.Limit-1].Seq, 10)
}

type listInput struct {
	Relation string `query:"relation" maxLength:"64" doc:"Only about this customer"`
	Actor    string `query:"actor" maxLength:"200" doc:"Only by this account or API key; auto: by nobody"`
	Action   string `query:"action" maxLength:"100" doc:"Only this action; one that ends in a dot: all that begin so"`
	Kind     string `query:"kind" maxLength:"100" doc:"Only this kind of change, or this operation"`
	PageInput
}

type listAnswer struct {
	Body struct {
		Items []Noted `json:"items" nullable:"false"`
		Next  string  `json:"next,omitempty" doc:"Ask for the next page with after; absent on the last page"`
	}
}

func (l *Log) list(ctx context.Context, in *listInput) (*listAnswer, error) {
	var rows []Entry
	q := l.Store.Read().NewSelect().Model(&rows).Where("label_key = ?", scope.Of(ctx).Label)
	for column, value := range map[string]string{"relation_id": in.Relation, "actor_id": in.Actor, "kind": in.Kind} {
		if value != "" {
			q = q.Where("? = ?", bun.Ident(column), value)
		}
	}
	if group, all := strings.CutSuffix(in.Action, "."); all {
		q = q.Where("substr(action, 1, ?) = ?", len(group)+1, in.Action)
	} else if in.Action != "" {
		q = q.Where("action = ?", in.Action)
	}
	if err := in.apply(q).Scan(ctx); err != nil {
		return nil, err
	}
	out := &listAnswer{}
	rows, out.Body.Next = in.cut(rows)
	out.Body.Items = make([]Noted, len(rows))
	for i, e := range rows {
		out.Body.Items[i] = Noted{Seq: e.Seq, At: e.At.UTC(), Action: e.Action, Role: e.Role, Actor: e.Actor, Name: e.Name, Relation: e.Relation,
			Kind: e.Kind, Target: e.Target, Reason: e.Reason, Until: until(e), Hash: e.Hash}
	}
	return out, nil
}

// Access is an entry as the customer sees it whose data it is about.
type Access struct {
	At    time.Time  `json:"at"`
	Who   string     `json:"who" enum:"staff,impersonator,key,auto" doc:"staff and impersonator: customer service; key: the back office; auto: without a person"`
	Name  string     `json:"name,omitempty" doc:"Of the person or the back office"`
	What  string     `json:"what" doc:"Code of what happened: see listAudit"`
	Kind  string     `json:"kind,omitempty" doc:"Of the change that was decided, or which operation"`
	Until *time.Time `json:"until,omitempty" doc:"Until when somebody could look along"`
}

type mineAnswer struct {
	Body struct {
		Items []Access `json:"items" nullable:"false"`
		Next  string   `json:"next,omitempty" doc:"Ask for the next page with after; absent on the last page"`
	}
}

// mine leaves out what came to nothing, and what the customer did.
func (l *Log) mine(ctx context.Context, in *PageInput) (*mineAnswer, error) {
	own, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	var rows []Entry
	q := l.Store.Read().NewSelect().Model(&rows).Where("label_key = ? AND relation_id = ?", own.Key(), own.Relation()).Where("role <> ?", Customer).
		Where("action NOT IN ?", bun.Tuple([]string{ImpersonationMade, ImpersonationRefused, OperationRefused}))
	if err := in.apply(q).Scan(ctx); err != nil {
		return nil, err
	}
	out := &mineAnswer{}
	rows, out.Body.Next = in.cut(rows)
	out.Body.Items = make([]Access, len(rows))
	for i, e := range rows {
		out.Body.Items[i] = Access{At: e.At.UTC(), Who: e.Role, Name: e.Name, What: e.Action, Kind: e.Kind, Until: until(e)}
	}
	return out, nil
}

type noteInput struct {
	Body struct {
		Action   string `json:"action" minLength:"3" maxLength:"100" doc:"Begins with the key of the module that calls"`
		Relation string `json:"relation,omitempty" maxLength:"64" doc:"Whose data it is about"`
		Kind     string `json:"kind,omitempty" maxLength:"100"`
		Target   string `json:"target,omitempty" maxLength:"200"`
		Reason   string `json:"reason,omitempty" maxLength:"2000"`
	}
}

// note writes what a module tells of the staff or the back office that called it. Customers and visitors have no place in it.
func (l *Log) note(ctx context.Context, in *noteInput) (*struct{}, error) {
	s, b := scope.Of(ctx), in.Body
	if !strings.HasPrefix(b.Action, s.Caller+".") {
		return nil, problem.Refuse(problem.FieldError{Field: "action", Code: problem.CodeInvalid})
	}
	by, ok := By(s)
	if !ok {
		return nil, problem.Fail(http.StatusForbidden, problem.CodeForbidden)
	}
	by.Action, by.Relation, by.Kind, by.Target, by.Reason = b.Action, b.Relation, b.Kind, b.Target, b.Reason
	return nil, l.Add(ctx, by)
}

// By begins an entry of who calls; false for those whose calls are no matter of the log.
func By(s scope.Scope) (Entry, bool) {
	switch s.Role {
	case scope.RoleStaff:
		return Entry{Label: s.Label, Role: Staff, Actor: s.Subject}, true
	case scope.RoleKey:
		return Entry{Label: s.Label, Role: Key, Actor: s.Actor}, true
	case scope.RoleSystem:
		return Entry{Label: s.Label, Role: Auto, Actor: Auto}, true
	}
	return Entry{}, false
}
