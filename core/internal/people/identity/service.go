// Package identity authenticates callers. It stores the accounts of each label and their sessions, and signs people in through
// the identity provider that the label configures: local, or an Amazon Cognito user pool (7.7-identity-service-choice).
package identity

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

//go:embed migrations/*.sql
var files embed.FS

// Migrations create the tables of accounts, sessions, keys and codes.
var Migrations = store.Migrations{Name: "identity", FS: files}

// Deps are the dependencies of Service.
type Deps struct {
	DB      store.DB // core's own database
	Labels  label.Source
	Clock   *clock.Clock
	Limits  *limit.Limiter
	Secrets func(name string) string // --secret-file entries and the environment; see SecretName
	Dir     string                   // data folder: without the secret, the key is stored there in identity.key
	Key     *masterkey.Key           // identity key; nil: from Secrets or Dir
	Cognito Provider                 // cognito.New(…); nil when no label may use it
	Cost    Cost                     // of a password hash; zero: DefaultCost
	Cores   int                      // cores that hashing may use while other calls are served; zero: half of them
	Busy    func() bool              // whether other calls are served; nil: never
	Demo    bool                     // allows cookies over plain http
	// KeepSessions is how long a session that is not refreshed lasts (0: 24 hours), KeepImpersonations how long a started impersonation is
	// stored (0: 400 days).
	KeepSessions, KeepImpersonations time.Duration
	Log                              *slog.Logger
	Audit                            *audit.Log // records every impersonation
}

// Service implements the auth operations and stores the accounts.
type Service struct {
	d           Deps
	sealer      *sealer
	accounts    *accounts
	sessions    *sessions
	codes       *codes
	keys        *keyring
	signer      *signer
	local       *local
	cache       tokenCache
	revocations *revocations
}

// New returns the service. It reads or makes the identity key, and does not access the database.
func New(d Deps) (*Service, error) {
	if d.Secrets == nil {
		d.Secrets = func(string) string { return "" }
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	b := &sealer{d.Key}
	if d.Key == nil {
		var err error
		if b, err = openSealer(d.Secrets(SecretName), d.Dir); err != nil {
			return nil, err
		}
	}
	s := &Service{d: d, sealer: b, cache: newTokenCache()}
	s.accounts = &accounts{d.DB, s.now}
	s.revocations = newRevocations(d.DB, s.now)
	s.sessions = &sessions{d.DB, b, s.now, s.revocations, d.KeepSessions}
	s.codes = &codes{d.DB, b, s.now}
	s.keys = &keyring{db: d.DB, sealer: b, now: s.now, labels: map[string]*keys{}}
	s.signer = &signer{s.keys, s.now}
	s.local = &local{s.accounts, s.codes, newHasher(d.Cost, d.Cores, d.Busy), s.signer, b, d.Log}
	return s, nil
}

// now returns the time of the injected clock, in the precision of the database.
func (s *Service) now() time.Time { return s.d.Clock.Now().Truncate(time.Microsecond) }

func (s *Service) provider(l *label.Label) (Provider, error) {
	switch l.Identity.Provider {
	case "local", "":
		return s.local, nil
	case "cognito":
		if s.d.Cognito != nil {
			return s.d.Cognito, nil
		}
	}
	return nil, fmt.Errorf("identity: label %s uses the identity provider %q, which is not configured", l.Key, l.Identity.Provider)
}

// labelAndProvider returns the label of a call and its provider.
func (s *Service) labelAndProvider(ctx context.Context) (*label.Label, Provider, error) {
	l := label.Of(ctx)
	if l == nil {
		l = s.d.Labels.ByKey(scope.Of(ctx).Label) // the call comes from a module
	}
	if l == nil {
		return nil, nil, errors.New("identity: a call without a label")
	}
	p, err := s.provider(l)
	return l, p, err
}

// warn logs an error that the caller neither can change nor needs to know.
func (s *Service) warn(ctx context.Context, err error, message string) {
	if err != nil {
		s.d.Log.WarnContext(ctx, message, "error", err)
	}
}

// Routes registers the auth operations, the sibling operations for accounts, and the operations for staff and back offices.
func (s *Service) Routes(a huma.API) {
	op := func(method, path, id, summary, description string) huma.Operation {
		return huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary, Description: description}
	}
	get, post, put, del := http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete
	module.Route(a, op(post, "/auth/sign-in", "signIn", "Sign in with a username and a password",
		"For everybody. Sets the session cookie and returns an id token, or a challenge. 400 for empty fields or invalid characters, 401 wrong_credentials, "+
			"403 temp_password_expired, pre_login_rejected or impersonator_refused, 429 attempts_exceeded."), module.Public, module.Write, s.signIn)
	module.Route(a, op(post, "/auth/new-password", "newPassword", "Choose a password in place of a temporary one",
		"For everybody with the challenge NEW_PASSWORD_REQUIRED. Replaces the password, sets the session cookie and returns an id token, or the next challenge. "+
			"400 for a password that is not allowed, 401 session_expired, 429 attempts_exceeded."), module.Public, module.Write, s.newPassword)
	module.Route(a, op(post, "/auth/sign-in-code", "signInCode", "Enter the code that signing in requires",
		"For everybody with the challenge SMS_MFA or SOFTWARE_TOKEN_MFA. Sets the session cookie and returns an id token. "+
			"400 empty_code or code_invalid, 401 session_expired, 429 attempts_exceeded."), module.Public, module.Write, s.signInCode)
	module.Route(a, op(post, "/auth/refresh", "refresh", "Renew the id token of the session cookie",
		"For everybody. Returns a new id token and replaces the session cookie; 204 without a cookie. 401 session_expired, "+
			"409 session_mismatch when the bearer token, which may have expired, is of another account than the cookie; that session is left as it is."), module.Public, module.Write, s.refresh)
	end := op(post, "/auth/sign-out", "signOut", "End the session or the impersonation, and its tokens",
		"For everybody; without a session it changes nothing. An impersonator ends only the impersonation. Deletes the session cookie otherwise, "+
			"also when the session could not be ended.")
	end.Extensions = map[string]any{module.ExtImpersonation: module.ImpersonationAlways}
	module.Route(a, end, module.Public, module.Write, s.signOut)
	module.Route(a, op(post, "/auth/forgot-password", "forgotPassword", "Mail a code for a new password",
		"For everybody. The response does not reveal whether the username exists. 400 empty_username, 429 attempts_exceeded, 504 mail_timeout."),
		module.Public, module.Write, s.forgotPassword)
	module.Route(a, op(post, "/auth/confirm-forgot-password", "confirmForgotPassword", "Set a password with the mailed code",
		"For everybody with the code. Replaces the password and ends all sessions of the account. 400 code_invalid or a password that is not allowed, "+
			"409 cannot_reset_password for an account with a temporary password, 429 attempts_exceeded."), module.Public, module.Write, s.confirmForgotPassword)
	module.Route(a, op(post, "/auth/change-password", "changePassword", "Replace the password of the caller",
		"For everybody who is signed in, with the session cookie. Ends the other sessions of the account. 400 wrong_credentials when old_password is wrong, "+
			"or a new password that is not allowed; 401 session_expired, 429 attempts_exceeded."), module.Customer, module.Write, s.changePassword)
	module.Route(a, op(get, "/auth/sessions", "listSessions", "List the sessions of the caller's account",
		"For everybody who is signed in. The session of the call is first, the others follow by last use."), module.Customer, module.Read, s.listSessions)
	module.Route(a, op(del, "/auth/sessions/{id}", "endSession", "End one session of the caller's account",
		"For everybody who is signed in. The tokens of the session end too. 404 when the account has no such session."), module.Customer, module.Write, s.endOneSession)
	module.Route(a, op(post, "/auth/sign-out-elsewhere", "endOtherSessions", "End all sessions of the caller's account except this one",
		"For everybody who is signed in. The tokens of those sessions end too."), module.Customer, module.Write, s.endOtherSessions)
	module.Route(a, op(post, "/auth/impersonate", "impersonate", "Exchange a code for an impersonation of a customer",
		"For everybody with a code of startImpersonation. Uses the code up and returns an id token for 30 minutes, which cannot be renewed. "+
			"400 impersonation_over when the code is unknown, used or expired, 403 impersonation_referrer or impersonator_refused."), module.Public, module.Write, s.redeemCode)
	start := op(post, "/staff/impersonations", "startImpersonation", "Create a code for impersonating a customer",
		"For staff, and for a support tool with an API key with the scope impersonate, which names an impersonator. The code works once, for a minute. "+
			"403 impersonator_refused when this impersonator may not impersonate this account, 404 when there is no such account.")
	start.Extensions = map[string]any{audit.Ext: audit.Itself, module.ExtScope: "impersonate"}
	module.Route(a, start, module.APIKey, module.Write, s.startImpersonation)
	for what, text := range map[AccountAction][2]string{
		Disable: {"Disable accounts and end their sessions", "The accounts cannot sign in until they are enabled. Sessions, impersonations and tokens end at once."},
		Enable:  {"Enable disabled accounts", "The accounts can sign in again."},
		SignOut: {"End all sessions of accounts", "Sessions, impersonations and tokens end at once; the accounts can sign in again."},
	} {
		o := op(post, "/staff/accounts/"+string(what), strings.ReplaceAll(string(what), "-o", "O")+"Accounts", text[0],
			"For a back office with the scope accounts; staff may call it for accounts of customers. "+text[1]+" 403 when staff name another account than a customer's, 404 when there is no such account.")
		o.Extensions = map[string]any{audit.Ext: audit.Itself, module.ExtScope: "accounts"}
		module.Route(a, o, module.APIKey, module.Write, s.applyByBackOffice(what))
	}

	module.Route(a, op(get, "/accounts/me", "myAccount", "Get the account of the call",
		"For modules. During an impersonation that is the customer's account. 404 when the call has no account."), module.Sibling, module.Read, s.myAccount)
	module.Route(a, op(get, "/accounts/by-relation/{relation}", "accountOfRelation", "Get the oldest account of a relation",
		"For modules. Of the accounts that are not disabled, or of all when there is none. 404 when the relation has no account."), module.Sibling, module.Read, s.accountOfRelation)
	module.Route(a, op(post, "/accounts", "openAccount", "Create a customer's account and mail its password",
		"For modules. Mails a temporary password, which the module does not receive. With a key that was used before it returns the existing account. "+
			"400 for invalid fields, 409 account.username_taken."), module.Sibling, module.Write, s.openAccount)
	module.Route(a, op(post, "/accounts/search", "searchAccounts", "Find accounts by e-mail address",
		"For modules. At most 20 accounts, the oldest first; upper and lower case are the same."), module.Sibling, module.Read, s.searchAccounts)
	module.Route(a, op(post, "/accounts/of-relations", "accountsOfRelations", "Get the oldest account of each relation",
		"For modules. Relations without an account are left out."), module.Sibling, module.Read, s.accountsOfRelations)
	module.Route(a, op(get, "/accounts/customers", "countCustomers", "Count customers, and those who can receive mail",
		"For modules. Counts relations of the label of the call, each once."), module.Sibling, module.Read, s.countCustomers)
	module.Route(a, op(post, "/accounts/mailboxes", "listMailboxes", "List the mail addresses of customers",
		"For modules. One address for each relation, sorted by relation. Relations without an address are left out."), module.Sibling, module.Read, s.listMailboxes)
	module.Route(a, op(post, "/accounts/{id}/reactivate", "reactivateAccount", "Mail a temporary password to an unusable account",
		"For modules. Changes only an account that cannot sign in and is not disabled. 404 when there is no such account."), module.Sibling, module.Write, s.reactivateAccount)
	module.Route(a, op(put, "/accounts/me/reserved-username", "reserveUsername", "Reserve a username for the account of the call",
		"For modules. Replaces the username reserved before. 400 for an empty or invalid username, 409 account.username_taken, or unsupported when usernames of the label cannot change."),
		module.Sibling, module.Write, s.reserveUsername)
	module.Route(a, op(del, "/accounts/me/reserved-username", "releaseUsername", "Release the reserved username",
		"For modules. Without a reserved username it changes nothing."), module.Sibling, module.Write, s.releaseUsername)
}

// Sweep deletes expired data of all labels.
func (s *Service) Sweep(ctx context.Context) error {
	return s.d.DB.Tx(system(ctx, ""), func(ctx context.Context, tx store.Tx) error {
		now := s.now()
		_, err1 := tx.NewDelete().Model((*session)(nil)).Where("ends_at <= ?", now).Exec(ctx)
		_, err2 := tx.NewDelete().Model((*codeRow)(nil)).Where("expires_at <= ?", now).Exec(ctx)
		_, err3 := tx.NewDelete().Model((*impersonation)(nil)).Where("created_at <= ?", now.Add(-cmp.Or(s.d.KeepImpersonations, impersonationRetention))).Exec(ctx)
		_, err4 := tx.NewDelete().Model((*sessionToken)(nil)).Where("expires_at <= ?", now.Add(-revocationRetention)).Exec(ctx)
		_, err5 := tx.NewDelete().Model((*revocation)(nil)).Where("at <= ?", now.Add(-2*revocationRetention)).Exec(ctx)
		return errors.Join(err1, err2, err3, err4, err5, s.keys.sweep(ctx, tx))
	})
}
