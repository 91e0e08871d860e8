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
	Bought        bool        // whether this payment paid its order
	RefundAmount  value.Cents // amount that the portal refunds
	RefundTries   int64       // number of our refunds that were accepted and then failed
	Version       int64       // counts the writes of the row
	CheckedAt     *time.Time  // when the payment was last checked at the provider
}

// New returns the n-th payment of an order, counted from 1. Its id is deterministic, so that the provider creates the payment only once.
func New(label, provider, relation, order string, amount value.Cents, n int) Payment {
	return Payment{LabelKey: label, ID: value.StableID(label, "payment", order, fmt.Sprint(n)), RelationID: relation, OrderID: order,
		Provider: provider, Amount: amount, State: string(Open)}
}

// Lock reads and locks a payment that is about to be changed.
func Lock(ctx context.Context, tx module.Tx, id string) (p Payment, err error) {
	err = module.Label(ctx, "payment providers and jobs change the payments of all members").SelectForUpdate(tx, &p).Where("id = ?", id).
		Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return p, err
}

// Find reads a payment by an id: column is "id" or "provider_id".
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

// ListOpen lists the unpaid payments of an order that a provider has created.
func ListOpen(ctx context.Context, db module.Querier, order string) (open []Payment, err error) {
	all, err := ByOrder(ctx, db, order)
	for _, p := range all {
		if p.State == string(Open) && p.ProviderID != nil {
			open = append(open, p)
		}
	}
	return open, err
}

// Save stores the changes of a locked payment.
func Save(ctx context.Context, tx module.Tx, p *Payment) error {
	rows := module.Label(ctx, "payment providers, staff and jobs change the payments of all members")
	p.Version++
	done, err := rows.Update(tx, p).
		Column("order_id", "state", "paid_at", "late", "note", "refund_id", "refund_since", "seen_at", "refunded", "charged_back",
			"bought", "refund_amount", "refund_tries", "version", "checked_at").WherePK().Exec(ctx)
	return state.Changed(done, err, problem.ErrNotFound)
}

// Insert stores payments that a provider has created. It does not change existing payments.
func Insert(ctx context.Context, tx module.Tx, all ...Payment) error {
	_, err := module.Label(ctx, "payments of several buyers are made together").Insert(tx, &all).On("CONFLICT DO NOTHING").Exec(ctx)
	return err
}

// watched lists the states in which a payment can still change at its provider without the portal: an open one can be paid or end, and a
// paid one can be refunded or charged back.
var watched = []State{Open, Paid, Refunding, Refunded}

// Unchecked lists payments that were created after since and have not been checked at the provider after checked, longest unchecked first:
// open ones whatever the status of their orders, paid ones, and refunds that wait for staff.
func Unchecked(ctx context.Context, db module.Querier, since, checked time.Time, limit int) (rows []Payment, err error) {
	err = module.Label(ctx, "a job asks for the payments of all members").Select(db, &rows).
		Where("state IN (?)", bun.List(watched)). // same condition as in the index
		Where("state <> ? OR note IN (?)", Refunding, bun.List(StuckNotes)).
		Where("provider_id IS NOT NULL AND created_at > ?", since).
		Where("coalesce(checked_at, paid_at, created_at) <= ?", checked).
		OrderExpr("coalesce(checked_at, paid_at, created_at), id").Limit(int64(limit)).Scan(ctx)
	return rows, err
}

// SetChecked stores when payments were checked at the provider.
func SetChecked(ctx context.Context, tx module.Tx, ids []string, at time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := module.Label(ctx, "a job asks for the payments of all members").Update(tx, (*Payment)(nil)).Where("id IN (?)", bun.List(ids)).
		Set("checked_at = ?", at).Exec(ctx)
	return err
}
