package marketplace

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// orderOf reads an order under lock: it is about to be written. rows are of the label, or of its buyer. problem.ErrNotFound when it
// is not there.
func orderOf(ctx context.Context, tx module.Tx, rows module.Rows, id string) (o orderRow, lines []orderLineRow, err error) {
	err = rows.SelectForUpdate(tx, &o).Where("id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return o, nil, problem.ErrNotFound
	}
	if err != nil {
		return o, nil, err
	}
	all, err := linesOf(ctx, tx, id)
	return o, all[id], err
}

// linesOf reads the lines of orders, by order, in the order of their offers.
func linesOf(ctx context.Context, db module.Querier, orders ...string) (map[string][]orderLineRow, error) {
	out := map[string][]orderLineRow{}
	if len(orders) == 0 {
		return out, nil
	}
	var rows []orderLineRow
	err := module.Label(ctx, "lines have no relation: their orders were found before").Select(db, &rows).Where("order_id IN (?)", bun.List(orders)).
		OrderExpr("order_id, offer_id").Scan(ctx)
	for _, r := range rows {
		out[r.OrderID] = append(out[r.OrderID], r)
	}
	return out, err
}

// moveOrder moves an order from the status that was read to the next, with what else is known of it then. 409 when its state machine
// has no such way.
func moveOrder(ctx context.Context, tx module.Tx, o *orderRow, to state.Status) error {
	rows := module.Label(ctx, "jobs and payment providers move the orders of all members")
	if err := state.Next(orderTransitions, o.Status, to); err != nil {
		return err
	}
	done, err := rows.Update(tx, (*orderRow)(nil)).Where("id = ? AND status = ?", o.ID, o.Status).
		Set("status = ?, paid_at = ?, ended_at = ?, end_reason = ?", to, o.PaidAt, o.EndedAt, o.EndReason).Exec(ctx)
	if err = state.Changed(done, err, state.ErrTransition); err == nil {
		o.Status = to
	}
	return err
}

// ordersMine lists the orders of the relation of the call, newest first.
func (s *service) ordersMine(ctx context.Context, limit int) ([]orderRow, error) {
	mine, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	rows := []orderRow{}
	return rows, s.host.DB.Find(ctx, mine, &rows, "ORDER BY d.placed_at DESC, d.id DESC LIMIT ?", limit)
}

// orderMine reads one of them. problem.ErrNotFound when it is not the caller's.
func (s *service) orderMine(ctx context.Context, id string) (o orderRow, err error) {
	mine, err := module.Mine(ctx)
	if err != nil {
		return o, err
	}
	err = s.host.DB.Find(ctx, mine, &o, "AND d.id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return o, err
}

// ordersDue lists some orders in one of several statuses whose moment has come: "expires_at" or "transfer_date" of at most until.
func (s *service) ordersDue(ctx context.Context, column string, until any, limit int, statuses ...state.Status) (ids []string, err error) {
	err = module.Label(ctx, "a job ends the orders of all members").Select(s.host.DB, (*orderRow)(nil)).Column("id").
		Where("status IN (?)", bun.List(statuses)).Where("? <= ?", bun.Ident(column), until).OrderExpr("?, id", bun.Ident(column)).
		Limit(int64(limit)).Scan(ctx, &ids)
	return ids, err
}
