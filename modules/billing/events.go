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

// Kinds of change request. Data holds the fields of the answer that shows the change as pending (3-pending-change-fields), and what
// it would replace.
const (
	kindIBAN       = "billing.iban"        // wantedAccount
	kindTermAmount = "billing.term_amount" // wantedAmount; its key is the agreement
)

// wantedAccount is the data of a change of bank account. What was is for whoever decides, also long after.
type wantedAccount struct {
	BankAccount
	WasNumber string `json:"was_bank_account_number,omitempty"`
	WasName   string `json:"was_bank_account_name,omitempty"`
}

// wantedAmount is the data of a change of term amount.
type wantedAmount struct {
	Agreement string       `json:"agreement_identifier_with_sequence"`
	Amount    value.Cents  `json:"requested_new_amount"`
	Was       *value.Cents `json:"was,omitempty"`
}

// decided ends a change. A processed term amount is the current one from now on; a processed bank account is from its day on.
func (s *service) decided(ctx context.Context, tx module.Tx, c module.Change) error {
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
		// module account handles it: the bank account is its own
		return tx.Publish(ctx, module.Event{Type: billingapi.EventIBANEffective, Key: c.Relation, Due: c.Effective.In(zone), Data: data})
	case kindTermAmount:
		var w wantedAmount
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
	return fmt.Errorf("billing: a change of kind %q", c.Kind)
}

// Handle takes no events: this module wants none.
func (s *service) Handle(_ context.Context, e module.Event) error {
	return fmt.Errorf("billing: does not handle %s", e.Type)
}
