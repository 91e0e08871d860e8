package move

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// recipient is the customer's email address, which may be empty, and the locale of an email.
type recipient struct {
	Email  string
	Locale string
}

// mailFunc returns an email about a move.
type mailFunc func(locale string, m Move, reason string) module.Mail

func (r recipient) mail(ctx context.Context, tx module.Tx, write mailFunc, m Move, reason string) error {
	if r.Email == "" {
		return nil
	}
	out := write(r.Locale, m, reason)
	out.To = r.Email
	return tx.Mail(ctx, out)
}

// mailOf returns the email with the given name. It contains the data of the request and a button that opens a page.
func mailOf(name, path, locale string, m Move, reason string) module.Mail {
	v := module.Values{"from": m.Old.line(), "to": m.New.line(), "start": dayText(m.Start), "stop": "", "unchecked": module.Flag(m.Unchecked),
		"reason": reason}
	if m.Stop != nil {
		v["stop"] = dayText(*m.Stop)
	}
	out := texts.Mail(locale, "move.mail."+name, v)
	out.Button.Path = path
	return out
}

// mailRequested returns the email that confirms the request.
func mailRequested(locale string, m Move, reason string) module.Mail {
	return mailOf("requested", "/account", locale, m, reason)
}

func mailProcessed(locale string, m Move, reason string) module.Mail {
	return mailOf("processed", "/account", locale, m, reason)
}

func mailRejected(locale string, m Move, reason string) module.Mail {
	return mailOf("rejected", "/contact", locale, m, reason)
}

// dayText formats a day as the portal shows it, which is the same in both languages.
func dayText(d value.Day) string {
	s := d.String() // 2026-11-20
	return s[8:] + "-" + s[5:7] + "-" + s[:4]
}
