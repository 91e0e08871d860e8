//go:generate go test . -run TestOpenAPI|TestAsyncAPI -update

package account

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

const (
	linkTTL            = 7 * 24 * time.Hour // validity of the link that confirms an email address
	contactsPageSize   = 50
	maxContactsPerHour = 10 // per account; each message is also emailed
)

func (s *service) routes() {
	const get, put, post = http.MethodGet, http.MethodPut, http.MethodPost
	module.Route(s.API, op(get, "/relations", "getRelation", "Get the customer's relation",
		// 7.1-get-relations
		"For customers. Problem: 404 until the back office has sent the relation."), module.Customer, module.Read, s.getRelation)
	module.Route(s.API, op(get, "/relations/addresses", "listAddresses", "List the customer's addresses",
		// 7.1-get-addresses
		"For customers. Problem: 404 until the back office has sent the relation."), module.Customer, module.Read, s.listAddresses)
	contact := op(post, "/relations/contact", "sendContact", "Send a message to customer service",
		"For customers, not during impersonation. Stores the message and mails it to the label's customer service. Problems: 400 for a missing "+
			"or invalid field; 429 after 10 messages in an hour, per account.")
	contact.SkipValidateBody = true // CheckContact returns clearer problems
	module.Route(s.API, contact, module.Customer, module.Write, s.sendContact)
	module.Route(s.API, op(get, "/relations/phonenumber", "getPhone", "Get the phone number or its pending change",
		// 7.1-get-phone, 7.1-status-none-pending
		"For customers. Returns the pending number, or an empty one, with request=status. Problem: 404 for an unknown relation."),
		module.Customer, module.Read, s.getPhone)
	module.Route(s.API, op(put, "/relations/phonenumber", "changePhone", "Request a change of the phone number",
		"For customers, not during impersonation. The back office decides. Problems: 400 account.unchanged; 406 account.phone_invalid; 409 "+
			"change_pending."), module.Customer, module.Write, s.changePhone) // 7.1-put-phone
	module.Route(s.API, op(get, "/relations/email", "getEmail", "Get the e-mail address or its pending change",
		// 7.1-get-email, 7.1-status-none-pending
		"For customers. Returns the pending address, or an empty one, with request=status. Problem: 404 for an unknown relation."),
		module.Customer, module.Read, s.getEmail)
	module.Route(s.API, op(put, "/relations/email", "changeEmail", "Request a change of the e-mail address",
		"For customers, not during impersonation. Mails a link to the new address and a notice to the current one; the change is processed when "+
			// 7.1-put-email
			"the link is followed or staff decide. Problems: 400 account.email_invalid or account.unchanged; 409 change_pending."), module.Customer,
		module.Write, s.changeEmail)
	module.Route(s.API, op(get, "/account", "getAccount", "Get the username and its pending change",
		"For customers. Returns the username of the caller's account."), module.Customer, module.Read, s.getAccount) // 7.1-get-account
	module.Route(s.API, op(put, "/account", "changeUsername", "Request a change of the username",
		"For customers, not during impersonation. Reserves the username until the back office decides. Problems: 400 "+
			// 7.1-put-username
			"account.username_too_short or account.unchanged; 409 account.username_taken or change_pending."), module.Customer, module.Write,
		s.changeUsername)
	module.Route(s.API, op(get, "/staff/contacts", "listContacts", "List messages to customer service, newest first",
		"For staff and API keys. Returns 50 per page; at and id of the last message select the next page."), module.APIKey, module.Read,
		s.listContacts)
	module.Route(s.API, op(get, "/relations/{relation}/addresses", "addressesOfRelation", "List the addresses of a relation",
		"For siblings, for any relation of the label. Problem: 404 for an unknown relation."), module.Sibling, module.Read, s.addressesOfRelation)
	s.searchRoutes()
	module.Decisions(s.API, manifest.Key, s.host.DB, s.applyDecision)
}

func op(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, Description: description}
}

type relationAnswer struct{ Body *Relation }

func (s *service) getRelation(ctx context.Context, _ *struct{}) (*relationAnswer, error) {
	r, err := s.callerRelation(ctx)
	return &relationAnswer{r}, err
}

// callerRelation returns the relation of the call.
func (s *service) callerRelation(ctx context.Context) (*Relation, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	return findRelation(ctx, s.host.DB, rows)
}

type addressesAnswer struct {
	Body []Address `nullable:"false"`
}

func (s *service) listAddresses(ctx context.Context, _ *struct{}) (*addressesAnswer, error) {
	r, err := s.callerRelation(ctx)
	if err != nil {
		return nil, err
	}
	return &addressesAnswer{r.Addresses}, nil
}

type relationInput struct {
	Relation string `path:"relation" maxLength:"64" doc:"Id of the relation"`
}

func (s *service) addressesOfRelation(ctx context.Context, in *relationInput) (*addressesAnswer, error) {
	addresses, err := findAddresses(ctx, s.host.DB, in.Relation)
	return &addressesAnswer{addresses}, err
}

type statusInput struct {
	Request string `query:"request" enum:"status" doc:"status: return the pending change, with empty fields if there is none"`
}

// Phone is a phone number: the current one, or the pending one with request=status.
type Phone struct {
	PhoneNumber string `json:"phone_number" doc:"Digits, with an optional + in front"`
}

type phoneAnswer struct{ Body Phone }

func (s *service) getPhone(ctx context.Context, in *statusInput) (*phoneAnswer, error) {
	if in.Request == "" {
		r, err := s.callerRelation(ctx)
		if err != nil {
			return nil, err
		}
		return &phoneAnswer{Phone{r.PhoneNumber}}, nil
	}
	w, _, err := s.pendingChange(ctx, kindPhone, "")
	return &phoneAnswer{Phone{w.PhoneNumber}}, err
}

// pendingChange returns the pending change of the caller's relation; ok is false if there is none.
func (s *service) pendingChange(ctx context.Context, kind, key string) (w changeData, ok bool, err error) {
	if _, err := module.Mine(ctx); err != nil {
		return w, false, err
	}
	changes, err := s.host.DB.Pending(ctx, kind)
	if err != nil {
		return w, false, err
	}
	for _, c := range changes {
		if c.Key == key {
			w, err = parseChange(c)
			return w, err == nil, err
		}
	}
	return w, false, nil
}

// requireNonePending returns ErrPending if a change of this kind is pending, which stays unchanged (4-pending-second-change). File checks
// again; checking here first avoids needless tokens, reservations and emails.
func (s *service) requireNonePending(ctx context.Context, kind, key string) error {
	_, ok, err := s.pendingChange(ctx, kind, key)
	if ok {
		return problem.ErrPending
	}
	return err
}

type phoneInput struct{ Body Phone }

func (s *service) changePhone(ctx context.Context, in *phoneInput) (*phoneAnswer, error) {
	number, codes := ParsePhone(in.Body.PhoneNumber)
	if codes != nil {
		return nil, refuse(http.StatusNotAcceptable, "phone_number", codes)
	}
	r, err := s.callerRelation(ctx)
	if err != nil {
		return nil, err
	}
	if number == value.NormalizePhone(r.PhoneNumber) {
		return nil, refuse(http.StatusBadRequest, "phone_number", []string{codeUnchanged})
	}
	w := changeData{PhoneNumber: number, Was: r.PhoneNumber}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := tx.File(ctx, module.Change{Kind: kindPhone, Data: w.json()})
		return err
	})
	return &phoneAnswer{Phone{number}}, err
}

// refuse returns a problem for a field. Its code is the first of the codes, so that callers need not read the list.
func refuse(status int, field string, codes []string) error {
	fieldErrors := make([]problem.FieldError, len(codes))
	for i, code := range codes {
		fieldErrors[i] = problem.FieldError{Field: field, Code: code}
	}
	return problem.Fail(status, codes[0], fieldErrors...)
}

// Email is an email address: the current one, or the pending one with request=status.
type Email struct {
	Email       *string `json:"email,omitempty" doc:"Current address; absent with request=status"`
	ChangeEmail *string `json:"change_email,omitempty" doc:"Pending address or empty, with request=status and after a change"`
}

type emailAnswer struct{ Body Email }

func (s *service) getEmail(ctx context.Context, in *statusInput) (*emailAnswer, error) {
	if in.Request == "" {
		r, err := s.callerRelation(ctx)
		if err != nil {
			return nil, err
		}
		return &emailAnswer{Email{Email: &r.Email}}, nil
	}
	w, _, err := s.pendingChange(ctx, kindEmail, "")
	return &emailAnswer{Email{ChangeEmail: &w.ChangeEmail}}, err
}

type emailInput struct {
	Body struct {
		ChangeEmail string `json:"change_email" doc:"New e-mail address"`
	}
}

// changeEmail files the change, emails a link to the new address and notifies the current one. The change is processed when the link is
// followed or when staff decide (7.1-email-change-confirm).
func (s *service) changeEmail(ctx context.Context, in *emailInput) (*emailAnswer, error) {
	address := value.NormalizeEmail(in.Body.ChangeEmail)
	if codes := CheckEmail(address); codes != nil {
		return nil, refuse(http.StatusBadRequest, "change_email", codes)
	}
	r, err := s.callerRelation(ctx)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(address, r.Email) {
		return nil, refuse(http.StatusBadRequest, "change_email", []string{codeUnchanged})
	}
	if err := s.requireNonePending(ctx, kindEmail, ""); err != nil {
		return nil, err
	}
	id := value.NewID()
	token, err := s.token(ctx, kindEmail, id, linkTTL)
	if err != nil {
		return nil, err
	}
	w, locale := changeData{ChangeEmail: address, Was: r.Email}, module.ScopeOf(ctx).Locale
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if _, err := tx.File(ctx, module.Change{ID: id, Kind: kindEmail, Data: w.json()}); err != nil {
			return err
		}
		if r.Email != "" {
			if err := tx.Mail(ctx, mailChangeRequested(locale, r.Email)); err != nil {
				return err
			}
		}
		return tx.Mail(ctx, mailVerify(locale, address, token))
	})
	return &emailAnswer{Email{ChangeEmail: &address}}, err
}

// Account is the account of the call (3-account-fields).
type Account struct {
	UserName       string `json:"user_name" doc:"Current username"`
	ChangeUsername string `json:"change_username,omitempty" doc:"Requested username, while the change is pending"`
}

type accountAnswer struct{ Body Account }

func (s *service) getAccount(ctx context.Context, _ *struct{}) (*accountAnswer, error) {
	w, _, err := s.pendingChange(ctx, kindUsername, module.ScopeOf(ctx).Subject)
	if err != nil {
		return nil, err
	}
	m, err := s.core().MyAccount(ctx)
	return &accountAnswer{Account{m.Username, w.ChangeUsername}}, err
}

type usernameInput struct {
	Body struct {
		ChangeUsername string `json:"change_username" maxLength:"128" doc:"New username, at least 6 characters"`
	}
}

func (s *service) changeUsername(ctx context.Context, in *usernameInput) (*accountAnswer, error) {
	name := NormalizeUsername(in.Body.ChangeUsername)
	if codes := CheckUsername(name); codes != nil {
		return nil, refuse(http.StatusBadRequest, "change_username", codes)
	}
	m, err := s.core().MyAccount(ctx)
	if err != nil {
		return nil, err
	}
	if name == m.Username {
		return nil, refuse(http.StatusBadRequest, "change_username", []string{codeUnchanged})
	}
	key := module.ScopeOf(ctx).Subject
	if err := s.requireNonePending(ctx, kindUsername, key); err != nil {
		return nil, err
	}
	if err := s.reserve(ctx, name); err != nil {
		return nil, err
	}
	w := changeData{ChangeUsername: name, Was: m.Username}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := tx.File(ctx, module.Change{Kind: kindUsername, Key: key, Data: w.json()})
		return err
	})
	if err != nil {
		s.restoreReservation(ctx, key)
		return nil, err
	}
	return &accountAnswer{Account{m.Username, name}}, nil
}

// restoreReservation corrects the reservation if a change could not be filed: if a concurrent call of the account filed another username,
// that username is reserved again, otherwise the reservation is released.
func (s *service) restoreReservation(ctx context.Context, key string) {
	w, ok, err := s.pendingChange(ctx, kindUsername, key)
	switch {
	case err != nil:
	case ok:
		err = s.reserve(ctx, w.ChangeUsername)
	default:
		err = s.core().ReleaseUsername(ctx)
	}
	if err != nil {
		s.host.Log.WarnContext(ctx, "cannot restore the reservation of a username", "error", err)
	}
}

type contactInput struct {
	Body struct {
		Subject Subject `json:"subject" enum:"payments,products,usage,relocation,suggestion,other" doc:"Subject of the message"`
		Message string  `json:"message" doc:"Plain text, at most 5000 characters"`
	}
}

// sendContact stores the message, publishes the event and emails the message to the label's customer service.
func (s *service) sendContact(ctx context.Context, in *contactInput) (*struct{}, error) {
	if err := problem.Refuse(CheckContact(in.Body.Subject, in.Body.Message)...); err != nil {
		return nil, err
	}
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	r, err := findRelation(ctx, s.host.DB, rows)
	if err != nil {
		return nil, err
	}
	if err := s.takeLimit(ctx, "contact", maxContactsPerHour, time.Hour); err != nil {
		return nil, err
	}
	to, err := s.serviceEmail(ctx)
	if err != nil {
		return nil, err
	}
	c := Contact{ID: value.NewID(), RelationID: rows.Relation(), Subject: in.Body.Subject, Message: in.Body.Message, At: s.host.Now()}
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if err := insertContact(ctx, tx, rows, c); err != nil {
			return err
		}
		if err := module.Publish(ctx, tx, accountapi.EventContactReceived, c.ID, accountapi.ContactReceived{ID: c.ID, RelationID: c.RelationID,
			Subject: string(c.Subject), Message: c.Message, At: c.At}); err != nil {
			return err
		}
		if to == "" {
			return nil
		}
		return tx.Mail(ctx, mailContact(to, r, c))
	})
}

type contactsInput struct {
	At time.Time `query:"at" doc:"Time of the last message of the previous page; requires id"`
	ID string    `query:"id" doc:"Id of the last message of the previous page"`
}

type contactsAnswer struct {
	Body []Contact `nullable:"false"`
}

func (s *service) listContacts(ctx context.Context, in *contactsInput) (*contactsAnswer, error) {
	contacts, err := findContacts(ctx, s.host.DB, in.At, in.ID, contactsPageSize)
	return &contactsAnswer{contacts}, err
}
