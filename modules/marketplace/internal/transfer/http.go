package transfer

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
)

// Error codes of transfers.
const (
	codeMemberUnknown = "marketplace.member_unknown"    // 404: not exactly one member has that e-mail address
	codeReceiver      = "marketplace.receiver_contract" // 409: no active electricity contract
	codeReceiverSelf  = "marketplace.receiver_self"     // 400: the receiver is the member
)

// transferTries is how often an account can search for members by e-mail address in an hour.
const transferTries = 20

var errReceiver = problem.Fail(http.StatusConflict, codeReceiver)

// moduleSettings are the module settings that transfers need.
type moduleSettings struct {
	Offer offer.Settings `json:"offer"`
}

// Service creates transfers and hands over their shares.
type Service struct {
	host   module.Host
	offers *offer.Service
}

// New returns the service for a host; offers stores transfers as offers.
func New(h module.Host, offers *offer.Service) *Service { return &Service{h, offers} }

// Routes registers the transfer operation.
func (s *Service) Routes(api huma.API) {
	const post = http.MethodPost
	hand := operation.New(post, "/transfers", "createTransfer", "Transfer shares to another member free of charge",
		// 7.6-post-transfers
		"For customers. Creates a PRIVATE offer, which staff approve; its shares are transferred on its date. Problems: 400 by field; 404 member_unknown; 409 receiver_contract; 429 after 20 in an hour.")
	hand.DefaultStatus = http.StatusCreated
	hand.SkipValidateBody = true // Check reports errors by field
	module.Route(api, hand, module.Customer, module.Write, s.createTransfer)
}

type transferInput struct {
	Key  string `header:"Idempotency-Key" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9._~-]+$" doc:"Sending the same request again with the same key makes one transfer"`
	Body NewTransfer
}

// createTransfer transfers shares to another member (7.6-post-transfers) as a PRIVATE offer: staff approve it, and the receiver gets the
// shares on its date.
func (s *Service) createTransfer(ctx context.Context, in *transferInput) (*offer.Answer, error) {
	return s.offers.Make(ctx, in.Key, in.Body, func(rows module.Rows) (*offer.Offer, error) { return s.newTransfer(ctx, rows, in.Body) })
}

// newTransfer checks a transfer and finds its receiver, who must have an active electricity contract (5.7-transfer-contract).
func (s *Service) newTransfer(ctx context.Context, rows module.Rows, in NewTransfer) (*offer.Offer, error) {
	settings, err := module.Settings[moduleSettings](ctx)
	if err != nil {
		return nil, err
	}
	p, d, err := s.offers.OfferedFrom(ctx, rows, in.Participation)
	if err != nil {
		return nil, err
	}
	today := module.Today(ctx, s.host.Now())
	if err := problem.Refuse(in.Check(offer.Bounds{Free: p.Free(), Settings: d.Settings, Days: settings.Offer.MaxDaysAhead},
		today)...); err != nil {
		return nil, err
	}
	receiver, err := s.receiver(ctx, rows, strings.TrimSpace(in.BuyerEmail))
	if err != nil {
		return nil, err
	}
	row := s.offers.Begin(ctx, rows, p, d)
	row.Shares, _ = offer.SharesWithin(in.Shares, p.Free())
	row.Date, _ = offer.DateWithin(in.Date, today, settings.Offer.MaxDaysAhead)
	row.Type, row.Left, row.BuyerEmail, row.BuyerRelation = offer.Private, row.Shares, strings.TrimSpace(in.BuyerEmail), receiver
	return row, nil
}

// receiver returns the relation that shares can be transferred to.
func (s *Service) receiver(ctx context.Context, rows module.Rows, email string) (string, error) {
	if err := sibling.CountAttempt(ctx, s.host.Client, "transfer", transferTries); err != nil {
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
