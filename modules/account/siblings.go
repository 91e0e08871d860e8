package account

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/module"
)

// me is what core's accounts say of the account that signed in.
type me struct {
	Username string `json:"username"`
}

func (s *service) me(ctx context.Context) (me, error) {
	var m me
	return m, s.call(ctx, http.MethodGet, "http://core/accounts/me", nil, &m)
}

// reserve keeps a username for the account until its change is decided. 409 account.username_taken when another account of the
// label has it or has reserved it (5.5-username-unique).
func (s *service) reserve(ctx context.Context, username string) error {
	return s.call(ctx, http.MethodPut, "http://core/accounts/me/reserved-username", map[string]string{"username": username}, nil)
}

func (s *service) release(ctx context.Context) error {
	return s.call(ctx, http.MethodDelete, "http://core/accounts/me/reserved-username", nil, nil)
}

// token makes a single-use token that, once followed, comes back as core.email_verified with the purpose and the key.
func (s *service) token(ctx context.Context, purpose, key string, ttl time.Duration) (string, error) {
	in := map[string]any{"purpose": purpose, "key": key, "ttl_seconds": int(ttl.Seconds())}
	var out struct {
		Token string `json:"token"`
	}
	return out.Token, s.call(ctx, http.MethodPost, "http://core/tokens", in, &out)
}

// mayTry counts an attempt of the account that calls. Problem: 429 too_many_calls after max of them in a window.
func (s *service) mayTry(ctx context.Context, what string, most int, window time.Duration) error {
	in := map[string]any{"key": what + ":" + module.ScopeOf(ctx).Subject, "max": most, "window_seconds": int(window.Seconds())}
	var out struct {
		Allowed bool `json:"allowed"`
	}
	if err := s.call(ctx, http.MethodPost, "http://core/limits", in, &out); err != nil || out.Allowed {
		return err
	}
	return module.Fail(http.StatusTooManyRequests, module.CodeTooManyCalls)
}

// serviceEmail is the address of the label's customer service.
func (s *service) serviceEmail(ctx context.Context) (string, error) {
	var info struct {
		Email string `json:"email"`
	}
	return info.Email, s.call(ctx, http.MethodGet, "http://core/labels/"+module.ScopeOf(ctx).Label+"/info", nil, &info)
}

// call sends JSON to a sibling and reads its answer. A refusal comes back as the Problem that the sibling gave.
func (s *service) call(ctx context.Context, method, url string, in, out any) error {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return err
	}
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := s.host.Client.Do(req)
	if err != nil {
		return fmt.Errorf("account: %s %s: %w", method, url, err)
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		p := &module.Problem{}
		if json.NewDecoder(res.Body).Decode(p) != nil || p.Code == "" || res.StatusCode >= 500 {
			return fmt.Errorf("account: %s %s: status %d", method, url, res.StatusCode)
		}
		return p
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(res.Body).Decode(out)
}
