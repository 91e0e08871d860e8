package offer

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Error codes of redeeming a code.
const (
	codeCodeUnknown = "marketplace.code_unknown" // 404: unknown, already used, or not for this member
)

var errCode = problem.Fail(http.StatusNotFound, codeCodeUnknown)

// ByID reads an offer of the label. It returns problem.ErrNotFound when there is none.
func ByID(ctx context.Context, db module.DB, id string) (*Offer, error) {
	row := new(Offer)
	err := db.Find(ctx, module.Label(ctx, "an event names an offer of any member"), row, "AND id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row, err
}

// BuyerOf reads the buyer of a DIRECT offer. The buyer may have no account: the email is in the language of the seller.
func BuyerOf(ctx context.Context, db module.DB, id string) (r notice.Reader, err error) {
	o, err := ByID(ctx, db, id)
	if err != nil {
		return r, err
	}
	return notice.Reader{Email: o.BuyerEmail, Locale: o.Locale, Code: o.Code}, nil
}

// redeem makes a relation the buyer of the personal offer with a code. It returns errCode (404) when the relation cannot: the code is
// unknown, the offer is its own or somebody else's, or the offer has ended.
func redeem(ctx context.Context, tx module.Tx, hash, relation string, at time.Time) (Offer, error) {
	rows := module.Label(ctx, "a code leads to the offer of another member")
	row := Offer{}
	err := rows.SelectForUpdate(tx, &row).Where("code_hash = ?", hash).Scan(ctx)
	switch open := row.Status == Approved || row.Status == Active; {
	case errors.Is(err, sql.ErrNoRows):
		return row, errCode
	case err != nil:
		return row, err
	case !open, row.Type != Direct, row.RelationID == relation, row.BuyerRelation != "" && row.BuyerRelation != relation:
		return row, errCode
	case row.BuyerRelation == relation:
		return row, nil
	}
	row.BuyerRelation, row.UpdatedAt = relation, state.StoredTime(at)
	done, err := rows.Update(tx, &row).Column("buyer_relation", "updated_at").WherePK().Where("buyer_relation = ''").Exec(ctx)
	if err := state.Changed(done, err, errCode); err != nil {
		return row, err
	}
	return row, module.Publish(ctx, tx, marketplaceapi.EventOfferRedeemed, row.ID, marketplaceapi.OfferRedeemed{Offer: row.ID,
		Reference: row.Reference, Relation: row.RelationID, Buyer: relation})
}

// TransfersDue lists the ids of transfers that can be made now.
func TransfersDue(ctx context.Context, db module.DB, limit int) (ids []string, err error) {
	err = module.Label(ctx, "a job hands over the transfers of all members").Select(db, (*Offer)(nil)).Column("id").
		Where("type = ? AND status = ? AND left_shares > 0", Private, Active).OrderExpr("price, project_name, id").Limit(int64(limit)).
		Scan(ctx, &ids)
	return ids, err
}
