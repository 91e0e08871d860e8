package marketplace

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
)

// Limits on looking for members by e-mail address and on trying codes.
const (
	transferTries = 20
	codeTries     = 60
	tryWindow     = time.Hour
)

var errReceiver = problem.Fail(http.StatusConflict, codeReceiver)

type transferInput struct {
	Key  string `header:"Idempotency-Key" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9._~-]+$" doc:"Sending the same request again with the same key makes one transfer"`
	Body offer.NewTransfer
}

// createTransfer transfers shares to another member (7.6-post-transfers): as a PRIVATE offer, which staff approve, and whose shares go to the
// receiver on its date.
func (s *service) createTransfer(ctx context.Context, in *transferInput) (*offerAnswer, error) {
	return s.makeOffer(ctx, in.Key, in.Body, func(rows module.Rows) (*offer.Offer, error) { return s.newTransfer(ctx, rows, in.Body) })
}

// newTransfer checks a transfer and finds its receiver, who must have an active contract for electricity (5.7-transfer-contract).
func (s *service) newTransfer(ctx context.Context, rows module.Rows, in offer.NewTransfer) (*offer.Offer, error) {
	settings, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	p, project, err := s.offeredFrom(ctx, rows, in.Participation)
	if err != nil {
		return nil, err
	}
	today := s.today(ctx)
	if err := problem.Refuse(in.Check(offer.Bounds{Free: p.Free(), Settings: project.Settings, Days: settings.Offer.MaxDaysAhead}, today)...); err != nil {
		return nil, err
	}
	receiver, err := s.receiver(ctx, rows, strings.TrimSpace(in.BuyerEmail))
	if err != nil {
		return nil, err
	}
	row := s.offer(ctx, rows, p, project)
	row.Shares, _ = offer.SharesWithin(in.Shares, p.Free())
	row.Date, _ = offer.DateWithin(in.Date, today, settings.Offer.MaxDaysAhead)
	row.Type, row.Left, row.BuyerEmail, row.BuyerRelation = offer.Private, row.Shares, strings.TrimSpace(in.BuyerEmail), receiver
	return row, nil
}

// receiver returns the relation that shares can be transferred to.
func (s *service) receiver(ctx context.Context, rows module.Rows, email string) (string, error) {
	if err := s.countAttempt(ctx, "transfer", transferTries); err != nil {
		return "", err
	}
	to, err := s.memberWith(ctx, email)
	if err != nil {
		return "", err
	}
	if to == rows.Relation() {
		return "", problem.Refuse(problem.FieldError{Field: "buyer_email_address", Code: codeReceiverSelf})
	}
	delivered, err := s.hasElectricity(ctx, to)
	if err == nil && !delivered {
		err = errReceiver
	}
	return to, err
}
