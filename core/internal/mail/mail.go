// Package mail lays out a module's mail in the looks of its label, as HTML and as text, and hands it to an SMTP server, or
// without one to a mailbox folder that the demo shows at /dev/mailbox.
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

	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Config says where mail goes. Without Host it goes to the folder Dir.
type Config struct {
	Host     string // of the SMTP server
	Port     int    // zero: 587, or 465 with implicit TLS
	Username string
	Password string
	From     string // address of the sender; empty: that of the label
	TLS      string // "mandatory" (STARTTLS, the default), "implicit", "opportunistic" or "none"
	Dir      string // of the mailbox, made with mode 0700
	Now      func() time.Time
	Log      *slog.Logger
}

// Server reads the address of an SMTP server: smtp://user:password@host:port, with STARTTLS unless ?tls= says otherwise, or
// smtps:// with TLS from the first byte. An empty address is no server. Errors never hold the address: it has a password in it.
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

// Assets reads a file of a label.
type Assets interface {
	Asset(l *label.Label, name string) ([]byte, string, error)
}

// Mailer sends mail. It is what the outbox relays queued mail to.
type Mailer struct {
	c      Config
	labels label.Source
	assets Assets
	client *gomail.Client // nil: mailbox
	box    *mailbox
}

const smtpTimeout = 15 * time.Second // of one delivery

// New makes a mailer. It connects to nobody and makes no folder yet.
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
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(c.Username), gomail.WithPassword(c.Password))
	}
	var err error
	if m.client, err = gomail.NewClient(c.Host, options...); err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	return m, nil
}

// Send lays out and delivers one mail of a label. An error that wraps problem.ErrRetry is worth another try; a mail that can never
// go out (no such label, an address that is none) is any other.
func (m *Mailer) Send(ctx context.Context, labelKey string, mail module.Mail) error {
	l := m.labels.ByKey(labelKey)
	if l == nil {
		return fmt.Errorf("mail: no label %q", labelKey)
	}
	d, err := m.lay(l, mail)
	if err != nil {
		return err
	}
	if m.client == nil {
		return m.box.put(Message{ID: newID(m.c.Now()), Label: labelKey, At: m.c.Now(), Subject: d.subject, Mail: mail, HTML: d.preview(), Text: d.text})
	}
	msg, err := m.message(l, d)
	if err != nil {
		return err
	}
	// A connection of its own for every mail: the client keeps only one, and mail is rare.
	if err := m.client.DialAndSendWithContext(ctx, msg); err != nil {
		if refused, ok := errors.AsType[*gomail.SendError](err); ok { // whose own text names the address
			if refused.IsTemp() {
				return fmt.Errorf("mail: %w: the server put it off (%d)", problem.ErrRetry, refused.ErrorCode())
			}
			return fmt.Errorf("mail: the server refused it (%d)", refused.ErrorCode())
		}
		return fmt.Errorf("mail: %w: %w", problem.ErrRetry, err)
	}
	return nil
}

// message puts a laid-out mail into MIME.
func (m *Mailer) message(l *label.Label, d *document) (*gomail.Msg, error) {
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
	msg.SetMessageID()
	msg.SetGenHeader(gomail.HeaderContentLang, d.Locale)
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if d.oneClick != "" { // RFC 8058
		msg.SetGenHeader(gomail.HeaderListUnsubscribe, "<"+d.oneClick+">")
		msg.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	msg.SetBodyString(gomail.TypeTextPlain, d.text)
	msg.AddAlternativeString(gomail.TypeTextHTML, d.html)
	if d.logo != nil {
		if err := msg.EmbedReader("logo.png", d.logo.reader(), gomail.WithFileContentID("<"+logoID+">"), gomail.WithFileContentType("image/png")); err != nil {
			return nil, fmt.Errorf("mail: logo: %w", err)
		}
	}
	return msg, nil
}
