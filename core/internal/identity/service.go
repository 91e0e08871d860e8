// Package identity knows who is calling. It keeps the accounts of each label and their sessions, and signs them in through the
// identity provider that the label names: local or an Amazon Cognito user pool (7.7-identity-service-choice).
package identity

import (
	"context"
	"log/slog"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/clock"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/limit"
	"github.com/wattle-portal/wattle/core/module"
)

// Deps is what the service is built from.
type Deps struct {
	DB      module.DB
	Labels  label.Source
	Clock   *clock.Clock
	Limits  *limit.Limiter
	Secrets func(name string) string // --secret-file entries and the environment; SecretName is the key that encrypts
	Dir     string                   // data folder: without the secret the key is kept there in identity.key
	Cognito Provider                 // cognito.New(…); nil when no label may use it
	Cost    Cost                     // of a password hash; zero: DefaultCost
	Demo    bool                     // lets cookies be sent over plain http
	Log     *slog.Logger
}

// Service answers the auth calls and keeps the accounts.
type Service struct{ d Deps }

// New makes the service.
func New(d Deps) (*Service, error) { return &Service{d}, nil }

// Claims is what a valid token says.
type Claims struct {
	Subject   string // account
	Label     string
	Relation  string
	Role      string // customer or staff, as scope roles
	Username  string
	Name      string
	Session   string // id of the session, the same over its refreshes
	Actor     string // who really acts: the impersonator's account, else Subject
	ActorName string // only for an impersonation
	ReadOnly  bool   // an impersonation
	Expires   time.Time
}

// Session is what the browser is told about its session.
type Session struct {
	ID           string        `json:"id"`
	Role         string        `json:"role" enum:"customer,staff"`
	Name         string        `json:"name"`
	Username     string        `json:"username"`
	Relation     string        `json:"relation,omitempty"`
	Impersonator *Impersonator `json:"impersonator,omitempty"`
}

// Impersonator is who looks along, and until when.
type Impersonator struct {
	Name  string    `json:"name"`
	Until time.Time `json:"until"`
}

// Session of the claims, as the browser sees it.
func (c Claims) Info() Session { return Session{} }

// Authenticate checks an id token of the label. Any failure is 401 unauthorized.
func (s *Service) Authenticate(ctx context.Context, l *label.Label, bearer string) (Claims, error) {
	return Claims{}, nil
}

// AuthenticateKey checks an API key (wk_…) of the label and answers its name. Any failure is 401 unauthorized.
func (s *Service) AuthenticateKey(ctx context.Context, l *label.Label, key string) (name string, err error) {
	return "", nil
}

// JWKS is the label's public keys as JSON.
func (s *Service) JWKS(ctx context.Context, l *label.Label) ([]byte, error) { return nil, nil }

// Routes registers the auth calls, the sibling calls about accounts and the staff call that starts an impersonation.
func (s *Service) Routes(a huma.API) {}

// Handles lists the events that Handle wants, as subscriber "core".
var Handles = []string{"account.username_processed", "account.username_rejected", "account.email_processed"}

// Handle applies what the account module decided about usernames and e-mail addresses.
func (s *Service) Handle(ctx context.Context, e module.Event) error { return nil }

// Import is the importer of record kind "account": logins.
func (s *Service) Import(ctx context.Context, kind string, rows []module.Row) ([]module.Refusal, error) {
	return nil, nil
}

// Upsert writes an account, found by its id or username. A password is set when one is given; a temporary one must be changed at
// the first sign-in.
func (s *Service) Upsert(ctx context.Context, a Account, password string, temporary bool) (Account, error) {
	return a, nil
}

// AddStaff makes a staff account with a temporary password and returns that.
func (s *Service) AddStaff(ctx context.Context, labelKey, username, email, name string) (password string, err error) {
	return "", nil
}

// AddKey makes an API key of a label and returns its secret, which is not stored.
func (s *Service) AddKey(ctx context.Context, labelKey, name string) (secret string, err error) { return "", nil }

// NewImpersonation makes a single-use code, good for 60 s, with which a browser becomes the account looked at.
func (s *Service) NewImpersonation(ctx context.Context, impersonator Account, relation string) (code string, err error) {
	return "", nil
}

// Sweep deletes what has expired: sessions, codes, keys.
func (s *Service) Sweep(ctx context.Context) error { return nil }
