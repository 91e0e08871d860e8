package staff

import (
	"context"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// search calls module account. logins contains the relations whose login has the email address that was searched for.
func (s *service) search(ctx context.Context, q string, logins []string, after string, limit int) (accountapi.SearchAnswerBody, error) {
	return accountapi.New(s.host.Client).SearchRelations(ctx, accountapi.SearchInputBody{Q: q, Relations: logins, After: after,
		Limit: int64(limit)})
}

// lookUp returns the relations that exist.
func (s *service) lookUp(ctx context.Context, relations []string) ([]accountapi.Found, error) {
	return accountapi.New(s.host.Client).LookUpRelations(ctx, accountapi.LookupInputBody{Relations: relations})
}

// record returns a relation, or a problem with status 404.
func (s *service) record(ctx context.Context, id string) (accountapi.Relation, error) {
	return accountapi.New(s.host.Client).RecordOfRelation(ctx, id)
}

// relationsWith returns the relations that have a login with an email address.
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

// usernames returns the usernames of relations; a relation without a login is left out.
func (s *service) usernames(ctx context.Context, relations []string) (map[string]string, error) {
	all, err := coreapi.New(s.host.Client).AccountsOfRelations(ctx, coreapi.RelationsInputBody{Relations: relations})
	out := make(map[string]string, len(all))
	for _, a := range all {
		out[a.Relation] = a.Username
	}
	return out, err
}

// audit writes to core's audit log. If that fails, the caller must not return personal data.
func (s *service) audit(ctx context.Context, n coreapi.NoteInputBody) error {
	return coreapi.New(s.host.Client).WriteAudit(ctx, n)
}

// viewed returns the relations that the caller opened last, each once, newest first.
func (s *service) viewed(ctx context.Context, limit int) ([]string, error) {
	out, err := coreapi.New(s.host.Client).ListViewed(ctx, coreapi.ViewedInputBody{Action: actionViewed, Limit: int64(limit)})
	return out.Relations, err
}
