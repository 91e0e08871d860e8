package payment

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Payment is one attempt to pay an order.
type Payment struct {
	bun.BaseModel `bun:"table:marketplace_payments,alias:y"`
	LabelKey      string `bun:",pk"`
	ID            string `bun:",pk"`
	RelationID    string
	OrderID       string
	Provider      string
	ProviderID    *string // nil until the provider has created it
	Amount        value.Cents
	State         string
	URL           string
	CreatedAt     time.Time
	ExpiresAt     time.Time
	PaidAt        *time.Time
	Late          bool
	Note          string
	RefundID      string
	RefundSince   *time.Time // when the refund was requested
	SeenAt        *time.Time // when staff marked it as seen
	Refunded      value.Cents
	ChargedBack   value.Cents
	Bought        bool        // whether it paid its order
	RefundAmount  value.Cents // amount that we want to refund
	RefundTries   int64       // number of our refunds that were accepted and then failed
	Version       int64       // counts the writes of the row
	CheckedAt     *time.Time  // when the provider was last asked for it
}

// New returns the n-th payment of an order, from 1. Its id is always the same: it is the key with which the provider creates the payment
// once.
func New(label, provider, relation, order string, amount value.Cents, n int) Payment {
	return Payment{LabelKey: label, ID: value.StableID(label, "payment", order, fmt.Sprint(n)), RelationID: relation, OrderID: order,
		Provider: provider, Amount: amount, State: string(Open)}
}

// Lock reads a payment that is about to be written, and locks it.
func Lock(ctx context.Context, tx module.Tx, id string) (p Payment, err error) {
	err = module.Label(ctx, "payment providers and jobs change the payments of all members").SelectForUpdate(tx, &p).Where("id = ?", id).
		Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return p, err
}

// Find reads a payment by one of its ids: "id", or "provider_id".
func Find(ctx context.Context, db module.Querier, column, id string) (p Payment, err error) {
	err = module.Label(ctx, "a payment provider names a payment of any member").Select(db, &p).Where("? = ?", bun.Ident(column), id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return p, err
}

// ByOrder lists the payments of an order, newest first.
func ByOrder(ctx context.Context, db module.Querier, order string) (rows []Payment, err error) {
	err = module.Label(ctx, "staff and jobs read the payments of the orders of all members").Select(db, &rows).Where("order_id = ?", order).
		OrderExpr("created_at DESC, id").Scan(ctx)
	return rows, err
}

// ListOpen lists the payments of an order that a provider has created and that are not paid yet.
func ListOpen(ctx context.Context, db module.Querier, order string) (open []Payment, err error) {
	all, err := ByOrder(ctx, db, order)
	for _, p := range all {
		if p.State == string(Open) && p.ProviderID != nil {
			open = append(open, p)
		}
	}
	return open, err
}

// Save stores the changes of a payment that is locked.
func Save(ctx context.Context, tx module.Tx, p *Payment) error {
	rows := module.Label(ctx, "payment providers, staff and jobs change the payments of all members")
	p.Version++
	done, err := rows.Update(tx, p).
		Column("order_id", "state", "paid_at", "late", "note", "refund_id", "refund_since", "seen_at", "refunded", "charged_back",
			"bought", "refund_amount", "refund_tries", "version", "checked_at").WherePK().Exec(ctx)
	return state.Changed(done, err, problem.ErrNotFound)
}

// Insert stores payments that a provider has created. A payment that is stored already stays as it is.
func Insert(ctx context.Context, tx module.Tx, all ...Payment) error {
	_, err := module.Label(ctx, "payments of several buyers are made together").Insert(tx, &all).On("CONFLICT DO NOTHING").Exec(ctx)
	return err
}

// watched are the states of payments that can still change at their provider without our doing: until it ends an open one, and when money
// of a paid one comes back.
var watched = []State{Open, Paid, Refunding, Refunded}

// Unchecked lists payments that were made after since and that the provider was not asked for after checked, longest ago first: open ones,
// whatever became of their orders, paid ones, and refunds that wait for staff.
func Unchecked(ctx context.Context, db module.Querier, since, checked time.Time, limit int) (rows []Payment, err error) {
	err = module.Label(ctx, "a job asks for the payments of all members").Select(db, &rows).
		Where("state IN (?)", bun.List(watched)). // as the index has it
		Where("state <> ? OR note IN (?)", Refunding, bun.List(StuckNotes)).
		Where("provider_id IS NOT NULL AND created_at > ?", since).
		Where("coalesce(checked_at, paid_at, created_at) <= ?", checked).
		OrderExpr("coalesce(checked_at, paid_at, created_at), id").Limit(int64(limit)).Scan(ctx)
	return rows, err
}

// SetChecked stores when the provider was asked for some payments.
func SetChecked(ctx context.Context, tx module.Tx, ids []string, at time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := module.Label(ctx, "a job asks for the payments of all members").Update(tx, (*Payment)(nil)).Where("id IN (?)", bun.List(ids)).
		Set("checked_at = ?", at).Exec(ctx)
	return err
}
