// {mail}

package mykey

import "github.com/wattle-portal/wattle/core/module"

// addedMail confirms a note.
func addedMail(locale, to string, n Note) module.Mail {
	m := texts.Mail(locale, "mykey.mail.added", module.Values{"text": n.Text})
	m.To, m.Button.Path = to, "/mykey"
	return m
}

// {/mail}
