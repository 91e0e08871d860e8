package ledger

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// CodeShares is the code of ErrShares.
const CodeShares = "marketplace.shares_gone"

// ErrShares is the problem (409) that a participation has fewer shares than the movement takes.
var ErrShares = problem.Fail(http.StatusConflict, CodeShares)

// The models are not exported, so that only this package can write their tables.
type (
	participationRow struct {
		bun.BaseModel `bun:"table:marketplace_participations,alias:p"`
		Participation
		Seal string // Participation.sealed()
	}
	entryRow struct {
		bun.BaseModel `bun:"table:marketplace_entries,alias:e"`
		Entry
	}
)

// post writes entries and the new balances: all of them or, with ErrShares (409), none. It locks the participations in the order of their
// ids. Several postings on one participation are written in the given order.
func post(ctx context.Context, tx module.Tx, now time.Time, postings ...posting) error {
	if len(postings) == 0 {
		return nil
	}
	rows := module.Label(ctx, "a sale moves shares between the participations of two members")
	ids := make([]string, len(postings))
	for i, p := range postings {
		ids[i] = p.Participation
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	var found []participationRow
	err := rows.SelectForUpdate(tx, &found).Column("id", "share", "offered", "reserved", "held", "moving", "sequence",
		"hash").Where("id IN (?)", bun.List(ids)).OrderExpr("id").Scan(ctx)
	if err != nil {
		return err
	}
	if len(found) != len(ids) {
		return fmt.Errorf("marketplace: postings on %d participations, of which %d are there", len(ids), len(found))
	}
	at := now.UTC().Truncate(time.Microsecond)
	entries := make([]entryRow, len(postings))
	for i, p := range postings {
		at0, _ := slices.BinarySearchFunc(found, p.Participation, func(r participationRow, id string) int { return cmp.Compare(r.ID, id) })
		to := &found[at0]
		if p.Kind == Issued && to.Sequence > 0 {
			return fmt.Errorf("marketplace: shares of participation %s are issued a second time", to.ID)
		}
		if to.Balance = to.Plus(p.Balance); !to.Possible() {
			return ErrShares
		}
		to.Sequence++
		who := p.By
		if who.Label == "" {
			who = module.ScopeOf(ctx)
		}
		e := Entry{LabelKey: rows.Key(), ParticipationID: p.Participation, Sequence: to.Sequence, Kind: p.Kind, Balance: p.Balance,
			Ref: p.Ref, Counter: p.Counter, Reason: p.Reason, Actor: cmp.Or(who.Actor, who.Subject, who.Role), Subject: who.Subject, Role: who.Role,
			Effective: p.Effective, At: at, PreviousHash: to.Hash}
		if e.Effective.IsZero() {
			e.Effective = module.Today(ctx, now)
		}
		e.Hash = e.seal()
		to.Hash, entries[i].Entry = e.Hash, e
	}
	if _, err := rows.Insert(tx, &entries).Exec(ctx); err != nil {
		return err
	}
	for _, to := range found {
		done, err := rows.Update(tx, (*participationRow)(nil)).Where("id = ?", to.ID).
			Set("share = ?, offered = ?, reserved = ?, held = ?, moving = ?, sequence = ?, hash = ?",
				to.Share, to.Offered, to.Reserved, to.Held, to.Moving, to.Sequence, to.Hash).Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			return cmp.Or(err, fmt.Errorf("marketplace: %d participations %s", n, to.ID))
		}
	}
	return nil
}
