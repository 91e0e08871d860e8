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

// Kinds of change request. Data holds the fields of the answer that shows the change as pending (3-pending-change-fields), and in
// was what it would replace.
const (
	kindPhone    = "account.phone"    // {phone_number, was}
	kindEmail    = "account.email"    // {change_email, was}
	kindUsername = "account.username" // {change_username, was}; its key is the account, for a relation may have several
)

// wish is the data of a change: one field is filled, and what held when it was asked for.
type wish struct {
	PhoneNumber    string `json:"phone_number,omitempty"`
	ChangeEmail    string `json:"change_email,omitempty"`
	ChangeUsername string `json:"change_username,omitempty"`
	// Was is for whoever decides, also long after: what holds now may be another value by then.
	Was string `json:"was,omitempty"`
}

func (w wish) json() json.RawMessage {
	data, _ := json.Marshal(w) // strings only
	return data
}

func wishOf(c module.Change) (w wish, err error) {
	if err = json.Unmarshal(c.Data, &w); err != nil {
		err = fmt.Errorf("account: data of change %s: %w", c.ID, err)
	}
	return w, err
}

// decided ends a change: processed, the new value becomes the current one (4-pending-processed); either way an event is published.
func (s *service) decided(ctx context.Context, tx module.Tx, c module.Change) error {
	w, err := wishOf(c)
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
	return fmt.Errorf("account: a change of kind %q", c.Kind)
}

// Handle takes the events that this module wants.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	switch e.Type {
	case coreapi.EventEmailVerified:
		return s.emailVerified(ctx, e)
	case billingapi.EventIBANEffective:
		return s.ibanEffective(ctx, e)
	case onboardingapi.EventApproved:
		return s.applicantApproved(ctx, e)
	}
	return fmt.Errorf("account: does not handle %s", e.Type)
}

// emailVerified confirms the change that a link was mailed for (7.1-email-change-confirm). A change that staff have decided
// meanwhile stays as it is.
func (s *service) emailVerified(ctx context.Context, e module.Event) error {
	var verified coreapi.EmailVerified
	if err := json.Unmarshal(e.Data, &verified); err != nil {
		return fmt.Errorf("account: data of event %s: %w", e.ID, err)
	}
	if verified.Purpose != kindEmail || verified.Module != manifest.Key { // another one's link must not decide our changes
		return nil
	}
	err := s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		_, err := module.Decide(ctx, tx, module.Decision{ID: verified.Key, State: module.Processed, By: "customer"}, s.decided)
		return err
	})
	if errors.Is(err, problem.ErrDecided) || errors.Is(err, problem.ErrNotFound) {
		return nil
	}
	return err
}

// ibanEffective makes the bank account that was asked for the current one: the event comes on its day. Of two the one that was
// decided last holds, whatever their days, for it is the last that the customer asked for.
func (s *service) ibanEffective(ctx context.Context, e module.Event) error {
	var account billingapi.IBANEffective
	if err := json.Unmarshal(e.Data, &account); err != nil {
		return fmt.Errorf("account: data of event %s: %w", e.ID, err)
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		if last, err := bankAccountDecided(ctx, tx, account.Relation, account.Decided); err != nil || !last {
			return err
		}
		if err := setOnRelation(ctx, tx, account.Relation, "bank_account_number", account.BankAccountNumber); err != nil {
			return err
		}
		return setOnRelation(ctx, tx, account.Relation, "bank_account_name", account.BankAccountName)
	})
}

// applicantApproved makes the relation of somebody who was let in (4-access-approval). One that the back office has sent meanwhile
// stays as it is.
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
		return fmt.Errorf("account: event %s: %s of %s", e.ID, code, field)
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return insertRelation(ctx, tx, r) })
}
