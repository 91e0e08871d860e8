package notifications

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// maxListed is the maximum number of notifications in the list of a customer.
const maxListed = 500

// period is a period in which a relation had shares in a project.
type period struct {
	Project string
	From    time.Time
	Until   time.Time // zero: until now
}

// reader is a customer, with the conditions for the notifications that the customer can read.
type reader struct {
	rows    module.Rows
	since   time.Time // start of the relation; zero if unknown, which sets no lower limit
	periods []period
	hidden  []Kind // switched off in the portal
}

// query selects the published notifications of a reader, newest first. Callers add conditions.
func (r reader) query(ctx context.Context, db module.Querier, model any, now time.Time) *bun.SelectQuery {
	all := module.Label(ctx, "a notification has no relation: its audience is compared with the reader")
	q := all.Select(db, model).Join("LEFT JOIN notifications_reads AS r ON r.label_key = n.label_key AND r.notification_id = n.id AND r.relation_id = ?", r.rows.Relation()).
		Where("n.publish_at <= ?", now).
		WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
			q = q.Where("n.audience = ? AND n.publish_at >= ?", ToAll, r.since).
				WhereOr("n.audience = ? AND EXISTS (SELECT 1 FROM notifications_recipients AS t WHERE t.label_key = n.label_key AND t.notification_id = n.id AND t.relation_id = ?)",
					ToSelection, r.rows.Relation())
			for _, p := range r.periods {
				if p.Until.IsZero() {
					q = q.WhereOr("n.audience = ? AND n.project_code = ? AND n.audience_at >= ?", ToProject, p.Project, p.From)
					continue
				}
				q = q.WhereOr("n.audience = ? AND n.project_code = ? AND n.audience_at >= ? AND n.audience_at < ?", ToProject, p.Project, p.From,
					p.Until)
			}
			return q
		})
	if len(r.hidden) > 0 {
		q = q.Where("n.kind NOT IN ?", bun.Tuple(r.hidden))
	}
	return q.OrderExpr("n.publish_at DESC, n.id DESC")
}

const isRead = "(r.read_at IS NOT NULL OR n.read_by_all) AS read"

// notificationsOf returns the newest notifications of a reader, only those of a project if project is not empty.
func notificationsOf(ctx context.Context, db module.Querier, r reader, project string, now time.Time) (found []readable, err error) {
	q := r.query(ctx, db, &found, now).ColumnExpr("n.*").ColumnExpr(isRead).Limit(maxListed)
	if project != "" {
		q = q.Where("n.project_code = ?", project)
	}
	return found, q.Scan(ctx)
}

// unreadOf counts the unread notifications in the list of a reader.
func unreadOf(ctx context.Context, db module.Querier, r reader, now time.Time) (n int, err error) {
	listed := r.query(ctx, db, (*notificationRow)(nil), now).ColumnExpr(isRead).Limit(maxListed)
	err = module.SelectFrom(listed, "listed").ColumnExpr("count(*)").Where("NOT listed.read").Scan(ctx, &n)
	return n, err
}

// mayRead reports whether the reader can read a notification.
func mayRead(ctx context.Context, db module.Querier, r reader, id string, now time.Time) (bool, error) {
	return r.query(ctx, db, (*notificationRow)(nil), now).ColumnExpr("1").Where("n.id = ?", id).Exists(ctx)
}

// markRead stores that the reader has read a notification. The first time is kept.
func markRead(ctx context.Context, tx module.Tx, rows module.Rows, id string, now time.Time) error {
	_, err := rows.Insert(tx, &readRow{LabelKey: rows.Key(), RelationID: rows.Relation(), NotificationID: id,
		ReadAt: now}).On("CONFLICT DO NOTHING").Exec(ctx)
	return err
}
