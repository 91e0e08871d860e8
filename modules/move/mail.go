package move

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// recipient is the mailbox and locale of the customer at the time of the request.
type recipient struct {
	Email  string
	Locale string
}

// mailFunc returns a mail in Dutch or English; every locale except "en" gets Dutch.
type mailFunc func(locale string, m Move, reason string) module.Mail

func (r recipient) mail(ctx context.Context, tx module.Tx, write mailFunc, m Move, reason string) error {
	if r.Email == "" {
		return nil
	}
	out := write(r.Locale, m, reason)
	out.To, out.Locale = r.Email, r.Locale
	return tx.Mail(ctx, out)
}

// summary returns the data of the request, one line each.
func summary(locale string, m Move) []string {
	from, to, start, stop := "Van: ", "Naar: ", "Eerste dag op je nieuwe adres: ", "Laatste dag levering op je oude adres: "
	if locale == "en" {
		from, to, start, stop = "From: ", "To: ", "First day at your new address: ", "Last day of delivery at your old address: "
	}
	out := []string{from + m.Old.line(), to + m.New.line(), start + dayText(m.Start)}
	if m.Stop != nil {
		out = append(out, stop+dayText(*m.Stop))
	}
	return out
}

// mailRequested returns the mail that confirms the request.
func mailRequested(locale string, m Move, _ string) module.Mail {
	out := module.Mail{Button: &module.Button{Path: "/account"}}
	if locale == "en" {
		out.Subject, out.Title, out.Button.Text = "We have received your move", "We have received your move", "Follow your move"
		out.Lines = append([]string{"Thank you. We are processing your move and let you know when it is done."}, summary(locale, m)...)
		if m.Unchecked {
			out.Lines = append(out.Lines, "We could not check your new address yet. If something is not right, we will contact you.")
		}
		out.After = []string{"Was this not you, or is something wrong? Please contact us."}
		return out
	}
	out.Subject, out.Title, out.Button.Text = "We hebben je verhuizing ontvangen", "We hebben je verhuizing ontvangen", "Volg je verhuizing"
	out.Lines = append([]string{"Bedankt. We verwerken je verhuizing en laten je weten wanneer het klaar is."}, summary(locale, m)...)
	if m.Unchecked {
		out.Lines = append(out.Lines, "We konden je nieuwe adres nog niet controleren. Klopt er iets niet, dan nemen we contact met je op.")
	}
	out.After = []string{"Was jij dit niet, of klopt er iets niet? Neem dan contact met ons op."}
	return out
}

func mailProcessed(locale string, m Move, _ string) module.Mail {
	out := module.Mail{Button: &module.Button{Path: "/account"}}
	if locale == "en" {
		out.Subject, out.Title, out.Button.Text = "Your move has been processed", "All set for your move", "View your move"
		out.Lines = append([]string{"We have processed your move. Your energy moves along with you."}, summary(locale, m)...)
		return out
	}
	out.Subject, out.Title, out.Button.Text = "Je verhuizing is verwerkt", "Je verhuizing is geregeld", "Bekijk je verhuizing"
	out.Lines = append([]string{"We hebben je verhuizing verwerkt. Je energie verhuist met je mee."}, summary(locale, m)...)
	return out
}

func mailRejected(locale string, m Move, reason string) module.Mail {
	out := module.Mail{Button: &module.Button{Path: "/contact"}}
	if locale == "en" {
		out.Subject, out.Title, out.Button.Text = "We could not process your move", "We could not process your move", "Contact us"
		out.Lines = append([]string{"We could not process the move below. Nothing changes at your old address."}, summary(locale, m)...)
		if reason != "" {
			out.Lines = append(out.Lines, "The reason: "+reason)
		}
		return out
	}
	out.Subject, out.Title, out.Button.Text = "We konden je verhuizing niet verwerken", "We konden je verhuizing niet verwerken", "Neem contact op"
	out.Lines = append([]string{"We konden de verhuizing hieronder niet verwerken. Op je oude adres verandert er niets."}, summary(locale, m)...)
	if reason != "" {
		out.Lines = append(out.Lines, "De reden: "+reason)
	}
	return out
}

// dayText returns a day as the portal shows it, in both languages.
func dayText(d value.Day) string {
	s := d.String() // 2026-11-20
	return s[8:] + "-" + s[5:7] + "-" + s[:4]
}
