package offer

import (
	"context"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
)

// codeTries is the number of codes that an account can try in an hour.
const codeTries = 60

type activationInput struct {
	Code string `path:"id" doc:"The code of a personal offer: 11 characters"`
}

// Activation is the offer of a code that was redeemed.
type Activation struct {
	Offer MarketOffer `json:"offer" doc:"The offer that the code belongs to"`
}

type activationAnswer struct{ Body Activation }

// activateOffer redeems the code of a personal offer, which from then on only this member can buy (7.6-activation-effect). Redeeming the
// code again changes nothing.
func (s *Service) activateOffer(ctx context.Context, in *activationInput) (*activationAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.access.RequireTrade(ctx); err != nil {
		return nil, err
	}
	if len(checkCode(in.Code)) > 0 { // 7.6-activation-invalid
		return nil, problem.Fail(http.StatusBadRequest, CodeCodeInvalid, problem.FieldError{Field: "id", Code: CodeCodeInvalid})
	}
	if err := sibling.CountAttempt(ctx, s.host.Client, "code", codeTries); err != nil {
		return nil, err
	}
	hash, _ := CodeHash(in.Code)
	var row Offer
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		row, err = redeem(ctx, tx, hash, rows.Relation(), s.host.Now())
		return err
	})
	if err != nil {
		return nil, err
	}
	shown, err := s.shownOffer(ctx, rows.Relation(), row)
	if err != nil {
		return nil, err
	}
	return &activationAnswer{Activation{shown.Body}}, nil
}
