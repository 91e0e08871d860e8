package identity

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// invitations sends people a temporary password by email: as their first password, or when their account has become unusable.
type invitations struct {
	db        store.DB
	labels    label.Source
	providers *providers
	accounts  *accounts
	sealer    *sealer
	now       func() time.Time
}

// Invite creates an account and sends its temporary password by email. It returns CodeUsernameTaken when the name is in use. If an account
// with the id exists, Invite returns it unchanged and sends no email, so a call with an id can be repeated.
func (s *invitations) Invite(ctx context.Context, a Account) (Account, error) {
	l := s.labels.ByKey(a.Label)
	if l == nil {
		return a, fmt.Errorf("identity: no label %q", a.Label)
	}
	if a.ID != "" {
		if r, err := s.accounts.byID(ctx, s.db.Read(), a.Label, a.ID); !errors.Is(err, errNotFound) {
			if err != nil {
				return a, err
			}
			return r.account(), nil
		}
	}
	a.Username = NormalizeUsername(a.Username)
	if err := s.accounts.checkFree(ctx, a.Label, a.Username); err != nil {
		return a, err
	}
	x, password, err := s.issueTemporaryPassword(ctx, l, a)
	if err != nil {
		return a, err
	}
	err = s.db.Tx(system(ctx, a.Label), func(ctx context.Context, tx store.Tx) error {
		r, made, err := s.accounts.upsert(ctx, tx, x)
		if err != nil {
			return err
		}
		if !made { // another call has created the account with another password
			return errUsernameTaken
		}
		a = r.account()
		return tx.Mail(ctx, inviteMail(ctx, l, r, s.sealer.sealPassword(l, password)))
	})
	return a, err
}

// issueTemporaryPassword gives the user of an account a temporary password, and returns its hash unless the provider stores it. It must run
// outside any transaction.
func (s *invitations) issueTemporaryPassword(ctx context.Context, l *label.Label, a Account) (x preparedAccount, password string,
	err error) {
	p, err := s.providers.of(l)
	if err != nil {
		return x, "", err
	}
	x, password = preparedAccount{account: a}, newPassword()
	if x.hash, err = p.SetTemporaryPassword(ctx, l, a, password); err != nil {
		return x, "", err
	}
	if x.hash != "" {
		x.account.Temporary, x.until = true, s.now().Add(temporaryLifetime)
	}
	return x, password, nil
}

type openInput struct {
	Body struct {
		Key       string `json:"key" minLength:"1" maxLength:"200" doc:"Id of the request: repeating it with the same key changes nothing"`
		Relation  string `json:"relation" minLength:"1" maxLength:"64" doc:"Id of the relation that gets the account"`
		Username  string `json:"username" doc:"Name for signing in"`
		Email     string `json:"email" doc:"E-mail address, to which the temporary password is mailed"`
		Name      string `json:"name" doc:"Name of the person"`
		Preferred string `json:"preferred_name,omitempty" doc:"First name that the person uses"`
		Locale    string `json:"locale,omitempty" enum:"nl,en" doc:"Language of mails; by default that of the call"`
	}
}

// openAccount creates a customer's account for a module and sends its temporary password by email (4-access-approval). The module never
// receives the password.
func (s *invitations) openAccount(ctx context.Context, in *openInput) (*accountOutput, error) {
	call, b := scope.Of(ctx), in.Body
	a := Account{ID: value.StableID(call.Label, "account-of", call.Caller, b.Key), Label: call.Label, Relation: b.Relation,
		Username: NormalizeUsername(b.Username), Email: strings.TrimSpace(b.Email), Name: strings.TrimSpace(b.Name),
		Preferred: strings.TrimSpace(b.Preferred), Locale: b.Locale, Role: Customer}
	if err := checkFields(field{"username", a.Username, CodeEmptyUsername}); err != nil {
		return nil, err
	}
	if to, err := mail.ParseAddress(a.Email); err != nil || to.Address != a.Email {
		return nil, problem.Refuse(problem.FieldError{Field: "email", Code: problem.CodeInvalid})
	}
	if !isPersonName(a.Name) {
		return nil, problem.Refuse(problem.FieldError{Field: "name", Code: CodeInvalidChars})
	}
	if !hasLength(a.Preferred, maxPreferredLength) {
		return nil, problem.Refuse(problem.FieldError{Field: "preferred_name", Code: CodeInvalidChars})
	}
	if strings.HasPrefix(a.Username, impersonatorPrefix) {
		return nil, errUsernameTaken // names with this prefix are for impersonators
	}
	a, err := s.Invite(ctx, a)
	if err != nil {
		return nil, err
	}
	r, err := s.accounts.byID(ctx, s.db.Read(), a.Label, a.ID)
	if err != nil {
		return nil, err
	}
	return describe(r), nil
}

type reactivateInput struct {
	ID string `path:"id" doc:"Id of the account"`
}

type reactivateOutput struct {
	Body struct {
		Reactivated bool `json:"reactivated" doc:"false: nothing was mailed, because the account can sign in, is disabled or has no address"`
	}
}

// reactivateAccount gives a new temporary password to an account that cannot sign in (without a password, with an unused or expired
// temporary password, or disabled by the provider), and sends it by email.
func (s *invitations) reactivateAccount(ctx context.Context, in *reactivateInput) (*reactivateOutput, error) {
	l, p, err := s.providers.ofCall(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.accounts.byID(ctx, s.db.Read(), l.Key, in.ID)
	if err != nil {
		return nil, err
	}
	out := &reactivateOutput{}
	if r.Email == "" || r.Role == ImpersonatorRole || r.Disabled { // only an operator or the back office may enable a disabled account
		return out, nil
	}
	a, err := s.accounts.withSubjects(ctx, r)
	if err != nil {
		return nil, err
	}
	inactive, err := p.IsInactive(ctx, l, a)
	if err != nil || !inactive {
		return out, err
	}
	x, password, err := s.issueTemporaryPassword(ctx, l, a)
	if err != nil {
		return nil, err
	}
	bind, err := s.accounts.rebind(ctx, l, p, a)
	if err != nil {
		return nil, err
	}
	out.Body.Reactivated = true
	return out, s.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
		if x.hash != "" {
			if err := s.accounts.setTemporary(ctx, tx, r, x.hash, x.until); err != nil {
				return err
			}
		}
		if err := bind(ctx, tx); err != nil {
			return err
		}
		return tx.Mail(ctx, reactivationMail(ctx, l, r, s.sealer.sealPassword(l, password)))
	})
}
