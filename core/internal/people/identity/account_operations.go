package identity

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

// accountOperations implements the account operations for modules.
type accountOperations struct {
	db          store.DB
	providers   *providers
	accounts    *accounts
	invitations *invitations
	mailboxes   *mailboxes
}

func (s *accountOperations) routes(api huma.API) {
	get, post, put, del := http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete
	module.Route(api, operation(get, "/accounts/me", "myAccount", "Get the account of the call",
		"For modules. During an impersonation that is the customer's account. 404 when the call has no account."),
		module.Sibling, module.Read, s.myAccount)
	module.Route(api, operation(get, "/accounts/by-relation/{relation}", "accountOfRelation", "Get the oldest account of a relation",
		"For modules. Of the accounts that are not disabled, or of all when there is none. 404 when the relation has no account."),
		module.Sibling, module.Read, s.accountOfRelation)
	module.Route(api, operation(post, "/accounts", "openAccount", "Create a customer's account and mail its password",
		"For modules. Mails a temporary password, which the module does not receive. "+
			"With a key that was used before it returns the existing account. 400 for invalid fields, 409 account.username_taken."),
		module.Sibling, module.Write, s.invitations.openAccount)
	module.Route(api, operation(post, "/accounts/search", "searchAccounts", "Find accounts by e-mail address",
		"For modules. At most 20 accounts, the oldest first; upper and lower case are the same."),
		module.Sibling, module.Read, s.searchAccounts)
	module.Route(api, operation(post, "/accounts/of-relations", "accountsOfRelations", "Get the oldest account of each relation",
		"For modules. Relations without an account are left out."), module.Sibling, module.Read, s.accountsOfRelations)
	module.Route(api, operation(get, "/accounts/customers", "countCustomers", "Count customers, and those who can receive mail",
		"For modules. Counts relations of the label of the call, each once."), module.Sibling, module.Read, s.mailboxes.countCustomers)
	module.Route(api, operation(post, "/accounts/mailboxes", "listMailboxes", "List the mail addresses of customers",
		"For modules. One address for each relation, sorted by relation. Relations without an address are left out."),
		module.Sibling, module.Read, s.mailboxes.listMailboxes)
	module.Route(api, operation(post, "/accounts/{id}/reactivate", "reactivateAccount", "Mail a temporary password to an unusable account",
		"For modules. Changes only an account that cannot sign in and is not disabled. 404 when there is no such account."),
		module.Sibling, module.Write, s.invitations.reactivateAccount)
	module.Route(api, operation(put, "/accounts/me/reserved-username", "reserveUsername", "Reserve a username for the account of the call",
		"For modules. Replaces the username reserved before. 400 for an empty or invalid username, 409 account.username_taken, "+
			"or unsupported when usernames of the label cannot change."), module.Sibling, module.Write, s.reserveUsername)
	module.Route(api, operation(del, "/accounts/me/reserved-username", "releaseUsername", "Release the reserved username",
		"For modules. Without a reserved username it changes nothing."), module.Sibling, module.Write, s.releaseUsername)
}

type accountOutput struct {
	Body struct {
		ID       string `json:"id" doc:"Id of the account"`
		Username string `json:"username" doc:"Name for signing in"`
		Email    string `json:"email" doc:"E-mail address, to which codes and passwords are mailed"`
		Name     string `json:"name" doc:"Name of the person"`
		Locale   string `json:"locale,omitempty" doc:"Language of mails, nl or en; absent: not chosen"`
		Relation string `json:"relation,omitempty" doc:"Id of the customer's relation; absent for staff"`
		Reserved string `json:"reserved_username,omitempty" doc:"Requested username that is not processed yet"`
	}
}

func describe(r *login) *accountOutput {
	out := &accountOutput{}
	out.Body.ID, out.Body.Username, out.Body.Email, out.Body.Name = r.ID, r.Username, r.Email, r.Name
	out.Body.Locale, out.Body.Relation, out.Body.Reserved = r.Locale, r.Relation, r.Reserved
	return out
}

// myAccount returns the caller's account. During an impersonation that is the customer's account (6-impersonator-acts-for).
func (s *accountOperations) myAccount(ctx context.Context, _ *struct{}) (*accountOutput, error) {
	call := scope.Of(ctx)
	r, err := s.accounts.byID(ctx, s.db.Read(), call.Label, call.Subject)
	if err != nil {
		return nil, err
	}
	return describe(r), nil
}

type relationInput struct {
	Relation string `path:"relation" doc:"Id of the relation"`
}

func (s *accountOperations) accountOfRelation(ctx context.Context, in *relationInput) (*accountOutput, error) {
	r, err := s.accounts.byRelation(ctx, s.db.Read(), scope.Of(ctx).Label, in.Relation)
	if err != nil {
		return nil, err
	}
	return describe(r), nil
}

// maxRelations limits the relations in one request to one page of a list.
const maxRelations = 200

type relationsInput struct {
	Body struct {
		Relations []string `json:"relations" maxItems:"200" nullable:"false" doc:"Ids of relations"`
	}
}

type relationsOutput struct {
	Body []relationAccount `nullable:"false"`
}

type relationAccount struct {
	Relation string `json:"relation" doc:"Id of the relation"`
	Username string `json:"username" doc:"Name for signing in"`
}

// accountsOfRelations returns the customer account of each relation, which byRelation selects as for an impersonation. Relations without an
// account are omitted.
func (s *accountOperations) accountsOfRelations(ctx context.Context, in *relationsInput) (*relationsOutput, error) {
	out := &relationsOutput{Body: []relationAccount{}}
	if len(in.Body.Relations) == 0 {
		return out, nil
	}
	var rows []login
	err := s.db.Read().NewSelect().Model(&rows).ColumnExpr("a.relation_id, n.username").
		Join("JOIN identity_usernames AS n ON n.label_key = a.label_key AND n.account_id = a.id AND NOT n.reserved").
		Join("LEFT JOIN identity_account_states AS st ON st.label_key = a.label_key AND st.account_id = a.id").
		Where("a.label_key = ? AND a.role = ? AND a.relation_id IN ?", scope.Of(ctx).Label, Customer, bun.Tuple(in.Body.Relations)).
		OrderExpr("COALESCE(st.disabled, FALSE), a.created_at, a.id").Limit(maxRelations * maxSearchResults).Scan(ctx)
	seen := map[string]bool{}
	for _, r := range rows {
		if !seen[r.Relation] {
			seen[r.Relation] = true
			out.Body = append(out.Body, relationAccount{r.Relation, r.Username})
		}
	}
	return out, err
}

type searchInput struct {
	Body struct {
		Email  string `json:"email" minLength:"1" maxLength:"320" doc:"E-mail address to look for"`
		Active bool   `json:"active,omitempty" doc:"Only accounts that can sign in, whose owner therefore reads the mailbox"`
	}
}

type searchOutput struct {
	Body []foundAccount `nullable:"false"`
}

type foundAccount struct {
	ID       string `json:"id" doc:"Id of the account"`
	Relation string `json:"relation,omitempty" doc:"Id of the customer's relation; absent for staff"`
	Role     string `json:"role" doc:"customer, or staff"`
}

// maxSearchResults limits a result: a household has few accounts with the same mailbox.
const maxSearchResults = 20

// searchAccounts returns the accounts with an email address, ignoring case, except impersonators. The owner of an active account can read
// the mailbox, because the first password or the confirmation link was sent there.
func (s *accountOperations) searchAccounts(ctx context.Context, in *searchInput) (*searchOutput, error) {
	var rows []login
	err := s.db.Read().NewSelect().Model(&rows).Where("label_key = ? AND lower(email) = ? AND role <> ?", scope.Of(ctx).Label,
		strings.ToLower(in.Body.Email), ImpersonatorRole).OrderExpr("created_at, id").Limit(maxSearchResults).Scan(ctx)
	if err != nil {
		return nil, err
	}
	if in.Body.Active {
		if rows, err = s.withoutInactive(ctx, rows); err != nil {
			return nil, err
		}
	}
	out := &searchOutput{Body: make([]foundAccount, len(rows))}
	for i, r := range rows {
		out.Body[i] = foundAccount{r.ID, r.Relation, r.Role}
	}
	return out, nil
}

// withoutInactive returns the accounts that can sign in.
func (s *accountOperations) withoutInactive(ctx context.Context, rows []login) (out []login, err error) {
	l, p, err := s.providers.ofCall(ctx)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		r, err := s.accounts.byID(ctx, s.db.Read(), l.Key, row.ID) // byID also reads the username, which the provider needs
		if errors.Is(err, errNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if r.Disabled {
			continue
		}
		a, err := s.accounts.withSubjects(ctx, r)
		if err != nil {
			return nil, err
		}
		inactive, err := p.IsInactive(ctx, l, a)
		if err != nil {
			return nil, err
		}
		if !inactive {
			out = append(out, row)
		}
	}
	return out, nil
}

type reserveInput struct {
	Body struct {
		Username string `json:"username" doc:"Requested name for signing in"`
	}
}

// reserveUsername reserves a username for the caller's account until the change is decided (5.5-username-unique).
func (s *accountOperations) reserveUsername(ctx context.Context, in *reserveInput) (*accountOutput, error) {
	_, p, err := s.providers.ofCall(ctx)
	if err != nil {
		return nil, err
	}
	name := NormalizeUsername(in.Body.Username)
	if err := checkFields(field{"username", name, CodeEmptyUsername}); err != nil {
		return nil, err
	}
	if name == ImpersonatorName(name) {
		return nil, errUsernameTaken // names with this prefix are for impersonators
	}
	if !p.Renames() {
		return nil, ErrUnsupported
	}
	call := scope.Of(ctx)
	var out *accountOutput
	err = s.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		r, err := s.accounts.byID(ctx, tx, call.Label, call.Subject)
		if err != nil {
			return err
		}
		if err := s.accounts.reserve(ctx, tx, call.Label, call.Subject, name); err != nil {
			return err
		}
		r.Reserved = name
		out = describe(r)
		return nil
	})
	return out, err
}

func (s *accountOperations) releaseUsername(ctx context.Context, _ *struct{}) (*cookieOutput, error) {
	call := scope.Of(ctx)
	return &cookieOutput{}, s.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		return s.accounts.release(ctx, tx, call.Label, call.Subject, "", time.Time{})
	})
}
