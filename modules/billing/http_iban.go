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
	_, agreements, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.relation(ctx)
	if err != nil {
		return nil, err
	}
	return &bankDetailsAnswer{BankDetails{Name: r.BankAccountName, Number: r.BankAccountNumber, Method: methodOf(agreements)}}, nil
}

type ibanStatusInput struct {
	Request string `query:"request" enum:"status" doc:"Makes no difference (7.1-iban-status-query-reconcile)"`
}

type ibanStatusAnswer struct {
	Status      int
	ContentType string `header:"Content-Type"`
	Body        []byte
}

// getIBANStatus answers the pending change, or 204: then another bank account may be asked for (4-iban-editable).
func (s *service) getIBANStatus(ctx context.Context, _ *ibanStatusInput) (*ibanStatusAnswer, error) {
	c, err := s.pending(ctx, kindIBAN)
	if err != nil {
		return nil, err
	}
	if len(c) == 0 {
		return &ibanStatusAnswer{Status: http.StatusNoContent}, nil
	}
	var b BankAccount // not the data as it is: only what the form knows
	if err := json.Unmarshal(c[0].Data, &b); err != nil {
		return nil, fmt.Errorf("billing: data of change %s: %w", c[0].ID, err)
	}
	body, err := json.Marshal(b)
	return &ibanStatusAnswer{http.StatusOK, "application/json", body}, err
}

// pending are the changes of a kind that the call's relation waits for.
func (s *service) pending(ctx context.Context, kind string) ([]module.Change, error) {
	if _, err := module.Mine(ctx); err != nil {
		return nil, err
	}
	return s.host.DB.Pending(ctx, kind)
}

type changeIBANInput struct{ Body BankAccount }

type changeIBANAnswer struct{ Body BankAccount }

// changeIBAN files the change. The e-mail address that the relation has hears of it: whoever took over an account would move money.
func (s *service) changeIBAN(ctx context.Context, in *changeIBANInput) (*changeIBANAnswer, error) {
	r, err := s.relation(ctx)
	if err != nil {
		return nil, err
	}
	account, wrong := in.Body.Check(r.BankAccountNumber, s.today(ctx))
	if err := problem.Refuse(wrong...); err != nil {
		return nil, err
	}
	from, err := value.ParseDay(account.From)
	if err != nil {
		return nil, err // Check has read it
	}
	data, err := json.Marshal(wantedAccount{account, r.BankAccountNumber, r.BankAccountName})
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
		return tx.Mail(ctx, mailIBANAsked(locale, r.Email, account.Number, from))
	})
	return &changeIBANAnswer{account}, err
}
