package payment

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/source"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// ProviderSandbox is a provider that moves no money: on a page of the module the outcome of a payment is chosen.
const ProviderSandbox = "sandbox"

// SandboxRow is the chosen outcome of a payment.
type SandboxRow struct {
	bun.BaseModel `bun:"table:marketplace_sandbox,alias:sb"`
	LabelKey      string `bun:",pk"`
	PaymentID     string `bun:",pk"`
	State         State
	At            time.Time
	Refunded      value.Cents
	ChargedBack   value.Cents
	RefundKey     string // key of the last refund
}

// Sandbox is a provider in the portal's own database. Its payments have the ids of ours.
type Sandbox struct {
	db   module.DB
	now  func() time.Time
	page string // path of its page, without the payment id at its end
}

// NewSandbox returns the provider whose page has a path, given without the payment id at its end.
func NewSandbox(db module.DB, now func() time.Time, page string) *Sandbox {
	return &Sandbox{db, now, page}
}

// Create implements Provider. It stores nothing: a payment without a row is open.
func (b *Sandbox) Create(ctx context.Context, w Wish) (Made, error) {
	return Made{ID: w.Key, URL: module.ScopeOf(ctx).URL + b.page + w.Key}, nil
}

// Get implements Provider. Like some providers it lists no refunds, only totals.
func (b *Sandbox) Get(ctx context.Context, id string) (Found, error) {
	p, err := Find(ctx, b.db, "id", id)
	if errors.Is(err, problem.ErrNotFound) {
		err = ErrUnknown
	}
	if err != nil {
		return Found{}, err
	}
	row, err := b.Row(ctx, id)
	found := Found{State: row.State, Key: id, Amount: p.Amount, Paid: row.At, Returned: Returned{Refunded: row.Refunded, ChargedBack: row.ChargedBack}}
	return found, err
}

// Row reads the chosen outcome of a payment.
func (b *Sandbox) Row(ctx context.Context, id string) (SandboxRow, error) {
	all := module.Label(ctx, "the table has no relation: a payment is known by its id alone")
	var rows []SandboxRow
	err := b.db.Find(ctx, all, &rows, "AND sb.payment_id = ?", id)
	if err != nil || len(rows) == 0 {
		return SandboxRow{State: Open}, err
	}
	return rows[0], nil
}

// Refund implements Provider. It refuses more than what is left.
func (b *Sandbox) Refund(ctx context.Context, r Refund) (string, error) {
	key := fmt.Sprint("re_", r.Key, "_", r.Try)
	err := b.change(ctx, r.Payment, func(row *SandboxRow, amount value.Cents) error {
		switch {
		case row.RefundKey == key:
		case row.State != Paid || row.Refunded+row.ChargedBack+r.Amount > amount:
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

// change changes the outcome of a payment for which one was chosen.
func (b *Sandbox) change(ctx context.Context, id string, do func(row *SandboxRow, amount value.Cents) error) error {
	rows := module.Label(ctx, "the table has no relation: a payment is known by its id alone")
	return b.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		p := Payment{}
		if err := rows.Select(tx, &p).Where("id = ?", id).Scan(ctx); err != nil {
			return err
		}
		row := SandboxRow{}
		err := rows.SelectForUpdate(tx, &row).Where("payment_id = ?", id).Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return state.ErrTransition // nothing was chosen: it is not paid
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

// ReturnMoney makes money of a paid payment come back, or be paid again, without our doing. It returns ErrTransition (409) when it cannot.
func (b *Sandbox) ReturnMoney(ctx context.Context, id, what string) error {
	return b.change(ctx, id, func(row *SandboxRow, amount value.Cents) error {
		left := amount - row.Refunded - row.ChargedBack
		if row.State != Paid {
			return state.ErrTransition
		}
		switch what {
		case "charge_back": // the bank takes all of it, whatever was refunded before
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

// Choose sets the outcome of a payment that is in one of some states. It returns ErrTransition (409) for any other.
func (b *Sandbox) Choose(ctx context.Context, id string, to State, from ...State) error {
	rows := module.Label(ctx, "the table has no relation: a payment is known by its id alone")
	return b.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		row := SandboxRow{LabelKey: rows.Key(), PaymentID: id, State: Open, At: state.StoredTime(b.now())}
		if _, err := rows.Insert(tx, &row).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
			return err
		}
		done, err := rows.Update(tx, (*SandboxRow)(nil)).
			Where("payment_id = ? AND state IN (?)", id, bun.List(from)).Set("state = ?, at = ?", to, row.At).Exec(ctx)
		return state.Changed(done, err, state.ErrTransition)
	})
}
