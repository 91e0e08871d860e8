package offer

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Offer is an offer. Only Reserve, Release, Sell, Return and Transfer move its shares between the four numbers.
type Offer struct {
	bun.BaseModel   `bun:"table:marketplace_offers,alias:o"`
	LabelKey        string `bun:",pk"`
	ID              string `bun:",pk"`
	Reference       string
	RelationID      string // seller
	ProjectCode     string
	ProjectName     string
	ParticipationID string
	Type            string
	Status          state.Status
	Date            value.Day
	Price           value.Cents
	Shares          int64
	Left            int64 `bun:"left_shares"`
	Reserved        int64
	Held            int64
	Transferred     int64
	Code            string
	CodeHash        *string // nil: the offer has no code
	BuyerEmail      string
	BuyerRelation   string
	RejectionReason string
	ChangeID        string
	IdempotencyKey  *string // nil: the request contained none
	Digest          string
	Locale          string // language of the seller's request
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// Find reads an offer; nil when there is none.
func Find(ctx context.Context, db module.DB, id string) (*Offer, error) {
	row := &Offer{}
	err := db.Find(ctx, module.Label(ctx, "a member looks at the offer of another"), row, "AND o.id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return row, err
}

// ErrUnavailable is the problem (409) that an offer has fewer shares left than a buyer requests.
var ErrUnavailable = problem.Fail(http.StatusConflict, CodeUnavailable)

// Reserve reserves shares of an ACTIVE offer: left -> reserved. It returns ErrUnavailable (409) when fewer are left. Like the functions
// below, it changes only the numbers of the offer: the caller makes the same movement in the ledger. Reserve several offers in the order
// of their ids.
func Reserve(ctx context.Context, tx module.Tx, offer string, n int64) error {
	done, err := module.Label(ctx, "a buyer takes shares of the offer of another member").Update(tx, (*Offer)(nil)).
		Where("id = ? AND status = ? AND left_shares >= ?", offer, Active, n).Where("? > 0", n).
		Set("left_shares = left_shares - ?, reserved = reserved + ?", n, n).Exec(ctx)
	return state.Changed(done, err, ErrUnavailable)
}

// Release undoes Reserve: reserved -> left.
func Release(ctx context.Context, tx module.Tx, offer string, n int64) error {
	done, err := module.Label(ctx, "an order that ends gives shares back to the offer of another member").Update(tx, (*Offer)(nil)).
		Where("id = ? AND status = ? AND reserved >= ?", offer, Active, n).Where("? > 0", n).
		Set("reserved = reserved - ?, left_shares = left_shares + ?", n, n).Exec(ctx)
	return state.Changed(done, err, ledger.ErrShares)
}

// Sell changes reserved shares to paid ones: reserved -> held. The offer is SOLD when no others are left.
func Sell(ctx context.Context, tx module.Tx, offer string, n int64) error {
	done, err := module.Label(ctx, "a paid order sells shares of the offer of another member").Update(tx, (*Offer)(nil)).
		Where("id = ? AND status = ? AND reserved >= ?", offer, Active, n).Where("? > 0", n).
		Set("reserved = reserved - ?, held = held + ?", n, n).
		Set("status = CASE WHEN left_shares = 0 AND reserved = ? THEN ? ELSE status END", n, Sold).Exec(ctx)
	return state.Changed(done, err, ledger.ErrShares)
}

// Return takes back the paid shares of an order that is undone: held -> left while the offer is ACTIVE (open). A SOLD offer stays SOLD:
// its shares belong to the seller again and are no longer offered.
func Return(ctx context.Context, tx module.Tx, offer string, n int64) (open bool, err error) {
	var is state.Status
	err = module.Label(ctx, "a withdrawn order returns shares to the offer of another member").Update(tx, (*Offer)(nil)).
		Where("id = ? AND status IN (?, ?) AND held >= ?", offer, Active, Sold, n).Where("? > 0", n).
		Set("held = held - ?", n).
		Set("left_shares = left_shares + CASE WHEN status = ? THEN ? ELSE 0 END", Active, n).
		Set("shares = shares - CASE WHEN status = ? THEN 0 ELSE ? END", Active, n).
		Returning("status").Scan(ctx, &is)
	if errors.Is(err, sql.ErrNoRows) {
		err = ledger.ErrShares
	}
	return is == Active, err
}

// Transfer transfers paid shares to their buyer: held -> transferred.
func Transfer(ctx context.Context, tx module.Tx, offer string, n int64) error {
	done, err := module.Label(ctx, "a job hands over shares of the offers of all members").Update(tx, (*Offer)(nil)).
		Where("id = ? AND status IN (?, ?) AND held >= ?", offer, Active, Sold, n).Where("? > 0", n).
		Set("held = held - ?, transferred = transferred + ?", n, n).Exec(ctx)
	return state.Changed(done, err, ledger.ErrShares)
}

// Lock reads and locks an offer of the label that is about to be changed. It returns problem.ErrNotFound when there is none.
func Lock(ctx context.Context, tx module.Tx, id string) (Offer, error) {
	row := Offer{}
	err := module.Label(ctx, "staff, jobs and buyers change the offer of another member").SelectForUpdate(tx, &row).Where("id = ?", id).
		Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return row, problem.ErrNotFound
	}
	return row, err
}

// lockByChange reads and locks the offer of a change. It returns problem.ErrNotFound when the change does not concern an offer.
func lockByChange(ctx context.Context, tx module.Tx, change string) (Offer, error) {
	row := Offer{}
	err := module.Label(ctx, "staff decide on the offer of a member").SelectForUpdate(tx, &row).Where("change_id = ?", change).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row, err
}

// insert stores a new offer. It returns operation.ErrSent when an offer with its idempotency key exists.
func insert(ctx context.Context, tx module.Tx, row *Offer) error {
	rows := module.Label(ctx, "an offer is also placed by the import, for another's relation")
	done, err := rows.Insert(tx, row).On("CONFLICT (label_key, relation_id, idempotency_key) DO NOTHING").Exec(ctx)
	return state.Changed(done, err, operation.ErrSent)
}

// insertImported stores an offer from a record, in the status that the record gives.
func insertImported(ctx context.Context, tx module.Tx, row *Offer) error {
	_, err := module.Label(ctx, "an import holds offers of the whole label").Insert(tx, row).Exec(ctx)
	return err
}

// save stores the status and other changes of a locked offer. It returns state.ErrTransition (409) unless the offer already has that
// status or may change to it.
func save(ctx context.Context, tx module.Tx, row *Offer, to state.Status) error {
	if to != row.Status {
		if err := state.Next(Transitions, row.Status, to); err != nil {
			return err
		}
		row.Status = to
	}
	rows := module.Label(ctx, "staff, jobs and buyers change the offer of another member")
	done, err := rows.Update(tx, row).Column("status", "shares", "left_shares", "rejection_reason", "change_id", "updated_at").WherePK().
		Exec(ctx)
	return state.Changed(done, err, problem.ErrNotFound)
}

// CountByProject counts, by project, the offers of other members that a relation can buy.
func CountByProject(ctx context.Context, db module.Querier, relation string) (map[string]int, error) {
	var rows []struct {
		ProjectCode string
		N           int
	}
	err := module.Label(ctx, "the market counts the offers of all members").Select(db, (*Offer)(nil)).
		ColumnExpr("project_code, count(*) AS n").
		Where("type = ? AND status = ? AND left_shares > 0 AND relation_id <> ?", Public, Active, relation).
		GroupExpr("project_code").Scan(ctx, &rows)
	out := make(map[string]int, len(rows))
	for _, r := range rows {
		out[r.ProjectCode] = r.N
	}
	return out, err
}
