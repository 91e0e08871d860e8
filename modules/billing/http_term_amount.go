package billing

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

type periodicalsAnswer struct {
	Body []Periodical `nullable:"false"`
}

type periodicalAnswer struct{ Body Periodical }

func (s *service) listPeriodicals(ctx context.Context, _ *struct{}) (*periodicalsAnswer, error) {
	all, _, err := s.periodicals(ctx)
	return &periodicalsAnswer{all}, err
}

type periodicalStatusInput struct {
	Request string `query:"request" enum:"status" doc:"Ignored"`
}

// pendingPeriodicals returns the term amounts with a pending change.
func (s *service) pendingPeriodicals(ctx context.Context, _ *periodicalStatusInput) (*periodicalsAnswer, error) {
	all, _, err := s.periodicals(ctx)
	return &periodicalsAnswer{slices.DeleteFunc(all, func(p Periodical) bool { return p.Requested == nil })}, err
}

// periodicals returns the term amounts of the caller's relation and, in the same order, their agreements.
func (s *service) periodicals(ctx context.Context) ([]Periodical, []*storedAgreement, error) {
	_, agreements, err := s.callerAgreements(ctx)
	if err != nil {
		return nil, nil, err
	}
	changes, err := s.pendingChanges(ctx, kindTermAmount)
	if err != nil {
		return nil, nil, err
	}
	agreements = slices.DeleteFunc(agreements, func(a *storedAgreement) bool { return a.Periodical == nil })
	out := make([]Periodical, len(agreements))
	for i, a := range agreements {
		var pending *pendingAmount
		if n := slices.IndexFunc(changes, func(c module.Change) bool { return c.Key == a.ID }); n >= 0 {
			var w amountChange
			if err := json.Unmarshal(changes[n].Data, &w); err != nil {
				return nil, nil, fmt.Errorf("billing: data of change %s: %w", changes[n].ID, err)
			}
			pending = &pendingAmount{w.Amount, module.Today(ctx, changes[n].Filed)}
		}
		out[i] = a.termAmount(s.today(ctx), pending)
	}
	return out, agreements, nil
}

type changePeriodicalInput struct {
	ID   string `path:"id" doc:"The agreement_identifier_with_sequence of the agreement"`
	Body struct {
		Amount Amount `json:"request_periodical_payment_amount" doc:"Requested term amount in euros per month: a number, or a string with a number"`
	}
}

func (s *service) changePeriodical(ctx context.Context, in *changePeriodicalInput) (*periodicalAnswer, error) {
	return s.changeTermAmount(ctx, in.ID, in.Body.Amount)
}

type changeAgreementPeriodicalInput struct {
	Body struct {
		Agreement string `json:"agreement_identifier_with_sequence,omitempty" doc:"Id of the agreement; optional if only one is current"`
		Amount    Amount `json:"request_periodical_payment_amount" doc:"Requested term amount in euros per month: a number, or a string with a number"`
	}
}

// changeAgreementPeriodical changes the term amount of the agreement in the body or, without one, of the only current agreement
// (7.2-periodical-two-calls-reconcile).
func (s *service) changeAgreementPeriodical(ctx context.Context, in *changeAgreementPeriodicalInput) (*periodicalAnswer, error) {
	return s.changeTermAmount(ctx, in.Body.Agreement, in.Body.Amount)
}

// changeTermAmount implements both PUT operations.
func (s *service) changeTermAmount(ctx context.Context, id string, entered Amount) (*periodicalAnswer, error) {
	all, agreements, err := s.periodicals(ctx)
	if err != nil {
		return nil, err
	}
	if id == "" {
		if id = soleCurrent(agreements); id == "" {
			return nil, problem.Refuse(problem.FieldError{Field: "agreement_identifier_with_sequence", Code: codeWhichAgreement})
		}
	}
	i := slices.IndexFunc(all, func(p Periodical) bool { return p.Agreement == id })
	if i < 0 {
		return nil, problem.ErrNotFound
	}
	switch all[i].Reason {
	case "":
	case codeTermPending:
		return nil, problem.ErrPending
	default:
		return nil, problem.Fail(http.StatusConflict, all[i].Reason)
	}
	amount, codes := CheckTermAmount(entered, agreements[i].Periodical.Details)
	for _, code := range codes {
		return nil, problem.Refuse(problem.FieldError{Field: "request_periodical_payment_amount", Code: code})
	}
	data, err := json.Marshal(amountChange{id, amount, &all[i].Current})
	if err != nil {
		return nil, err
	}
	var filed module.Change
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		// returns ErrPending for all but one of several concurrent calls
		filed, err = tx.File(ctx, module.Change{Kind: kindTermAmount, Key: id, Data: data})
		return err
	})
	if err != nil {
		return nil, err
	}
	return &periodicalAnswer{agreements[i].termAmount(s.today(ctx), &pendingAmount{amount, module.Today(ctx, filed.Filed)})}, nil
}
