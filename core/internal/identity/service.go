// Package identity authenticates callers. It stores the accounts of each label and their sessions, and signs people in through
// the identity provider that the label configures: local, or an Amazon Cognito user pool (7.7-identity-service-choice).
package identity

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/audit"
	"github.com/wattle-portal/wattle/core/internal/clock"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/limit"
	"github.com/wattle-portal/wattle/core/internal/masterkey"
	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/internal/store"
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
	Log     *slog.Logger
	Audit   *audit.Log // records every impersonation
}

// Service implements the auth operations and stores the accounts.
type Service struct {
	d        Deps
	box      *box
	accounts *accounts
	sessions *sessions
	codes    *codes
	keys     *keyring
	signer   *signer
	local    *local
	cache    tokenCache
	feed     *feed
}

// New returns the service. It reads or makes the identity key, and does not access the database.
func New(d Deps) (*Service, error) {
	if d.Secrets == nil {
		d.Secrets = func(string) string { return "" }
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	b := &box{d.Key}
	if d.Key == nil {
		var err error
		if b, err = openBox(d.Secrets(SecretName), d.Dir); err != nil {
			return nil, err
		}
	}
	s := &Service{d: d, box: b, cache: newTokenCache()}
	s.accounts = &accounts{d.DB, s.now}
	s.feed = newFeed(d.DB, s.now)
	s.sessions = &sessions{d.DB, b, s.now, s.feed}
	s.codes = &codes{d.DB, b, s.now}
	s.keys = &keyring{db: d.DB, box: b, now: s.now, labels: map[string]*keys{}}
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
	return nil, fmt.Errorf("identity: label %s names the provider %q, which is not there", l.Key, l.Identity.Provider)
}

// call returns the label of a call and its provider.
func (s *Service) call(ctx context.Context) (*label.Label, Provider, error) {
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
		s.d.Log.WarnContext(ctx, message, "err", err)
	}
}

// Routes registers the auth operations, the sibling operations for accounts, and the operations for staff and back offices.
func (s *Service) Routes(a huma.API) {
	op := func(method, path, id, summary string) huma.Operation {
		return huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary}
	}
	post := http.MethodPost
	module.Route(a, op(post, "/auth/sign-in", "signIn", "Sign in"), module.Public, module.Write, s.signIn)
	module.Route(a, op(post, "/auth/new-password", "newPassword", "Choose a password in place of a temporary one"), module.Public, module.Write, s.newPassword)
	module.Route(a, op(post, "/auth/sign-in-code", "signInCode", "Hand over the code that signing in demands"), module.Public, module.Write, s.signInCode)
	module.Route(a, op(post, "/auth/refresh", "refresh", "Renew the id token of the session cookie"), module.Public, module.Write, s.refresh)
	end := op(post, "/auth/sign-out", "signOut", "End the session, or the impersonation, and its tokens")
	end.Extensions = map[string]any{module.ExtImpersonation: module.ImpersonationAlways}
	module.Route(a, end, module.Public, module.Write, s.signOut)
	module.Route(a, op(post, "/auth/forgot-password", "forgotPassword", "Have a code mailed"), module.Public, module.Write, s.forgot)
	module.Route(a, op(post, "/auth/confirm-forgot-password", "confirmForgotPassword", "Set a password with the mailed code"), module.Public, module.Write, s.confirm)
	module.Route(a, op(post, "/auth/change-password", "changePassword", "Replace one's password"), module.Customer, module.Write, s.change)
	module.Route(a, op(http.MethodGet, "/auth/sessions", "listSessions", "Where the account is signed in"), module.Customer, module.Read, s.whereabouts)
	module.Route(a, op(http.MethodDelete, "/auth/sessions/{id}", "endSession", "Sign out of one session of the account"), module.Customer, module.Write, s.endOne)
	module.Route(a, op(post, "/auth/sign-out-elsewhere", "endOtherSessions", "Sign out of all sessions but this one"), module.Customer, module.Write, s.endOthers)
	module.Route(a, op(post, "/auth/impersonate", "impersonate", "Look along with a customer, by code"), module.Public, module.Write, s.useCode)
	start := op(post, "/staff/impersonations", "startImpersonation", "Make a code to look along with a customer")
	start.Extensions = map[string]any{audit.Ext: audit.Itself, module.ExtScope: "impersonate"}
	module.Route(a, start, module.APIKey, module.Write, s.start)
	for what, summary := range map[Putting]string{
		Disable: "Disable accounts: their sessions end, they cannot sign in",
		Enable:  "Enable accounts that were disabled",
		SignOut: "End all sessions of accounts",
	} {
		o := op(post, "/staff/accounts/"+string(what), strings.ReplaceAll(string(what), "-o", "O")+"Accounts", summary)
		o.Description = "For a back office with the scope accounts; staff may do it to accounts of customers. Sessions, impersonations and tokens end at once. 404 when there is no such account."
		o.Extensions = map[string]any{audit.Ext: audit.Itself, module.ExtScope: "accounts"}
		module.Route(a, o, module.APIKey, module.Write, s.putBy(what))
	}

	module.Route(a, op(http.MethodGet, "/accounts/me", "myAccount", "The account of the call"), module.Sibling, module.Read, s.me)
	module.Route(a, op(http.MethodGet, "/accounts/by-relation/{relation}", "accountOfRelation", "The account of a relation"), module.Sibling, module.Read, s.ofRelation)
	module.Route(a, op(post, "/accounts", "openAccount", "Make a customer's account and mail its temporary password"), module.Sibling, module.Write, s.openAccount)
	module.Route(a, op(post, "/accounts/search", "searchAccounts", "The accounts with an e-mail address"), module.Sibling, module.Read, s.search)
	module.Route(a, op(post, "/accounts/of-relations", "accountsOfRelations", "The first account of each relation that has one"), module.Sibling, module.Read, s.ofRelations)
	module.Route(a, op(http.MethodGet, "/accounts/customers", "countCustomers", "How many customers there are, and how many can be mailed"), module.Sibling, module.Read, s.countCustomers)
	module.Route(a, op(post, "/accounts/mailboxes", "listMailboxes", "Where customers get mail: some of them, or all a page at a time"), module.Sibling, module.Read, s.listMailboxes)
	module.Route(a, op(post, "/accounts/{id}/reactivate", "reactivateAccount", "Mail a temporary password to an account that cannot be signed in with"), module.Sibling, module.Write, s.reactivate)
	module.Route(a, op(http.MethodPut, "/accounts/me/reserved-username", "reserveUsername", "Keep a username for the account of the call"), module.Sibling, module.Write, s.reserve)
	module.Route(a, op(http.MethodDelete, "/accounts/me/reserved-username", "releaseUsername", "Give up the username asked for"), module.Sibling, module.Write, s.release)
}

// Sweep deletes expired data of all labels.
func (s *Service) Sweep(ctx context.Context) error {
	return s.d.DB.Tx(system(ctx, ""), func(ctx context.Context, tx store.Tx) error {
		now := s.now()
		_, err1 := tx.NewDelete().Model((*session)(nil)).Where("ends_at <= ?", now).Exec(ctx)
		_, err2 := tx.NewDelete().Model((*codeRow)(nil)).Where("expires_at <= ?", now).Exec(ctx)
		_, err3 := tx.NewDelete().Model((*impersonation)(nil)).Where("created_at <= ?", now.Add(-impersonationKept)).Exec(ctx)
		_, err4 := tx.NewDelete().Model((*sessionToken)(nil)).Where("expires_at <= ?", now.Add(-feedKept)).Exec(ctx)
		_, err5 := tx.NewDelete().Model((*revocation)(nil)).Where("at <= ?", now.Add(-2*feedKept)).Exec(ctx)
		return errors.Join(err1, err2, err3, err4, err5, s.keys.sweep(ctx, tx))
	})
}
