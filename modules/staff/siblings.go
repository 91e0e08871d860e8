package staff

import (
	"context"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// search asks module account. logins are relations whose login has the wanted e-mail address, where that is another than their own.
func (s *service) search(ctx context.Context, q string, logins []string, after string, limit int) (accountapi.SearchAnswerBody, error) {
	return accountapi.New(s.host.Client).SearchRelations(ctx, accountapi.SearchInputBody{Q: q, Relations: logins, After: after, Limit: int64(limit)})
}

// record is one relation. Problem: 404.
func (s *service) record(ctx context.Context, id string) (accountapi.Relation, error) {
	return accountapi.New(s.host.Client).RecordOfRelation(ctx, id)
}

// relationsWith are the relations that have a login with an e-mail address.
func (s *service) relationsWith(ctx context.Context, email string) ([]string, error) {
	all, err := coreapi.New(s.host.Client).SearchAccounts(ctx, coreapi.SearchInputBody{Email: email})
	var out []string
	for _, a := range all {
		if a.Relation != "" {
			out = append(out, a.Relation)
		}
	}
	return out, err
}

// usernames are those of the logins of relations; one without a login is absent.
func (s *service) usernames(ctx context.Context, relations []string) (map[string]string, error) {
	all, err := coreapi.New(s.host.Client).AccountsOfRelations(ctx, coreapi.RelationsInputBody{Relations: relations})
	out := make(map[string]string, len(all))
	for _, a := range all {
		out[a.Relation] = a.Username
	}
	return out, err
}

// audit writes to core's audit log who of the staff did what. What cannot be written is not shown.
func (s *service) audit(ctx context.Context, n coreapi.NoteInputBody) error {
	return coreapi.New(s.host.Client).WriteAudit(ctx, n)
}
