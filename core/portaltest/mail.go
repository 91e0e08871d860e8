package portaltest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/mail"
	"github.com/wattle-portal/wattle/core/module"
)

// Mail is an email that was sent.
type Mail struct {
	module.Mail
	ID    string
	Label string
	At    time.Time
	p     *Portal
}

// Text returns the plain text part of the email.
func (m Mail) Text() string { return m.layout().Text }

// HTML returns the HTML part of the email, in the label's colors.
func (m Mail) HTML() string { return m.layout().HTML }

func (m Mail) layout() (found mail.Message) {
	m.p.t.Helper()
	raw, err := os.ReadFile(filepath.Join(m.p.DataDir(), "mailbox", m.ID+".json"))
	require.NoError(m.p.t, err)
	require.NoError(m.p.t, json.Unmarshal(raw, &found))
	return found
}

// Mails returns the emails that have been sent to an address, newest first. An empty address stands for all addresses.
func (p *Portal) Mails(address string) (out []Mail) {
	p.t.Helper()
	all, err := p.app.Mail.List(p.t.Context())
	require.NoError(p.t, err)
	for _, m := range all {
		if address == "" || m.Mail.To == address {
			sent := Mail{Mail: m.Mail, ID: m.ID, Label: m.Label, At: m.At, p: p}
			sent.Subject = m.Subject
			out = append(out, sent)
		}
	}
	return out
}

// MailTo waits until an email for which want returns true has been sent to an address, and returns the newest one. If want is nil, it
// accepts any email.
func (p *Portal) MailTo(address string, want func(Mail) bool) (found Mail) {
	p.t.Helper()
	p.Eventually(func() bool {
		all := p.Mails(address)
		i := slices.IndexFunc(all, func(m Mail) bool { return want == nil || want(m) })
		if i >= 0 {
			found = all[i]
		}
		return i >= 0
	}, "a mail to "+address)
	return found
}
