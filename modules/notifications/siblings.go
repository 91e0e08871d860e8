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

// page is the maximum number of readers in a request.
const page = 200

// notFound converts a sibling's 404 to problem.ErrNotFound: the label does not have the module, or the object does not exist.
func notFound(err error) error {
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Status == http.StatusNotFound {
		return problem.ErrNotFound
	}
	return err
}

// participationPeriods returns the periods in which the caller's relation had shares in projects. It returns none if the label has no
// marketplace.
func (s *service) participationPeriods(ctx context.Context) ([]period, error) {
	all, err := marketplaceapi.New(s.host.Client).ParticipationPeriods(ctx)
	if err = notFound(err); errors.Is(err, problem.ErrNotFound) {
		return nil, nil
	}
	out := make([]period, len(all))
	for i, p := range all {
		out[i] = period{p.ProjectCode, p.From, p.Until}
	}
	return out, err
}

// customerSince returns the start of the day on which the caller's relation became a customer, or zero if it is unknown.
func (s *service) customerSince(ctx context.Context) (time.Time, error) {
	r, err := accountapi.New(s.host.Client).GetRelation(ctx)
	if err = notFound(err); errors.Is(err, problem.ErrNotFound) || err == nil && r.RelationSince.IsZero() {
		return time.Time{}, nil
	}
	return r.RelationSince.In(zoneOf(ctx)), err
}

// participantsOf returns the page of a project's participants at a given time that follows the relation after. It returns
// problem.ErrNotFound for an unknown project.
func (s *service) participantsOf(ctx context.Context, project string, at time.Time, after string) (marketplaceapi.ParticipantsAnswerBody,
	error) {
	out, err := marketplaceapi.New(s.host.Client).ParticipantsOfProject(ctx, project,
		marketplaceapi.ParticipantsOfProjectParams{At: at.UTC(), After: after, Limit: page})
	return out, notFound(err)
}

// mailbox is the email address and locale of a customer.
type mailbox = coreapi.Mailbox

// mailboxes returns the mailboxes of some relations. A relation without a mailbox is left out.
func (s *service) mailboxes(ctx context.Context, relations []string) ([]mailbox, error) {
	if len(relations) == 0 {
		return nil, nil
	}
	return coreapi.New(s.host.Client).ListMailboxes(ctx, coreapi.MailboxesInputBody{Relations: relations})
}

// allMailboxes returns the page of all customers' mailboxes, sorted by relation, that follows the relation after.
func (s *service) allMailboxes(ctx context.Context, after string) ([]mailbox, error) {
	return coreapi.New(s.host.Client).ListMailboxes(ctx, coreapi.MailboxesInputBody{After: after, Limit: page})
}

// customers returns the number of the label's customers with a login.
func (s *service) customers(ctx context.Context) (coreapi.CustomersOutputBody, error) {
	return coreapi.New(s.host.Client).CountCustomers(ctx)
}

// knownRelations returns which relations exist in module account, or all of them if the label does not have that module.
func (s *service) knownRelations(ctx context.Context, relations []string) (map[string]bool, error) {
	out := make(map[string]bool, len(relations))
	for from := 0; from < len(relations); from += page {
		chunk := relations[from:min(from+page, len(relations))]
		found, err := accountapi.New(s.host.Client).LookUpRelations(ctx, accountapi.LookupInputBody{Relations: chunk})
		if errors.Is(notFound(err), problem.ErrNotFound) {
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

// labelName returns the name of the brand.
func (s *service) labelName(ctx context.Context) (string, error) {
	info, err := coreapi.New(s.host.Client).LabelInfo(ctx, module.ScopeOf(ctx).Label)
	return info.Name, err
}

// zoneOf returns the time zone of the label.
func zoneOf(ctx context.Context) *time.Location {
	zone, err := time.LoadLocation(module.ScopeOf(ctx).Zone)
	if err != nil {
		return time.UTC
	}
	return zone
}
