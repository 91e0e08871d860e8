package identity

import (
	"context"
	"net/http"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
)

// The session cookie of a browser contains only a random secret. Over https the prefix __Secure- makes the browser refuse it from
// an insecure page (7.7-cookie-name); the prefix __Host- is not used because it requires Path=/. CookieName is the name in a demo
// over plain http.
const (
	CookieName       = "wattle_session"
	SecureCookieName = "__Secure-" + CookieName
)

const cookiePath = "/api/v0/auth"

// SessionCookies are the session cookies that a browser may send.
type SessionCookies struct {
	Secure string `cookie:"__Secure-wattle_session" doc:"Session, which signing in sets"`
	Plain  string `cookie:"wattle_session" doc:"Session in a demo over plain http"`
}

// isSecure reports whether a call uses the secure cookie; a demo may be called over plain http.
func (s *Service) isSecure(ctx context.Context) bool { return !s.d.Demo || scope.ClientOf(ctx).Secure }

// cookieOf returns the session cookie that counts for a call; empty without one.
func (s *Service) cookieOf(ctx context.Context, c SessionCookies) string {
	if s.isSecure(ctx) {
		return c.Secure
	}
	return c.Plain
}

// setCookie returns the cookie to set for a value; an empty value deletes it. The cookie is host-only and is sent to auth operations only.
func (s *Service) setCookie(ctx context.Context, value string) []http.Cookie {
	c := http.Cookie{Name: CookieName, Value: value, Path: cookiePath, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: s.isSecure(ctx)}
	if c.Secure {
		c.Name = SecureCookieName
	}
	if value == "" {
		c.MaxAge = -1
	}
	return []http.Cookie{c}
}

// findSession finds the session of a browser by its cookie, which it returns too. A session whose cookie was replayed is ended.
func (s *Service) findSession(ctx context.Context, l *label.Label, p Provider, c SessionCookies) (x *session, used string, late bool, err error) {
	used = s.cookieOf(ctx, c)
	x, late, replayed, err := s.sessions.find(ctx, l.Key, used)
	if replayed {
		s.d.Log.WarnContext(ctx, "a session cookie was used again after it was replaced; the session is ended", "label", l.Key, "session", x.ID, "account", x.Account)
		s.warn(ctx, s.endSession(ctx, l, p, x), "a session could not be ended")
		return nil, "", false, ErrSessionExpired
	}
	return x, used, late, err
}
