package payment

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// RefundedAmount returns how much the portal refunds of an undone order, without earlier refunds and chargebacks.
func RefundedAmount(ctx context.Context, tx module.Tx, order string) (back value.Cents, err error) {
	var rows []Payment
	err = module.Label(ctx, "staff and jobs undo the orders of all members").Select(tx, &rows).Where("order_id = ? AND bought", order).
		Scan(ctx)
	for _, p := range rows {
		back += p.RefundAmount
	}
	return back, err
}

// RefundsDue lists the ids of payments to refund, except those that wait for a decision of staff or that staff handle.
func RefundsDue(ctx context.Context, db module.Querier, limit int) (ids []string, err error) {
	err = module.Label(ctx, "a job pays back the payments of all members").Select(db, (*Payment)(nil)).Column("id").
		Where("state = ? AND note NOT IN (?) AND NOT (note = ? AND seen_at IS NOT NULL)", Refunding, bun.List(parkedNotes), NoteRefused).
		OrderExpr("id").Limit(int64(limit)).Scan(ctx, &ids)
	return ids, err
}

// RefundOrder starts the refunds of the payments of an undone order. back is the refunded amount of the payment that paid it.
func RefundOrder(ctx context.Context, tx module.Tx, now time.Time, order, note string) (back value.Cents, err error) {
	rows := module.Label(ctx, "staff and jobs undo the orders of all members")
	var paid []Payment
	if err := rows.SelectForUpdate(tx, &paid).Where("order_id = ? AND state = ?", order, Paid).OrderExpr("id").Scan(ctx); err != nil {
		return 0, err
	}
	for _, p := range paid {
		p.Note = note
		if err := StartRefund(ctx, tx, now, &p); err != nil {
			return 0, err
		}
		if p.Bought {
			back += p.RefundAmount
		}
	}
	return back, nil
}

// StartRefund makes a payment REFUNDING with its remaining amount, and publishes the event that makes the refund after the commit.
func StartRefund(ctx context.Context, tx module.Tx, now time.Time, p *Payment) error {
	p.State, p.RefundAmount = string(Refunding), max(0, p.Amount-p.Returned().Sum())
	if p.RefundSince == nil {
		p.RefundSince = new(now)
	}
	if err := Save(ctx, tx, p); err != nil {
		return err
	}
	data, err := json.Marshal(marketplaceapi.RefundDue{Payment: p.ID})
	if err != nil {
		return err
	}
	return tx.Publish(ctx, module.Event{Type: marketplaceapi.EventRefund, Key: p.ID, Seq: 1, Data: data})
}
