package offer

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
)

type staffOffersInput struct {
	Status string `query:"status" enum:"CREATED,APPROVED,ACTIVE,SOLD,REJECTED,REVOKED" doc:"Only offers in this status; absent: all"`
	Query  string `query:"q" maxLength:"100" doc:"Start of the reference, the project code or the project name"`
	Page   int    `query:"page" minimum:"0" maximum:"10000" doc:"Number of the page, from 0"`
}

// StaffOffer is an offer as staff see it.
type StaffOffer struct {
	MarketOffer
	Lifecycle  string    `json:"lifecycle" enum:"CREATED,APPROVED,ACTIVE,SOLD,REJECTED,REVOKED" doc:"Stored status of the offer; status is derived from it and from the orders"`
	Relation   string    `json:"relation" doc:"Relation of the seller"`
	Seller     string    `json:"seller_name,omitempty" doc:"Name of the seller; absent: not known"`
	Debtor     string    `json:"debtor_number,omitempty" doc:"Debtor number of the seller"`
	BuyerEmail string    `json:"buyer_email_address,omitempty" doc:"E-mail address of the only buyer; absent: none was specified"`
	Change     string    `json:"change_id" doc:"Id of the change that approves or rejects the offer"`
	Created    time.Time `json:"created" doc:"Time at which the member made the offer"`
}

type staffOffersAnswer struct{ Body operation.PageOf[StaffOffer] }

func (s *Service) staffOffers(ctx context.Context, in *staffOffersInput) (*staffOffersAnswer, error) {
	var found []Offer
	q := module.Label(ctx, "staff read the offers of all members").Select(s.host.DB, &found)
	if in.Status != "" {
		q = q.Where("o.status = ?", in.Status)
	}
	if begin := strings.TrimSpace(in.Query); begin != "" {
		like := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(begin) + "%"
		q = q.WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where(`o.reference LIKE ? ESCAPE '\'`, strings.ToUpper(like)).WhereOr(`o.project_code = ?`, begin).
				WhereOr(`lower(o.project_name) LIKE ? ESCAPE '\'`, strings.ToLower(like))
		})
	}
	total, err := q.OrderExpr("o.created_at DESC, o.id DESC").Limit(operation.StaffPage).Offset(int64(in.Page) * operation.StaffPage).
		ScanAndCount(ctx)
	if err != nil {
		return nil, err
	}
	shown, err := s.MarketOffers(ctx, func(Offer) bool { return true }, found) // as their owners see them
	if err != nil {
		return nil, err
	}
	sellers := make([]string, len(found))
	for i, r := range found {
		sellers[i] = r.RelationID
	}
	people, err := sibling.People(ctx, s.host.Client, sellers)
	if err != nil {
		return nil, err
	}
	out := &staffOffersAnswer{operation.NewPage[StaffOffer](in.Page, operation.StaffPage, total)}
	for i, r := range found {
		who := people[r.RelationID]
		o := StaffOffer{MarketOffer: shown[i], Lifecycle: string(r.Status), Relation: r.RelationID, Seller: who.Name, Debtor: who.DebtorNumber,
			BuyerEmail: r.BuyerEmail, Change: r.ChangeID, Created: r.CreatedAt.UTC()}
		o.Code, o.Mine, o.MineToo = "", false, false // anybody with the code can buy, so it is not shown
		out.Body.Content = append(out.Body.Content, o)
	}
	return out, nil
}
