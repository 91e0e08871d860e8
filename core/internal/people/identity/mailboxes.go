package identity

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// mailboxes finds the email addresses of customers for modules that email many of them.
type mailboxes struct{ db store.DB }

type customersOutput struct {
	Body struct {
		Relations int `json:"relations" doc:"Relations with a login"`
		Mailboxes int `json:"mailboxes" doc:"Relations with a login that has an e-mail address and is not disabled"`
	}
}

// customerAccounts selects the customer accounts of a label.
func customerAccounts(db bun.IDB, label string) *bun.SelectQuery {
	return db.NewSelect().TableExpr("identity_accounts AS a").
		Where("a.label_key = ? AND a.role = ? AND a.relation_id <> ''", label, Customer)
}

// whereMailable restricts a query to accounts that can receive email.
func whereMailable(q *bun.SelectQuery) *bun.SelectQuery {
	return q.Join("LEFT JOIN identity_account_states AS st ON st.label_key = a.label_key AND st.account_id = a.id").
		Where("a.email <> '' AND COALESCE(st.disabled, FALSE) = FALSE")
}

// countCustomers counts relations, not logins.
func (s *mailboxes) countCustomers(ctx context.Context, _ *struct{}) (*customersOutput, error) {
	out, label := &customersOutput{}, scope.Of(ctx).Label
	err := customerAccounts(s.db.Read(), label).ColumnExpr("count(DISTINCT a.relation_id)").Scan(ctx, &out.Body.Relations)
	if err != nil {
		return nil, err
	}
	return out, whereMailable(customerAccounts(s.db.Read(), label)).ColumnExpr("count(DISTINCT a.relation_id)").
		Scan(ctx, &out.Body.Mailboxes)
}

type mailboxesInput struct {
	Body struct {
		Relations []string `json:"relations,omitempty" maxItems:"500" doc:"Only these relations; absent: all customers"`
		After     string   `json:"after,omitempty" maxLength:"64" doc:"Last relation of the previous page"`
		Limit     int      `json:"limit,omitempty" minimum:"1" maximum:"500" doc:"Maximum number of relations; absent: 500"`
	}
}

type mailbox struct {
	Relation string `json:"relation" doc:"Id of the relation"`
	Email    string `json:"email" doc:"E-mail address of its account"`
	Locale   string `json:"locale,omitempty" doc:"Language of mails, nl or en; absent: not chosen"`
}

type mailboxesOutput struct {
	Body []mailbox `nullable:"false"`
}

// listMailboxes returns the email address of each relation, sorted by relation. It is the address of the oldest login that has an address
// and is not disabled. Relations without an address are omitted.
func (s *mailboxes) listMailboxes(ctx context.Context, in *mailboxesInput) (*mailboxesOutput, error) {
	limit := in.Body.Limit
	if limit == 0 {
		limit = 500
	}
	oldest := whereMailable(customerAccounts(s.db.Read(), scope.Of(ctx).Label)).
		ColumnExpr("a.relation_id, a.email, a.locale, row_number() OVER (PARTITION BY a.relation_id ORDER BY a.created_at, a.id) AS place").
		Where("a.relation_id > ?", in.Body.After)
	if in.Body.Relations != nil {
		if len(in.Body.Relations) == 0 {
			return &mailboxesOutput{[]mailbox{}}, nil
		}
		oldest = oldest.Where("a.relation_id IN ?", bun.Tuple(in.Body.Relations))
	}
	out := &mailboxesOutput{[]mailbox{}}
	err := s.db.Read().NewSelect().TableExpr("(?) AS m", oldest).ColumnExpr("m.relation_id AS relation, m.email, m.locale").
		Where("m.place = 1").OrderExpr("m.relation_id").Limit(int64(limit)).Scan(ctx, &out.Body)
	return out, err
}
