package notice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Service sends notices by email.
type Service struct {
	host    module.Host
	buyerOf FindBuyer
}

// FindBuyer reads the buyer of a DIRECT offer, who may not have an account, with the code of the offer. It returns problem.ErrNotFound
// when there is no such offer.
type FindBuyer func(ctx context.Context, db module.DB, offer string) (Reader, error)

// New returns the service for a host. find reads the buyers of DIRECT offers.
func New(h module.Host, find FindBuyer) *Service { return &Service{h, find} }

// Handle sends the notice of an event by email. A relation without a login gets no email.
func (s *Service) Handle(ctx context.Context, e module.Event) error {
	var n Notice
	if err := json.Unmarshal(e.Data, &n); err != nil {
		return fmt.Errorf("marketplace: data of event %s: %w", e.ID, err)
	}
	r, err := s.readerOf(ctx, n)
	if errors.Is(err, problem.ErrNotFound) || err == nil && r.Email == "" {
		s.host.Log.WarnContext(ctx, "marketplace: nobody to mail to", "notice", n.Kind, "event", e.ID)
		return nil
	}
	if err != nil {
		return sibling.Retry(err)
	}
	m, ok := Mail(r, n)
	if !ok {
		return fmt.Errorf("marketplace: a notice of kind %q", n.Kind)
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		return tx.Mail(ctx, m)
	})
}

// readerOf returns the recipient of a notice. It returns problem.ErrNotFound when the relation has no login.
func (s *Service) readerOf(ctx context.Context, n Notice) (r Reader, err error) {
	if n.Kind == OfferCode {
		if r, err = s.buyerOf(ctx, s.host.DB, n.Offer); err != nil {
			return r, err
		}
	} else {
		a, err := s.accountOf(ctx, n.Relation)
		if err != nil {
			return r, err
		}
		r.Email, r.Locale = a.Email, a.Locale
	}
	if n.From != "" {
		from, err := s.accountOf(ctx, n.From)
		if err != nil && !errors.Is(err, problem.ErrNotFound) {
			return r, err
		}
		r.From = from.Name
	}
	r.Zone = state.Zone(ctx)
	return r, nil
}
