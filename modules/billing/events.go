package billing

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/billing/billingapi"
)

// Change request kinds. The data of each contains the fields that a status request returns (3-pending-change-fields) and the values before
// the change.
const (
	kindIBAN       = "billing.iban"        // data: accountChange
	kindTermAmount = "billing.term_amount" // data: amountChange; the key is the agreement
)

// accountChange is the data of a bank account change. The previous values are shown to the person who decides.
type accountChange struct {
	BankAccount
	WasNumber string `json:"was_bank_account_number,omitempty"`
	WasName   string `json:"was_bank_account_name,omitempty"`
}

// amountChange is the data of a term amount change.
type amountChange struct {
	Agreement string       `json:"agreement_identifier_with_sequence"`
	Amount    value.Cents  `json:"requested_new_amount"`
	Was       *value.Cents `json:"was,omitempty"`
}

// applyDecision applies a decision and publishes its events. A term amount takes effect immediately, a bank account on its first day.
func (s *service) applyDecision(ctx context.Context, tx module.Tx, c module.Change) error {
	switch c.Kind {
	case kindIBAN:
		if c.State == module.Rejected {
			return module.Publish(ctx, tx, billingapi.EventIBANRejected, c.ID, billingapi.IBANRejected{Relation: c.Relation})
		}
		var b BankAccount
		if err := json.Unmarshal(c.Data, &b); err != nil {
			return fmt.Errorf("billing: data of change %s: %w", c.ID, err)
		}
		err := module.Publish(ctx, tx, billingapi.EventIBANProcessed, c.ID,
			billingapi.IBANProcessed{Relation: c.Relation, BankAccountNumber: b.Number, BankAccountName: b.Name, FromDate: b.From})
		if err != nil {
			return err
		}
		data, err := json.Marshal(billingapi.IBANEffective{Relation: c.Relation, BankAccountNumber: b.Number, BankAccountName: b.Name,
			FromDate: b.From, Decided: c.Decided})
		if err != nil {
			return err
		}
		zone, err := time.LoadLocation(module.ScopeOf(ctx).Zone)
		if err != nil {
			return err
		}
		// module account handles this event and stores the bank account
		return tx.Publish(ctx, module.Event{Type: billingapi.EventIBANEffective, Key: c.Relation, Due: c.Effective.In(zone), Data: data})
	case kindTermAmount:
		var w amountChange
		if err := json.Unmarshal(c.Data, &w); err != nil {
			return fmt.Errorf("billing: data of change %s: %w", c.ID, err)
		}
		if c.State == module.Rejected {
			return module.Publish(ctx, tx, billingapi.EventTermAmountRejected, c.ID,
				billingapi.TermAmountRejected{Relation: c.Relation, Agreement: w.Agreement})
		}
		if err := setTermAmount(ctx, tx, c.Relation, w); err != nil {
			return err
		}
		return module.Publish(ctx, tx, billingapi.EventTermAmountProcessed, c.ID,
			billingapi.TermAmountProcessed{Relation: c.Relation, Agreement: w.Agreement, Amount: w.Amount})
	}
	return fmt.Errorf("billing: unknown kind of change %q", c.Kind)
}

// Handle implements module.Instance; the module handles no events.
func (s *service) Handle(_ context.Context, e module.Event) error {
	return fmt.Errorf("billing: unexpected event %s", e.Type)
}
