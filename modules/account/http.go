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
	linkLife     = 7 * 24 * time.Hour // of the link that confirms an e-mail address
	contactsPage = 50
	contactsHour = 10 // messages that an account may send in an hour: each of them is mailed
)

func (s *service) routes() {
	const get, put, post = http.MethodGet, http.MethodPut, http.MethodPost
	module.Route(s.API, op(get, "/relations", "getRelation", "The relation of the call"), module.Customer, module.Read, s.getRelation)    // 7.1-get-relations
	module.Route(s.API, op(get, "/relations/addresses", "listAddresses", "Its addresses"), module.Customer, module.Read, s.listAddresses) // 7.1-get-addresses
	contact := op(post, "/relations/contact", "sendContact", "Write to customer service")
	contact.SkipValidateBody = true // CheckContact says it better
	module.Route(s.API, contact, module.Customer, module.Write, s.sendContact)
	module.Route(s.API, op(get, "/relations/phonenumber", "getPhone", "Phone number, or its pending change"), module.Customer, module.Read, s.getPhone) // 7.1-get-phone, 7.1-status-none-pending
	module.Route(s.API, op(put, "/relations/phonenumber", "changePhone", "Ask for another phone number"), module.Customer, module.Write, s.changePhone) // 7.1-put-phone
	module.Route(s.API, op(get, "/relations/email", "getEmail", "E-mail address, or its pending change"), module.Customer, module.Read, s.getEmail)     // 7.1-get-email, 7.1-status-none-pending
	module.Route(s.API, op(put, "/relations/email", "changeEmail", "Ask for another e-mail address"), module.Customer, module.Write, s.changeEmail)     // 7.1-put-email
	module.Route(s.API, op(get, "/account", "getAccount", "Username, and its pending change"), module.Customer, module.Read, s.getAccount)              // 7.1-get-account
	module.Route(s.API, op(put, "/account", "changeUsername", "Ask for another username"), module.Customer, module.Write, s.changeUsername)             // 7.1-put-username
	module.Route(s.API, op(get, "/staff/contacts", "listContacts", "Messages to customer service, newest first"), module.APIKey, module.Read, s.listContacts)
	module.Route(s.API, op(get, "/relations/{relation}/addresses", "addressesOfRelation", "The addresses of a relation"), module.Sibling, module.Read, s.addressesOfRelation)
	s.searchRoutes()
	module.Decisions(s.API, manifest.Key, s.host.DB, s.decided)
}

func op(method, path, id, summary string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary}
}

type relationAnswer struct{ Body *Relation }

func (s *service) getRelation(ctx context.Context, _ *struct{}) (*relationAnswer, error) {
	r, err := s.mine(ctx)
	return &relationAnswer{r}, err
}

// mine is the relation of the call.
func (s *service) mine(ctx context.Context) (*Relation, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	return relationOf(ctx, s.host.DB, rows)
}

type addressesAnswer struct {
	Body []Address `nullable:"false"`
}

func (s *service) listAddresses(ctx context.Context, _ *struct{}) (*addressesAnswer, error) {
	r, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	return &addressesAnswer{r.Addresses}, nil
}

type relationInput struct {
	Relation string `path:"relation" maxLength:"64"`
}

func (s *service) addressesOfRelation(ctx context.Context, in *relationInput) (*addressesAnswer, error) {
	addresses, err := addressesOf(ctx, s.host.DB, in.Relation)
	return &addressesAnswer{addresses}, err
}

type statusInput struct {
	Request string `query:"request" enum:"status" doc:"status: answer the pending change, with empty fields when there is none"`
}

// Phone is a phone number: the current one, or with request=status the one that is asked for.
type Phone struct {
	PhoneNumber string `json:"phone_number"`
}

type phoneAnswer struct{ Body Phone }

func (s *service) getPhone(ctx context.Context, in *statusInput) (*phoneAnswer, error) {
	if in.Request == "" {
		r, err := s.mine(ctx)
		if err != nil {
			return nil, err
		}
		return &phoneAnswer{Phone{r.PhoneNumber}}, nil
	}
	w, _, err := s.pending(ctx, kindPhone, "")
	return &phoneAnswer{Phone{w.PhoneNumber}}, err
}

// pending is the wish of the call's relation that waits for a decision; ok is false when there is none.
func (s *service) pending(ctx context.Context, kind, key string) (w wish, ok bool, err error) {
	if _, err := module.Mine(ctx); err != nil {
		return w, false, err
	}
	changes, err := s.host.DB.Pending(ctx, kind)
	if err != nil {
		return w, false, err
	}
	for _, c := range changes {
		if c.Key == key {
			w, err = wishOf(c)
			return w, err == nil, err
		}
	}
	return w, false, nil
}

// mayAsk refuses a second wish of a kind while the first is pending, and leaves that one intact (4-pending-second-change). File
// has the last word; asking before saves tokens, reservations and mail.
func (s *service) mayAsk(ctx context.Context, kind, key string) error {
	_, ok, err := s.pending(ctx, kind, key)
	if ok {
		return problem.ErrPending
	}
	return err
}

type phoneInput struct{ Body Phone }

func (s *service) changePhone(ctx context.Context, in *phoneInput) (*phoneAnswer, error) {
	number, codes := ReadPhone(in.Body.PhoneNumber)
	if codes != nil {
		return nil, refuse(http.StatusNotAcceptable, "phone_number", codes)
	}
	r, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	if number == value.NormalisePhone(r.PhoneNumber) {
		return nil, refuse(http.StatusBadRequest, "phone_number", []string{codeUnchanged})
	}
	w := wish{PhoneNumber: number, Was: r.PhoneNumber}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := tx.File(ctx, module.Change{Kind: kindPhone, Data: w.json()})
		return err
	})
	return &phoneAnswer{Phone{number}}, err
}

// refuse answers one field's first code as the code of the whole, so that a caller can tell without reading the list.
func refuse(status int, field string, codes []string) error {
	wrong := make([]problem.FieldError, len(codes))
	for i, code := range codes {
		wrong[i] = problem.FieldError{Field: field, Code: code}
	}
	return problem.Fail(status, codes[0], wrong...)
}

// Email is an e-mail address: the current one, or with request=status the one that is asked for.
type Email struct {
	Email       *string `json:"email,omitempty" doc:"The current address; absent with request=status"`
	ChangeEmail *string `json:"change_email,omitempty" doc:"With request=status: the address that is asked for, or empty"`
}

type emailAnswer struct{ Body Email }

func (s *service) getEmail(ctx context.Context, in *statusInput) (*emailAnswer, error) {
	if in.Request == "" {
		r, err := s.mine(ctx)
		if err != nil {
			return nil, err
		}
		return &emailAnswer{Email{Email: &r.Email}}, nil
	}
	w, _, err := s.pending(ctx, kindEmail, "")
	return &emailAnswer{Email{ChangeEmail: &w.ChangeEmail}}, err
}

type emailInput struct {
	Body struct {
		ChangeEmail string `json:"change_email"`
	}
}

// changeEmail files the change and mails a link to the new address; following it, or staff, processes the change
// (7.1-email-change-confirm). The current address hears of it too.
func (s *service) changeEmail(ctx context.Context, in *emailInput) (*emailAnswer, error) {
	address := value.NormaliseEmail(in.Body.ChangeEmail)
	if codes := CheckEmail(address); codes != nil {
		return nil, refuse(http.StatusBadRequest, "change_email", codes)
	}
	r, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(address, r.Email) {
		return nil, refuse(http.StatusBadRequest, "change_email", []string{codeUnchanged})
	}
	if err := s.mayAsk(ctx, kindEmail, ""); err != nil {
		return nil, err
	}
	id := value.NewID()
	token, err := s.token(ctx, kindEmail, id, linkLife)
	if err != nil {
		return nil, err
	}
	w, locale := wish{ChangeEmail: address, Was: r.Email}, module.ScopeOf(ctx).Locale
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if _, err := tx.File(ctx, module.Change{ID: id, Kind: kindEmail, Data: w.json()}); err != nil {
			return err
		}
		if r.Email != "" {
			if err := tx.Mail(ctx, mailAsked(locale, r.Email)); err != nil {
				return err
			}
		}
		return tx.Mail(ctx, mailVerify(locale, address, token))
	})
	return &emailAnswer{Email{ChangeEmail: &address}}, err
}

// Account is the login of the call (3-account-fields).
type Account struct {
	UserName       string `json:"user_name"`
	ChangeUsername string `json:"change_username,omitempty" doc:"The username that is asked for, while the change is pending"`
}

type accountAnswer struct{ Body Account }

func (s *service) getAccount(ctx context.Context, _ *struct{}) (*accountAnswer, error) {
	w, _, err := s.pending(ctx, kindUsername, module.ScopeOf(ctx).Subject)
	if err != nil {
		return nil, err
	}
	m, err := s.core().MyAccount(ctx)
	return &accountAnswer{Account{m.Username, w.ChangeUsername}}, err
}

type usernameInput struct {
	Body struct {
		ChangeUsername string `json:"change_username" maxLength:"128"`
	}
}

func (s *service) changeUsername(ctx context.Context, in *usernameInput) (*accountAnswer, error) {
	name := NormaliseUsername(in.Body.ChangeUsername)
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
	if err := s.mayAsk(ctx, kindUsername, key); err != nil {
		return nil, err
	}
	if err := s.reserve(ctx, name); err != nil {
		return nil, err
	}
	w := wish{ChangeUsername: name, Was: m.Username}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := tx.File(ctx, module.Change{Kind: kindUsername, Key: key, Data: w.json()})
		return err
	})
	if err != nil {
		s.giveBack(ctx, key)
		return nil, err
	}
	return &accountAnswer{Account{m.Username, name}}, nil
}

// giveBack undoes a reservation whose change was not filed: another call of the same account was first, whose name stays
// reserved, or nothing is pending and the name is free again.
func (s *service) giveBack(ctx context.Context, key string) {
	w, ok, err := s.pending(ctx, kindUsername, key)
	switch {
	case err != nil:
	case ok:
		err = s.reserve(ctx, w.ChangeUsername)
	default:
		err = s.core().ReleaseUsername(ctx)
	}
	if err != nil {
		s.host.Log.WarnContext(ctx, "a reserved username could not be given back", "err", err)
	}
}

type contactInput struct {
	Body struct {
		Subject Subject `json:"subject" enum:"payments,products,usage,relocation,suggestion,other"`
		Message string  `json:"message"`
	}
}

// sendContact keeps the message, tells the back office and mails it to the label's customer service.
func (s *service) sendContact(ctx context.Context, in *contactInput) (*struct{}, error) {
	if err := problem.Refuse(CheckContact(in.Body.Subject, in.Body.Message)...); err != nil {
		return nil, err
	}
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	r, err := relationOf(ctx, s.host.DB, rows)
	if err != nil {
		return nil, err
	}
	if err := s.mayTry(ctx, "contact", contactsHour, time.Hour); err != nil {
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
	At time.Time `query:"at" doc:"With id: continue after this message"`
	ID string    `query:"id"`
}

type contactsAnswer struct {
	Body []Contact `nullable:"false"`
}

func (s *service) listContacts(ctx context.Context, in *contactsInput) (*contactsAnswer, error) {
	contacts, err := contactsOf(ctx, s.host.DB, in.At, in.ID, contactsPage)
	return &contactsAnswer{contacts}, err
}
