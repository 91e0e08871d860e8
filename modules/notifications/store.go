package notifications

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// notificationRow is a stored notification.
type notificationRow struct {
	bun.BaseModel `bun:"table:notifications_notifications,alias:n"`
	LabelKey      string `bun:",pk"`
	ID            string `bun:",pk"`
	Kind          Kind
	TitleNL       string `bun:"title_nl"`
	TitleEN       string `bun:"title_en"`
	MessageNL     string `bun:"message_nl"`
	MessageEN     string `bun:"message_en"`
	Audience      AudienceKind
	ProjectCode   string
	ProjectName   string
	PublishAt     time.Time
	AudienceAt    time.Time
	CreatedAt     time.Time
	CreatedBy     string
	Imported      bool
	ReadByAll     bool
	Digest        string
	Mail          bool
	Recipients    *int64
	Mails         int64
	Published     bool
}

func (r *notificationRow) title() Text   { return Text{r.TitleNL, r.TitleEN} }
func (r *notificationRow) message() Text { return Text{r.MessageNL, r.MessageEN} }

// readable is a notification, and whether its reader has read it.
type readable struct {
	notificationRow `bun:",extend"`

	Read bool `bun:"read,scanonly"`
}

// recipientRow is a reader of a notification to a selection.
type recipientRow struct {
	bun.BaseModel  `bun:"table:notifications_recipients,alias:t"`
	LabelKey       string `bun:",pk"`
	NotificationID string `bun:",pk"`
	RelationID     string `bun:",pk"`
}

// readRow records that a relation has read a notification.
type readRow struct {
	bun.BaseModel  `bun:"table:notifications_reads,alias:r"`
	LabelKey       string `bun:",pk"`
	RelationID     string `bun:",pk"`
	NotificationID string `bun:",pk"`
	ReadAt         time.Time
}

// preferenceRow is the preference of a customer for a kind.
type preferenceRow struct {
	bun.BaseModel `bun:"table:notifications_preferences,alias:p"`
	LabelKey      string `bun:",pk"`
	RelationID    string `bun:",pk"`
	Kind          Kind   `bun:",pk"`
	Portal        bool
	Mail          bool
	UpdatedAt     time.Time
}

// keyRow is the key for a label's unsubscribe links.
type keyRow struct {
	bun.BaseModel `bun:"table:notifications_keys,alias:k"`
	LabelKey      string `bun:",pk"`
	Secret        string
}

// precision is the precision of a time in the database.
const precision = time.Microsecond

// notificationBy returns a notification of the label, or problem.ErrNotFound.
func notificationBy(ctx context.Context, db module.Querier, id string) (*notificationRow, error) {
	row := new(notificationRow)
	err := module.Label(ctx, "staff and jobs read a notification, which has no relation").Select(db, row).Where("n.id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row, err
}

// linkKey returns the key for the label's unsubscribe links, or problem.ErrNotFound if none was created.
func linkKey(ctx context.Context, db module.DB) ([]byte, error) {
	row := new(keyRow)
	err := db.Find(ctx, module.Label(ctx, "the key of unsubscribe links belongs to the label"), row, "")
	if errors.Is(err, sql.ErrNoRows) {
		return nil, problem.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(row.Secret)
}

// makeLinkKey returns the key for the label's unsubscribe links, and creates it if there is none.
func makeLinkKey(ctx context.Context, db module.DB) ([]byte, error) {
	key, err := linkKey(ctx, db)
	if !errors.Is(err, problem.ErrNotFound) {
		return key, err
	}
	fresh := make([]byte, linkKeySize)
	_, _ = rand.Read(fresh) // never fails
	row := &keyRow{LabelKey: module.ScopeOf(ctx).Label, Secret: base64.StdEncoding.EncodeToString(fresh)}
	err = db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := module.Label(ctx, "the key of unsubscribe links belongs to the label").Insert(tx, row).On("CONFLICT DO NOTHING").Exec(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return linkKey(ctx, db) // another replica may have created it first
}

// storedPreferences returns the stored preferences of a relation by kind.
func storedPreferences(ctx context.Context, db module.DB, rows module.Rows) (map[Kind]Preference, error) {
	var found []preferenceRow
	err := db.Find(ctx, rows, &found, "")
	out := map[Kind]Preference{}
	for _, r := range found {
		out[r.Kind] = Preference{Kind: r.Kind, Portal: r.Portal, Mail: r.Mail}
	}
	return out, err
}

// preferenceFor returns the current preference for the relation and kind of a link.
func preferenceFor(ctx context.Context, db module.Querier, set *Settings, l link) (Preference, error) {
	rows := module.Label(ctx, "an unsubscribe link is signed and names its relation; its reader is not signed in")
	out, row := preferenceOf(set, l.kind), new(preferenceRow)
	err := rows.Select(db, row).Where("p.relation_id = ? AND p.kind = ?", l.relation, l.kind).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return out, nil
	}
	out.Portal, out.Mail = row.Portal, row.Mail
	return out, err
}

// savePreferences stores preferences of a relation.
func savePreferences(ctx context.Context, tx module.Tx, rows module.Rows, relation string, wanted []Preference, now time.Time) error {
	var batch []preferenceRow
	for _, p := range wanted {
		if !p.Kind.isFixed() {
			batch = append(batch, preferenceRow{LabelKey: rows.Key(), RelationID: relation, Kind: p.Kind, Portal: p.Portal, Mail: p.Mail,
				UpdatedAt: now})
		}
	}
	if len(batch) == 0 {
		return nil
	}
	_, err := rows.Insert(tx, &batch).On("CONFLICT (label_key, relation_id, kind) DO UPDATE").
		Set("portal = EXCLUDED.portal").Set("mail = EXCLUDED.mail").Set("updated_at = EXCLUDED.updated_at").Exec(ctx)
	return err
}

// mailChoices returns whether relations want emails of a kind. Relations without a stored preference are left out.
func mailChoices(ctx context.Context, db module.Querier, k Kind, relations []string) (map[string]bool, error) {
	out := map[string]bool{}
	if len(relations) == 0 {
		return out, nil
	}
	var rows []preferenceRow
	err := module.Label(ctx, "mails go to all customers").Select(db, &rows).Column("relation_id", "mail").
		Where("p.kind = ? AND p.relation_id IN ?", k, bun.Tuple(relations)).Scan(ctx)
	for _, r := range rows {
		out[r.RelationID] = r.Mail
	}
	return out, err
}

// relationsWithMail returns the page of the relations with the given preference for emails of a kind that follows the relation after.
func relationsWithMail(ctx context.Context, db module.Querier, k Kind, mail bool, after string, limit int) (relations []string, err error) {
	err = module.Label(ctx, "mails go to all customers").Select(db, (*preferenceRow)(nil)).Column("relation_id").
		Where("p.kind = ? AND p.mail = ? AND p.relation_id > ?", k, mail, after).OrderExpr("p.relation_id").Limit(int64(limit)).Scan(ctx,
		&relations)
	return relations, err
}

// selectedReaders returns the page of a selection's readers, sorted by relation, that follows the relation after.
func selectedReaders(ctx context.Context, db module.Querier, id, after string, limit int) (relations []string, err error) {
	err = module.Label(ctx, "mails go to all customers of a selection").Select(db, (*recipientRow)(nil)).Column("relation_id").
		Where("t.notification_id = ? AND t.relation_id > ?", id, after).OrderExpr("t.relation_id").Limit(int64(limit)).Scan(ctx, &relations)
	return relations, err
}
