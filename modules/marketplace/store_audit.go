package marketplace

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// audit proves that the ledger of the call's label is whole: that every chain of entries is, that balances are the sum of their
// entries, that offers, orders and moves hold what participations say they do, that a project has as many shares as were issued, and
// that no order has been paid twice without anybody noticing. It reads one state of the database.
func (s *service) audit(ctx context.Context) (*Report, error) {
	tx, err := s.host.DB.Read().BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("marketplace: audit: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	r := &Report{Findings: []Finding{}}
	for _, check := range []func(context.Context, bun.Tx, *Report) error{auditChains, auditOffers, auditTrade, auditIssued, auditPayments} {
		if err := check(ctx, tx, r); err != nil {
			return nil, fmt.Errorf("marketplace: audit: %w", err)
		}
	}
	return r, nil
}

// auditBatch is how many participations are audited at a time.
const auditBatch = 500

func auditChains(ctx context.Context, tx bun.Tx, r *Report) error {
	label := module.Label(ctx)
	after := ""
	for {
		var parts []participationRow
		err := tx.NewSelect().Model(&parts).ExcludeColumn("document").ApplyQueryBuilder(label.Where).Where("id > ?", after).OrderExpr("id").Limit(auditBatch).Scan(ctx)
		if err != nil || len(parts) == 0 {
			return err
		}
		last := parts[len(parts)-1].ID
		rows, err := tx.NewSelect().Model((*entryRow)(nil)).ApplyQueryBuilder(label.Where).Where("participation_id > ? AND participation_id <= ?", after, last).
			OrderExpr("participation_id, sequence").Rows(ctx)
		if err != nil {
			return err
		}
		if err := walk(ctx, tx, r, rows, parts); err != nil {
			return err
		}
		after = last
	}
}

// walk goes along the entries of participations, both in the order of their ids.
func walk(ctx context.Context, tx bun.Tx, r *Report, rows *sql.Rows, parts []participationRow) error {
	defer func() { _ = rows.Close() }() // read to its end, or failed
	at := 0
	c := chain{participation: parts[0].ID}
	close := func() {
		c.end(r, parts[at])
		r.Participations++
		r.Shares += c.Share
		if at++; at < len(parts) {
			c = chain{participation: parts[at].ID}
		}
	}
	for rows.Next() {
		var e entryRow
		if err := tx.NewSelect().DB().ScanRow(ctx, rows, &e); err != nil {
			return err
		}
		for at < len(parts) && parts[at].ID < e.ParticipationID {
			close()
		}
		if at == len(parts) || parts[at].ID != e.ParticipationID {
			r.findAt("chain", e.ParticipationID, e.Sequence, "is of no participation")
			continue
		}
		r.Entries++
		c.step(r, e)
	}
	for at < len(parts) {
		close()
	}
	return rows.Err()
}

// sum is a number beside what it must be.
type sum struct {
	ID         string
	Want, Is   int64
	Want2, Is2 int64
	Want3, Is3 int64
}

// auditOffers asks whether the offers of each participation have as many shares left, reserved and held as it says.
func auditOffers(ctx context.Context, tx bun.Tx, r *Report) error {
	label := module.Label(ctx).Key()
	n, err := tx.NewSelect().Model((*offerRow)(nil)).ApplyQueryBuilder(module.Label(ctx).Where).Count(ctx)
	if err != nil {
		return err
	}
	r.Offers = int(n)
	var wrong []sum
	err = tx.NewRaw(`SELECT p.id, p.offered AS want, coalesce(o.n, 0) AS "is", p.reserved AS want2, coalesce(o.r, 0) AS is2, p.held AS want3, coalesce(o.h, 0) AS is3
		FROM marketplace_participations p LEFT JOIN (
			SELECT participation_id, sum(left_shares) AS n, sum(reserved) AS r, sum(held) AS h FROM marketplace_offers WHERE label_key = ? GROUP BY participation_id
		) o ON o.participation_id = p.id
		WHERE p.label_key = ? AND (p.offered <> coalesce(o.n, 0) OR p.reserved <> coalesce(o.r, 0) OR p.held <> coalesce(o.h, 0)) ORDER BY p.id LIMIT ?`,
		label, label, maxFindings+1).Scan(ctx, &wrong)
	if err != nil {
		return err
	}
	for _, w := range wrong {
		r.find("offer", w.ID, "has offered %d, reserved %d, held %d; its offers come to %d, %d, %d", w.Want, w.Want2, w.Want3, w.Is, w.Is2, w.Is3)
	}
	var odd []offerRow
	err = tx.NewSelect().Model(&odd).ApplyQueryBuilder(module.Label(ctx).Where).
		Where("(status IN (?) AND left_shares + reserved + held > 0) OR (status = ? AND left_shares + reserved > 0) OR (status IN (?) AND shares <> left_shares + reserved + held + transferred)",
			bun.List([]status{offerRejected, offerRevoked}), offerSold, bun.List([]status{offerCreated, offerApproved, offerActive, offerSold})).
		OrderExpr("id").Limit(maxFindings + 1).Scan(ctx)
	for _, o := range odd {
		r.find("offer", o.ID, "is %s with %d shares: %d left, %d reserved, %d held, %d transferred", o.Status, o.Shares, o.Left, o.Reserved, o.Held, o.Transferred)
	}
	return err
}

// auditTrade asks whether open orders hold what offers say, and moves to come what participations say.
func auditTrade(ctx context.Context, tx bun.Tx, r *Report) error {
	label := module.Label(ctx).Key()
	var wrong []sum
	err := tx.NewRaw(`SELECT o.id, o.reserved AS want, coalesce(l.r, 0) AS "is", o.held AS want2, coalesce(l.h, 0) AS is2
		FROM marketplace_offers o LEFT JOIN (
			SELECT l.offer_id, sum(CASE WHEN d.status IN (?) THEN l.shares ELSE 0 END) AS r, sum(CASE WHEN d.status = ? THEN l.shares ELSE 0 END) AS h
			FROM marketplace_order_lines l JOIN marketplace_orders d ON d.label_key = l.label_key AND d.id = l.order_id
			WHERE l.label_key = ? AND d.status IN (?) GROUP BY l.offer_id
		) l ON l.offer_id = o.id
		WHERE o.label_key = ? AND (o.reserved <> coalesce(l.r, 0) OR o.held <> coalesce(l.h, 0)) ORDER BY o.id LIMIT ?`,
		bun.List([]status{orderCreated, orderAwaiting}), orderBought, label, bun.List([]status{orderCreated, orderAwaiting, orderBought}), label, maxFindings+1).Scan(ctx, &wrong)
	if err != nil {
		return err
	}
	for _, w := range wrong {
		r.find("offer", w.ID, "has reserved %d and held %d; its open orders come to %d and %d", w.Want, w.Want2, w.Is, w.Is2)
	}
	wrong = nil
	err = tx.NewRaw(`SELECT p.id, p.moving AS want, coalesce(m.n, 0) AS "is" FROM marketplace_participations p LEFT JOIN (
			SELECT from_participation, sum(shares) AS n FROM marketplace_moves WHERE label_key = ? AND state = ? GROUP BY from_participation
		) m ON m.from_participation = p.id
		WHERE p.label_key = ? AND p.moving <> coalesce(m.n, 0) ORDER BY p.id LIMIT ?`, label, movePlanned, label, maxFindings+1).Scan(ctx, &wrong)
	for _, w := range wrong {
		r.find("move", w.ID, "has %d shares in moves; the moves to come are of %d", w.Want, w.Is)
	}
	return err
}

// auditIssued asks whether each project has as many shares as were issued and corrected, wherever they have gone since.
func auditIssued(ctx context.Context, tx bun.Tx, r *Report) error {
	var wrong []sum
	err := tx.NewRaw(`SELECT p.project_code AS id, sum(p.share) AS "is", coalesce(sum(e.n), 0) AS want FROM marketplace_participations p LEFT JOIN (
			SELECT participation_id, sum(share) AS n FROM marketplace_entries WHERE label_key = ? AND kind IN (?) GROUP BY participation_id
		) e ON e.participation_id = p.id
		WHERE p.label_key = ? GROUP BY p.project_code HAVING sum(p.share) <> coalesce(sum(e.n), 0) ORDER BY p.project_code`,
		module.Label(ctx).Key(), bun.List([]entryKind{entryIssued, entryCorrected}), module.Label(ctx).Key()).Scan(ctx, &wrong)
	for _, w := range wrong {
		r.find("project", w.ID, "has %d shares, %d were issued", w.Is, w.Want)
	}
	return err
}

// auditPayments asks whether every order that stands has been paid, and once: those that ended elsewhere were paid there. Payments that
// staff look at (late) are seen already.
func auditPayments(ctx context.Context, tx bun.Tx, r *Report) error {
	label := module.Label(ctx).Key()
	var wrong []sum
	err := tx.NewRaw(`SELECT d.id, coalesce(y.paid, 0) AS "is" FROM marketplace_orders d LEFT JOIN (
			SELECT order_id, sum(CASE WHEN state = ? THEN 1 ELSE 0 END) AS paid, sum(CASE WHEN late THEN 1 ELSE 0 END) AS late
			FROM marketplace_payments WHERE label_key = ? GROUP BY order_id
		) y ON y.order_id = d.id
		WHERE d.label_key = ? AND d.status IN (?) AND d.digest <> ? AND d.amount > 0 AND (coalesce(y.paid, 0) > 1 OR coalesce(y.paid, 0) = 0 AND coalesce(y.late, 0) = 0)
		ORDER BY d.id LIMIT ?`, payPaid, label, label, bun.List([]status{orderBought, orderCompleted}), digestImported, maxFindings+1).Scan(ctx, &wrong)
	for _, w := range wrong {
		r.find("payment", w.ID, "is an order that stands, and was paid %d times", w.Is)
	}
	if err != nil {
		return err
	}
	return auditMoneyBack(ctx, tx, r)
}

// auditMoneyBack asks whether shares and money are on the same side (9-money-back-agree): no order waits for its transfer whose money
// was charged back or is gone, and none that has ended still holds money that nobody looks at.
func auditMoneyBack(ctx context.Context, tx bun.Tx, r *Report) error {
	var orders []string
	on := func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.ApplyQueryBuilder(module.Label(ctx).Where).Join("JOIN marketplace_payments AS y ON y.label_key = d.label_key AND y.order_id = d.id").
			OrderExpr("d.id").Limit(maxFindings + 1)
	}
	err := on(tx.NewSelect().Model((*orderRow)(nil)).ColumnExpr("d.id").Where("d.status = ? AND y.bought", orderBought)).
		Where("(y.charged_back > 0 OR y.state <> ?)", payPaid).Scan(ctx, &orders)
	for _, id := range orders {
		r.find("payment", id, "waits for its transfer, and its money went back")
	}
	if err != nil {
		return err
	}
	orders = nil
	err = on(tx.NewSelect().Model((*orderRow)(nil)).ColumnExpr("d.id").Where("d.status IN (?) AND y.state = ? AND NOT y.late",
		bun.List([]status{orderCancelled, orderExpired}), payPaid)).Scan(ctx, &orders)
	for _, id := range orders {
		r.find("payment", id, "has ended, and its money is still here")
	}
	return err
}

// auditDue audits by night. What it finds is logged for the operator, and told to the back office.
func (s *service) auditDue(ctx context.Context) error {
	report, err := s.audit(ctx)
	if err != nil {
		return errors.Join(problem.ErrRetry, err)
	}
	if len(report.Findings) == 0 {
		s.host.Log.InfoContext(ctx, "marketplace: the ledger is whole", "label", module.ScopeOf(ctx).Label, "participations", report.Participations,
			"entries", report.Entries)
		return nil
	}
	lines := make([]string, len(report.Findings))
	for i, f := range report.Findings {
		lines[i] = f.String()
	}
	s.host.Log.ErrorContext(ctx, "marketplace: the ledger is not whole", "label", module.ScopeOf(ctx).Label, "findings", len(lines)+report.More,
		"first", strings.Join(lines[:min(len(lines), 10)], "; "))
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		return module.Publish(ctx, tx, "marketplace.audit_failed", module.ScopeOf(ctx).Label, report)
	})
}
