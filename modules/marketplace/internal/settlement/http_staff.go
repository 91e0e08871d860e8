package settlement

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Audit log actions for changes that staff make for a member.
const (
	actionPaymentRefunded = "marketplace.payment_refunded"
	actionPaymentSeen     = "marketplace.payment_seen"
	actionSaleCancelled   = "marketplace.sale_cancelled"
)

// StaffPayment is a payment as staff see it.
type StaffPayment struct {
	ID         string       `json:"id" doc:"Id of the payment"`
	Order      string       `json:"deal_identifier" doc:"Id of its order"`
	Reference  string       `json:"deal_reference" doc:"Human-readable reference of its order"`
	Amount     value.Cents  `json:"amount" doc:"Requested amount in euros"`
	State      string       `json:"state" enum:"OPEN,PAID,FAILED,CANCELLED,EXPIRED,REFUNDING,REFUNDED,CHARGED_BACK" doc:"State of the payment"`
	Created    time.Time    `json:"created" doc:"Time at which the payment was created"`
	Paid       time.Time    `json:"paid_at,omitzero" doc:"Time at which the provider received the money; absent: it did not"`
	Late       bool         `json:"late" doc:"Whether the payment arrived after its order had ended, was a second one, or needs attention for another reason"`
	Seen       time.Time    `json:"seen_at,omitzero" doc:"Time at which staff marked it as seen"`
	Note       string       `json:"note,omitempty" doc:"HONOURED, SHARES_GONE, ORDER_CANCELLED, PAID_TWICE, AMOUNT_DIFFERS, REFUNDED_OUTSIDE, REFUNDED_PART, REFUND_REFUSED, REFUND_FAILED, CHARGED_BACK, CHARGED_BACK_AFTER_TRANSFER, MONEY_RESTORED, RETURNED_TWICE, WITHDRAWN or BY_STAFF"`
	Refund     bool         `json:"may_refund" doc:"Whether staff can refund it"`
	MaySee     bool         `json:"may_see" doc:"Whether staff can mark it as seen"`
	MayCancel  bool         `json:"may_cancel_sale" doc:"Whether staff can cancel its sale: a part was refunded and the shares have not been transferred"`
	Refunded   value.Cents  `json:"refunded_amount" doc:"Amount that was refunded, by the portal or at the provider"`
	Charged    value.Cents  `json:"charged_back_amount" doc:"Amount that the buyer's bank took back"`
	OrderIs    state.Status `json:"order_status" doc:"Status of its order"`
	Shares     int64        `json:"shares" doc:"Shares of the order"`
	Free       *int64       `json:"buyer_free_shares,omitempty" doc:"After a transfer whose payment was refunded or charged back: number of shares that the buyer still has free and that a correction of the participations can take back"`
	Provider   string       `json:"provider" doc:"Provider that takes the money, such as mollie"`
	ProviderID string       `json:"provider_id,omitempty" doc:"Id of the payment at the provider"`
	Relation   string       `json:"relation" doc:"Relation of the buyer"`
	Buyer      string       `json:"buyer_name,omitempty" doc:"Name of the buyer; absent: unknown"`
	Debtor     string       `json:"debtor_number,omitempty" doc:"Debtor number of the buyer; absent: unknown"`
}

type paymentsInput struct {
	Attention bool `query:"attention" doc:"Only payments that need attention: unseen ones that were late, paid twice or differ from the request, and refunds that take more than a day"`
	Page      int  `query:"page" minimum:"0" maximum:"400" doc:"Number of the page, from 0"`
}

type staffPaymentsAnswer struct {
	Body operation.PageOf[StaffPayment]
}

// listPayments lists the payments of the label.
func (s *Service) listPayments(ctx context.Context, in *paymentsInput) (*staffPaymentsAnswer, error) {
	label := module.Label(ctx, "staff read the payments of all members")
	narrow := func(q *bun.SelectQuery) *bun.SelectQuery {
		if in.Attention {
			q = q.Where("(y.late AND y.seen_at IS NULL OR y.state = ? AND coalesce(y.refund_since, y.paid_at) < ? AND NOT (y.note IN (?) AND y.seen_at IS NOT NULL))",
				payment.Refunding, state.StoredTime(s.host.Now().Add(-refundOverdue)), bun.List(payment.StuckNotes))
		}
		return q
	}
	n, err := narrow(label.Select(s.host.DB, (*payment.Payment)(nil))).Count(ctx)
	if err != nil {
		return nil, err
	}
	var rows []payment.Payment
	err = narrow(label.Select(s.host.DB, &rows)).OrderExpr("y.created_at DESC, y.id DESC").Limit(operation.StaffPage).
		Offset(int64(in.Page) * operation.StaffPage).Scan(ctx)
	if err != nil {
		return nil, err
	}
	out := &staffPaymentsAnswer{operation.NewPage[StaffPayment](in.Page, operation.StaffPage, n)}
	out.Body.Content, err = s.staffPayments(ctx, rows)
	return out, err
}

// staffPayments returns payments as staff see them, with the references of their orders.
func (s *Service) staffPayments(ctx context.Context, rows []payment.Payment) ([]StaffPayment, error) {
	wide := module.Label(ctx, "staff read the orders of payments of all members")
	out := []StaffPayment{}
	if len(rows) == 0 {
		return out, nil
	}
	ids, buyers := make([]string, len(rows)), make([]string, len(rows))
	for i, p := range rows {
		ids[i], buyers[i] = p.OrderID, p.RelationID
	}
	people, err := sibling.People(ctx, s.host.Client, buyers)
	if err != nil {
		return nil, err
	}
	var orders []order.Row
	if err := wide.Select(s.host.DB, &orders).Column("id", "reference", "status", "shares").
		Where("id IN (?)", bun.List(ids)).Scan(ctx); err != nil {
		return nil, err
	}
	byID := map[string]order.Row{}
	for _, o := range orders {
		byID[o.ID] = o
	}
	free, err := s.freeOfBuyers(ctx, rows)
	if err != nil {
		return nil, err
	}
	for _, p := range rows {
		who := people[p.RelationID]
		o := byID[p.OrderID]
		shown := StaffPayment{ID: p.ID, Order: p.OrderID, Reference: o.Reference, Amount: p.Amount, State: p.DisplayState(), Created: p.CreatedAt,
			OrderIs: o.Status, Shares: o.Shares, Refunded: p.Refunded, Charged: p.ChargedBack, MayCancel: p.CanCancelSale(payment.Sale(o.Status)),
			Late: p.Late, Note: p.Note, Refund: p.CanRefund(), MaySee: p.CanMarkSeen(), Provider: p.Provider, Relation: p.RelationID,
			Buyer: who.Name, Debtor: who.DebtorNumber}
		if n, found := free[p.OrderID]; found {
			shown.Free = &n
		}
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

// refundOverdue is the time after which an unfinished refund needs attention.
const refundOverdue = 24 * time.Hour

type paymentInput struct {
	ID string `path:"id" maxLength:"64" doc:"Id of the payment"`
}

type staffPaymentAnswer struct{ Body StaffPayment }

// refundPayment starts or retries the refund of a payment. It returns 409 when the payment belongs to a valid order.
func (s *Service) refundPayment(ctx context.Context, in *paymentInput) (*staffPaymentAnswer, error) {
	return s.actOnPayment(ctx, in.ID, actionPaymentRefunded, payment.Payment.CanRefund,
		func(ctx context.Context, tx module.Tx, p *payment.Payment) error {
			if p.State == string(payment.Paid) || slices.Contains(payment.StuckNotes, p.Note) {
				p.Note = payment.NoteStaff
			}
			return payment.StartRefund(ctx, tx, state.StoredTime(s.host.Now()), p)
		})
}

// seePayment marks a payment as seen by staff: it no longer needs attention, and a refused refund is not retried. It returns 409 for a
// payment that may still change by itself or that needs no attention.
func (s *Service) seePayment(ctx context.Context, in *paymentInput) (*staffPaymentAnswer, error) {
	return s.actOnPayment(ctx, in.ID, actionPaymentSeen, payment.Payment.CanMarkSeen,
		func(ctx context.Context, tx module.Tx, p *payment.Payment) error {
			p.SeenAt = new(state.StoredTime(s.host.Now()))
			return payment.Save(ctx, tx, p)
		})
}

// actOnPayment writes an audit log entry and then changes a payment. It returns 409 if may is false for the payment.
func (s *Service) actOnPayment(ctx context.Context, id, action string, may func(payment.Payment) bool,
	do func(context.Context, module.Tx, *payment.Payment) error,
) (*staffPaymentAnswer, error) {
	p, err := payment.Find(ctx, s.host.DB, "id", id)
	if err != nil {
		return nil, err
	}
	if !may(p) {
		return nil, state.ErrTransition
	}
	// before the transaction: core would wait for it
	if err := sibling.LogAccess(ctx, s.host.Client, action, p.RelationID, p.ID); err != nil {
		return nil, err
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		if p, err = payment.Lock(ctx, tx, id); err != nil {
			return err
		}
		if !may(p) {
			return state.ErrTransition
		}
		return do(ctx, tx, &p)
	})
	if err != nil {
		return nil, err
	}
	shown, err := s.staffPayments(ctx, []payment.Payment{p})
	if err != nil {
		return nil, err
	}
	return &staffPaymentAnswer{shown[0]}, nil
}

// cancelSaleOf cancels the sale of a payment that was partly refunded at the provider: the shares return, and the rest of the money is
// refunded (9-money-back-part). It returns 409 for any other payment.
func (s *Service) cancelSaleOf(ctx context.Context, in *paymentInput) (*staffPaymentAnswer, error) {
	p, err := payment.Find(ctx, s.host.DB, "id", in.ID)
	if err != nil {
		return nil, err
	}
	if !p.Bought || p.Refunded == 0 {
		return nil, state.ErrTransition
	}
	if err := sibling.LogAccess(ctx, s.host.Client, actionSaleCancelled, p.RelationID, p.ID); err != nil {
		return nil, err
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		now := state.StoredTime(s.host.Now())
		o, lines, err := order.Lock(ctx, tx, module.Label(ctx, "staff cancel the sale of a member"), p.OrderID)
		if err != nil {
			return err
		}
		if p, err = payment.Lock(ctx, tx, in.ID); err != nil {
			return err
		}
		if p.OrderID != o.ID || !p.CanCancelSale(payment.Sale(o.Status)) {
			return state.ErrTransition
		}
		p.Note, p.Late, p.SeenAt = payment.NoteStaff, true, &now // seen by the member of staff who cancelled it
		if err := payment.StartRefund(ctx, tx, state.StoredTime(s.host.Now()), &p); err != nil {
			return err
		}
		return s.cancelSale(ctx, tx, now, &o, lines, &p, payment.NoteStaff)
	})
	if err != nil {
		return nil, err
	}
	shown, err := s.staffPayments(ctx, []payment.Payment{p})
	if err != nil {
		return nil, err
	}
	return &staffPaymentAnswer{shown[0]}, nil
}

// freeOfBuyers returns, by order, how many transferred shares buyers still have free after a refund or chargeback.
func (s *Service) freeOfBuyers(ctx context.Context, payments []payment.Payment) (map[string]int64, error) {
	var orders []string
	for _, p := range payments {
		if p.Note == payment.NoteChargedLate || p.Note == payment.NoteOutside {
			orders = append(orders, p.OrderID)
		}
	}
	lines, err := order.LinesOf(ctx, s.host.DB, orders...)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, all := range lines {
		for _, l := range all {
			ids = append(ids, l.BuyerParticipation)
		}
	}
	parts, err := participation.ByID(ctx, s.host.DB, ids)
	if err != nil {
		return nil, err
	}
	out := map[string]int64{}
	for order, all := range lines {
		need := map[string]int64{}
		for _, l := range all {
			if l.BuyerParticipation != "" {
				need[l.BuyerParticipation] += l.Shares
			}
		}
		for id, n := range need {
			out[order] += min(n, parts[id].Free())
		}
	}
	return out, nil
}
