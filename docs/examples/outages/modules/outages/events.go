package outages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"example.org/outages/modules/outages/outagesapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Changes that subscribers are notified of.
const (
	changeReported = "reported"
	changeEnded    = "ended"
)

// mailPage is the number of subscribers in a transaction.
const mailPage = 200

// maxAge is how long ended outages are kept for staff.
const maxAge = 90 // days

// Handle emails subscribers about an outage, page by page, and deletes old outages at night. Events may be delivered twice, and in any
// order.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	if e.Type == outagesapi.EventNight {
		return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
			return deleteBefore(ctx, tx, module.Label(ctx, "the night deletes outages of areas"), s.host.Now().AddDate(0, 0, -maxAge))
		})
	}
	var due outagesapi.MailsDue // Changed also contains change; without after, the first page is sent
	if err := json.Unmarshal(e.Data, &due); err != nil {
		return fmt.Errorf("outages: data of event %s: %w", e.ID, err)
	}
	rows := module.Label(ctx, "subscribers of an area are of many relations")
	o, err := outageBy(ctx, s.host.DB, rows, e.Key)
	if errors.Is(err, problem.ErrNotFound) { // deleted
		return nil
	}
	if err != nil {
		return err
	}
	if due.Change == changeReported && o.state(s.host.Now()) == stateEnded {
		return nil // the outage was over before its emails were sent
	}
	relations, err := subscribers(ctx, s.host.DB, rows, o.Areas, due.After, mailPage)
	if err != nil {
		return err
	}
	boxes, err := s.mailboxes(ctx, relations)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(module.ScopeOf(ctx).Zone)
	if err != nil {
		return err
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		for _, b := range boxes {
			m := outageMail(b.Locale, due.Change, o, zone)
			m.To = b.Email
			if err := tx.Mail(ctx, m); err != nil {
				return err
			}
		}
		if err := addMails(ctx, tx, rows, o.ID, len(boxes)); err != nil || len(relations) < mailPage {
			return err
		}
		return module.Publish(ctx, tx, outagesapi.EventMailsDue, o.ID, outagesapi.MailsDue{Change: due.Change,
			After: relations[len(relations)-1]})
	})
}

// outageMail returns an email about an outage.
func outageMail(locale, change string, o *outage, zone *time.Location) module.Mail {
	moment := func(t *time.Time) string {
		if t == nil {
			return ""
		}
		return t.In(zone).Format("02-01-2006 15:04")
	}
	kind := "fault"
	if o.Planned {
		kind = "planned"
	}
	text := o.TextNL
	if locale == "en" {
		text = o.TextEN
	}
	v := module.Values{"kind": kind, "commodity": o.Commodity, "start": moment(&o.StartsAt), "text": text}
	if change == changeReported {
		v["end"] = moment(o.ExpectedEnd)
	} else {
		end := o.end()
		v["end"] = moment(&end)
	}
	m := texts.Mail(locale, "outages.mail."+change, v)
	m.Button.Path = "/outages"
	return m
}
