package notifications

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
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
	all, err := marketplaceapi.New(s.host.Client).ParticipationPeriods(ctx)
	if err = absent(err); errors.Is(err, problem.ErrNotFound) {
		return nil, nil
	}
	out := make([]period, len(all))
	for i, p := range all {
		out[i] = period{p.ProjectCode, p.From, p.Until}
	}
	return out, err
}

// customerSince is when the relation of the call became a customer: the beginning of that day. Zero when nobody knows.
func (s *service) customerSince(ctx context.Context) (time.Time, error) {
	r, err := accountapi.New(s.host.Client).GetRelation(ctx)
	if err = absent(err); errors.Is(err, problem.ErrNotFound) || err == nil && r.RelationSince.IsZero() {
		return time.Time{}, nil
	}
	return r.RelationSince.In(zoneOf(ctx)), err
}

// participantsOf are those of a project at a moment, from the one after another. problem.ErrNotFound for a project that is not there.
func (s *service) participantsOf(ctx context.Context, project string, at time.Time, after string) (marketplaceapi.ParticipantsAnswerBody, error) {
	out, err := marketplaceapi.New(s.host.Client).ParticipantsOfProject(ctx, project,
		marketplaceapi.ParticipantsOfProjectParams{At: at.UTC(), After: after, Limit: page})
	return out, absent(err)
}

// mailbox is where a customer gets mail.
type mailbox = coreapi.Mailbox

// mailboxes are those of some relations; who has none is left out.
func (s *service) mailboxes(ctx context.Context, relations []string) ([]mailbox, error) {
	if len(relations) == 0 {
		return nil, nil
	}
	return coreapi.New(s.host.Client).ListMailboxes(ctx, coreapi.MailboxesInputBody{Relations: relations})
}

// allMailboxes are those of all customers of the label, in the order of their relations from the one after another.
func (s *service) allMailboxes(ctx context.Context, after string) ([]mailbox, error) {
	return coreapi.New(s.host.Client).ListMailboxes(ctx, coreapi.MailboxesInputBody{After: after, Limit: page})
}

// customers counts the label's customers with a login.
func (s *service) customers(ctx context.Context) (coreapi.CustomersOutputBody, error) {
	return coreapi.New(s.host.Client).CountCustomers(ctx)
}

// knownRelations are those of some relations that module account has; all of them where the label lacks it.
func (s *service) knownRelations(ctx context.Context, relations []string) (map[string]bool, error) {
	out := make(map[string]bool, len(relations))
	for from := 0; from < len(relations); from += page {
		some := relations[from:min(from+page, len(relations))]
		found, err := accountapi.New(s.host.Client).LookUpRelations(ctx, accountapi.LookupInputBody{Relations: some})
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
	info, err := coreapi.New(s.host.Client).LabelInfo(ctx, module.ScopeOf(ctx).Label)
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
