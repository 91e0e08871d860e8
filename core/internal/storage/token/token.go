// Package token provides single-use secrets (Once), of which only the hash is stored, and the tokens in email links: a module requests a
// token and sends it by email, and core verifies it without a sign-in and publishes an event (7.5-post-verify).
package token

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

//go:embed migrations/*.sql
var files embed.FS

// Migrations create the table of tokens.
var Migrations = store.Migrations{Name: "token", FS: files}

// Codes of a refused token.
const (
	CodeUsed    = "token_used"
	CodeExpired = "token_expired"
)

// retention is the default for how long a used or expired token is stored, so that the link in an old email still gets the right response.
const retention = 180 * 24 * time.Hour

// Request describes a token. The event contains Purpose, Key and Data unchanged.
type Request struct {
	Purpose string          `json:"purpose" minLength:"1" maxLength:"64" doc:"What the mail is for, such as account.email"`
	Key     string          `json:"key" minLength:"1" maxLength:"200" doc:"Id of what the mail is about, such as a change or a registration"`
	Data    json.RawMessage `json:"data,omitempty" doc:"Returned unchanged in the event"`
	TTL     int             `json:"ttl_seconds" minimum:"1" maximum:"7776000" doc:"Seconds for which the link works"`
}

// Service creates and verifies tokens.
type Service struct {
	// Keep is how long a used or expired token is stored; 0: 180 days.
	Keep time.Duration

	db  store.DB
	now func() time.Time
}

// New returns the service on core's database; now is the injected clock.
func New(db store.DB, now func() time.Time) *Service {
	return &Service{db: db, now: func() time.Time { return now().Truncate(time.Microsecond) }}
}

type row struct {
	bun.BaseModel `bun:"table:token_tokens,alias:t"`

	Once
	Purpose string `bun:"purpose"`
	Key     string `bun:"key"`
	Data    string `bun:"data"`
	Module  string `bun:"module"`
}

// Create creates a token for the caller's label, with 43 characters that are valid in a URL. Only its hash is stored.
func (s *Service) Create(ctx context.Context, r Request) (string, error) {
	call := scope.Of(ctx)
	if call.Label == "" {
		return "", errors.New("token: a call without a label")
	}
	token, once := Make(call.Label, s.now().Add(time.Duration(r.TTL)*time.Second))
	err := s.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.NewInsert().Model(&row{Once: once, Purpose: r.Purpose, Key: r.Key, Data: string(r.Data), Module: call.Caller}).Exec(ctx)
		return err
	})
	return token, err
}

// Verify redeems a token of the caller's label, publishes coreapi.EventEmailVerified and returns the purpose of the token. It returns
// problem 404 for an unknown token, 410 for an expired one, and 412 for a used one (7.5-post-verify, 7.5-verify-unknown).
func (s *Service) Verify(ctx context.Context, token string) (purpose string, err error) {
	label := scope.Of(ctx).Label
	if label == "" {
		return "", errors.New("token: a call without a label")
	}
	// The token alone authorizes the verification; the caller's session does not matter.
	ctx = scope.With(ctx, scope.Scope{Label: label, Role: scope.RoleSystem}, nil)
	err = s.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		var t row
		err := tx.NewSelect().Model(&t).Where("label_key = ? AND hash = ?", label, Hash(token)).Scan(ctx)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return problem.Fail(http.StatusNotFound, problem.CodeNotFound)
		case err != nil:
			return err
		case !t.Used.IsZero():
			return problem.Fail(http.StatusPreconditionFailed, CodeUsed)
		case !s.now().Before(t.Expires):
			return problem.Fail(http.StatusGone, CodeExpired)
		}
		first, err := t.Redeem(ctx, tx.NewUpdate().Model(&t), s.now())
		if err != nil {
			return err
		}
		if !first { // another call has redeemed it first
			return problem.Fail(http.StatusPreconditionFailed, CodeUsed)
		}
		v := coreapi.EmailVerified{Purpose: t.Purpose, Key: t.Key, Module: t.Module}
		if t.Data != "" {
			v.Data = json.RawMessage(t.Data)
		}
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		purpose = t.Purpose
		return tx.Publish(ctx, module.Event{Type: coreapi.EventEmailVerified, Key: t.Key, Data: data})
	})
	return purpose, err
}

// Sweep deletes the tokens of all labels that expired more than Keep ago.
func (s *Service) Sweep(ctx context.Context) error {
	return Sweep(ctx, s.db, (*row)(nil), s.now().Add(-cmp.Or(s.Keep, retention)))
}

type createInput struct{ Body Request }

type createOutput struct {
	Body struct {
		Token string `json:"token" doc:"The token, which can be part of a URL"`
	}
}

type verifyInput struct {
	Token string `path:"token" maxLength:"200" doc:"The token in the mailed link"`
}

type verifyOutput struct {
	Body struct {
		Verified bool   `json:"verified" doc:"Always true: any other token is a problem"`
		Purpose  string `json:"purpose" doc:"What the mail was for, such as account.email"`
	}
}

// Routes registers the sibling operation POST /tokens and the public operation POST /emailverification/verify/{token}.
func (s *Service) Routes(a huma.API) {
	module.Route(a, huma.Operation{OperationID: "createToken", Method: http.MethodPost, Path: "/tokens",
		Summary:     "Create a single-use token for a mailed link",
		Description: "For modules. The token belongs to the label of the call and works once, for ttl_seconds. Its verification publishes the event core.email_verified."}, module.Sibling, module.Write,
		func(ctx context.Context, in *createInput) (*createOutput, error) {
			out := &createOutput{}
			var err error
			out.Body.Token, err = s.Create(ctx, in.Body)
			return out, err
		})
	module.Route(a, huma.Operation{OperationID: "verifyEmail", Method: http.MethodPost, Path: "/emailverification/verify/{token}",
		Summary:     "Verify an e-mail address with a mailed token",
		Description: "For everybody who has the token, signed in or not. Uses the token up and publishes core.email_verified. 404 when the token is unknown, 410 token_expired, 412 token_used."}, module.Public, module.Write,
		func(ctx context.Context, in *verifyInput) (*verifyOutput, error) {
			out := &verifyOutput{}
			var err error
			out.Body.Purpose, err = s.Verify(ctx, in.Token)
			out.Body.Verified = err == nil
			return out, err
		})
}
