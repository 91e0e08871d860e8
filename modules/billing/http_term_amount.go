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
	Request string `query:"request" enum:"status" doc:"Makes no difference"`
}

// pendingPeriodicals answers the term amounts for which a change is pending; empty when there is none.
func (s *service) pendingPeriodicals(ctx context.Context, _ *periodicalStatusInput) (*periodicalsAnswer, error) {
	all, _, err := s.periodicals(ctx)
	return &periodicalsAnswer{slices.DeleteFunc(all, func(p Periodical) bool { return p.Requested == nil })}, err
}

// periodicals are the term amounts of the call's relation, and the agreements that they are of.
func (s *service) periodicals(ctx context.Context) ([]Periodical, []*agreed, error) {
	_, agreements, err := s.mine(ctx)
	if err != nil {
		return nil, nil, err
	}
	changes, err := s.pending(ctx, kindTermAmount)
	if err != nil {
		return nil, nil, err
	}
	agreements = slices.DeleteFunc(agreements, func(a *agreed) bool { return a.Periodical == nil })
	out := make([]Periodical, len(agreements))
	for i, a := range agreements {
		var pending *wanted
		if n := slices.IndexFunc(changes, func(c module.Change) bool { return c.Key == a.ID }); n >= 0 {
			var w wantedAmount
			if err := json.Unmarshal(changes[n].Data, &w); err != nil {
				return nil, nil, fmt.Errorf("billing: data of change %s: %w", changes[n].ID, err)
			}
			pending = &wanted{w.Amount, module.Today(ctx, changes[n].Filed)}
		}
		out[i] = a.termAmount(s.today(ctx), pending)
	}
	return out, agreements, nil
}

type changePeriodicalInput struct {
	ID   string `path:"id" doc:"agreement_identifier_with_sequence"`
	Body struct {
		Amount Amount `json:"request_periodical_payment_amount"`
	}
}

func (s *service) changePeriodical(ctx context.Context, in *changePeriodicalInput) (*periodicalAnswer, error) {
	return s.changeTermAmount(ctx, in.ID, in.Body.Amount)
}

type changeAgreementPeriodicalInput struct {
	Body struct {
		Agreement string `json:"agreement_identifier_with_sequence,omitempty" doc:"May be left out with one current agreement"`
		Amount    Amount `json:"request_periodical_payment_amount"`
	}
}

// changeAgreementPeriodical acts on the agreement that the body names, or else on the sole current one
// (7.2-periodical-two-calls-reconcile).
func (s *service) changeAgreementPeriodical(ctx context.Context, in *changeAgreementPeriodicalInput) (*periodicalAnswer, error) {
	return s.changeTermAmount(ctx, in.Body.Agreement, in.Body.Amount)
}

// changeTermAmount is what both PUT calls do.
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
	data, err := json.Marshal(wantedAmount{id, amount, &all[i].Current})
	if err != nil {
		return nil, err
	}
	var filed module.Change
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		filed, err = tx.File(ctx, module.Change{Kind: kindTermAmount, Key: id, Data: data}) // of two at the same time one is ErrPending
		return err
	})
	if err != nil {
		return nil, err
	}
	return &periodicalAnswer{agreements[i].termAmount(s.today(ctx), &wanted{amount, module.Today(ctx, filed.Filed)})}, nil
}
