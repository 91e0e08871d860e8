package order

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
)

type basketAnswer struct{ Body Basket }

// currentBasket returns the stored basket of the calling member.
func (s *Service) currentBasket(ctx context.Context) (*basketAnswer, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	lines, err := readBasket(ctx, s.host.DB)
	if err != nil {
		return nil, err
	}
	charges, err := ChargesOf(ctx, s.host.DB, ProjectsOf(lines))
	if err != nil {
		return nil, err
	}
	return &basketAnswer{NewBasket(lines, module.Today(ctx, s.host.Now()), set.Transfer, charges)}, nil
}

// getBasket returns the stored basket (7.6-get-basket).
func (s *Service) getBasket(ctx context.Context, _ *struct{}) (*basketAnswer, error) {
	return s.currentBasket(ctx)
}

// offerWanted is a number of shares of an offer to put into a basket.
type offerWanted struct {
	Identifier  string                `json:"identifier" maxLength:"100" doc:"Id of the offer"`
	Reference   string                `json:"reference,omitempty" maxLength:"100" doc:"Reference of the offer; refused if the offer has another one"`
	ProjectCode string                `json:"project_code,omitempty" maxLength:"100" doc:"Code of the project; refused if the offer belongs to another project"`
	Shares      int64                 `json:"shares" doc:"Number of shares to buy"`
	Address     participation.Address `json:"address" required:"false" doc:"Address that the shares get"`
}

type addInput struct {
	Body struct {
		Offer  offerWanted `json:"offer" doc:"Offer to buy from, and how many shares of it"`
		Basket *BasketSeen `json:"basket,omitempty" doc:"Basket of the browser, which is ignored: the stored basket applies (4-basket-storage-reconcile)"`
	}
}

// addToBasket puts shares of an offer into the basket (7.6-post-basket, 7.6-basket-own-offer).
func (s *Service) addToBasket(ctx context.Context, in *addInput) (*basketAnswer, error) {
	if err := s.access.RequireTrade(ctx); err != nil {
		return nil, err
	}
	mine, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	wanted := in.Body.Offer
	if !wanted.Address.Complete() { // 5.7-basket-needs-address
		return nil, problem.Refuse(problem.FieldError{Field: "offer.address", Code: codeAddressRequired})
	}
	found, err := offer.Find(ctx, s.host.DB, wanted.Identifier)
	if err != nil {
		return nil, err
	}
	switch {
	case found != nil && found.RelationID == mine.Relation():
		return nil, problem.Refuse(problem.FieldError{Field: "offer.identifier", Code: codeOwnOffer})
	case !found.Buyable(mine.Relation()),
		wanted.Reference != "" && wanted.Reference != found.Reference,
		wanted.ProjectCode != "" && wanted.ProjectCode != found.ProjectCode:
		return nil, offer.ErrUnavailable
	case wanted.Shares < 1 || wanted.Shares > found.Left: // 5.7-shares-clamp
		return nil, problem.Refuse(problem.FieldError{Field: "offer.shares", Code: offer.CodeSharesRange})
	}
	if err := put(ctx, s.host.DB, s.host.Now(), found.ID, wanted.Shares, wanted.Address); err != nil {
		return nil, err
	}
	return s.currentBasket(ctx)
}

type itemInput struct {
	Identifier string `path:"identifier" maxLength:"100" doc:"Id of the offer"`
}

// removeFromBasket removes an offer from the basket (7.6-basket-delete, 7.6-basket-delete-post).
func (s *Service) removeFromBasket(ctx context.Context, in *itemInput) (*basketAnswer, error) {
	if err := remove(ctx, s.host.DB, in.Identifier); err != nil {
		return nil, err
	}
	return s.currentBasket(ctx)
}
