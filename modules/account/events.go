package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/billing/billingapi"
	"github.com/wattle-portal/wattle/modules/onboarding/onboardingapi"
)

// Change request kinds. The data of each contains the field that a status request returns (3-pending-change-fields) and, in was, the value
// before the change.
const (
	kindPhone    = "account.phone"    // {phone_number, was}
	kindEmail    = "account.email"    // {change_email, was}
	kindUsername = "account.username" // {change_username, was}; the key is the account, because a relation may have several
)

// changeData is the data of a change request: the new value in one field, and the value at the time of the request.
type changeData struct {
	PhoneNumber    string `json:"phone_number,omitempty"`
	ChangeEmail    string `json:"change_email,omitempty"`
	ChangeUsername string `json:"change_username,omitempty"`
	// Was is shown to the person who decides; the current value may differ by then.
	Was string `json:"was,omitempty"`
}

func (d changeData) json() json.RawMessage {
	data, _ := json.Marshal(d) // strings cannot fail
	return data
}

func parseChange(c module.Change) (w changeData, err error) {
	if err = json.Unmarshal(c.Data, &w); err != nil {
		err = fmt.Errorf("account: data of change %s: %w", c.ID, err)
	}
	return w, err
}

// applyDecision stores the new value if a change is processed (4-pending-processed), and publishes an event in either case.
func (s *service) applyDecision(ctx context.Context, tx module.Tx, c module.Change) error {
	w, err := parseChange(c)
	if err != nil {
		return err
	}
	rejected := c.State == module.Rejected
	switch c.Kind {
	case kindPhone:
		if rejected {
			return module.Publish(ctx, tx, accountapi.EventPhoneRejected, c.ID, accountapi.ChangeRejected{Account: c.Subject, Relation: c.Relation})
		}
		if err := setOnRelation(ctx, tx, c.Relation, "phone_number", w.PhoneNumber); err != nil {
			return err
		}
		return module.Publish(ctx, tx, accountapi.EventPhoneProcessed, c.ID,
			accountapi.PhoneProcessed{Account: c.Subject, Relation: c.Relation, PhoneNumber: w.PhoneNumber})
	case kindEmail:
		if rejected {
			return module.Publish(ctx, tx, accountapi.EventEmailRejected, c.ID, accountapi.ChangeRejected{Account: c.Subject, Relation: c.Relation})
		}
		if err := setOnRelation(ctx, tx, c.Relation, "email", w.ChangeEmail); err != nil {
			return err
		}
		return module.Publish(ctx, tx, coreapi.EventEmailProcessed, c.ID,
			coreapi.AccountChange{Account: c.Subject, Relation: c.Relation, Email: w.ChangeEmail})
	case kindUsername:
		if rejected {
			return module.Publish(ctx, tx, coreapi.EventUsernameRejected, c.ID, coreapi.AccountChange{Account: c.Subject, Relation: c.Relation})
		}
		return module.Publish(ctx, tx, coreapi.EventUsernameProcessed, c.ID,
			coreapi.AccountChange{Account: c.Subject, Relation: c.Relation, Username: w.ChangeUsername})
	}
	return fmt.Errorf("account: unknown kind of change %q", c.Kind)
}

// Handle processes an event of one of the types in manifest.Handles.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	switch e.Type {
	case coreapi.EventEmailVerified:
		return s.emailVerified(ctx, e)
	case billingapi.EventIBANEffective:
		return s.ibanEffective(ctx, e)
	case onboardingapi.EventApproved:
		return s.applicantApproved(ctx, e)
	}
	return fmt.Errorf("account: unexpected event %s", e.Type)
}

// emailVerified processes the change that an emailed link belongs to (7.1-email-change-confirm). A change that staff have already decided
// stays unchanged.
func (s *service) emailVerified(ctx context.Context, e module.Event) error {
	var verified coreapi.EmailVerified
	if err := json.Unmarshal(e.Data, &verified); err != nil {
		return fmt.Errorf("account: data of event %s: %w", e.ID, err)
	}
	if verified.Purpose != kindEmail || verified.Module != manifest.Key { // the link belongs to another module or purpose
		return nil
	}
	err := s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		_, err := module.Decide(ctx, tx, module.Decision{ID: verified.Key, State: module.Processed, By: "customer"}, s.applyDecision)
		return err
	})
	if errors.Is(err, problem.ErrDecided) || errors.Is(err, problem.ErrNotFound) {
		return nil
	}
	return err
}

// ibanEffective stores the new bank account. The event is published on the first day of that account. If several changes were decided, the
// latest decision applies, whatever their first days, because it belongs to the customer's latest request.
func (s *service) ibanEffective(ctx context.Context, e module.Event) error {
	var account billingapi.IBANEffective
	if err := json.Unmarshal(e.Data, &account); err != nil {
		return fmt.Errorf("account: data of event %s: %w", e.ID, err)
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		if last, err := saveBankAccountDecision(ctx, tx, account.Relation, account.Decided); err != nil || !last {
			return err
		}
		if err := setOnRelation(ctx, tx, account.Relation, "bank_account_number", account.BankAccountNumber); err != nil {
			return err
		}
		return setOnRelation(ctx, tx, account.Relation, "bank_account_name", account.BankAccountName)
	})
}

// applicantApproved stores the relation of an approved applicant (4-access-approval). A relation that the back office has sent in the
// meantime stays unchanged.
func (s *service) applicantApproved(ctx context.Context, e module.Event) error {
	var a onboardingapi.Approved
	if err := json.Unmarshal(e.Data, &a); err != nil {
		return fmt.Errorf("account: data of event %s: %w", e.ID, err)
	}
	r := Relation{DebtorNumber: a.DebtorNumber, RelationSince: a.RelationSince, Initials: a.Initials, Prefix: a.Prefix, LastName: a.LastName,
		Email: a.Email, PhoneNumber: a.PhoneNumber, BankAccountNumber: a.BankAccountNumber, BankAccountName: a.BankAccountName,
		Salutation: Salutation(a.Salutation)}
	for _, t := range []AddressType{Invoice, Shipping} {
		r.Addresses = append(r.Addresses, Address{Type: t, Street: a.Address.Street, Number: a.Address.HouseNumber,
			Extension: a.Address.HouseNumberExtension, ZipCode: a.Address.ZipCode, City: a.Address.City})
	}
	if field, code := r.check(); code != "" {
		return fmt.Errorf("account: event %s: field %s: %s", e.ID, field, code)
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return insertRelation(ctx, tx, r) })
}
