package marketplace

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
)

// routes registers the operation with which core decides changes of every kind.
func (s *service) routes(api huma.API) {
	module.Route(api, huma.Operation{Method: http.MethodPost, Path: "/" + manifest.Key + "/changes/{id}/decide", OperationID: "decideChange",
		Summary: "Decide a change request", Description: "For core, when staff or a back office decide. An offer is checked again first, " +
			"and may be rejected in spite of an approval. Problem: 400 reason_unknown."}, module.Sibling, module.Write, s.decide)
}

// decide decides a change of this module. The offer of a change is checked again first.
func (s *service) decide(ctx context.Context, in *module.DecideInput) (*module.DecideOutput, error) {
	out := &module.DecideOutput{}
	err := s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		d, err := s.offers.CheckDecision(ctx, tx, module.Decision{ID: in.ID, State: in.Body.State, By: in.Body.By, Reason: in.Body.Reason})
		if err != nil {
			return err
		}
		out.Body, err = module.Decide(ctx, tx, d, s.applyDecision)
		return err
	})
	return out, err
}

// applyDecision applies the decision on a change of this module.
func (s *service) applyDecision(ctx context.Context, tx module.Tx, c module.Change) error {
	if apply, ok := s.changes[c.Kind]; ok {
		return apply(ctx, tx, c)
	}
	return fmt.Errorf("marketplace: a decision on %s", c.Kind)
}
