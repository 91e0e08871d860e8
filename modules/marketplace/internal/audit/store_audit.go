// Package audit checks that all tables of the marketplace agree: through an operation, through a command, and every night.
package audit

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/move"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Report checks that the ledger of the call's label is consistent: every chain is unbroken, balances are the sums of their entries, offers,
// orders and moves agree with the participations, a project has as many shares as were issued, and no order was paid twice unnoticed. It
// reads one snapshot of the database.
func (s *Service) Report(ctx context.Context) (*ledger.Report, error) {
	r := &ledger.Report{Findings: []ledger.Finding{}}
	err := s.host.DB.Snapshot(ctx, func(ctx context.Context, db module.Querier) error {
		for _, check := range []func(context.Context, module.Querier, *ledger.Report) error{ledger.AuditChains, auditOffers, auditTrade,
			ledger.AuditIssued, auditPayments} {
			if err := check(ctx, db, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("marketplace: audit: %w", err)
	}
	return r, nil
}

// sum holds actual numbers and the numbers that they should be.
type sum struct {
	ID         string
	Want, Is   int64
	Want2, Is2 int64
	Want3, Is3 int64
}

// auditOffers checks that the offers of each participation have as many shares left, reserved and held as its balance says.
func auditOffers(ctx context.Context, db module.Querier, r *ledger.Report) error {
	all := module.Label(ctx, "the audit reads all offers")
	n, err := all.Select(db, (*offer.Offer)(nil)).Count(ctx)
	if err != nil {
		return err
	}
	r.Offers = int(n)
	var mismatches []sum
	err = all.Raw(db, `SELECT p.id, p.offered AS want, coalesce(o.n, 0) AS "is", p.reserved AS want2, coalesce(o.r, 0) AS is2, p.held AS want3, coalesce(o.h, 0) AS is3
		FROM marketplace_participations p LEFT JOIN (
			SELECT participation_id, sum(left_shares) AS n, sum(reserved) AS r, sum(held) AS h FROM marketplace_offers WHERE label_key = ?0 GROUP BY participation_id
		) o ON o.participation_id = p.id
		WHERE p.label_key = ?0 AND (p.offered <> coalesce(o.n, 0) OR p.reserved <> coalesce(o.r, 0) OR p.held <> coalesce(o.h, 0)) ORDER BY p.id LIMIT ?1`,
		ledger.MaxFindings+1).Scan(ctx, &mismatches)
	if err != nil {
		return err
	}
	for _, w := range mismatches {
		r.Find("offer", w.ID, "has offered %d, reserved %d, held %d; its offers come to %d, %d, %d", w.Want, w.Want2, w.Want3, w.Is, w.Is2, w.Is3)
	}
	var odd []offer.Offer
	err = all.Select(db, &odd).
		Where("(status IN (?) AND left_shares + reserved + held > 0) OR (status = ? AND left_shares + reserved > 0) OR (status IN (?) AND shares <> left_shares + reserved + held + transferred)",
			bun.List([]state.Status{offer.Rejected, offer.Revoked}), offer.Sold, bun.List([]state.Status{offer.Created, offer.Approved,
				offer.Active, offer.Sold})).
		OrderExpr("id").Limit(ledger.MaxFindings + 1).Scan(ctx)
	for _, o := range odd {
		r.Find("offer", o.ID, "is %s with %d shares: %d left, %d reserved, %d held, %d transferred", o.Status, o.Shares, o.Left, o.Reserved,
			o.Held, o.Transferred)
	}
	return err
}

// auditTrade checks that open orders agree with their offers, and planned moves with the participations.
func auditTrade(ctx context.Context, db module.Querier, r *ledger.Report) error {
	all := module.Label(ctx, "the audit reads all orders and moves")
	var mismatches []sum
	err := all.Raw(db, `SELECT o.id, o.reserved AS want, coalesce(l.r, 0) AS "is", o.held AS want2, coalesce(l.h, 0) AS is2
		FROM marketplace_offers o LEFT JOIN (
			SELECT l.offer_id, sum(CASE WHEN d.status IN (?1) THEN l.shares ELSE 0 END) AS r, sum(CASE WHEN d.status = ?2 THEN l.shares ELSE 0 END) AS h
			FROM marketplace_order_lines l JOIN marketplace_orders d ON d.label_key = l.label_key AND d.id = l.order_id
			WHERE l.label_key = ?0 AND d.status IN (?3) GROUP BY l.offer_id
		) l ON l.offer_id = o.id
		WHERE o.label_key = ?0 AND (o.reserved <> coalesce(l.r, 0) OR o.held <> coalesce(l.h, 0)) ORDER BY o.id LIMIT ?4`,
		bun.List([]state.Status{order.Created, order.Awaiting}), order.Bought, bun.List([]state.Status{order.Created, order.Awaiting,
			order.Bought}), ledger.MaxFindings+1).Scan(ctx, &mismatches)
	if err != nil {
		return err
	}
	for _, w := range mismatches {
		r.Find("offer", w.ID, "has reserved %d and held %d; its open orders come to %d and %d", w.Want, w.Want2, w.Is, w.Is2)
	}
	mismatches = nil
	err = all.Raw(db, `SELECT p.id, p.moving AS want, coalesce(m.n, 0) AS "is" FROM marketplace_participations p LEFT JOIN (
			SELECT from_participation, sum(shares) AS n FROM marketplace_moves WHERE label_key = ?0 AND state = ?1 GROUP BY from_participation
		) m ON m.from_participation = p.id
		WHERE p.label_key = ?0 AND p.moving <> coalesce(m.n, 0) ORDER BY p.id LIMIT ?2`, move.Planned, ledger.MaxFindings+1).Scan(ctx, &mismatches)
	for _, w := range mismatches {
		r.Find("move", w.ID, "has %d shares in moves; the moves to come are of %d", w.Want, w.Is)
	}
	return err
}

// auditPayments checks that every BOUGHT or COMPLETED order was paid exactly once. Imported orders were paid elsewhere, and late payments
// are already reported to staff.
func auditPayments(ctx context.Context, db module.Querier, r *ledger.Report) error {
	all := module.Label(ctx, "the audit reads all payments")
	var mismatches []sum
	err := all.Raw(db, `SELECT d.id, coalesce(y.paid, 0) AS "is" FROM marketplace_orders d LEFT JOIN (
			SELECT order_id, sum(CASE WHEN state = ?1 THEN 1 ELSE 0 END) AS paid, sum(CASE WHEN late THEN 1 ELSE 0 END) AS late
			FROM marketplace_payments WHERE label_key = ?0 GROUP BY order_id
		) y ON y.order_id = d.id
		WHERE d.label_key = ?0 AND d.status IN (?2) AND d.digest <> ?3 AND d.amount + d.administration_costs > 0 AND (coalesce(y.paid, 0) > 1 OR coalesce(y.paid, 0) = 0 AND coalesce(y.late, 0) = 0)
		ORDER BY d.id LIMIT ?4`, payment.Paid, bun.List([]state.Status{order.Bought, order.Completed}), order.DigestImported,
		ledger.MaxFindings+1).Scan(ctx, &mismatches)
	for _, w := range mismatches {
		r.Find("payment", w.ID, "is an order that stands, and was paid %d times", w.Is)
	}
	if err != nil {
		return err
	}
	return auditMoneyBack(ctx, db, r)
}

// auditMoneyBack checks that shares and money agree (9-money-back-agree): no order waits for its transfer after its payment was charged
// back or refunded, and no order that has ended still has money that nobody handles.
func auditMoneyBack(ctx context.Context, db module.Querier, r *ledger.Report) error {
	rows := module.Label(ctx, "the audit reads all payments")
	var orders []string
	on := func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Join("JOIN marketplace_payments AS y ON y.label_key = d.label_key AND y.order_id = d.id").
			OrderExpr("d.id").Limit(ledger.MaxFindings + 1)
	}
	err := on(rows.Select(db, (*order.Row)(nil)).ColumnExpr("d.id").Where("d.status = ? AND y.bought", order.Bought)).
		Where("(y.charged_back > 0 OR y.state <> ?)", payment.Paid).Scan(ctx, &orders)
	for _, id := range orders {
		r.Find("payment", id, "waits for its transfer, and its money went back")
	}
	if err != nil {
		return err
	}
	orders = nil
	err = on(rows.Select(db, (*order.Row)(nil)).ColumnExpr("d.id").Where("d.status IN (?) AND y.state = ? AND NOT y.late",
		bun.List([]state.Status{order.Cancelled, order.Expired}), payment.Paid)).Scan(ctx, &orders)
	for _, id := range orders {
		r.Find("payment", id, "has ended, and its money is still here")
	}
	return err
}
