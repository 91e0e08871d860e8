package audit

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Routes registers the operations that list the log for staff and its visible part for customers, and those with which a module writes an
// entry and lists the customers that its caller viewed last.
func (l *Log) Routes(api huma.API) {
	module.Route(api, huma.Operation{OperationID: "listAudit", Method: http.MethodGet, Path: "/staff/audit",
		Summary:     "List entries of the audit log",
		Description: "For staff. Returns who viewed or acted on which data, newest first."}, module.Staff, module.Read, l.list)
	module.Route(api, huma.Operation{OperationID: "listAccess", Method: http.MethodGet, Path: "/account/access-log",
		Summary:     "List accesses to the caller's data",
		Description: "For customers. Returns who viewed or acted on the data of the calling customer, newest first, without the customer's own acts."}, module.Customer, module.Read, l.mine)
	module.Route(api, huma.Operation{OperationID: "writeAudit", Method: http.MethodPost, Path: "/audit", DefaultStatus: http.StatusNoContent,
		Summary:     "Write an entry of the audit log",
		Description: "For modules. Records what the staff member or back office that called the module viewed or did. 400 when the action does not begin with the key of the module, 403 when a customer or visitor called the module."}, module.Sibling, module.Write, l.note)
	module.Route(api, huma.Operation{OperationID: "listViewed", Method: http.MethodPost, Path: "/audit/viewed",
		Summary:     "List the customers that the caller viewed last",
		Description: "For modules. Returns the customers of one action in the last thousand entries of the staff member that called the module, each once. 400 when the action does not begin with the key of the module, 403 when somebody else than staff called the module."}, module.Sibling, module.Read, l.viewed)
}

// Noted is an entry as shown to staff.
type Noted struct {
	Seq      int64      `json:"seq" doc:"Number of the entry in the label, without gaps"`
	At       time.Time  `json:"at" doc:"Time of the entry"`
	Action   string     `json:"action" doc:"change.processed, change.rejected, change.viewed, impersonation.made, impersonation.used, impersonation.refused, operation.called, operation.refused, or one of a module: staff.customer_viewed"`
	Role     string     `json:"role" enum:"staff,impersonator,key,auto,customer" doc:"Role of the actor"`
	Actor    string     `json:"actor,omitempty" doc:"Id of the account, or name of the API key"`
	Name     string     `json:"name,omitempty" doc:"Name of the actor at that time"`
	Relation string     `json:"relation,omitempty" doc:"Customer whose data it is about"`
	Kind     string     `json:"kind,omitempty" doc:"Kind of the change request, or the operation"`
	Target   string     `json:"target,omitempty" doc:"Id of the change request, of the impersonation, or an id that the module defines"`
	Reason   string     `json:"reason,omitempty" doc:"Reason that the actor gave; absent: none"`
	Until    *time.Time `json:"until,omitempty" doc:"When the impersonation expires"`
	Hash     string     `json:"hash" doc:"Hash over this entry and the hash of the previous one"`
}

func until(e Entry) *time.Time {
	if e.Until.IsZero() {
		return nil
	}
	return new(e.Until.UTC())
}

// PageInput selects a page. Entries have numbers, so the last number of the previous page is the cursor.
type PageInput struct {
	After string `query:"after" pattern:"^[0-9]{1,18}$" doc:"Cursor: the value of next of the previous page"`
	Limit int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Maximum number of entries"`
}

func (in PageInput) apply(q *bun.SelectQuery) *bun.SelectQuery {
	if before, err := strconv.ParseInt(in.After, 10, 64); err == nil {
		q = q.Where("seq < ?", before)
	}
	return q.OrderExpr("seq DESC").Limit(int64(in.Limit) + 1)
}

// cut removes the extra row after the page and returns the cursor of the next page.
func (in PageInput) cut(rows []Entry) ([]Entry, string) {
	if len(rows) <= in.Limit {
		return rows, ""
	}
	return rows[:in.Limit], strconv.FormatInt(rows[in.Limit-1].Seq, 10)
}

type listInput struct {
	Relation string `query:"relation" maxLength:"64" doc:"Only entries about this customer"`
	Actor    string `query:"actor" maxLength:"200" doc:"Only entries of this account or API key; auto: automatic ones"`
	Action   string `query:"action" maxLength:"100" doc:"Only entries with this action, or with this prefix when it ends with a dot"`
	Kind     string `query:"kind" maxLength:"100" doc:"Only entries about this kind of change request, or this operation"`
	PageInput
}

type listAnswer struct {
	Body struct {
		Items []Noted `json:"items" nullable:"false" doc:"Entries, newest first"`
		Next  string  `json:"next,omitempty" doc:"Value of after for the next page; absent on the last page"`
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

// Access is an entry as shown to the customer whose data was accessed.
type Access struct {
	At    time.Time  `json:"at" doc:"Time of the access"`
	Who   string     `json:"who" enum:"staff,impersonator,key,auto" doc:"Role of the actor; staff and impersonator: customer service, key: a back office, auto: automatic"`
	Name  string     `json:"name,omitempty" doc:"Name of the person or the back office"`
	What  string     `json:"what" doc:"Action, as in listAudit"`
	Kind  string     `json:"kind,omitempty" doc:"Kind of the change request, or the operation"`
	Until *time.Time `json:"until,omitempty" doc:"When the impersonation expires"`
}

type mineAnswer struct {
	Body struct {
		Items []Access `json:"items" nullable:"false" doc:"Entries, newest first"`
		Next  string   `json:"next,omitempty" doc:"Value of after for the next page; absent on the last page"`
	}
}

// mine lists the accesses to the customer's data. It omits refused and unused impersonations and the customer's own actions.
func (l *Log) mine(ctx context.Context, in *PageInput) (*mineAnswer, error) {
	own, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	var rows []Entry
	q := l.Store.Read().NewSelect().Model(&rows).Where("label_key = ? AND relation_id = ?", own.Key(), own.Relation()).Where("role <> ?",
		Customer).
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
		Action   string `json:"action" minLength:"3" maxLength:"100" doc:"Action; begins with the key of the calling module"`
		Relation string `json:"relation,omitempty" maxLength:"64" doc:"Customer whose data it is about"`
		Kind     string `json:"kind,omitempty" maxLength:"100" doc:"Kind that the module defines"`
		Target   string `json:"target,omitempty" maxLength:"200" doc:"Id that the module defines"`
		Reason   string `json:"reason,omitempty" maxLength:"2000" doc:"Reason that the actor gave"`
	}
}

// note writes an entry of a module about the staff member or back office that called the module. It refuses calls on behalf of customers
// and visitors.
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

// maxViewed is the maximum number of a caller's entries that viewed reads, however long the log is.
const maxViewed = 1000

type viewedInput struct {
	Body struct {
		Action string `json:"action" minLength:"3" maxLength:"100" doc:"Action of the entries; begins with the key of the calling module"`
		Limit  int    `json:"limit" minimum:"1" maximum:"100" doc:"Maximum number of relations"`
	}
}

type viewedAnswer struct {
	Body struct {
		Relations []string `json:"relations" nullable:"false" doc:"Ids of relations, the one viewed last first"`
	}
}

// viewed lists the customers of the caller's last entries with an action.
func (l *Log) viewed(ctx context.Context, in *viewedInput) (*viewedAnswer, error) {
	s, b := scope.Of(ctx), in.Body
	if !strings.HasPrefix(b.Action, s.Caller+".") {
		return nil, problem.Refuse(problem.FieldError{Field: "action", Code: problem.CodeInvalid})
	}
	if s.Role != scope.RoleStaff {
		return nil, problem.Fail(http.StatusForbidden, problem.CodeForbidden)
	}
	var rows []Entry
	if err := l.Store.Read().NewSelect().Model(&rows).Column("action", "role", "relation_id").
		Where("label_key = ? AND actor_id = ?", s.Label, s.Subject).OrderExpr("seq DESC").Limit(maxViewed).Scan(ctx); err != nil {
		return nil, err
	}
	out := &viewedAnswer{}
	out.Body.Relations = []string{}
	for _, e := range rows {
		if len(out.Body.Relations) < b.Limit && e.Role == Staff && e.Action == b.Action && e.Relation != "" &&
			!slices.Contains(out.Body.Relations, e.Relation) {
			out.Body.Relations = append(out.Body.Relations, e.Relation)
		}
	}
	return out, nil
}

// By returns an entry with the caller as its actor, and false for callers whose calls are not logged.
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
