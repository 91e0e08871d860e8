package marketplace

import (
	"context"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/access"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Access is whether the member of the call may buy and sell.
type Access struct {
	State access.State `json:"state" enum:"OPEN,NONE,PENDING,APPROVED,REJECTED" doc:"OPEN and APPROVED: may buy and sell. NONE and REJECTED: may ask for access"`
}

type accessAnswer struct{ Body Access }

var (
	errAccess   = problem.Fail(http.StatusForbidden, codeAccessPending)
	errApproved = problem.Fail(http.StatusConflict, codeAccessApproved)
)

// access returns whether the member of the call may buy and sell.
func (s *service) access(ctx context.Context) (access.State, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return "", err
	}
	settings, err := module.Settings[Settings](ctx)
	if err != nil {
		return "", err
	}
	if !settings.Access.Approval {
		return access.Open, nil
	}
	stored, err := access.Stored(ctx, s.host.DB, rows)
	return access.Of(true, stored), err
}

// market returns 403 marketplace.access_pending unless the member of the call may buy and sell (6-market-access-api). Every operation that
// buys or sells calls it first.
func (s *service) market(ctx context.Context) error {
	state, err := s.access(ctx)
	if err == nil && !state.CanTrade() {
		err = errAccess
	}
	return err
}

func (s *service) getAccess(ctx context.Context, _ *struct{}) (*accessAnswer, error) {
	state, err := s.access(ctx)
	return &accessAnswer{Access{state}}, err
}

// askAccess files the change by which staff decide on access. It returns 409 change_pending when one is filed already.
func (s *service) askAccess(ctx context.Context, _ *struct{}) (*accessAnswer, error) {
	state, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	if state.CanTrade() {
		return nil, errApproved
	}
	if !state.CanAsk() {
		return nil, problem.ErrPending
	}
	return &accessAnswer{Access{access.Pending}}, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		c, err := tx.File(ctx, module.Change{Kind: kindAccess, Data: []byte("{}")})
		if err != nil {
			return err
		}
		if err := access.Set(ctx, tx, c, access.Pending, s.host.Now()); err != nil {
			return err
		}
		return module.Publish(ctx, tx, marketplaceapi.EventAccessAsked, c.Relation, marketplaceapi.AccessChanged{Relation: c.Relation})
	})
}

// accessDecided stores a decision on access, publishes it and notifies the member.
func (s *service) accessDecided(ctx context.Context, tx module.Tx, c module.Change) error {
	state, event, kind := access.Approved, marketplaceapi.EventAccessApproved, notice.AccessApproved
	if c.State == module.Rejected {
		state, event, kind = access.Rejected, marketplaceapi.EventAccessRejected, notice.AccessRejected
	}
	if err := access.Set(ctx, tx, c, state, s.host.Now()); err != nil {
		return err
	}
	if err := module.Publish(ctx, tx, event, c.Relation, marketplaceapi.AccessChanged{Relation: c.Relation, Reason: c.Reason}); err != nil {
		return err
	}
	return notice.Send(ctx, tx, notice.Notice{Kind: kind, Relation: c.Relation, Reason: c.Reason})
}
