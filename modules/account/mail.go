package account

import "github.com/wattle-portal/wattle/core/module"

// mailVerify returns the email that asks the owner of the new address to confirm it.
func mailVerify(locale, to, token string) module.Mail {
	m := texts.Mail(locale, "account.mail.verify", nil)
	m.To, m.Button.Path, m.Security = to, "/verify/"+token, true
	return m
}

// mailChangeRequested returns the email that notifies the current address of the requested change, without the new address.
func mailChangeRequested(locale, to string) module.Mail {
	m := texts.Mail(locale, "account.mail.change_requested", nil)
	m.To, m.Button.Path, m.Security = to, "/contact", true
	return m
}

// mailContact returns the email with a customer's message to the customer service of the label. It is in Dutch, for staff.
func mailContact(to string, r *Relation, c Contact) module.Mail {
	m := texts.Mail("nl", "account.mail.contact", module.Values{"subject": string(c.Subject), "message": c.Message, "number": r.DebtorNumber,
		"name": r.Name(), "email": r.Email, "phone": r.PhoneNumber})
	m.To = to
	return m
}
