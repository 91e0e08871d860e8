package notifications

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// insertChunk is the number of rows in an insert.
const insertChunk = 500

// insertNotification stores a notification with the readers of a selection. It returns false if the id exists.
func insertNotification(ctx context.Context, tx module.Tx, row *notificationRow, relations []string) (bool, error) {
	res, err := module.Label(ctx, "staff write to all customers").Insert(tx, row).On("CONFLICT DO NOTHING").Exec(ctx)
	if err != nil {
		return false, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	var to []recipientRow
	for _, r := range relations {
		to = append(to, recipientRow{LabelKey: row.LabelKey, NotificationID: row.ID, RelationID: r})
	}
	return true, insertRecipients(ctx, tx, to)
}

func insertRecipients(ctx context.Context, tx module.Tx, rows []recipientRow) error {
	all := module.Label(ctx, "staff and imports choose customers of the label")
	for len(rows) > 0 {
		chunk := rows[:min(insertChunk, len(rows))]
		if _, err := all.Insert(tx, &chunk).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
			return err
		}
		rows = rows[len(chunk):]
	}
	return nil
}

// sentRows returns a page of the label's planned notifications, soonest first, or of its sent notifications, newest first.
func sentRows(ctx context.Context, db module.Querier, planned bool, after place, now time.Time, limit int) (rows []notificationRow,
	err error) {
	q := module.Label(ctx, "staff read all notifications of the label").Select(db, &rows).Limit(int64(limit))
	if planned {
		q = q.Where("n.publish_at > ?", now).OrderExpr("n.publish_at, n.id")
	} else {
		q = q.Where("n.publish_at <= ?", now).OrderExpr("n.publish_at DESC, n.id DESC")
	}
	switch {
	case after.id == "":
	case planned:
		q = q.Where("(n.publish_at, n.id) > (?, ?)", after.at, after.id)
	default:
		q = q.Where("(n.publish_at, n.id) < (?, ?)", after.at, after.id)
	}
	return rows, q.Scan(ctx)
}

// readCounts returns the number of readers who have read each notification.
func readCounts(ctx context.Context, db module.Querier, rows []notificationRow) (map[string]int64, error) {
	out := map[string]int64{}
	if len(rows) == 0 {
		return out, nil
	}
	ids := make([]string, len(rows))
	for i, n := range rows {
		ids[i] = n.ID
	}
	var found []struct {
		NotificationID string
		N              int64
	}
	err := module.Label(ctx, "staff count the readers of a notification").Select(db,
		(*readRow)(nil)).ColumnExpr("r.notification_id, count(*) AS n").
		Where("r.notification_id IN ?", bun.Tuple(ids)).GroupExpr("r.notification_id").Scan(ctx, &found)
	for _, f := range found {
		out[f.NotificationID] = f.N
	}
	return out, err
}

// deletePlanned deletes a notification that is not published. It returns false if the notification is published or unknown.
func deletePlanned(ctx context.Context, tx module.Tx, id string, now time.Time) (bool, error) {
	rows := module.Label(ctx, "staff withdraw a notification, which has no relation")
	res, err := rows.Delete(tx, (*notificationRow)(nil)).Where("id = ? AND publish_at > ?", id, now).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// setPublished stores that a notification is published, with the number of its recipients. It returns false if it was published before.
func setPublished(ctx context.Context, tx module.Tx, id string, recipients int64) (bool, error) {
	rows := module.Label(ctx, "a job publishes a notification, which has no relation")
	res, err := rows.Update(tx, (*notificationRow)(nil)).Set("recipients = ?", recipients).Set("published = ?", true).
		Where("id = ? AND published = ?", id, false).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// countMails adds to the number of emails of a notification.
func countMails(ctx context.Context, tx module.Tx, id string, n int) error {
	rows := module.Label(ctx, "a job counts the mails of a notification, which has no relation")
	_, err := rows.Update(tx, (*notificationRow)(nil)).Set("mails = mails + ?", n).Where("id = ?", id).Exec(ctx)
	return err
}
