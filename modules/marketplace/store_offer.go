package marketplace

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

var (
	errTransition  = problem.Fail(http.StatusConflict, codeTransition)
	errUnavailable = problem.Fail(http.StatusConflict, codeUnavailable)
)

// next refuses (409 marketplace.transition) what a state machine does not have.
func next(table []transition, from, to status) error {
	if allows(table, from, to) {
		return nil
	}
	return errTransition
}

// take reserves shares of an ACTIVE offer: left -> reserved. errUnavailable (409) when it has not that many left. Like its siblings
// below it moves nothing but the offer's own numbers: the caller posts the same to the ledger. Several offers are taken in the order
// of their ids.
func take(ctx context.Context, tx module.Tx, offer string, n int64) error {
	done, err := module.Label(ctx, "a buyer takes shares of the offer of another member").Update(tx, (*offerRow)(nil)).
		Where("id = ? AND status = ? AND left_shares >= ?", offer, offerActive, n).Where("? > 0", n).
		Set("left_shares = left_shares - ?, reserved = reserved + ?", n, n).Exec(ctx)
	return affected(done, err, errUnavailable)
}

// giveBack undoes take: reserved -> left.
func giveBack(ctx context.Context, tx module.Tx, offer string, n int64) error {
	done, err := module.Label(ctx, "an order that ends gives shares back to the offer of another member").Update(tx, (*offerRow)(nil)).
		Where("id = ? AND status = ? AND reserved >= ?", offer, offerActive, n).Where("? > 0", n).
		Set("reserved = reserved - ?, left_shares = left_shares + ?", n, n).Exec(ctx)
	return affected(done, err, ledger.ErrShares)
}

// sell makes reserved shares paid ones: reserved -> held. The offer is SOLD when that were the last.
func sell(ctx context.Context, tx module.Tx, offer string, n int64) error {
	done, err := module.Label(ctx, "a paid order sells shares of the offer of another member").Update(tx, (*offerRow)(nil)).
		Where("id = ? AND status = ? AND reserved >= ?", offer, offerActive, n).Where("? > 0", n).
		Set("reserved = reserved - ?, held = held + ?", n, n).
		Set("status = CASE WHEN left_shares = 0 AND reserved = ? THEN ? ELSE status END", n, offerSold).Exec(ctx)
	return affected(done, err, ledger.ErrShares)
}

// unsell takes back paid shares that the buyer has withdrawn from: held -> left while the offer is ACTIVE (open). An offer that is
// SOLD stays so: its shares are the seller's again, and no longer offered.
func unsell(ctx context.Context, tx module.Tx, offer string, n int64) (open bool, err error) {
	var is status
	err = module.Label(ctx, "a withdrawn order returns shares to the offer of another member").Update(tx, (*offerRow)(nil)).
		Where("id = ? AND status IN (?, ?) AND held >= ?", offer, offerActive, offerSold, n).Where("? > 0", n).
		Set("held = held - ?", n).
		Set("left_shares = left_shares + CASE WHEN status = ? THEN ? ELSE 0 END", offerActive, n).
		Set("shares = shares - CASE WHEN status = ? THEN 0 ELSE ? END", offerActive, n).
		Returning("status").Scan(ctx, &is)
	if errors.Is(err, sql.ErrNoRows) {
		err = ledger.ErrShares
	}
	return is == offerActive, err
}

// settle hands paid shares over: held -> transferred.
func settle(ctx context.Context, tx module.Tx, offer string, n int64) error {
	done, err := module.Label(ctx, "a job hands over shares of the offers of all members").Update(tx, (*offerRow)(nil)).
		Where("id = ? AND status IN (?, ?) AND held >= ?", offer, offerActive, offerSold, n).Where("? > 0", n).
		Set("held = held - ?, transferred = transferred + ?", n, n).Exec(ctx)
	return affected(done, err, ledger.ErrShares)
}

// affected is no when a conditional update found nothing that fits its condition.
func affected(done sql.Result, err error, no error) error {
	if err != nil {
		return err
	}
	n, err := done.RowsAffected()
	if err == nil && n == 0 {
		err = no
	}
	return err
}

// offerOf reads one offer of the label, under lock: it is about to be written. problem.ErrNotFound when it is not there.
func offerOf(ctx context.Context, tx module.Tx, id string) (offerRow, error) {
	row := offerRow{}
	err := module.Label(ctx, "staff, jobs and buyers change the offer of another member").SelectForUpdate(tx, &row).Where("id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return row, problem.ErrNotFound
	}
	return row, err
}

// offerOfChange is the offer that a change is about, under lock. problem.ErrNotFound when it is about none.
func offerOfChange(ctx context.Context, tx module.Tx, change string) (offerRow, error) {
	row := offerRow{}
	err := module.Label(ctx, "staff decide on the offer of a member").SelectForUpdate(tx, &row).Where("change_id = ?", change).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row, err
}

// saveOffer keeps what a transition has changed of an offer that is locked.
func saveOffer(ctx context.Context, tx module.Tx, row *offerRow) error {
	rows := module.Label(ctx, "staff, jobs and buyers change the offer of another member")
	done, err := rows.Update(tx, row).Column("status", "shares", "left_shares", "rejection_reason", "change_id", "updated_at").WherePK().Exec(ctx)
	return affected(done, err, problem.ErrNotFound)
}
