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

// RefundedAmount is how much of the money of an order that was undone goes back, or went: what had come back before is not in it.
func RefundedAmount(ctx context.Context, tx module.Tx, order string, amount value.Cents) (back value.Cents, err error) {
	var rows []Payment
	err = module.Label(ctx, "staff and jobs undo the orders of all members").Select(tx, &rows).Where("order_id = ? AND bought", order).Scan(ctx)
	for _, p := range rows {
		back += p.RefundAmount
	}
	if back == 0 { // undone by a program of before
		back = amount
	}
	return back, err
}

// RefundsDue lists payments whose money is still to go back, but for those that somebody has taken over or must decide on.
func RefundsDue(ctx context.Context, db module.Querier, limit int) (ids []string, err error) {
	err = module.Label(ctx, "a job pays back the payments of all members").Select(db, (*Payment)(nil)).Column("id").
		Where("state = ? AND note NOT IN (?) AND NOT (note = ? AND seen_at IS NOT NULL)", Refunding, bun.List(parkedNotes), NoteRefused).
		OrderExpr("id").Limit(int64(limit)).Scan(ctx, &ids)
	return ids, err
}

// RefundOrder wishes the money of an order back that is undone. back is how much that is.
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

// StartRefund marks a payment of which all that is left goes back, and has that done after the commit.
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
