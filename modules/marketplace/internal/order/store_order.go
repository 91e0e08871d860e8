package order

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Row is a stored order.
type Row struct {
	bun.BaseModel  `bun:"table:marketplace_orders,alias:d"`
	LabelKey       string `bun:",pk"`
	ID             string `bun:",pk"` // deal_identifier
	Reference      string // deal_reference
	RelationID     string // buyer
	Status         state.Status
	Amount         value.Cents // price of its shares
	Shares         int64
	PrivateDeal    bool
	TransferDate   value.Day
	PlacedAt       time.Time
	ExpiresAt      time.Time
	PaidAt         *time.Time
	EndedAt        *time.Time
	EndReason      string // why the portal or staff ended a paid order; otherwise empty
	IdempotencyKey *string
	Digest         string
	Email          string
	Locale         string

	AdministrationCosts value.Cents // charged with the order
	WithdrawalDays      *int        // withdrawal period at the time of the payment; nil: not paid
}

// Line contains the shares of one offer in an order.
type Line struct {
	bun.BaseModel       `bun:"table:marketplace_order_lines,alias:l"`
	LabelKey            string `bun:",pk"`
	OrderID             string `bun:",pk"`
	OfferID             string `bun:",pk"`
	OfferReference      string
	ProjectCode         string
	ProjectName         string
	Shares              int64
	Price               value.Cents
	SellerParticipation string
	BuyerParticipation  string // empty until the shares are transferred
	Address             string // JSON of an Address
}

// Lock reads and locks an order that is about to be changed. rows are those of the label, or of the buyer. It returns problem.ErrNotFound
// when rows do not contain the order.
func Lock(ctx context.Context, tx module.Tx, rows module.Rows, id string) (o Row, lines []Line, err error) {
	err = rows.SelectForUpdate(tx, &o).Where("id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return o, nil, problem.ErrNotFound
	}
	if err != nil {
		return o, nil, err
	}
	all, err := LinesOf(ctx, tx, id)
	return o, all[id], err
}

// LinesOf reads the lines of orders, keyed by order id and sorted by offer.
func LinesOf(ctx context.Context, db module.Querier, orders ...string) (map[string][]Line, error) {
	out := map[string][]Line{}
	if len(orders) == 0 {
		return out, nil
	}
	var rows []Line
	err := module.Label(ctx, "lines have no relation: their orders were found before").Select(db, &rows).
		Where("order_id IN (?)", bun.List(orders)).
		OrderExpr("order_id, offer_id").Scan(ctx)
	for _, r := range rows {
		out[r.OrderID] = append(out[r.OrderID], r)
	}
	return out, err
}

// move stores the next status of an order, its times, its days and its end reason. It returns state.ErrTransition (409) when the
// transition is not in the table, or the status has changed since the order was read.
func move(ctx context.Context, tx module.Tx, o *Row, to state.Status) error {
	rows := module.Label(ctx, "jobs and payment providers move the orders of all members")
	if err := state.Next(Transitions, o.Status, to); err != nil {
		return err
	}
	done, err := rows.Update(tx, (*Row)(nil)).Where("id = ? AND status = ?", o.ID, o.Status).
		Set("status = ?, paid_at = ?, ended_at = ?, end_reason = ?", to, o.PaidAt, o.EndedAt, o.EndReason).
		Set("transfer_date = ?, withdrawal_days = ?", o.TransferDate, o.WithdrawalDays).Exec(ctx)
	if err = state.Changed(done, err, state.ErrTransition); err == nil {
		o.Status = to
	}
	return err
}

// ofRelation lists the orders of the calling relation, newest first.
func ofRelation(ctx context.Context, db module.DB, limit int) ([]Row, error) {
	mine, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	rows := []Row{}
	return rows, db.Find(ctx, mine, &rows, "ORDER BY d.placed_at DESC, d.id DESC LIMIT ?", limit)
}

// FindOwn reads an order of the calling relation. It returns problem.ErrNotFound when the order does not belong to the relation.
func FindOwn(ctx context.Context, db module.DB, id string) (o Row, err error) {
	mine, err := module.Mine(ctx)
	if err != nil {
		return o, err
	}
	err = db.Find(ctx, mine, &o, "AND d.id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return o, err
}

// Due lists the ids of orders in one of some statuses whose column, such as "expires_at" or "transfer_date", is at most until.
func Due(ctx context.Context, db module.Querier, column string, until any, limit int, statuses ...state.Status) (ids []string, err error) {
	err = module.Label(ctx, "a job ends the orders of all members").Select(db, (*Row)(nil)).Column("id").
		Where("status IN (?)", bun.List(statuses)).Where("? <= ?", bun.Ident(column), until).OrderExpr("?, id", bun.Ident(column)).
		Limit(int64(limit)).Scan(ctx, &ids)
	return ids, err
}

// WaitingForPayment reads the orders among ids that are CREATED.
func WaitingForPayment(ctx context.Context, db module.Querier, ids []string) (orders []Row, err error) {
	err = module.Label(ctx, "orders of several buyers are placed in one transaction").Select(db, &orders).
		Where("id IN (?) AND status = ?", bun.List(ids), Created).Scan(ctx)
	return orders, err
}

// SetAwaitingPayment makes the orders among ids that are still CREATED AWAITING_PAYMENT, and returns their ids.
func SetAwaitingPayment(ctx context.Context, tx module.Tx, ids []string) (moved []string, err error) {
	err = module.Label(ctx, "orders of several buyers are placed in one transaction").Update(tx, (*Row)(nil)).
		Where("id IN (?) AND status = ?", bun.List(ids), Created).Set("status = ?", Awaiting).Returning("id").Scan(ctx, &moved)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return moved, err
}

// storeImported stores an order that ended elsewhere, with its line. It does not change an existing order with the same id; taken reports
// that another order has its reference, in which case nothing is stored.
func storeImported(ctx context.Context, tx module.Tx, o Row, line Line) (taken bool, err error) {
	rows := module.Label(ctx, "an import holds orders of the whole label")
	var existing []Row
	err = rows.Select(tx, &existing).Column("id").Where("id = ? OR reference = ?", o.ID, o.Reference).Scan(ctx)
	switch {
	case err != nil:
		return false, err
	case len(existing) > 0:
		return existing[0].ID != o.ID, nil
	}
	if _, err := rows.Insert(tx, &o).Exec(ctx); err != nil {
		return false, err
	}
	_, err = rows.Insert(tx, &line).Exec(ctx)
	return false, err
}
