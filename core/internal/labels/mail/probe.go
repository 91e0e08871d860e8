package mail

import (
	"context"
	"errors"
	"strings"

	gomail "github.com/wneessen/go-mail"
)

// ErrNoServer is returned by Probe when the portal has no mail server.
var ErrNoServer = errors.New("mail: there is no server")

// Probe connects to the server, with TLS and sign-in like Send, and sends a test email from one address to another unless the latter is
// empty. Errors never contain the password.
func (m *Mailer) Probe(ctx context.Context, from, to string) error {
	if m.client == nil {
		return ErrNoServer
	}
	return m.withoutPassword(m.probe(ctx, from, to))
}

func (m *Mailer) probe(ctx context.Context, from, to string) error {
	if to == "" {
		if err := m.client.DialWithContext(ctx); err != nil {
			return err
		}
		return m.client.Close()
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := msg.From(header(from)); err != nil {
		return errors.New("the sender has no good address")
	}
	if err := msg.To(header(to)); err != nil {
		return errAddress
	}
	msg.Subject("Wattle: test message")
	msg.SetDateWithValue(m.c.Now())
	msg.SetMessageID()
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetBodyString(gomail.TypeTextPlain, "This is a test message of wattle doctor. The portal can send mail.\n")
	return m.client.DialAndSendWithContext(ctx, msg)
}

// redacted is an error whose text does not contain the password.
type redacted struct {
	error
	text string
}

func (r redacted) Error() string { return r.text }
func (r redacted) Unwrap() error { return r.error }

func (m *Mailer) withoutPassword(err error) error {
	if err == nil || m.c.Password == "" || !strings.Contains(err.Error(), m.c.Password) {
		return err
	}
	return redacted{err, strings.ReplaceAll(err.Error(), m.c.Password, "…")}
}
