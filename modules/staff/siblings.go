package staff

import (
	"context"
	"net/http"
	"net/url"

	"github.com/wattle-portal/wattle/core/module"
)

type page struct {
	Items []found `json:"items"`
	Next  string  `json:"next"`
}

// search asks module account. logins are relations whose login has the wanted e-mail address, where that is another than their own.
func (s *service) search(ctx context.Context, q string, logins []string, after string, limit int) (page, error) {
	in := map[string]any{"q": q, "relations": logins, "after": after, "limit": limit}
	if logins == nil {
		delete(in, "relations")
	}
	return module.Call[page](ctx, s.host.Client, http.MethodPost, "http://account/relations/search", in)
}

// record is one relation. Problem: 404.
func (s *service) record(ctx context.Context, id string) (relation, error) {
	return module.Call[relation](ctx, s.host.Client, http.MethodGet, "http://account/relations/"+url.PathEscape(id)+"/record", nil)
}

// relationsWith are the relations that have a login with an e-mail address.
func (s *service) relationsWith(ctx context.Context, email string) ([]string, error) {
	all, err := module.Call[[]struct {
		Relation string `json:"relation"`
	}](ctx, s.host.Client, http.MethodPost, "http://core/accounts/search", map[string]string{"email": email})
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
	all, err := module.Call[[]struct {
		Relation string `json:"relation"`
		Username string `json:"username"`
	}](ctx, s.host.Client, http.MethodPost, "http://core/accounts/of-relations", map[string]any{"relations": relations})
	out := make(map[string]string, len(all))
	for _, a := range all {
		out[a.Relation] = a.Username
	}
	return out, err
}

// note is what the audit log hears.
type note struct {
	Action   string `json:"action"`
	Relation string `json:"relation,omitempty"`
	Kind     string `json:"kind,omitempty"`
}

// audit writes to core's audit log who of the staff did what. What cannot be written is not shown.
func (s *service) audit(ctx context.Context, n note) error {
	_, err := module.Call[struct{}](ctx, s.host.Client, http.MethodPost, "http://core/audit", n)
	return err
}
