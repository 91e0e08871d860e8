package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/source"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Row is the chosen outcome of a payment.
type Row struct {
	bun.BaseModel `bun:"table:marketplace_sandbox,alias:sb"`
	LabelKey      string `bun:",pk"`
	PaymentID     string `bun:",pk"`
	State         payment.State
	At            time.Time
	Refunded      value.Cents
	ChargedBack   value.Cents
	RefundKey     string // key of the last refund
}

// Provider is a payment provider in the portal's own database. It uses the portal's payment ids.
type Provider struct {
	db  module.DB
	now func() time.Time
}

// NewProvider returns the sandbox provider for a database; now is its clock.
func NewProvider(db module.DB, now func() time.Time) *Provider {
	return &Provider{db, now}
}

// Create implements Provider. It stores nothing, because a payment without a row is open.
func (b *Provider) Create(ctx context.Context, r payment.Request) (payment.Made, error) {
	return payment.Made{ID: r.Key, URL: module.ScopeOf(ctx).URL + page + r.Key}, nil
}

// Get implements Provider. Like some real providers it returns totals and no list of refunds.
func (b *Provider) Get(ctx context.Context, id string) (payment.Found, error) {
	p, err := payment.Find(ctx, b.db, "id", id)
	if errors.Is(err, problem.ErrNotFound) {
		err = payment.ErrUnknown
	}
	if err != nil {
		return payment.Found{}, err
	}
	row, err := b.Row(ctx, id)
	found := payment.Found{State: row.State, Key: id, Amount: p.Amount, Paid: row.At,
		Returned: payment.Returned{Refunded: row.Refunded, ChargedBack: row.ChargedBack}}
	return found, err
}

// Row reads the chosen outcome of a payment.
func (b *Provider) Row(ctx context.Context, id string) (Row, error) {
	all := module.Label(ctx, "the table has no relation: a payment is known by its id alone")
	var rows []Row
	err := b.db.Find(ctx, all, &rows, "AND sb.payment_id = ?", id)
	if err != nil || len(rows) == 0 {
		return Row{State: payment.Open}, err
	}
	return rows[0], nil
}

// Refund implements Provider. It rejects an amount above the remaining one.
func (b *Provider) Refund(ctx context.Context, r payment.Refund) (string, error) {
	key := fmt.Sprint("re_", r.Key, "_", r.Try)
	err := b.change(ctx, r.Payment, func(row *Row, amount value.Cents) error {
		switch {
		case row.RefundKey == key:
		case row.State != payment.Paid || row.Refunded+row.ChargedBack+r.Amount > amount:
			return state.ErrTransition
		default:
			row.RefundKey = key
			row.Refunded += r.Amount
		}
		return nil
	})
	if errors.Is(err, state.ErrTransition) {
		err = &source.Refused{Status: http.StatusUnprocessableEntity}
	}
	return key, err
}

// change changes the outcome of a payment after one was chosen.
func (b *Provider) change(ctx context.Context, id string, do func(row *Row, amount value.Cents) error) error {
	rows := module.Label(ctx, "the table has no relation: a payment is known by its id alone")
	return b.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		p := payment.Payment{}
		if err := rows.Select(tx, &p).Where("id = ?", id).Scan(ctx); err != nil {
			return err
		}
		row := Row{}
		err := rows.SelectForUpdate(tx, &row).Where("payment_id = ?", id).Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return state.ErrTransition // no outcome was chosen, so the payment is not paid
		}
		if err != nil {
			return err
		}
		if err := do(&row, p.Amount); err != nil {
			return err
		}
		_, err = rows.Update(tx, &row).Column("state", "refunded", "charged_back", "refund_key").WherePK().Exec(ctx)
		return err
	})
}

// ReturnMoney refunds a paid payment, charges it back or reverses that, without the portal. It returns ErrTransition (409) when it cannot.
func (b *Provider) ReturnMoney(ctx context.Context, id, what string) error {
	return b.change(ctx, id, func(row *Row, amount value.Cents) error {
		left := amount - row.Refunded - row.ChargedBack
		if row.State != payment.Paid {
			return state.ErrTransition
		}
		switch what {
		case "charge_back": // the bank takes back the whole amount, whatever was refunded before
			row.ChargedBack = amount
		case "charge_back_part":
			row.ChargedBack = amount / 2
		case "reverse":
			row.ChargedBack = 0
		case "refund_part":
			if left < 2 {
				return state.ErrTransition
			}
			row.Refunded += left / 2
		case "refund_all":
			row.Refunded += max(0, left)
		case "fail_refund":
			row.Refunded = 0
		default:
			return state.ErrTransition
		}
		return nil
	})
}

// Choose sets the outcome of a payment whose state is one of from. It returns ErrTransition (409) for any other state.
func (b *Provider) Choose(ctx context.Context, id string, to payment.State, from ...payment.State) error {
	rows := module.Label(ctx, "the table has no relation: a payment is known by its id alone")
	return b.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		row := Row{LabelKey: rows.Key(), PaymentID: id, State: payment.Open, At: state.StoredTime(b.now())}
		if _, err := rows.Insert(tx, &row).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
			return err
		}
		done, err := rows.Update(tx, (*Row)(nil)).
			Where("payment_id = ? AND state IN (?)", id, bun.List(from)).Set("state = ?, at = ?", to, row.At).Exec(ctx)
		return state.Changed(done, err, state.ErrTransition)
	})
}
