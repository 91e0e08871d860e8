package identity

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// maxSessions limits the list of an account's sessions.
const maxSessions = 100

// sessionList implements the operations with which a person lists and ends the sessions of their account.
type sessionList struct {
	db        store.DB
	providers *providers
	sessions  *sessions
	now       func() time.Time
}

func (s *sessionList) routes(api huma.API) {
	module.Route(api, operation(http.MethodGet, "/auth/sessions", "listSessions", "List the sessions of the caller's account",
		"For everybody who is signed in. The session of the call is first, the others follow by last use."),
		module.Customer, module.Read, s.listSessions)
	module.Route(api, operation(http.MethodDelete, "/auth/sessions/{id}", "endSession", "End one session of the caller's account",
		"For everybody who is signed in. The tokens of the session end too. 404 when the account has no such session."),
		module.Customer, module.Write, s.endOneSession)
	module.Route(api, operation(http.MethodPost, "/auth/sign-out-elsewhere", "endOtherSessions",
		"End all sessions of the caller's account except this one",
		"For everybody who is signed in. The tokens of those sessions end too."), module.Customer, module.Write, s.endOtherSessions)
}

// SignedIn is one session of an account, as shown to its owner (2.1-sessions-section).
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

// listSessions lists the sessions of the caller's account: the current one first, then by last use.
func (s *sessionList) listSessions(ctx context.Context, _ *struct{}) (*signedInOutput, error) {
	c, ok := ClaimsOf(ctx)
	if !ok {
		return nil, ErrUnauthorized
	}
	var rows []session
	err := s.db.Read().NewSelect().Model(&rows).Where("label_key = ? AND account_id = ? AND ends_at > ?", c.Label, c.Subject, s.now()).
		OrderExpr("CASE WHEN id = ? THEN 0 ELSE 1 END, rotated_at DESC, id", c.Session).Limit(maxSessions).Scan(ctx)
	out := &signedInOutput{Body: make([]SignedIn, len(rows))}
	for i, x := range rows {
		out.Body[i] = SignedIn{ID: x.ID, Browser: x.Browser, Platform: x.Platform, Network: x.Network,
			Began: x.Created.UTC(), Used: x.Rotated.UTC(), Current: x.ID == c.Session}
	}
	return out, err
}

type endInput struct {
	ID string `path:"id" maxLength:"64" doc:"Id of the session"`
}

// endOneSession ends one session of the caller's account. It returns 404 for a session of another account.
func (s *sessionList) endOneSession(ctx context.Context, in *endInput) (*struct{}, error) {
	l, p, err := s.providers.ofCall(ctx)
	if err != nil {
		return nil, err
	}
	x := &session{}
	err = s.db.Read().NewSelect().Model(x).
		Where("label_key = ? AND id = ? AND account_id = ?", l.Key, in.ID, scope.Of(ctx).Subject).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, problem.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return nil, s.sessions.signOut(ctx, l, p, x)
}

// endOtherSessions ends every session of the caller's account except the current one.
func (s *sessionList) endOtherSessions(ctx context.Context, _ *struct{}) (*struct{}, error) {
	l, _, err := s.providers.ofCall(ctx)
	if err != nil {
		return nil, err
	}
	c, ok := ClaimsOf(ctx)
	if !ok {
		return nil, ErrUnauthorized
	}
	return nil, s.sessions.endAll(ctx, l, c.Subject, c.Session)
}

// parseUserAgent returns the browser and the platform in a User-Agent header by their common names. Both are empty for an unknown header,
// such as that of a script. The order of the tables matters, because most browsers also claim to be other browsers.
func parseUserAgent(userAgent string) (browser, platform string) {
	find := func(table [][2]string) string {
		for _, row := range table {
			if strings.Contains(userAgent, row[0]) {
				return row[1]
			}
		}
		return ""
	}
	if !strings.HasPrefix(userAgent, "Mozilla/5.0 (") && !strings.HasPrefix(userAgent, "Opera/") {
		return "", ""
	}
	return find(browsers), find(platforms)
}

var browsers = [][2]string{
	{"EdgA/", "Edge"}, {"EdgiOS/", "Edge"}, {"Edg/", "Edge"}, {"Edge/", "Edge"},
	{"OPR/", "Opera"}, {"OPT/", "Opera"}, {"Opera", "Opera"}, {"Vivaldi/", "Vivaldi"},
	{"SamsungBrowser/", "Samsung Internet"}, {"DuckDuckGo/", "DuckDuckGo"}, {"Ddg/", "DuckDuckGo"},
	{"FxiOS/", "Firefox"}, {"Firefox/", "Firefox"},
	{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Chromium/", "Chrome"}, {"Safari/", "Safari"},
}

var platforms = [][2]string{
	{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"},
	{"Macintosh", "Mac"}, {"Linux", "Linux"}, {"X11", "Linux"},
}

// shortenIP returns the part of an address that shows the approximate origin of a request: /24 for IPv4, /48 for IPv6. It returns an empty
// string for an invalid address.
func shortenIP(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return ""
	}
	a = a.Unmap().WithZone("")
	bits := 48
	if a.Is4() {
		bits = 24
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return ""
	}
	return p.String()
}
