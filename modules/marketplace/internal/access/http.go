package access

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// ChangeKind is the kind of the change with which staff decide on access. Its key is the relation.
const ChangeKind = "marketplace.access"

// Settings determine whether members need approval to trade (6-market-access-approval).
type Settings struct {
	Approval bool `json:"approval" browser:"true" doc:"Whether staff must approve members before they can buy and sell"`
}

// moduleSettings are the module settings that access needs.
type moduleSettings struct {
	Access Settings `json:"access"`
}

// Service reports who may trade, accepts requests for access and applies the decisions on them.
type Service struct{ host module.Host }

// New returns the service for a host.
func New(h module.Host) *Service { return &Service{h} }

// Routes registers the access operations.
func (s *Service) Routes(api huma.API) {
	const get, post = http.MethodGet, http.MethodPost
	module.Route(api, operation.New(get, "/access", "getAccess", "Get whether the member may buy and sell",
		"For customers. The state is OPEN for all members where the label needs no approval."), module.Customer, module.Read, s.getAccess)
	module.Route(api, operation.New(post, "/access", "requestAccess", "Request access to the market",
		"For customers. Files a change that staff decide. Problems: 409 access_approved when the member has access; 409 change_pending when the request waits for staff."),
		module.Customer, module.Write, s.requestAccess)
}

// Access is the state of access of the calling member.
type Access struct {
	State State `json:"state" enum:"OPEN,NONE,PENDING,APPROVED,REJECTED" doc:"OPEN and APPROVED: may buy and sell. NONE and REJECTED: may ask for access"`
}

type accessAnswer struct{ Body Access }

var (
	errAccess   = problem.Fail(http.StatusForbidden, codePending)
	errApproved = problem.Fail(http.StatusConflict, codeApproved)
)

// stateOf returns the state of access of the calling member.
func (s *Service) stateOf(ctx context.Context) (State, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return "", err
	}
	settings, err := module.Settings[moduleSettings](ctx)
	if err != nil {
		return "", err
	}
	if !settings.Access.Approval {
		return Open, nil
	}
	stored, err := find(ctx, s.host.DB, rows)
	return Of(true, stored), err
}

// RequireTrade returns 403 marketplace.access_pending unless the calling member may buy and sell (6-market-access-api). Every operation
// that buys or sells calls it first.
func (s *Service) RequireTrade(ctx context.Context) error {
	is, err := s.stateOf(ctx)
	if err == nil && !is.CanTrade() {
		err = errAccess
	}
	return err
}

func (s *Service) getAccess(ctx context.Context, _ *struct{}) (*accessAnswer, error) {
	is, err := s.stateOf(ctx)
	return &accessAnswer{Access{is}}, err
}

// requestAccess files the change with which staff decide on access. It returns 409 change_pending when a request is already waiting.
func (s *Service) requestAccess(ctx context.Context, _ *struct{}) (*accessAnswer, error) {
	is, err := s.stateOf(ctx)
	if err != nil {
		return nil, err
	}
	if is.CanTrade() {
		return nil, errApproved
	}
	if !is.CanAsk() {
		return nil, problem.ErrPending
	}
	return &accessAnswer{Access{Pending}}, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		c, err := tx.File(ctx, module.Change{Kind: ChangeKind, Data: []byte("{}")})
		if err != nil {
			return err
		}
		if err := set(ctx, tx, c, Pending, s.host.Now()); err != nil {
			return err
		}
		return module.Publish(ctx, tx, marketplaceapi.EventAccessRequested, c.Relation, marketplaceapi.AccessChanged{Relation: c.Relation})
	})
}

// ApplyDecision stores a decision on access, publishes it and notifies the member.
func (s *Service) ApplyDecision(ctx context.Context, tx module.Tx, c module.Change) error {
	is, event, kind := Approved, marketplaceapi.EventAccessApproved, notice.AccessApproved
	if c.State == module.Rejected {
		is, event, kind = Rejected, marketplaceapi.EventAccessRejected, notice.AccessRejected
	}
	if err := set(ctx, tx, c, is, s.host.Now()); err != nil {
		return err
	}
	if err := module.Publish(ctx, tx, event, c.Relation, marketplaceapi.AccessChanged{Relation: c.Relation, Reason: c.Reason}); err != nil {
		return err
	}
	return notice.Send(ctx, tx, notice.Notice{Kind: kind, Relation: c.Relation, Reason: c.Reason})
}
