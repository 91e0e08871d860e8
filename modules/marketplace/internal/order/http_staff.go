package order

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// actionOrdersViewed is the audit log action for staff who search for the orders of one member.
const actionOrdersViewed = "marketplace.orders_viewed"

// StaffOrder is an order as staff see it.
type StaffOrder struct {
	Reference    string       `json:"deal_reference" doc:"Human-readable reference"`
	ID           string       `json:"deal_identifier" doc:"Id of the order in requests"`
	Status       state.Status `json:"status" doc:"CREATED, AWAITING_PAYMENT, BOUGHT, COMPLETED, EXPIRED or CANCELLED"`
	PrivateDeal  bool         `json:"private_deal" doc:"Whether it has shares of a personal offer"`
	Amount       value.Cents  `json:"amount" doc:"Price of its shares"`
	Costs        value.Cents  `json:"administration_costs" doc:"Administration costs that are charged with it; 0 when the label charged none"`
	Due          value.Cents  `json:"amount_due" doc:"Amount due: amount plus administration_costs"`
	Shares       int64        `json:"shares" doc:"Number of shares of the order"`
	TransferDate value.Day    `json:"transfer_date" doc:"Day on which the shares are transferred"`
	Expires      time.Time    `json:"expiration_date" doc:"Time until which its shares are reserved"`
	Placed       time.Time    `json:"placed" doc:"Time of the order"`
	Paid         time.Time    `json:"paid,omitzero" doc:"Time of the payment; absent: not paid"`
	Ended        time.Time    `json:"ended,omitzero" doc:"Time at which it expired or was cancelled; absent: it did not"`
	Relation     string       `json:"relation" doc:"Relation of the buyer"`
	Buyer        string       `json:"buyer_name,omitempty" doc:"Name of the buyer; absent: unknown"`
	DebtorNumber string       `json:"debtor_number,omitempty" doc:"Debtor number of the buyer; absent: unknown"`
}

type ordersInput struct {
	Status string `query:"status" maxLength:"40" doc:"Only orders in this status"`
	Query  string `query:"q" maxLength:"100" doc:"Complete order or offer reference, deal_identifier or debtor number"`
	Page   int    `query:"page" minimum:"0" maximum:"400" doc:"Number of the page, from 0"`
}

type staffOrdersAnswer struct{ Body operation.PageOf[StaffOrder] }

// listOrders lists the orders of the label.
func (s *Service) listOrders(ctx context.Context, in *ordersInput) (*staffOrdersAnswer, error) {
	label := module.Label(ctx, "staff read the orders of all members")
	narrow := func(q *bun.SelectQuery) *bun.SelectQuery {
		if in.Status != "" {
			q = q.Where("d.status = ?", in.Status)
		}
		if text := strings.TrimSpace(in.Query); text != "" { // only searches that use an index
			q = q.Where("(d.reference = ? OR d.id = ? OR d.relation_id IN (?) OR d.id IN (?))", strings.ToUpper(text), strings.ToLower(text),
				bun.List([]string{text, value.StableID(label.Key(), "relation", text), value.StableID(label.Key(), "relation", strings.ToUpper(text))}),
				label.Select(s.host.DB, (*Line)(nil)).Column("order_id").Where("offer_reference = ?", strings.ToUpper(text)))
		}
		return q
	}
	n, err := narrow(label.Select(s.host.DB, (*Row)(nil))).Count(ctx)
	if err != nil {
		return nil, err
	}
	var rows []Row
	err = narrow(label.Select(s.host.DB, &rows)).OrderExpr("d.placed_at DESC, d.id DESC").Limit(operation.StaffPage).
		Offset(int64(in.Page) * operation.StaffPage).Scan(ctx)
	if err != nil {
		return nil, err
	}
	buyers := make([]string, len(rows))
	for i, o := range rows {
		buyers[i] = o.RelationID
	}
	buyers = participation.Distinct(buyers)
	people, err := sibling.People(ctx, s.host.Client, buyers)
	if err != nil {
		return nil, err
	}
	if in.Query != "" && len(buyers) == 1 { // a search that identifies one member
		if err := sibling.LogAccess(ctx, s.host.Client, actionOrdersViewed, buyers[0], ""); err != nil {
			return nil, err
		}
	}
	out := &staffOrdersAnswer{operation.NewPage[StaffOrder](in.Page, operation.StaffPage, n)}
	for _, o := range rows {
		who := people[o.RelationID]
		shown := StaffOrder{Reference: o.Reference, ID: o.ID, Status: o.Status, PrivateDeal: o.PrivateDeal, Amount: o.Amount,
			Costs: o.AdministrationCosts, Due: o.Due(), Shares: o.Shares, TransferDate: o.TransferDate, Expires: o.ExpiresAt, Placed: o.PlacedAt,
			Relation: o.RelationID, Buyer: who.Name, DebtorNumber: who.DebtorNumber}
		if o.PaidAt != nil {
			shown.Paid = *o.PaidAt
		}
		if o.EndedAt != nil {
			shown.Ended = *o.EndedAt
		}
		out.Body.Content = append(out.Body.Content, shown)
	}
	return out, nil
}
