package identity

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/problem"
)

// maxSessions bounds the list of an account's sessions.
const maxSessions = 100

// SignedIn is one session of an account, as its owner sees it (2.1-sessions-section).
type SignedIn struct {
	ID       string    `json:"id" doc:"Id of the session"`
	Browser  string    `json:"browser,omitempty" doc:"Name of the browser, such as Firefox; absent if unknown"`
	Platform string    `json:"platform,omitempty" doc:"Name of the platform, such as Windows or iPhone; absent if unknown"`
	Network  string    `json:"network,omitempty" doc:"Shortened network address: /24 of IPv4, /48 of IPv6"`
	Began    time.Time `json:"began" doc:"Time of the sign-in"`
	Used     time.Time `json:"used" doc:"Time of the last use; only renewals of the id token count"`
	Current  bool      `json:"current" doc:"Whether this is the session of the call"`
}

type signedInOutput struct {
	Body []SignedIn `nullable:"false"`
}

// listSessions lists the sessions of the account of the call: the current one first, then by last use.
func (s *Service) listSessions(ctx context.Context, _ *struct{}) (*signedInOutput, error) {
	c, ok := ClaimsOf(ctx)
	if !ok {
		return nil, ErrUnauthorized
	}
	var rows []session
	err := s.d.DB.Read().NewSelect().Model(&rows).Where("label_key = ? AND account_id = ? AND ends_at > ?", c.Label, c.Subject, s.now()).
		OrderExpr("CASE WHEN id = ? THEN 0 ELSE 1 END, rotated_at DESC, id", c.Session).Limit(maxSessions).Scan(ctx)
	out := &signedInOutput{Body: make([]SignedIn, len(rows))}
	for i, x := range rows {
		out.Body[i] = SignedIn{ID: x.ID, Browser: x.Browser, Platform: x.Platform, Network: x.Network, Began: x.Created.UTC(), Used: x.Rotated.UTC(), Current: x.ID == c.Session}
	}
	return out, err
}

type endInput struct {
	ID string `path:"id" maxLength:"64" doc:"Id of the session"`
}

// endOneSession ends one session of the account of the call. It returns 404 for a session of another account.
func (s *Service) endOneSession(ctx context.Context, in *endInput) (*struct{}, error) {
	l, p, err := s.labelAndProvider(ctx)
	if err != nil {
		return nil, err
	}
	x := &session{}
	err = s.d.DB.Read().NewSelect().Model(x).Where("label_key = ? AND id = ? AND account_id = ?", l.Key, in.ID, scope.Of(ctx).Subject).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, problem.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return nil, s.endSession(ctx, l, p, x)
}

// endOtherSessions ends every session of the account of the call except the current one.
func (s *Service) endOtherSessions(ctx context.Context, _ *struct{}) (*struct{}, error) {
	l, _, err := s.labelAndProvider(ctx)
	if err != nil {
		return nil, err
	}
	c, ok := ClaimsOf(ctx)
	if !ok {
		return nil, ErrUnauthorized
	}
	return nil, s.endAll(ctx, l, c.Subject, c.Session, nil)
}
