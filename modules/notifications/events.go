package notifications

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/notifications/notificationsapi"
)

// handled contains the event types that Handle accepts.
var handled = []string{notificationsapi.EventPublished, notificationsapi.EventMailsDue}

func publishedData(row *notificationRow) (json.RawMessage, error) {
	return json.Marshal(notificationsapi.Published{Notification: row.ID, Kind: string(row.Kind), Audience: string(row.Audience),
		Project: row.ProjectCode})
}

// Handle processes an event of one of the handled types. Each handler is idempotent.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	switch e.Type {
	case notificationsapi.EventPublished:
		return retryable(s.publish(ctx, e))
	case notificationsapi.EventMailsDue:
		return retryable(s.mailPage(ctx, e))
	}
	return fmt.Errorf("notifications: does not handle %s", e.Type)
}

// retryable marks a problem.ErrUnavailable of a sibling with problem.ErrRetry, so that the event is delivered again.
func retryable(err error) error {
	if errors.Is(err, problem.ErrUnavailable) {
		return fmt.Errorf("%w: %w", problem.ErrRetry, err)
	}
	return err
}

// publish counts the readers of a notification at its publication, and publishes the event that starts its emails. The event of a withdrawn
// notification is delivered too, even if another notification was planned with the same id, at another time or at the same time. A
// notification is still published only once, at its own time.
func (s *service) publish(ctx context.Context, e module.Event) error {
	var p notificationsapi.Published
	if err := json.Unmarshal(e.Data, &p); err != nil {
		return fmt.Errorf("notifications: data of event %s: %w", e.ID, err)
	}
	row, err := notificationBy(ctx, s.host.DB, p.Notification)
	if errors.Is(err, problem.ErrNotFound) { // withdrawn
		return nil
	}
	if err != nil {
		return err
	}
	if !e.Due.IsZero() && !e.Due.Equal(row.PublishAt) {
		return nil
	}
	n, err := s.recipients(ctx, row)
	if err != nil {
		return err
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		if first, err := setPublished(ctx, tx, row.ID, n); err != nil || !first || !row.Mail {
			return err
		}
		return module.Publish(ctx, tx, notificationsapi.EventMailsDue, row.ID, notificationsapi.MailsDue{Notification: row.ID})
	})
}

// recipients counts the readers of a notification.
func (s *service) recipients(ctx context.Context, row *notificationRow) (int64, error) {
	switch row.Audience {
	case ToAll:
		c, err := s.customers(ctx)
		return int64(c.Relations), err
	case ToProject:
		p, err := s.participantsOf(ctx, row.ProjectCode, row.AudienceAt, "")
		if errors.Is(err, problem.ErrNotFound) { // the project or module marketplace was removed
			return 0, nil
		}
		return int64(p.Total), err
	}
	if row.Recipients == nil {
		return 0, nil
	}
	return *row.Recipients, nil
}

// mailPage queues the emails to the next readers of a notification and, if more readers follow, the event for the next page: 50,000 emails
// are 250 short transactions. Emails and event are stored in one transaction, so nobody gets two emails.
func (s *service) mailPage(ctx context.Context, e module.Event) error {
	var due notificationsapi.MailsDue
	if err := json.Unmarshal(e.Data, &due); err != nil {
		return fmt.Errorf("notifications: data of event %s: %w", e.ID, err)
	}
	row, err := notificationBy(ctx, s.host.DB, due.Notification)
	if errors.Is(err, problem.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	boxes, next, err := s.mailboxesAfter(ctx, row, due.After)
	if err != nil {
		return err
	}
	if boxes, err = s.mailRecipients(ctx, row.Kind, boxes); err != nil {
		return err
	}
	mails, err := s.mailsOf(ctx, row, boxes)
	if err != nil {
		return err
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		for _, m := range mails {
			if err := tx.Mail(ctx, m); err != nil {
				return err
			}
		}
		if err := countMails(ctx, tx, row.ID, len(mails)); err != nil || next == "" {
			return err
		}
		return module.Publish(ctx, tx, notificationsapi.EventMailsDue, row.ID, notificationsapi.MailsDue{Notification: row.ID, After: next})
	})
}

// mailboxesAfter returns the mailboxes of the page of readers that follows after. next is the last reader on the page, or empty if it is
// the last page.
func (s *service) mailboxesAfter(ctx context.Context, row *notificationRow, after string) (boxes []mailbox, next string, err error) {
	var relations []string
	switch row.Audience {
	case ToAll:
		if boxes, err = s.allMailboxes(ctx, after); err == nil && len(boxes) == page {
			next = boxes[page-1].Relation
		}
		return boxes, next, err
	case ToProject:
		p, err := s.participantsOf(ctx, row.ProjectCode, row.AudienceAt, after)
		if err != nil && !errors.Is(err, problem.ErrNotFound) {
			return nil, "", err
		}
		relations = p.Relations
	default:
		if relations, err = selectedReaders(ctx, s.host.DB, row.ID, after, page); err != nil {
			return nil, "", err
		}
	}
	if len(relations) == page {
		next = relations[page-1]
	}
	boxes, err = s.mailboxes(ctx, relations)
	return boxes, next, err
}

// mailsOf returns the emails of a notification to some mailboxes.
func (s *service) mailsOf(ctx context.Context, row *notificationRow, boxes []mailbox) ([]module.Mail, error) {
	if len(boxes) == 0 {
		return nil, nil
	}
	key, err := makeLinkKey(ctx, s.host.DB)
	if err != nil {
		return nil, err
	}
	out := make([]module.Mail, len(boxes))
	for i, b := range boxes {
		token := ""
		if !row.Kind.isFixed() {
			if token, err = (link{b.Relation, row.Kind}).seal(key, row.LabelKey); err != nil {
				return nil, err
			}
		}
		out[i] = mailNotification(b.Locale, b.Email, row.Kind, row.title(),
			row.message().each(func(m string) string { return s.clean.clean(m).html }), token)
	}
	return out, nil
}
