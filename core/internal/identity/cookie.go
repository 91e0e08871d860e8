package identity

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/scope"
)

// The session cookie of a browser contains only a random secret. Over https the prefix __Secure- makes the browser refuse it from
// an insecure page (7.7-cookie-name); the prefix __Host- is not used because it requires Path=/. CookieName is the name in a demo
// over plain http, and in the previous release.
const (
	CookieName       = "wattle_session"
	SecureCookieName = "__Secure-" + CookieName
)

const cookiePath = "/api/v0/auth"

// SessionCookies are the session cookies that a browser may send. A cookie of the previous release has the plain name until its
// session is refreshed. Both cookies arrive when a release was rolled back and installed again.
type SessionCookies struct {
	Secure string `cookie:"__Secure-wattle_session" doc:"Session, which signing in sets"`
	Plain  string `cookie:"wattle_session" doc:"Session that the previous release set, until it is refreshed"`
}

// values returns the cookies that were sent. The secure one comes first: only a secure page of the portal can have set it.
func (c SessionCookies) values() []string {
	return slices.DeleteFunc([]string{c.Secure, c.Plain}, func(v string) bool { return v == "" })
}

// setCookie returns the cookies to set for a value; an empty value deletes them. With the secure name, the plain cookie is
// deleted. The cookie is host-only and is sent to auth operations only.
func (s *Service) setCookie(ctx context.Context, value string) []http.Cookie {
	secure := !s.d.Demo || scope.ClientOf(ctx).Secure // a demo may be called over plain http
	one := func(name, value string) http.Cookie {
		c := http.Cookie{Name: name, Value: value, Path: cookiePath, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: secure}
		if value == "" {
			c.MaxAge = -1
		}
		return c
	}
	if !secure {
		return []http.Cookie{one(CookieName, value)}
	}
	return []http.Cookie{one(SecureCookieName, value), one(CookieName, "")}
}

// findSession finds the session of a browser and the cookie that proves it. A session whose cookie was replayed is ended, unless the
// browser also sends the valid cookie of that session.
func (s *Service) findSession(ctx context.Context, l *label.Label, p Provider, c SessionCookies) (x *session, used string, late bool, err error) {
	var stolen []*session
	for _, v := range c.values() {
		found, isLate, replayed, err := s.sessions.find(ctx, l.Key, v)
		switch {
		case replayed:
			stolen = append(stolen, found)
		case err == nil && x == nil:
			x, used, late = found, v, isLate
		case err != nil && !errors.Is(err, ErrSessionExpired):
			return nil, "", false, err
		}
	}
	for _, r := range stolen {
		if x != nil && x.ID == r.ID {
			continue
		}
		s.d.Log.WarnContext(ctx, "a session cookie was used again after it was replaced; the session is ended", "label", l.Key, "session", r.ID, "account", r.Account)
		s.warn(ctx, s.endSession(ctx, l, p, r), "a session could not be ended")
	}
	if x == nil {
		return nil, "", false, ErrSessionExpired
	}
	return x, used, late, nil
}
