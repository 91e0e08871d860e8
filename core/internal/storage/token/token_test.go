package token

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

func TestTokens(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		var c clock.Clock
		c.Set(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
		if err := s.Migrate(t.Context(), Migrations); err != nil {
			t.Fatal(err)
		}
		tokens := New(store.Core(storetest.Module(t, s, module.Manifest{Key: "core"}, &c)), c.Now)
		router := module.NewRouter(module.Manifest{Key: "core", Version: "1"})
		tokens.Routes(router.API)
		call := func(sc scope.Scope, path, body string) (int, map[string]any) {
			r := httptest.NewRequest("POST", path, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			router.ServeHTTP(w, r.WithContext(scope.With(r.Context(), sc, nil)))
			var out map[string]any
			_ = json.Unmarshal(w.Body.Bytes(), &out)
			return w.Code, out
		}
		createFor := func(caller, purpose, key string) string {
			t.Helper()
			status, out := call(scope.Scope{Label: "1024", Caller: caller, Role: scope.RoleCustomer}, "/tokens",
				`{"purpose":"`+purpose+`","key":"`+key+`","data":{"n":1},"ttl_seconds":3600}`)
			if status != 200 {
				t.Fatal(status, out)
			}
			return out["token"].(string)
		}
		create := func(key string) string { t.Helper(); return createFor("account", "account.email", key) }
		verify := func(label, token string) (int, any) {
			status, out := call(scope.Scope{Label: label, Role: scope.RolePublic}, "/emailverification/verify/"+token, "")
			return status, out["code"]
		}
		events := func() (out []module.Event) {
			var rows []struct{ Payload string }
			if err := s.Read().NewRaw("SELECT payload FROM core_outbox WHERE kind = 'event'").Scan(t.Context(), &rows); err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				var e module.Event
				if err := json.Unmarshal([]byte(r.Payload), &e); err != nil {
					t.Fatal(err)
				}
				out = append(out, e)
			}
			return out
		}

		t.Run("7.5-post-verify", func(t *testing.T) {
			token := create("change-1")
			var good atomic.Int64
			var all sync.WaitGroup
			for range 8 { // parallel calls
				all.Go(func() {
					switch status, code := verify("1024", token); {
					case status == 200:
						good.Add(1)
					case status != 412 || code != CodeUsed:
						t.Error(status, code)
					}
				})
			}
			all.Wait()
			es := events()
			if good.Load() != 1 || len(es) != 1 {
				t.Fatalf("%d verified, %d events", good.Load(), len(es))
			}
			var v coreapi.EmailVerified
			if err := json.Unmarshal(es[0].Data, &v); err != nil || es[0].Type != "core.email_verified" || es[0].Label != "1024" ||
				es[0].Key != "change-1" ||
				v.Purpose != "account.email" || v.Key != "change-1" || string(v.Data) != `{"n":1}` || v.Module != "account" {
				t.Errorf("event %+v %+v %v", es[0], v, err)
			}
			if status, _ := verify("1024", token); status != 412 { // a used token, before and after it expires
				t.Error(status)
			}
			c.Advance(2 * time.Hour)
			if status, _ := verify("1024", token); status != 412 {
				t.Error(status)
			}
			if status, _ := verify("1024", createFor("marketplace", "marketplace.registration", "registration-1")); status != 200 {
				t.Error("a registration:", status)
			}
			if es = events(); len(es) != 2 {
				t.Fatal(len(es), "events")
			}
			v = coreapi.EmailVerified{}
			if err := json.Unmarshal(es[1].Data, &v); err != nil || es[1].Type != "core.email_verified" || es[1].Key != "registration-1" ||
				v.Purpose != "marketplace.registration" || v.Key != "registration-1" || v.Module != "marketplace" {
				t.Errorf("event %+v %+v %v", es[1], v, err)
			}
			var rows []struct{ Hash string }
			if err := s.Read().NewRaw("SELECT hash FROM token_tokens").Scan(t.Context(), &rows); err != nil || len(rows) != 2 ||
				strings.Contains(rows[0].Hash, token) {
				t.Error("the token itself is stored", rows, err)
			}
		})
		t.Run("7.5-verify-unknown", func(t *testing.T) {
			token := create("change-2")
			for _, unknown := range []string{"junk", token + "x", strings.Repeat("a", 43)} {
				if status, code := verify("1024", unknown); status != 404 || code != "not_found" {
					t.Error(unknown, status, code)
				}
			}
			if status, _ := verify("1025", token); status != 404 {
				t.Error("another label's token:", status)
			}
			inTime := create("change-3")
			c.Advance(time.Hour - time.Second)
			if status, code := verify("1024", inTime); status != 200 {
				t.Error("just before it expires:", status, code)
			}
			c.Advance(time.Second)
			if status, code := verify("1024", token); status != 410 || code != CodeExpired {
				t.Error(status, code)
			}
			if n := len(events()); n != 3 {
				t.Error(n, "events")
			}
			if status, _ := call(scope.Scope{Label: "1024"}, "/tokens", `{"purpose":"","key":"k","ttl_seconds":0}`); status != 400 {
				t.Error(status)
			}
			used := create("change-3")
			if status, _ := verify("1024", used); status != 200 {
				t.Error(status)
			}
			c.Advance(retention - 2*time.Hour)
			sweep := func(expired, usedBefore int) {
				t.Helper()
				if err := tokens.Sweep(t.Context()); err != nil {
					t.Fatal(err)
				}
				for token, want := range map[string]int{token: expired, used: usedBefore} {
					if status, _ := verify("1024", token); status != want {
						t.Error(status, want)
					}
				}
			}
			sweep(410, 412)
			t.Run("11-retention-tokens", func(t *testing.T) {
				tokens.Keep = retention + 5*24*time.Hour
				c.Advance(4 * 24 * time.Hour)
				sweep(410, 412)
				c.Advance(2 * 24 * time.Hour)
				sweep(404, 404)
			})
		})
	})
}
