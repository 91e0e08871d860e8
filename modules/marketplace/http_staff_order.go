package marketplace

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// StaffOrder is an order as staff see it.
type StaffOrder struct {
	Reference    string       `json:"deal_reference"`
	ID           string       `json:"deal_identifier"`
	Status       status       `json:"status"`
	PrivateDeal  bool         `json:"private_deal"`
	Amount       module.Cents `json:"amount"`
	Shares       int64        `json:"shares"`
	TransferDate module.Day   `json:"transfer_date"`
	Expires      time.Time    `json:"expiration_date"`
	Placed       time.Time    `json:"placed"`
	Paid         time.Time    `json:"paid,omitzero"`
	Ended        time.Time    `json:"ended,omitzero"`
	Relation     string       `json:"relation" doc:"The buyer"`
	Buyer        string       `json:"buyer_name,omitempty"`
	DebtorNumber string       `json:"debtor_number,omitempty"`
}

// StaffPayment is a payment as staff see it.
type StaffPayment struct {
	ID         string       `json:"id"`
	Order      string       `json:"deal_identifier"`
	Reference  string       `json:"deal_reference"`
	Amount     module.Cents `json:"amount"`
	State      string       `json:"state" enum:"OPEN,PAID,FAILED,CANCELLED,EXPIRED,REFUNDING,REFUNDED"`
	Created    time.Time    `json:"created"`
	Paid       time.Time    `json:"paid_at,omitzero"`
	Late       bool         `json:"late" doc:"Came after its order had ended, or a second time, or needs somebody to look"`
	Seen       time.Time    `json:"seen_at,omitzero" doc:"When somebody of the staff had seen to it"`
	Note       string       `json:"note,omitempty" doc:"HONOURED, SHARES_GONE, ORDER_CANCELLED, PAID_TWICE, AMOUNT_DIFFERS, REFUNDED_OUTSIDE, REFUND_REFUSED, WITHDRAWN or BY_STAFF"`
	Refund     bool         `json:"may_refund" doc:"Staff can give it back"`
	MaySee     bool         `json:"may_see" doc:"Staff can say that they have seen to it"`
	Provider   string       `json:"provider"`
	ProviderID string       `json:"provider_id,omitempty" doc:"Of the payment at the provider"`
	Relation   string       `json:"relation" doc:"The buyer"`
	Buyer      string       `json:"buyer_name,omitempty"`
	Debtor     string       `json:"debtor_number,omitempty"`
}

type ordersInput struct {
	Status string `query:"status" maxLength:"40" doc:"Only orders in this status"`
	Query  string `query:"q" maxLength:"100" doc:"Reference of an order or of an offer, deal_identifier or debtor number, whole"`
	Page   int    `query:"page" minimum:"0" maximum:"400"`
}

type staffOrdersAnswer struct{ Body pageOf[StaffOrder] }

// listOrders lists orders of the label.
func (s *service) listOrders(ctx context.Context, in *ordersInput) (*staffOrdersAnswer, error) {
	label := module.Label(ctx)
	narrow := func(q *bun.SelectQuery) *bun.SelectQuery {
		q = q.ApplyQueryBuilder(label.Where)
		if in.Status != "" {
			q = q.Where("d.status = ?", in.Status)
		}
		if text := strings.TrimSpace(in.Query); text != "" { // what can be found by an index
			q = q.Where("(d.reference = ? OR d.id = ? OR d.relation_id IN (?) OR d.id IN (?))", strings.ToUpper(text), strings.ToLower(text),
				bun.List([]string{text, module.StableID(label.Key(), "relation", text), module.StableID(label.Key(), "relation", strings.ToUpper(text))}),
				s.host.DB.Read().NewSelect().Model((*orderLineRow)(nil)).Column("order_id").ApplyQueryBuilder(label.Where).Where("offer_reference = ?", strings.ToUpper(text)))
		}
		return q
	}
	n, err := narrow(s.host.DB.Read().NewSelect().Model((*orderRow)(nil))).Count(ctx)
	if err != nil {
		return nil, err
	}
	var rows []orderRow
	err = narrow(s.host.DB.Read().NewSelect().Model(&rows)).OrderExpr("d.placed_at DESC, d.id DESC").Limit(staffPage).Offset(int64(in.Page) * staffPage).Scan(ctx)
	if err != nil {
		return nil, err
	}
	buyers := make([]string, len(rows))
	for i, o := range rows {
		buyers[i] = o.RelationID
	}
	buyers = distinct(buyers)
	people, err := s.people(ctx, buyers)
	if err != nil {
		return nil, err
	}
	if in.Query != "" && len(buyers) == 1 { // one member's orders were looked for
		if err := s.looked(ctx, actionOrdersViewed, buyers[0], ""); err != nil {
			return nil, err
		}
	}
	out := &staffOrdersAnswer{newPage[StaffOrder](in.Page, staffPage, n)}
	for _, o := range rows {
		who := people[o.RelationID]
		shown := StaffOrder{Reference: o.Reference, ID: o.ID, Status: o.Status, PrivateDeal: o.PrivateDeal, Amount: o.Amount, Shares: o.Shares,
			TransferDate: o.TransferDate, Expires: o.ExpiresAt, Placed: o.PlacedAt, Relation: o.RelationID,
			Buyer: who.Name, DebtorNumber: who.DebtorNumber}
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

type paymentsInput struct {
	Attention bool `query:"attention" doc:"Only those that somebody must still look at: that came late, twice or otherwise than asked and are not seen yet, and money that is long on its way back"`
	Page      int  `query:"page" minimum:"0" maximum:"400"`
}

type staffPaymentsAnswer struct{ Body pageOf[StaffPayment] }

// listPayments lists payments of the label.
func (s *service) listPayments(ctx context.Context, in *paymentsInput) (*staffPaymentsAnswer, error) {
	label := module.Label(ctx)
	narrow := func(q *bun.SelectQuery) *bun.SelectQuery {
		q = q.ApplyQueryBuilder(label.Where)
		if in.Attention {
			q = q.Where("(y.late AND y.seen_at IS NULL OR y.state = ? AND coalesce(y.refund_since, y.paid_at) < ?)", payRefunding,
				cut(s.host.Now().Add(-refundOverdue)))
		}
		return q
	}
	n, err := narrow(s.host.DB.Read().NewSelect().Model((*paymentRow)(nil))).Count(ctx)
	if err != nil {
		return nil, err
	}
	var rows []paymentRow
	err = narrow(s.host.DB.Read().NewSelect().Model(&rows)).OrderExpr("y.created_at DESC, y.id DESC").Limit(staffPage).Offset(int64(in.Page) * staffPage).Scan(ctx)
	if err != nil {
		return nil, err
	}
	out := &staffPaymentsAnswer{newPage[StaffPayment](in.Page, staffPage, n)}
	out.Body.Content, err = s.staffPayments(ctx, rows)
	return out, err
}

// staffPayments shows payments with the references of their orders.
func (s *service) staffPayments(ctx context.Context, rows []paymentRow) ([]StaffPayment, error) {
	out := []StaffPayment{}
	if len(rows) == 0 {
		return out, nil
	}
	ids, buyers := make([]string, len(rows)), make([]string, len(rows))
	for i, p := range rows {
		ids[i], buyers[i] = p.OrderID, p.RelationID
	}
	people, err := s.people(ctx, buyers)
	if err != nil {
		return nil, err
	}
	var orders []orderRow
	if err := s.host.DB.Read().NewSelect().Model(&orders).Column("id", "reference").ApplyQueryBuilder(module.Label(ctx).Where).
		Where("id IN (?)", bun.List(ids)).Scan(ctx); err != nil {
		return nil, err
	}
	references := map[string]string{}
	for _, o := range orders {
		references[o.ID] = o.Reference
	}
	for _, p := range rows {
		who := people[p.RelationID]
		shown := StaffPayment{ID: p.ID, Order: p.OrderID, Reference: references[p.OrderID], Amount: p.Amount, State: p.State, Created: p.CreatedAt,
			Late: p.Late, Note: p.Note, Refund: p.refundable(), MaySee: p.seeable(), Provider: p.Provider, Relation: p.RelationID, Buyer: who.Name,
			Debtor: who.DebtorNumber}
		if p.PaidAt != nil {
			shown.Paid = *p.PaidAt
		}
		if p.SeenAt != nil {
			shown.Seen = *p.SeenAt
		}
		if p.ProviderID != nil {
			shown.ProviderID = *p.ProviderID
		}
		out = append(out, shown)
	}
	return out, nil
}

// refundOverdue is after how long money that is on its way back is for somebody to look at.
const refundOverdue = 24 * time.Hour

// refundable reports whether staff can give a payment back: money that no order stands for. An order that is paid is undone by its
// buyer.
func (p paymentRow) refundable() bool {
	return p.State == string(payPaid) && p.Note == noteAmount || p.State == string(payRefunding)
}

// seeable reports whether staff can say that they have seen to a payment: nothing more becomes of it by itself.
func (p paymentRow) seeable() bool {
	return p.Late && p.SeenAt == nil && (p.State != string(payRefunding) || p.Note == noteRefused)
}

type paymentInput struct {
	ID string `path:"id" maxLength:"64"`
}

type staffPaymentAnswer struct{ Body StaffPayment }

// refundPayment has a payment given back, or tried again. 409 for one that an order stands for.
func (s *service) refundPayment(ctx context.Context, in *paymentInput) (*staffPaymentAnswer, error) {
	return s.actOnPayment(ctx, in.ID, actionPaymentRefunded, paymentRow.refundable, func(ctx context.Context, tx module.Tx, p *paymentRow) error {
		if p.State == string(payPaid) || p.Note == noteRefused {
			p.Note = noteStaff
		}
		return s.wishRefund(ctx, tx, p)
	})
}

// seePayment notes that somebody has seen to a payment that came late: it asks for no attention any more, and one whose refund is
// refused is not tried again by itself. 409 for one that is still on its way, or needs nobody.
func (s *service) seePayment(ctx context.Context, in *paymentInput) (*staffPaymentAnswer, error) {
	return s.actOnPayment(ctx, in.ID, actionPaymentSeen, paymentRow.seeable, func(ctx context.Context, tx module.Tx, p *paymentRow) error {
		p.SeenAt = new(cut(s.host.Now()))
		return storePayment(ctx, tx, *p)
	})
}

// actOnPayment does something to a payment for which that may be done, once the audit log has it. 409 for any other.
func (s *service) actOnPayment(ctx context.Context, id, action string, may func(paymentRow) bool,
	do func(context.Context, module.Tx, *paymentRow) error,
) (*staffPaymentAnswer, error) {
	p, err := s.paymentWith(ctx, "id", id)
	if err != nil {
		return nil, err
	}
	if !may(p) {
		return nil, errTransition
	}
	if err := s.looked(ctx, action, p.RelationID, p.ID); err != nil { // core's own writes wait for a transaction of ours
		return nil, err
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		if p, err = paymentOf(ctx, tx, id); err != nil {
			return err
		}
		if !may(p) {
			return errTransition
		}
		return do(ctx, tx, &p)
	})
	if err != nil {
		return nil, err
	}
	shown, err := s.staffPayments(ctx, []paymentRow{p})
	if err != nil {
		return nil, err
	}
	return &staffPaymentAnswer{shown[0]}, nil
}
