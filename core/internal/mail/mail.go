// Package mail lays out a module's mail in the looks of its label, as HTML and as text, and hands it to an SMTP server, or
// without one to a mailbox folder that the demo shows at /dev/mailbox.
package mail

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/module"
)

// Config says where mail goes. Without Host it goes to the folder Dir.
type Config struct {
	Host     string // of the SMTP server
	Port     int    // zero: 587
	Username string
	Password string
	From     string // address of the sender; empty: that of the label
	TLS      string // "mandatory" (default), "opportunistic" or "none"
	Dir      string // of the mailbox, made with mode 0700
	Now      func() time.Time
	Log      *slog.Logger
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
}

// New makes a mailer.
func New(c Config, labels label.Source, assets Assets) (*Mailer, error) { return &Mailer{c, labels, assets}, nil }

// Send lays out and delivers one mail of a label. An error that wraps module.ErrRetry is worth another try.
func (m *Mailer) Send(ctx context.Context, labelKey string, mail module.Mail) error { return nil }

// Message is one mail in the mailbox.
type Message struct {
	ID      string      `json:"id"`
	Label   string      `json:"label"`
	At      time.Time   `json:"at"`
	Subject string      `json:"subject"`
	Mail    module.Mail `json:"mail"`
}

// List gives the mails in the mailbox, newest first.
func (m *Mailer) List(ctx context.Context) ([]Message, error) { return nil, nil }

// Mailbox serves the mailbox, in demo mode only: / as a page, or as JSON when asked for, /{id} one mail's HTML, /{id}.txt its text.
// Mount it with its prefix stripped.
func (m *Mailer) Mailbox() http.Handler { return http.NotFoundHandler() }
