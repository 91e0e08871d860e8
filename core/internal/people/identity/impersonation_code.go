package identity

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/storage/token"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// impersonationCodes creates the codes that start an impersonation, and exchanges them for tokens. It writes both to the audit log.
type impersonationCodes struct {
	db            store.DB
	demo          bool
	providers     *providers
	accounts      *accounts
	authenticator *authenticator
	signer        *signer
	audit         *audit.Log
	now           func() time.Time
	log           *slog.Logger
}

func (s *impersonationCodes) routes(api huma.API) {
	module.Route(api, operation(http.MethodPost, "/auth/impersonate", "impersonate", "Exchange a code for an impersonation of a customer",
		"For everybody with a code of startImpersonation. Uses the code up and returns an id token for 30 minutes, "+
			"which cannot be renewed. "+
			"400 impersonation_over when the code is unknown, used or expired, 403 impersonation_referrer or impersonator_refused."),
		module.Public, module.Write, s.redeemCode)
	start := operation(http.MethodPost, "/staff/impersonations", "startImpersonation", "Create a code for impersonating a customer",
		"For staff, and for a support tool with an API key with the scope impersonate, which names an impersonator. "+
			"The code works once, for a minute. 403 impersonator_refused when this impersonator may not impersonate this account, "+
			"404 when there is no such account.")
	start.Extensions = map[string]any{audit.Ext: audit.Itself, module.ExtScope: "impersonate"}
	module.Route(api, start, module.APIKey, module.Write, s.startImpersonation)
}

// NewImpersonation creates a single-use code, valid for 60 s, with which a browser can impersonate the account of a relation. It is for
// impersonations that the program itself starts; the referrer of the browser is not checked.
func (s *impersonationCodes) NewImpersonation(ctx context.Context, impersonator Account, relation string) (code string, err error) {
	actor, err := s.accounts.byID(ctx, s.db.Read(), impersonator.Label, impersonator.ID)
	if err != nil {
		return "", err
	}
	r, err := s.accounts.byRelation(ctx, s.db.Read(), impersonator.Label, relation)
	if err != nil {
		return "", err
	}
	return s.create(ctx, actor, r, false, "")
}

// create creates a code. key is the name of the support tool's API key.
func (s *impersonationCodes) create(ctx context.Context, actor, r *login, tool bool, key string) (string, error) {
	if !mayImpersonate(actor, r) {
		return "", errors.Join(s.auditRefusal(ctx, actor, r, "", reasonNotAllowed), errImpersonator)
	}
	now := s.now()
	code, once := token.Make(r.Label, now.Add(impersonationCodeLifetime))
	x := impersonation{Once: once, ID: value.NewID(), Account: r.ID, Actor: actor.ID, Tool: tool, Key: key, Created: now}
	err := s.db.Tx(system(ctx, r.Label), func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.NewInsert().Model(&x).Exec(ctx); err != nil {
			return err
		}
		return s.audit.Write(ctx, tx, impersonationEntry(actor, r, x.ID, audit.ImpersonationMade))
	})
	if err != nil {
		return "", err
	}
	s.log.InfoContext(ctx, "impersonation started", "label", r.Label, "impersonation", x.ID, "actor", actor.ID,
		"account", r.ID, "tool", tool)
	return code, nil
}

// Reasons for refusing an impersonation, as written to the audit log.
const (
	reasonNotAllowed = "not_allowed" // the account may not impersonate anybody, or not this account
	reasonReferrer   = "wrong_referrer"
	reasonExpired    = "expired"
	reasonUsed       = "used_before"
)

// impersonationEntry returns an audit log entry about an impersonation.
func impersonationEntry(actor, r *login, id, action string) audit.Entry {
	e := audit.Entry{Label: r.Label, Action: action, Role: audit.Customer, Actor: actor.ID, Name: actor.Name, Relation: r.Relation,
		Target: id}
	switch actor.Role {
	case Staff:
		e.Role = audit.Staff
	case ImpersonatorRole:
		e.Role = audit.Impersonator
	}
	return e
}

func (s *impersonationCodes) auditRefusal(ctx context.Context, actor, r *login, id, why string) error {
	e := impersonationEntry(actor, r, id, audit.ImpersonationRefused)
	e.Reason = why
	return s.audit.Add(ctx, e)
}

type startInput struct {
	Body struct {
		Username     string `json:"username,omitempty" doc:"Username of the customer; either this or relation"`
		Relation     string `json:"relation,omitempty" doc:"Relation of the customer; either this or username"`
		Impersonator string `json:"impersonator,omitempty" doc:"Username of the impersonator, with or without impersonator_; only for a support tool with an API key"`
	}
}

type startOutput struct {
	CacheControl string `header:"Cache-Control"`
	Body         struct {
		Code      string `json:"code" doc:"Single-use code"`
		ExpiresIn int    `json:"expires_in" doc:"Seconds until the code expires"`
		Path      string `json:"path" doc:"Path to open on a host of the label; the fragment contains the code"`
	}
}

// startImpersonation creates the code to impersonate a customer of the label, for staff or for a support tool that uses an API key on
// behalf of an impersonator.
func (s *impersonationCodes) startImpersonation(ctx context.Context, in *startInput) (*startOutput, error) {
	l, _, err := s.providers.ofCall(ctx)
	if err != nil {
		return nil, err
	}
	call, db := scope.Of(ctx), s.db.Read()
	var actor, r *login
	if call.Role == scope.RoleStaff {
		actor, err = s.accounts.byID(ctx, db, l.Key, call.Subject)
	} else if actor, err = s.accounts.byUsername(ctx, db, l.Key, ImpersonatorName(in.Body.Impersonator)); errors.Is(err, errNotFound) {
		actor, err = s.accounts.byUsername(ctx, db, l.Key, NormalizeUsername(in.Body.Impersonator))
	}
	if errors.Is(err, errNotFound) || err == nil && call.Role != scope.RoleStaff && actor.Role != ImpersonatorRole {
		by, ok := audit.By(call)
		if !ok { // no other role may call the operation
			return nil, errImpersonator
		}
		by.Action, by.Relation, by.Reason = audit.ImpersonationRefused, in.Body.Relation, reasonNotAllowed
		return nil, errors.Join(s.audit.Add(ctx, by), errImpersonator)
	}
	if err != nil {
		return nil, err
	}
	if in.Body.Relation != "" {
		r, err = s.accounts.byRelation(ctx, db, l.Key, in.Body.Relation)
	} else {
		r, err = s.accounts.byUsername(ctx, db, l.Key, NormalizeUsername(in.Body.Username))
	}
	if err != nil {
		return nil, err
	}
	out := &startOutput{CacheControl: "no-store"}
	out.Body.ExpiresIn = int(impersonationCodeLifetime.Seconds())
	key := ""
	if call.Role == scope.RoleKey {
		key = call.Actor
	}
	if out.Body.Code, err = s.create(ctx, actor, r, call.Role != scope.RoleStaff, key); err != nil {
		return nil, err
	}
	out.Body.Path = impersonationPath(out.Body.Code)
	return out, nil
}

func impersonationPath(code string) string { return "/#impersonate=" + code }

type impersonateInput struct {
	Body struct {
		Code     string `json:"code" doc:"Code of the link with which the impersonation begins"`
		Referrer string `json:"referrer,omitempty" maxLength:"2000" doc:"document.referrer of the page that was opened with the code"`
	}
}

// redeemCode exchanges a code for an id token with the claim act. It sets no cookie, and the token cannot be renewed. A code that a support
// tool requested is valid only for a browser whose referrer the label allows.
func (s *impersonationCodes) redeemCode(ctx context.Context, in *impersonateInput) (*signedIn, error) {
	l, _, err := s.providers.ofCall(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkFields(field{"code", in.Body.Code, CodeEmptyCode}); err != nil {
		return nil, err
	}
	db, now := s.db.Read(), s.now()
	var x impersonation
	err = db.NewSelect().Model(&x).Where("label_key = ? AND hash = ?", l.Key, token.Hash(in.Body.Code)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errImpersonationOver // an unknown code leaves no audit log entry
	}
	if err != nil {
		return nil, err
	}
	r, err := s.accounts.byID(ctx, db, l.Key, x.Account)
	if err != nil {
		return nil, accountGone(err)
	}
	actor, err := s.accounts.byID(ctx, db, l.Key, x.Actor)
	if err != nil {
		return nil, accountGone(err)
	}
	scope.Identify(ctx, actor.ID)
	ends := now.Add(impersonationLifetime)
	why, err := s.redeem(ctx, l, x, actor, r, in.Body.Referrer, now)
	switch {
	case err != nil:
		return nil, err
	case why == reasonReferrer:
		return nil, errImpersonationOrigin
	case why == reasonNotAllowed:
		return nil, errImpersonator
	case why != "":
		return nil, errImpersonationOver
	}
	c, err := s.authenticator.claims(ctx, l, r, Identity{Session: x.ID, Actor: actor.ID, Expires: ends})
	if err != nil {
		return nil, err
	}
	out, info := &signedIn{Status: http.StatusOK, CacheControl: "no-store"}, c.Info()
	out.Body.ExpiresIn, out.Body.Session.Session = int(impersonationLifetime.Seconds()), &info
	out.Body.IDToken, err = s.signer.sign(ctx, l, r, c.Username, x.ID, &act{actor.ID, actor.Name}, ends)
	return out, err
}

// redeem uses up a code and writes the result to the audit log; why is empty when the impersonation is allowed. The first use of a code
// ends it, even if it is refused. Both accounts are checked again, because their rights may have changed since the code was created.
func (s *impersonationCodes) redeem(ctx context.Context, l *label.Label, x impersonation, actor, r *login, referrer string,
	now time.Time) (why string, err error) {
	err = s.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
		first, err := x.Redeem(ctx, tx.NewUpdate().Model((*impersonation)(nil)).Where("ended_at IS NULL"), now)
		if err != nil {
			return err
		}
		switch {
		case !first:
			why = reasonUsed
		case !x.Expires.After(now):
			why = reasonExpired
		case !isAllowedReferrer(l, referrer, x.Tool):
			why = reasonReferrer
		case !mayImpersonate(actor, r):
			why = reasonNotAllowed
		default:
			why = ""
			e := impersonationEntry(actor, r, x.ID, audit.ImpersonationUsed)
			e.Until = now.Add(impersonationLifetime)
			return s.audit.Write(ctx, tx, e)
		}
		e := impersonationEntry(actor, r, x.ID, audit.ImpersonationRefused)
		e.Reason = why
		return s.audit.Write(ctx, tx, e)
	})
	if err == nil && why != "" {
		s.log.WarnContext(ctx, "impersonation refused", "label", l.Key, "impersonation", x.ID, "reason", why)
	}
	return why, err
}

// accountGone converts the error for a missing account to the problem for a link that no longer works.
func accountGone(err error) error {
	if errors.Is(err, errNotFound) {
		return errImpersonationOver
	}
	return err
}

// isAllowedReferrer reports whether a browser may use a code (4-impersonator-referrer-value). Allowed origins and the portal's own staff
// pages always qualify. Codes that were not requested by a support tool also work from any page on the label's own hosts, and without a
// referrer.
func isAllowedReferrer(l *label.Label, referrer string, tool bool) bool {
	if referrer == "" {
		return !tool
	}
	u, err := url.Parse(referrer)
	if err != nil || u.Host == "" {
		return false
	}
	if slices.Contains(l.Impersonation.Referrer, u.Scheme+"://"+u.Host) {
		return true
	}
	own, err := url.Parse(l.URL)
	isHost := func(h label.Host) bool { return h.Name == u.Hostname() }
	if !(err == nil && own.Hostname() == u.Hostname()) && !slices.ContainsFunc(l.Hosts, isHost) {
		return false
	}
	return !tool || u.Path == "/staff" || strings.HasPrefix(u.Path, "/staff/")
}

// DemoImpersonation returns the support tool of the demo. It starts an impersonation of ?username= by the first account of the label that
// may impersonate, and redirects the browser. It returns 404 outside the demo.
func (s *impersonationCodes) DemoImpersonation() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, l := r.Context(), label.Of(r.Context())
		if !s.demo || l == nil {
			problem.Write(w, errNotFound)
			return
		}
		customer, err := s.accounts.byUsername(ctx, s.db.Read(), l.Key, NormalizeUsername(r.URL.Query().Get("username")))
		var code string
		if err == nil {
			var actor login
			err = selectAccount(s.db.Read(), &actor, l.Key).Where("a.role IN ?", bun.Tuple([]string{ImpersonatorRole, Staff})).
				OrderExpr("a.role, a.created_at, a.id").Scan(ctx)
			if err == nil {
				code, err = s.create(ctx, &actor, customer, false, "")
			}
		}
		if errors.Is(err, sql.ErrNoRows) {
			err = errNotFound
		}
		if err != nil {
			problem.Write(w, problem.Of(err))
			return
		}
		http.Redirect(w, r, impersonationPath(code), http.StatusSeeOther)
	})
}
