package notifications

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// page is how many readers are asked for at once.
const page = 200

// absent makes a sibling's 404 an ErrNotFound: the label lacks the module, or it has no such thing.
func absent(err error) error {
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Status == http.StatusNotFound {
		return problem.ErrNotFound
	}
	return err
}

// participated are the periods in which the relation of the call took part in projects; none where the label has no marketplace.
func (s *service) participated(ctx context.Context) ([]period, error) {
	out, err := module.Call[[]period](ctx, s.host.Client, http.MethodGet, "http://marketplace/sustainable/participations/periods", nil)
	if err = absent(err); errors.Is(err, problem.ErrNotFound) {
		return nil, nil
	}
	return out, err
}

// customerSince is when the relation of the call became a customer: the beginning of that day. Zero when nobody knows.
func (s *service) customerSince(ctx context.Context) (time.Time, error) {
	r, err := module.Call[struct {
		Since value.Day `json:"relation_since"`
	}](ctx, s.host.Client, http.MethodGet, "http://account/relations", nil)
	if err = absent(err); errors.Is(err, problem.ErrNotFound) || err == nil && r.Since.IsZero() {
		return time.Time{}, nil
	}
	return r.Since.In(zoneOf(ctx)), err
}

// participants are those who take part in a project.
type participants struct {
	Name      string   `json:"project_name"`
	Total     int      `json:"total"`
	Relations []string `json:"relations"` // in their order, a page of them
}

// participantsOf are those of a project at a moment, from the one after another. problem.ErrNotFound for a project that is not there.
func (s *service) participantsOf(ctx context.Context, project string, at time.Time, after string) (participants, error) {
	query := url.Values{"at": {at.UTC().Format(time.RFC3339Nano)}, "limit": {strconv.Itoa(page)}}
	if after != "" {
		query.Set("after", after)
	}
	out, err := module.Call[participants](ctx, s.host.Client, http.MethodGet,
		"http://marketplace/sustainable/projects/"+url.PathEscape(project)+"/participants?"+query.Encode(), nil)
	return out, absent(err)
}

// mailbox is where a customer gets mail.
type mailbox struct {
	Relation string `json:"relation"`
	Email    string `json:"email"`
	Locale   string `json:"locale"`
}

// mailboxes are those of some relations; who has none is left out.
func (s *service) mailboxes(ctx context.Context, relations []string) ([]mailbox, error) {
	if len(relations) == 0 {
		return nil, nil
	}
	return module.Call[[]mailbox](ctx, s.host.Client, http.MethodPost, "http://core/accounts/mailboxes", map[string]any{"relations": relations})
}

// allMailboxes are those of all customers of the label, in the order of their relations from the one after another.
func (s *service) allMailboxes(ctx context.Context, after string) ([]mailbox, error) {
	return module.Call[[]mailbox](ctx, s.host.Client, http.MethodPost, "http://core/accounts/mailboxes", map[string]any{"after": after, "limit": page})
}

// customers counts the label's customers with a login.
type customers struct {
	Relations int `json:"relations"`
	Mailboxes int `json:"mailboxes"`
}

func (s *service) customers(ctx context.Context) (customers, error) {
	return module.Call[customers](ctx, s.host.Client, http.MethodGet, "http://core/accounts/customers", nil)
}

// knownRelations are those of some relations that module account has; all of them where the label lacks it.
func (s *service) knownRelations(ctx context.Context, relations []string) (map[string]bool, error) {
	out := make(map[string]bool, len(relations))
	for from := 0; from < len(relations); from += page {
		some := relations[from:min(from+page, len(relations))]
		found, err := module.Call[[]struct {
			Relation string `json:"relation"`
		}](ctx, s.host.Client, http.MethodPost, "http://account/relations/lookup", map[string]any{"relations": some})
		if errors.Is(absent(err), problem.ErrNotFound) {
			for _, r := range relations {
				out[r] = true
			}
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			out[f.Relation] = true
		}
	}
	return out, nil
}

// labelName is what the brand is called.
func (s *service) labelName(ctx context.Context) (string, error) {
	info, err := module.Call[struct {
		Name string `json:"name"`
	}](ctx, s.host.Client, http.MethodGet, "http://core/labels/"+module.ScopeOf(ctx).Label+"/info", nil)
	return info.Name, err
}

// zoneOf is where the label's days begin and end.
func zoneOf(ctx context.Context) *time.Location {
	zone, err := time.LoadLocation(module.ScopeOf(ctx).Zone)
	if err != nil {
		return time.UTC
	}
	return zone
}
