package portaltest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/mail"
	"github.com/wattle-portal/wattle/core/module"
)

// Mail is a mail that was sent.
type Mail struct {
	module.Mail
	ID    string
	Label string
	At    time.Time
	p     *Portal
}

// Text is the mail as programs without mark-up show it.
func (m Mail) Text() string { return m.layout().Text }

// HTML is the mail as other programs show it, in the label's colours.
func (m Mail) HTML() string { return m.layout().HTML }

func (m Mail) layout() (found mail.Message) {
	m.p.t.Helper()
	raw, err := os.ReadFile(filepath.Join(m.p.Folder(), "mailbox", m.ID+".json"))
	require.NoError(m.p.t, err)
	require.NoError(m.p.t, json.Unmarshal(raw, &found))
	return found
}

// Mails are those that were sent to an address until now, newest first; to everybody when it is empty.
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

// MailTo waits until a mail was sent to an address that is as wanted, and gives the newest; nil wants any.
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
