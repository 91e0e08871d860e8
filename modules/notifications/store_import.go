package notifications

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// saveImported inserts or updates older notifications. Only the first import sets their audience_at.
func saveImported(ctx context.Context, tx module.Tx, batch []importedNotification, now time.Time) error {
	all := module.Label(ctx, "an import holds notifications of the whole label")
	rows, ids := make([]notificationRow, len(batch)), make([]string, len(batch))
	var readers []recipientRow
	var reads []readRow
	for i, n := range batch {
		rows[i], ids[i] = n.row, n.row.ID
		if n.relation == "" {
			continue
		}
		readers = append(readers, recipientRow{LabelKey: n.row.LabelKey, NotificationID: n.row.ID, RelationID: n.relation})
		if n.read {
			reads = append(reads, readRow{LabelKey: n.row.LabelKey, RelationID: n.relation, NotificationID: n.row.ID, ReadAt: now})
		}
	}
	insert := all.Insert(tx, &rows).On("CONFLICT (label_key, id) DO UPDATE")
	for _, column := range []string{"kind", "title_nl", "title_en", "message_nl", "message_en", "audience", "project_code", "project_name",
		"publish_at", "read_by_all"} {
		insert.Set("? = EXCLUDED.?", bun.Ident(column), bun.Ident(column))
	}
	if _, err := insert.Exec(ctx); err != nil {
		return err
	}
	_, err := all.Delete(tx, (*recipientRow)(nil)).Where("notification_id IN ?", bun.Tuple(ids)).Exec(ctx)
	if err != nil {
		return err
	}
	if err := insertRecipients(ctx, tx, readers); err != nil || len(reads) == 0 {
		return err
	}
	_, err = all.Insert(tx, &reads).On("CONFLICT DO NOTHING").Exec(ctx)
	return err
}
