package identity

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// AccountAction is an action on the accounts of people who leave or return.
type AccountAction string

// The account actions. All except Enable end all sessions, impersonations and tokens of the account.
const (
	Disable AccountAction = "disable" // the account cannot sign in until Enable
	Enable  AccountAction = "enable"
	SignOut AccountAction = "sign-out"
)

// auditActions are the actions in the audit log.
var auditActions = map[AccountAction]string{Disable: audit.AccessDisabled, Enable: audit.AccessEnabled, SignOut: audit.AccessEnded}

// people implements the actions of operators and back offices on the accounts of people who leave or return.
type people struct {
	db        store.DB
	labels    label.Source
	providers *providers
	accounts  *accounts
	sessions  *sessions
	audit     *audit.Log
	now       func() time.Time
}

func (s *people) routes(api huma.API) {
	for what, text := range map[AccountAction][2]string{
		Disable: {"Disable accounts and end their sessions",
			"The accounts cannot sign in until they are enabled. Sessions, impersonations and tokens end at once."},
		Enable:  {"Enable disabled accounts", "The accounts can sign in again."},
		SignOut: {"End all sessions of accounts", "Sessions, impersonations and tokens end at once; the accounts can sign in again."},
	} {
		o := operation(http.MethodPost, "/staff/accounts/"+string(what), strings.ReplaceAll(string(what), "-o", "O")+"Accounts", text[0],
			"For a back office with the scope accounts; staff may call it for accounts of customers. "+text[1]+
				" 403 when staff name another account than a customer's, 404 when there is no such account.")
		o.Extensions = map[string]any{audit.Ext: audit.Itself, module.ExtScope: "accounts"}
		module.Route(api, o, module.APIKey, module.Write, s.applyByBackOffice(what))
	}
}

// Person is a staff account, as shown to an operator.
type Person struct {
	Account
	Sessions int
	Used     time.Time // last use of the newest session; zero: none
}

// People returns the accounts of staff and impersonators of a label, sorted by username.
func (s *people) People(ctx context.Context, labelKey string) ([]Person, error) {
	var rows []login
	var first login
	err := selectAccount(s.db.Read(), &first, labelKey).Model(&rows).Where("a.role <> ?", Customer).
		OrderExpr("n.username").Limit(maxPeople).Scan(ctx)
	if err != nil {
		return nil, err
	}
	var live []struct {
		Account string    `bun:"account_id"`
		N       int       `bun:"n"`
		Used    time.Time `bun:"used"`
	}
	err = s.db.Read().NewSelect().Model((*session)(nil)).ColumnExpr("account_id, count(*) AS n, max(rotated_at) AS used").
		Where("label_key = ? AND ends_at > ?", labelKey, s.now()).
		Where("account_id IN (SELECT id FROM identity_accounts WHERE label_key = ? AND role <> ?)", labelKey, Customer).
		GroupExpr("account_id").Scan(ctx, &live)
	if err != nil {
		return nil, err
	}
	out := make([]Person, len(rows))
	for i, r := range rows {
		out[i] = Person{Account: r.account()}
		for _, x := range live {
			if x.Account == r.ID {
				out[i].Sessions, out[i].Used = x.N, x.Used
			}
		}
	}
	return out, nil
}

// maxPeople limits a list of staff.
const maxPeople = 10_000

// ApplyToStaff performs an operator's action on the account of a staff member or an impersonator. It returns problem.ErrNotFound for any
// other username.
func (s *people) ApplyToStaff(ctx context.Context, labelKey, username string, what AccountAction) error {
	l := s.labels.ByKey(labelKey)
	if l == nil {
		return problem.ErrNotFound
	}
	r, err := s.accounts.byUsername(ctx, s.db.Read(), labelKey, NormalizeUsername(username))
	if errors.Is(err, errNotFound) || err == nil && r.Role == Customer {
		return problem.ErrNotFound
	}
	if err != nil {
		return err
	}
	return s.apply(ctx, l, []login{*r}, what, audit.Entry{Label: labelKey, Role: audit.Key, Actor: Operator})
}

// apply performs an action on accounts of a label and writes an audit log entry for each of them.
func (s *people) apply(ctx context.Context, l *label.Label, rows []login, what AccountAction, by audit.Entry) error {
	var ended []session
	err := s.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
		ended = nil // the transaction may run again
		for _, r := range rows {
			if what != SignOut {
				if err := setDisabled(ctx, tx, r.Label, r.ID, what == Disable); err != nil {
					return err
				}
			}
			if what != Enable {
				more, err := s.sessions.endAllOf(ctx, tx, r.Label, r.ID, "")
				if err != nil {
					return err
				}
				ended = append(ended, more...)
			}
			e := by
			e.Action, e.Relation, e.Target = auditActions[what], r.Relation, r.ID
			if err := s.audit.Write(ctx, tx, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	s.sessions.afterEnd(ctx, l, ended, ids...)
	return nil
}

type putInput struct {
	Body struct {
		Username     string `json:"username,omitempty" maxLength:"128" doc:"Username of one account; either this or debtor_number"`
		DebtorNumber string `json:"debtor_number,omitempty" maxLength:"64" doc:"Debtor number of a customer, for all its accounts; either this or username"`
	}
}

type putOutput struct {
	Body struct {
		Usernames []string `json:"usernames" nullable:"false" doc:"Usernames of the accounts concerned"`
	}
}

// applyByBackOffice returns the operation that performs an action for a back office (7.7-put-out). Staff may call it for
// customers only.
func (s *people) applyByBackOffice(what AccountAction) func(context.Context, *putInput) (*putOutput, error) {
	return func(ctx context.Context, in *putInput) (*putOutput, error) {
		l, _, err := s.providers.ofCall(ctx)
		if err != nil {
			return nil, err
		}
		rows, err := s.findNamed(ctx, l, in.Body.Username, in.Body.DebtorNumber)
		if err != nil {
			return nil, err
		}
		if scope.Of(ctx).Role == scope.RoleStaff && slices.ContainsFunc(rows, func(r login) bool { return r.Role != Customer }) {
			return nil, problem.Fail(http.StatusForbidden, problem.CodeForbidden)
		}
		by, ok := audit.By(scope.Of(ctx))
		if !ok { // no other role may call the operation
			return nil, problem.Fail(http.StatusForbidden, problem.CodeForbidden)
		}
		out := &putOutput{}
		out.Body.Usernames = make([]string, len(rows))
		for i, r := range rows {
			out.Body.Usernames[i] = r.Username
		}
		return out, s.apply(ctx, l, rows, what, by)
	}
}

// findNamed returns the accounts that match a back office's request. It returns errNotFound when there is none.
func (s *people) findNamed(ctx context.Context, l *label.Label, username, debtor string) (rows []login, err error) {
	name, debtor := NormalizeUsername(username), strings.TrimSpace(debtor)
	switch {
	case name != "" && debtor == "":
		r, err := s.accounts.byUsername(ctx, s.db.Read(), l.Key, name)
		if err != nil {
			return nil, err
		}
		return []login{*r}, nil
	case debtor == "" || name != "":
		return nil, problem.Refuse(problem.FieldError{Field: "username", Code: problem.CodeInvalid})
	}
	var first login
	err = selectAccount(s.db.Read(), &first, l.Key).Model(&rows).
		Where("a.relation_id = ? AND a.role = ?", value.StableID(l.Key, "relation", debtor), Customer).
		OrderExpr("a.created_at, a.id").Limit(maxSearchResults).Scan(ctx)
	if err == nil && len(rows) == 0 {
		err = errNotFound
	}
	return rows, err
}
