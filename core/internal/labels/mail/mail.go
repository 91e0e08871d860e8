// Package mail renders a module's email in the style of its label, as HTML and as plain text, and passes it to an SMTP server. Without a
// server it stores the email in a mailbox folder that the demo shows at /dev/mailbox.
package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Config contains the destination of emails. Without Host, emails are stored in the folder Dir.
type Config struct {
	Host     string // host of the SMTP server
	Port     int    // zero: 587, or 465 with implicit TLS
	Username string
	Password string
	From     string // address of the sender; empty: the address of the label
	TLS      string // "mandatory" (STARTTLS, the default), "implicit", "opportunistic" or "none"
	Dir      string // folder of the mailbox, created with mode 0700
	Now      func() time.Time
	Log      *slog.Logger
}

// Server parses the address of an SMTP server: smtp://user:password@host:port, with STARTTLS unless ?tls= overrides it, or smtps:// with
// implicit TLS. An empty address means no server. Errors never contain the address, which contains a password.
func Server(address string) (c Config, err error) {
	if address == "" {
		return c, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" || strings.Trim(u.Path, "/") != "" {
		return c, errors.New("not smtp://user:password@host:port or smtps://…")
	}
	c = Config{Host: u.Hostname(), Username: u.User.Username(), TLS: u.Query().Get("tls")}
	c.Password, _ = u.User.Password()
	if port := u.Port(); port != "" {
		if c.Port, err = strconv.Atoi(port); err != nil || c.Port < 1 || c.Port > 65535 {
			return Config{}, errors.New("the port is none")
		}
	}
	if u.Scheme == "smtps" {
		if c.TLS != "" && c.TLS != "implicit" {
			return Config{}, errors.New("smtps:// is TLS from the first byte: ?tls= does not go with it")
		}
		c.TLS = "implicit"
	}
	return c, nil
}

// Assets provides the files of labels.
type Assets interface {
	Asset(l *label.Label, name string) ([]byte, string, error)
}

// Mailer sends emails. The outbox passes queued emails to it.
type Mailer struct {
	c      Config
	labels label.Source
	assets Assets
	client *gomail.Client // nil: emails are stored in the mailbox
	open   *connections   // open connections of client
	box    *mailbox
}

const smtpTimeout = 15 * time.Second // limits one delivery

// New returns a mailer. It does not connect or create a folder yet.
func New(c Config, labels label.Source, assets Assets) (*Mailer, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	m := &Mailer{c: c, labels: labels, assets: assets, box: &mailbox{dir: c.Dir}}
	if c.Host == "" {
		return m, nil
	}
	options := []gomail.Option{gomail.WithTimeout(smtpTimeout)}
	switch c.TLS {
	case "", "mandatory":
		options = append(options, gomail.WithTLSPortPolicy(gomail.TLSMandatory))
	case "opportunistic":
		options = append(options, gomail.WithTLSPortPolicy(gomail.TLSOpportunistic))
	case "none":
		options = append(options, gomail.WithTLSPortPolicy(gomail.NoTLS))
	case "implicit":
		options = append(options, gomail.WithSSLPort(false))
	default:
		return nil, errors.New("mail: TLS is mandatory, implicit, opportunistic or none")
	}
	if c.Port != 0 {
		options = append(options, gomail.WithPort(c.Port))
	}
	if c.Username != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(c.Username),
			gomail.WithPassword(c.Password))
	}
	var err error
	if m.client, err = gomail.NewClient(c.Host, options...); err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	m.open = &connections{client: m.client}
	return m, nil
}

// Close ends the idle connections. An email that is sent later uses a connection of its own.
func (m *Mailer) Close() {
	if m.open != nil {
		m.open.close()
	}
}

// Send renders and delivers one email of a label. The Message-ID is derived from id, so that mail servers recognize an email that is sent
// again because it is unknown whether the server accepted it. An error that wraps problem.ErrRetry may be retried; any other error means
// that the email can never be sent (unknown label, invalid address).
func (m *Mailer) Send(ctx context.Context, labelKey, id string, mail module.Mail) error {
	l := m.labels.ByKey(labelKey)
	if l == nil {
		return fmt.Errorf("mail: no label %q", labelKey)
	}
	locale := "nl"
	if mail.Locale == "en" {
		locale = "en"
	}
	mail, err := mail.WithOverrides(l.Messages[locale])
	if err != nil { // vet reports such a text; the email uses the text of the product
		m.c.Log.Error("a text of the label cannot be used in a mail", "label", labelKey, "error", err)
	}
	d, err := m.layOut(l, mail)
	if err != nil {
		return err
	}
	if m.client == nil {
		return m.box.put(Message{ID: newID(m.c.Now()), Label: labelKey, At: m.c.Now(), Subject: d.subject, Mail: mail, HTML: d.preview(),
			Text: d.text})
	}
	msg, err := m.message(l, id, d)
	if err != nil {
		return err
	}
	if err := m.open.send(ctx, msg); err != nil {
		if refused, ok := errors.AsType[*gomail.SendError](err); ok { // the error text of the server contains the address
			if refused.IsTemp() {
				return fmt.Errorf("mail: %w: the server put it off (%d)", problem.ErrRetry, refused.ErrorCode())
			}
			return fmt.Errorf("mail: the server refused it (%d)", refused.ErrorCode())
		}
		return fmt.Errorf("mail: %w: %w", problem.ErrRetry, err)
	}
	return nil
}

// message encodes a rendered email as MIME.
func (m *Mailer) message(l *label.Label, id string, d *document) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	from, reply := m.c.From, ""
	if from == "" {
		from = l.Info.Email
	} else if l.Info.Email != "" && l.Info.Email != from {
		reply = header(l.Info.Email)
	}
	if err := msg.FromFormat(header(l.Info.Name), header(from)); err != nil {
		return nil, errors.New("mail: the sender has no good address")
	}
	if reply != "" {
		if err := msg.ReplyTo(reply); err != nil {
			return nil, errors.New("mail: the label has no good address")
		}
	}
	if err := msg.To(d.to); err != nil {
		return nil, errAddress
	}
	msg.Subject(d.subject)
	msg.SetDateWithValue(m.c.Now())
	msg.SetMessageIDWithValue(id + from[strings.LastIndex(from, "@"):]) // FromFormat has checked the address
	msg.SetGenHeader(gomail.HeaderContentLang, d.Locale)
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if d.oneClick != "" { // RFC 8058
		msg.SetGenHeader(gomail.HeaderListUnsubscribe, "<"+d.oneClick+">")
		msg.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	msg.SetBodyString(gomail.TypeTextPlain, d.text)
	msg.AddAlternativeString(gomail.TypeTextHTML, d.html)
	for _, i := range d.pictures() {
		if err := msg.EmbedReader(i.name, i.reader(), gomail.WithFileContentID("<"+i.id+">"),
			gomail.WithFileContentType("image/png")); err != nil {
			return nil, fmt.Errorf("mail: %s: %w", i.name, err)
		}
	}
	return msg, nil
}
