package order

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// basketRow is an offer in a basket.
type basketRow struct {
	bun.BaseModel `bun:"table:marketplace_baskets,alias:b"`
	LabelKey      string `bun:",pk"`
	RelationID    string `bun:",pk"`
	OfferID       string `bun:",pk"`
	Shares        int64
	Address       string // JSON of an Address
	AddedAt       time.Time
}

// readBasket reads the basket of the calling relation, oldest item first.
func readBasket(ctx context.Context, db module.DB) ([]BasketLine, error) {
	mine, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	var rows []basketRow
	if err := db.Find(ctx, mine, &rows, "ORDER BY b.added_at, b.offer_id"); err != nil {
		return nil, err
	}
	return withOffers(ctx, rows, func(all module.Rows, offers *[]offer.Offer) *bun.SelectQuery { return all.Select(db, offers) })
}

// withOffers reads the offers of basket rows. read starts the query, with a lock in a transaction that changes the offers.
func withOffers(ctx context.Context, rows []basketRow, read func(module.Rows, *[]offer.Offer) *bun.SelectQuery) ([]BasketLine, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	ids := make([]string, len(rows))
	lines := make([]BasketLine, len(rows))
	for i, r := range rows {
		ids[i], lines[i] = r.OfferID, BasketLine{basketRow: r, address: participation.AddressOf(r.Address)}
	}
	var offers []offer.Offer
	all := module.Label(ctx, "a basket holds offers of other members")
	if err := read(all, &offers).Where("id IN (?)", bun.List(ids)).OrderExpr("id").Scan(ctx); err != nil {
		return nil, err
	}
	byID := make(map[string]*offer.Offer, len(offers))
	for i := range offers {
		byID[offers[i].ID] = &offers[i]
	}
	for i := range lines {
		lines[i].offer = byID[lines[i].OfferID]
	}
	return lines, nil
}

// lockBaskets blocks other transactions that change or order the baskets of some relations. Locking the rows is not enough: a row that
// another device adds during the order would be neither ordered nor in the response.
func lockBaskets(ctx context.Context, tx module.Tx, relations ...string) error {
	for _, r := range slices.Compact(slices.Sorted(slices.Values(relations))) {
		if err := tx.Lock(ctx, "basket "+r); err != nil {
			return err
		}
	}
	return nil
}

// put sets the number of shares of an offer in the basket of the calling relation. It returns 409 basket_full above maxBasket offers.
func put(ctx context.Context, db module.DB, now time.Time, offer string, shares int64, at participation.Address) error {
	mine, err := module.Mine(ctx)
	if err != nil {
		return err
	}
	return db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if err := lockBaskets(ctx, tx, mine.Relation()); err != nil {
			return err
		}
		row := basketRow{LabelKey: mine.Key(), RelationID: mine.Relation(), OfferID: offer, Shares: shares, Address: at.Text(),
			AddedAt: state.StoredTime(now)}
		_, err := mine.Insert(tx, &row).On("CONFLICT (label_key, relation_id, offer_id) DO UPDATE").
			Set("shares = EXCLUDED.shares, address = EXCLUDED.address").Exec(ctx)
		if err != nil {
			return err
		}
		n, err := mine.Select(tx, (*basketRow)(nil)).Count(ctx)
		if err == nil && n > maxBasket {
			err = problem.Fail(http.StatusConflict, codeBasketFull)
		}
		return err
	})
}

// remove removes an offer from the basket of the calling relation. It returns problem.ErrNotFound when the offer is not in it.
func remove(ctx context.Context, db module.DB, offer string) error {
	mine, err := module.Mine(ctx)
	if err != nil {
		return err
	}
	return db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if err := lockBaskets(ctx, tx, mine.Relation()); err != nil {
			return err
		}
		done, err := mine.Delete(tx, (*basketRow)(nil)).Where("offer_id = ?", offer).Exec(ctx)
		// 6-customer-own-data-status: the item of another member is treated as one that does not exist
		return state.Changed(done, err, problem.ErrNotFound)
	})
}
