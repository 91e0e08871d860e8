package marketplace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// again makes an error of an unavailable sibling retryable.
func again(err error) error {
	if errors.Is(err, problem.ErrUnavailable) {
		return fmt.Errorf("%w: %w", problem.ErrRetry, err)
	}
	return err
}

// mailNotice mails a notice. A relation without a login gets no mail.
func (s *service) mailNotice(ctx context.Context, e module.Event) error {
	var n notice.Notice
	if err := json.Unmarshal(e.Data, &n); err != nil {
		return fmt.Errorf("marketplace: data of event %s: %w", e.ID, err)
	}
	r, err := s.readerOf(ctx, n)
	if errors.Is(err, problem.ErrNotFound) || err == nil && r.Email == "" {
		s.host.Log.WarnContext(ctx, "marketplace: nobody to mail to", "notice", n.Kind, "event", e.ID)
		return nil
	}
	if err != nil {
		return again(err)
	}
	m, ok := notice.Mail(r, n)
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

// readerOf returns the reader of a notice. It returns problem.ErrNotFound when the relation has no login.
func (s *service) readerOf(ctx context.Context, n notice.Notice) (r notice.Reader, err error) {
	if n.Kind == notice.OfferCode {
		offer, err := offer.ByID(ctx, s.host.DB, n.Offer)
		if err != nil {
			return r, err
		}
		r.Email, r.Locale, r.Code = offer.BuyerEmail, offer.Locale, offer.Code // the buyer may have no account: the mail is in the seller's language
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
