package acme

import (
	"context"
	"strconv"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/docs/example-module/acmeapi"
)

// Handle mails the service desk about a saved note, and each week about all of them. An event may be delivered twice, and in any order.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	settings, err := module.Settings[Settings](ctx)
	if err != nil {
		return err
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		var m module.Mail
		if e.Type == acmeapi.EventWeek {
			m, err = s.weekMail(ctx, tx)
		} else {
			rows := module.Label(ctx, "an event names a note of any customer")
			m, err = savedMail(e.Key), setMailed(ctx, tx, rows, e.Key)
		}
		if m.To = settings.MailTo; err != nil || m.To == "" {
			return err
		}
		return tx.Mail(ctx, m)
	})
}

// weekMail is the mail of the job.
func (s *service) weekMail(ctx context.Context, tx module.Tx) (module.Mail, error) {
	count, err := others(ctx, tx, module.Label(ctx, "the service desk gets the number of notes of all customers"), "")
	return texts.Mail("nl", "acme.mail.week", module.Values{"count": strconv.FormatInt(count, 10)}), err
}

func savedMail(id string) module.Mail {
	return texts.Mail("nl", "acme.mail.saved", module.Values{"id": id})
}
