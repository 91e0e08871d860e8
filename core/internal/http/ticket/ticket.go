// Package ticket lets a browser save a streamed file. A link cannot carry the Bearer token, and a token must not be part of an address.
// Instead, the page requests a ticket, which is valid once, for one minute and for one path, on behalf of the session that requested it.
package ticket

import (
	"context"
	"embed"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/http/web"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/storage/token"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations create the ticket table.
var Migrations = store.Migrations{Name: "ticket", FS: migrations}

// Lifetime is how long a ticket is valid.
const Lifetime = 60 * time.Second

// CodeExpired is the code for a ticket that is unknown, used or expired, or whose session has ended. The response does not reveal which of
// these it is.
const CodeExpired = "download_expired"

// ticketsPerSession limits the tickets that a session may create.
var ticketsPerSession = limit.Rule{Max: 100, Window: 10 * time.Minute}

// Deps are the dependencies of Service.
type Deps struct {
	DB       store.DB
	Registry *registry.Registry
	Identity Identity
	Limits   *limit.Limiter
	// Client and Enter belong to the sibling hub: Client sends calls from core to modules, and Enter returns the context for such a call.
	Client *http.Client
	Enter  func(ctx context.Context, s scope.Scope, moduleKey string) context.Context
	Now    func() time.Time // the injected clock
}

// Identity returns the current claims of a session that has not ended.
type Identity interface {
	Resume(ctx context.Context, l *label.Label, before identity.Claims) (identity.Claims, error)
}

// Service creates and redeems tickets.
type Service struct{ Deps }

// New returns a Service.
func New(d Deps) *Service { return &Service{d} }

type row struct {
	bun.BaseModel `bun:"table:ticket_tickets,alias:t"`

	token.Once
	Path     string `bun:"path"`
	Session  string `bun:"session_id"`
	Account  string `bun:"account_id"`
	Actor    string `bun:"actor_id"`
	ReadOnly bool   `bun:"read_only"`
	Locale   string `bun:"locale"`
}

func (r *row) claims() identity.Claims {
	return identity.Claims{Session: r.Session, Subject: r.Account, Actor: r.Actor, ReadOnly: r.ReadOnly}
}

func (s *Service) now() time.Time { return s.Now().Truncate(time.Microsecond) }

// create creates a ticket for a path of the call's label, on behalf of the claims. Problems: 400 for a path that is not a download, 403 for
// one that the session may not call, 404 module_not_enabled, 429 for a session with too many tickets.
func (s *Service) create(ctx context.Context, l *label.Label, c identity.Claims, path string) (string, error) {
	// Claims without a portal session (for example a token issued elsewhere by the provider) are refused, because they could not be checked
	// again when the ticket is used.
	c, err := s.Identity.Resume(ctx, l, c)
	if err != nil {
		return "", sessionProblem(err, http.StatusUnauthorized, problem.CodeUnauthorized)
	}
	at, _, err := s.findDownload(l, c, path)
	if err != nil {
		return "", err
	}
	ok, _, err := s.Limits.Take(ctx, l.Key, "download:"+c.Session, ticketsPerSession)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", problem.Fail(http.StatusTooManyRequests, problem.CodeTooManyCalls)
	}
	ticket, once := token.Make(l.Key, s.now().Add(Lifetime))
	x := row{Once: once, Path: at.String(), Session: c.Session, Account: c.Subject, Actor: c.Actor, ReadOnly: c.ReadOnly,
		Locale: scope.Of(ctx).Locale}
	return ticket, s.tx(ctx, l.Key, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.NewInsert().Model(&x).Exec(ctx)
		return err
	})
}

// redeem redeems a ticket, repeats all checks and calls the operation on behalf of the session that requested it.
func (s *Service) redeem(ctx context.Context, l *label.Label, ticket string) (*http.Response, error) {
	var x row
	var good bool
	err := s.tx(ctx, l.Key, func(ctx context.Context, tx store.Tx) (err error) {
		now, once := s.now(), token.Once{Label: l.Key, Hash: token.Hash(ticket)}
		good, err = once.Redeem(ctx, tx.NewUpdate().Model(&x).Where("expires_at > ?", now).Returning("*"), now)
		return err
	})
	if err != nil {
		return nil, err
	}
	if !good {
		return nil, problem.Fail(http.StatusGone, CodeExpired)
	}
	c, err := s.Identity.Resume(ctx, l, x.claims())
	if err != nil {
		return nil, sessionProblem(err, http.StatusGone, CodeExpired)
	}
	at, op, err := s.findDownload(l, c, x.Path)
	if err != nil {
		return nil, err
	}
	sc := scopeOf(c)
	sc.Locale = x.Locale
	req, err := http.NewRequestWithContext(s.Enter(ctx, sc, registry.Core), http.MethodGet, "http://"+op.Module+at.String(), nil)
	if err != nil {
		return nil, err
	}
	return s.Client.Do(req)
}

// sessionProblem turns identity.ErrSessionExpired into a problem and returns any other error unchanged.
func sessionProblem(err error, status int, code string) error {
	if errors.Is(err, identity.ErrSessionExpired) {
		return problem.Fail(status, code)
	}
	return err
}

func scopeOf(c identity.Claims) scope.Scope {
	return scope.Scope{Label: c.Label, Relation: c.Relation, Subject: c.Subject, Role: c.Role, Actor: c.Actor, ReadOnly: c.ReadOnly}
}

// findDownload returns the operation at a path, with or without the prefix /api/v0, if it is a download that the claims may call.
// Operations of core are refused, so a ticket cannot be for another ticket.
func (s *Service) findDownload(l *label.Label, c identity.Claims, path string) (*url.URL, *registry.Operation, error) {
	at, err := url.Parse(strings.TrimPrefix(path, web.Prefix))
	if err != nil || at.Scheme != "" || at.Host != "" || at.User != nil || at.Opaque != "" || at.Fragment != "" ||
		!strings.HasPrefix(at.Path, "/") {
		return nil, nil, problem.Refuse(problem.FieldError{Field: "path", Code: problem.CodeInvalid})
	}
	op, _ := s.Registry.Snapshot().For(l, c.Relation).Match(http.MethodGet, at.EscapedPath())
	if op == nil || op.Access == module.Sibling || !op.Stream || op.Effect != module.Read || op.Module == registry.Core {
		return nil, nil, problem.Refuse(problem.FieldError{Field: "path", Code: problem.CodeInvalid})
	}
	if !web.IsEnabled(l, op.Module) {
		return nil, nil, problem.Fail(http.StatusNotFound, problem.CodeModuleOff)
	}
	if !web.MayCall(scopeOf(c), op) {
		return nil, nil, problem.Fail(http.StatusForbidden, problem.CodeForbidden)
	}
	return at, op, nil
}

// Sweep deletes the expired tickets of all labels.
func (s *Service) Sweep(ctx context.Context) error {
	return token.Sweep(ctx, s.DB, (*row)(nil), s.now())
}

// tx runs fn with a system scope, so that an impersonator, whose own scope is read-only, can use tickets too.
func (s *Service) tx(ctx context.Context, labelKey string, fn func(context.Context, store.Tx) error) error {
	return s.DB.Tx(scope.With(ctx, scope.Scope{Label: labelKey, Role: scope.RoleSystem}, nil), fn)
}
