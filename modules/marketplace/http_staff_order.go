package marketplace

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// ordersPage is how many orders or payments staff see at a time.
const ordersPage = 25

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
	Note       string       `json:"note,omitempty" doc:"HONOURED, SHARES_GONE, ORDER_CANCELLED, PAID_TWICE, AMOUNT_DIFFERS, REFUNDED_OUTSIDE, REFUND_REFUSED, WITHDRAWN or BY_STAFF"`
	Refund     bool         `json:"may_refund" doc:"Staff can give it back"`
	Provider   string       `json:"provider"`
	ProviderID string       `json:"provider_id,omitempty" doc:"Of the payment at the provider"`
	Relation   string       `json:"relation"`
}

// pageOf is a page of a list, counted from 0 (9-market-page-base).
type pageOf[T any] struct {
	Content  []T   `json:"content" nullable:"false"`
	Number   int   `json:"number"`
	Size     int   `json:"size"`
	Pages    int64 `json:"totalPages"`
	Elements int64 `json:"totalElements"`
}

func newPage[T any](number int, elements int64) pageOf[T] {
	return pageOf[T]{Content: []T{}, Number: number, Size: ordersPage, Pages: (elements + ordersPage - 1) / ordersPage, Elements: elements}
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
	err = narrow(s.host.DB.Read().NewSelect().Model(&rows)).OrderExpr("d.placed_at DESC, d.id DESC").Limit(ordersPage).Offset(int64(in.Page) * ordersPage).Scan(ctx)
	if err != nil {
		return nil, err
	}
	out := &staffOrdersAnswer{newPage[StaffOrder](in.Page, int64(n))}
	for _, o := range rows {
		shown := StaffOrder{Reference: o.Reference, ID: o.ID, Status: o.Status, PrivateDeal: o.PrivateDeal, Amount: o.Amount, Shares: o.Shares,
			TransferDate: o.TransferDate, Expires: o.ExpiresAt, Placed: o.PlacedAt, Relation: o.RelationID}
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
	Attention bool `query:"attention" doc:"Only those that came late or twice, or that somebody must look at"`
	Page      int  `query:"page" minimum:"0" maximum:"400"`
}

type staffPaymentsAnswer struct{ Body pageOf[StaffPayment] }

// listPayments lists payments of the label.
func (s *service) listPayments(ctx context.Context, in *paymentsInput) (*staffPaymentsAnswer, error) {
	label := module.Label(ctx)
	narrow := func(q *bun.SelectQuery) *bun.SelectQuery {
		q = q.ApplyQueryBuilder(label.Where)
		if in.Attention {
			q = q.Where("y.late")
		}
		return q
	}
	n, err := narrow(s.host.DB.Read().NewSelect().Model((*paymentRow)(nil))).Count(ctx)
	if err != nil {
		return nil, err
	}
	var rows []paymentRow
	err = narrow(s.host.DB.Read().NewSelect().Model(&rows)).OrderExpr("y.created_at DESC, y.id DESC").Limit(ordersPage).Offset(int64(in.Page) * ordersPage).Scan(ctx)
	if err != nil {
		return nil, err
	}
	out := &staffPaymentsAnswer{newPage[StaffPayment](in.Page, int64(n))}
	out.Body.Content, err = s.staffPayments(ctx, rows)
	return out, err
}

// staffPayments shows payments with the references of their orders.
func (s *service) staffPayments(ctx context.Context, rows []paymentRow) ([]StaffPayment, error) {
	out := []StaffPayment{}
	if len(rows) == 0 {
		return out, nil
	}
	ids := make([]string, len(rows))
	for i, p := range rows {
		ids[i] = p.OrderID
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
		shown := StaffPayment{ID: p.ID, Order: p.OrderID, Reference: references[p.OrderID], Amount: p.Amount, State: p.State, Created: p.CreatedAt,
			Late: p.Late, Note: p.Note, Refund: p.refundable(), Provider: p.Provider, Relation: p.RelationID}
		if p.PaidAt != nil {
			shown.Paid = *p.PaidAt
		}
		if p.ProviderID != nil {
			shown.ProviderID = *p.ProviderID
		}
		out = append(out, shown)
	}
	return out, nil
}

// refundable reports whether staff can give a payment back: money that no order stands for. An order that is paid is undone by its
// buyer.
func (p paymentRow) refundable() bool {
	return p.State == string(payPaid) && p.Note == noteAmount || p.State == string(payRefunding)
}

type paymentInput struct {
	ID string `path:"id" maxLength:"64"`
}

type staffPaymentAnswer struct{ Body StaffPayment }

// refundPayment has a payment given back, or tried again. 409 for one that an order stands for.
func (s *service) refundPayment(ctx context.Context, in *paymentInput) (*staffPaymentAnswer, error) {
	var p paymentRow
	err := s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		if p, err = paymentOf(ctx, tx, in.ID); err != nil {
			return err
		}
		if !p.refundable() {
			return errTransition
		}
		p.State = string(payRefunding)
		if p.Note == "" {
			p.Note = noteStaff
		}
		return wishRefund(ctx, tx, p)
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
