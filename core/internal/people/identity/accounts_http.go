package identity

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

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

// myAccount returns the account of the call. During an impersonation that is the customer's account (6-impersonator-acts-for).
func (s *Service) myAccount(ctx context.Context, _ *struct{}) (*accountOutput, error) {
	call := scope.Of(ctx)
	r, err := s.accounts.byID(ctx, s.d.DB.Read(), call.Label, call.Subject)
	if err != nil {
		return nil, err
	}
	return describe(r), nil
}

type relationInput struct {
	Relation string `path:"relation" doc:"Id of the relation"`
}

func (s *Service) accountOfRelation(ctx context.Context, in *relationInput) (*accountOutput, error) {
	r, err := s.accounts.byRelation(ctx, s.d.DB.Read(), scope.Of(ctx).Label, in.Relation)
	if err != nil {
		return nil, err
	}
	return describe(r), nil
}

// maxRelations bounds the relations in one request: one page of a list.
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

// accountsOfRelations returns for each relation the customer account that byRelation returns, which is the one that an impersonation
// uses. Relations without an account are left out.
func (s *Service) accountsOfRelations(ctx context.Context, in *relationsInput) (*relationsOutput, error) {
	out := &relationsOutput{Body: []relationAccount{}}
	if len(in.Body.Relations) == 0 {
		return out, nil
	}
	var rows []login
	err := s.d.DB.Read().NewSelect().Model(&rows).ColumnExpr("a.relation_id, n.username").
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

type reserveInput struct {
	Body struct {
		Username string `json:"username" doc:"Requested name for signing in"`
	}
}

// reserveUsername reserves a username for the account of the call until the change is decided (5.5-username-unique).
func (s *Service) reserveUsername(ctx context.Context, in *reserveInput) (*accountOutput, error) {
	_, p, err := s.labelAndProvider(ctx)
	if err != nil {
		return nil, err
	}
	name := NormalizeUsername(in.Body.Username)
	if err := checkFields(field{"username", name, CodeEmptyUsername}); err != nil {
		return nil, err
	}
	if name == ImpersonatorName(name) {
		return nil, errUsernameTaken // all names with this prefix are reserved
	}
	if !p.Renames() {
		return nil, ErrUnsupported
	}
	call := scope.Of(ctx)
	var out *accountOutput
	err = s.d.DB.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
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

func (s *Service) releaseUsername(ctx context.Context, _ *struct{}) (*cookieOutput, error) {
	call := scope.Of(ctx)
	return &cookieOutput{}, s.d.DB.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		return s.accounts.release(ctx, tx, call.Label, call.Subject, "", time.Time{})
	})
}
