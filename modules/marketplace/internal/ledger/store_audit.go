package ledger

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// auditBatch is the number of participations that are audited at a time.
const auditBatch = 500

// AuditChains checks all entries of the label: every chain is unbroken, balances are the sums of their entries, and participations still
// have their original owner and project.
func AuditChains(ctx context.Context, db module.Querier, r *Report) error {
	label := module.Label(ctx, "the audit reads the whole ledger")
	if err := rewritten(ctx, r, label.Select(db, (*entryRow)(nil)).OrderExpr("participation_id, sequence")); err != nil {
		return err
	}
	after := ""
	for {
		var parts []participationRow
		err := label.Select(db, &parts).ExcludeColumn("document").Where("id > ?", after).OrderExpr("id").Limit(auditBatch).Scan(ctx)
		if err != nil {
			return err
		}
		if len(parts) == 0 {
			return orphans(ctx, r, label.Select(db, (*entryRow)(nil)).Where("participation_id > ?", after).OrderExpr("participation_id, sequence"))
		}
		last := parts[len(parts)-1].ID
		entries := label.Select(db, (*entryRow)(nil)).Where("participation_id > ? AND participation_id <= ?", after, last).
			OrderExpr("participation_id, sequence")
		if err := walk(ctx, r, entries, parts); err != nil {
			return err
		}
		after = last
	}
}

// rewritten reports the entries of a query whose time was rewritten as another notation of the same time: SQLite stores times as text and
// accepts a decimal comma.
func rewritten(ctx context.Context, r *Report, entries *bun.SelectQuery) error {
	return module.Each(ctx, entries.Where("CAST(at AS text) LIKE '%,%'"), func(e *entryRow) error {
		r.findAt("chain", e.ParticipationID, e.Sequence, "has been changed")
		return nil
	})
}

// orphans reports the entries of a query as entries without a participation.
func orphans(ctx context.Context, r *Report, entries *bun.SelectQuery) error {
	return module.Each(ctx, entries, func(e *entryRow) error {
		r.findAt("chain", e.ParticipationID, e.Sequence, "is of no participation")
		return nil
	})
}

// walk checks the entries of participations. Both are sorted by participation id.
func walk(ctx context.Context, r *Report, entries *bun.SelectQuery, parts []participationRow) error {
	at := 0
	c := chain{participation: parts[0].ID}
	close := func() {
		c.end(r, parts[at].Participation)
		if p := parts[at]; p.Seal != p.sealed() {
			r.Find("participation", p.ID, "its owner, project or identifier has been changed")
		}
		r.Participations++
		r.Shares += c.Share
		if at++; at < len(parts) {
			c = chain{participation: parts[at].ID}
		}
	}
	err := module.Each(ctx, entries, func(e *entryRow) error {
		for at < len(parts) && parts[at].ID < e.ParticipationID {
			close()
		}
		if at == len(parts) || parts[at].ID != e.ParticipationID {
			r.findAt("chain", e.ParticipationID, e.Sequence, "is of no participation")
			return nil
		}
		r.Entries++
		c.step(r, e.Entry)
		return nil
	})
	if err != nil {
		return err
	}
	for at < len(parts) {
		close()
	}
	return nil
}

// AuditIssued checks that the participations of each project together have as many shares as were issued and corrected.
func AuditIssued(ctx context.Context, db module.Querier, r *Report) error {
	all := module.Label(ctx, "the audit reads the whole ledger")
	var mismatches []struct {
		ID       string
		Want, Is int64
	}
	err := all.Raw(db, `SELECT p.project_code AS id, sum(p.share) AS "is", coalesce(sum(e.n), 0) AS want FROM marketplace_participations p LEFT JOIN (
			SELECT participation_id, sum(share) AS n FROM marketplace_entries WHERE label_key = ?0 AND kind IN (?1) GROUP BY participation_id
		) e ON e.participation_id = p.id
		WHERE p.label_key = ?0 GROUP BY p.project_code HAVING sum(p.share) <> coalesce(sum(e.n), 0) ORDER BY p.project_code`,
		bun.List([]Kind{Issued, Corrected})).Scan(ctx, &mismatches)
	for _, w := range mismatches {
		r.Find("project", w.ID, "has %d shares, %d were issued", w.Is, w.Want)
	}
	return err
}
