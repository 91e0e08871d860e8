package billing

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

type bankDetailsAnswer struct{ Body BankDetails }

func (s *service) getBankDetails(ctx context.Context, _ *struct{}) (*bankDetailsAnswer, error) {
	_, agreements, err := s.callerAgreements(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.callerRelation(ctx)
	if err != nil {
		return nil, err
	}
	return &bankDetailsAnswer{BankDetails{Name: r.BankAccountName, Number: r.BankAccountNumber, Method: paymentMethod(agreements)}}, nil
}

type ibanStatusInput struct {
	Request string `query:"request" enum:"status" doc:"Ignored (7.1-iban-status-query-reconcile)"`
}

type ibanStatusAnswer struct {
	Status      int
	ContentType string `header:"Content-Type"`
	Body        []byte
}

// getIBANStatus returns the pending change, or 204 if there is none and a change can be requested (4-iban-editable).
func (s *service) getIBANStatus(ctx context.Context, _ *ibanStatusInput) (*ibanStatusAnswer, error) {
	c, err := s.pendingChanges(ctx, kindIBAN)
	if err != nil {
		return nil, err
	}
	if len(c) == 0 {
		return &ibanStatusAnswer{Status: http.StatusNoContent}, nil
	}
	var b BankAccount // without the fields that are only for staff
	if err := json.Unmarshal(c[0].Data, &b); err != nil {
		return nil, fmt.Errorf("billing: data of change %s: %w", c[0].ID, err)
	}
	body, err := json.Marshal(b)
	return &ibanStatusAnswer{http.StatusOK, "application/json", body}, err
}

// pendingChanges returns the pending changes of one kind for the caller's relation.
func (s *service) pendingChanges(ctx context.Context, kind string) ([]module.Change, error) {
	if _, err := module.Mine(ctx); err != nil {
		return nil, err
	}
	return s.host.DB.Pending(ctx, kind)
}

type changeIBANInput struct{ Body BankAccount }

type changeIBANAnswer struct{ Body BankAccount }

// changeIBAN files the change and notifies the relation's email address, because the request may come from a stolen account.
func (s *service) changeIBAN(ctx context.Context, in *changeIBANInput) (*changeIBANAnswer, error) {
	r, err := s.callerRelation(ctx)
	if err != nil {
		return nil, err
	}
	account, fieldErrors := in.Body.Check(r.BankAccountNumber, s.today(ctx))
	if err := problem.Refuse(fieldErrors...); err != nil {
		return nil, err
	}
	from, err := value.ParseDay(account.From)
	if err != nil {
		return nil, err // cannot fail: Check has parsed the day
	}
	data, err := json.Marshal(accountChange{account, r.BankAccountNumber, r.BankAccountName})
	if err != nil {
		return nil, err
	}
	locale := module.ScopeOf(ctx).Locale
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if _, err := tx.File(ctx, module.Change{Kind: kindIBAN, Effective: from, Data: data}); err != nil {
			return err
		}
		if r.Email == "" {
			return nil
		}
		return tx.Mail(ctx, mailIBANRequested(locale, r.Email, account.Number, from))
	})
	return &changeIBANAnswer{account}, err
}
