package limit

import (
	"bytes"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

func TestLimits(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		var c clock.Clock
		c.Set(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
		if err := s.Migrate(t.Context(), Migrations); err != nil {
			t.Fatal(err)
		}
		l := New(store.Core(storetest.Module(t, s, module.Manifest{Key: "core"}, &c)), c.Now)
		rule := Rule{Max: 3, Window: time.Minute}
		take := func(label, key string) bool {
			t.Helper()
			ok, after, err := l.Take(t.Context(), label, key, rule)
			if err != nil || ok != (after == 0) || after > time.Minute {
				t.Fatal(ok, after, err)
			}
			return ok
		}
		t.Run("8-id-attempt-limit", func(t *testing.T) {
			var good atomic.Int64
			var all sync.WaitGroup
			for range 20 { // parallel attempts
				all.Go(func() {
					if ok, _, err := l.Take(t.Context(), "1024", "anna", rule); err != nil {
						t.Error(err)
					} else if ok {
						good.Add(1)
					}
				})
			}
			all.Wait()
			if good.Load() != 3 {
				t.Errorf("%d of 20 were allowed", good.Load())
			}
			if !take("1025", "anna") || !take("1024", "bert") {
				t.Error("attempts of another label or key count")
			}
			c.Advance(30 * time.Second)
			if take("1024", "anna") {
				t.Error("the window ended early")
			}
			c.Advance(31 * time.Second)
			if !take("1024", "anna") {
				t.Error("an attempt during the lockout made it longer")
			}
			if err := l.Refund(t.Context(), "1024", "anna"); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if !take("1024", "anna") {
					t.Error("a refunded attempt counts")
				}
			}
			if take("1024", "anna") {
				t.Error("a fourth attempt is allowed")
			}
			if err := l.Clear(t.Context(), "1024", "anna"); err != nil || !take("1024", "anna") {
				t.Error("a cleared key counts", err)
			}
			c.Advance(time.Hour)
			if err := l.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n, err := s.Read().NewSelect().TableExpr("limit_attempts").Count(t.Context()); n != 0 || err != nil {
				t.Error(n, err)
			}
		})
		t.Run("sibling", func(t *testing.T) {
			router := module.NewRouter(module.Manifest{Key: "core", Version: "1"})
			l.Routes(router.API)
			call := func(caller string) string {
				r := httptest.NewRequest("POST", "/limits", bytes.NewBufferString(`{"key":"lookup","max":1,"window_seconds":60}`))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				router.ServeHTTP(w, r.WithContext(scope.With(r.Context(), scope.Scope{Label: "1024", Caller: caller, ReadOnly: true}, nil)))
				return w.Body.String()
			}
			for i, want := range []string{"{\"allowed\":true}\n", "{\"allowed\":false,\"retry_after_seconds\":60}\n"} {
				if got := call("account"); got != want {
					t.Errorf("%d: %s", i, got)
				}
			}
			if got := call("billing"); got != "{\"allowed\":true}\n" {
				t.Error("another module's count", got)
			}
			for _, c := range []struct {
				ip, want string
			}{
				{"192.0.2.1", "{\"allowed\":true}\n"},
				{"192.0.2.2", "{\"allowed\":true}\n"},
				{"::ffff:192.0.2.1", "{\"allowed\":false,\"retry_after_seconds\":60}\n"},
				{"2001:db8::1", "{\"allowed\":true}\n"},
				{"2001:db8::ff:1", "{\"allowed\":false,\"retry_after_seconds\":60}\n"}, // an address of the same network
				{"2001:db8:0:1::1", "{\"allowed\":true}\n"},
			} {
				r := httptest.NewRequest("POST", "/limits", bytes.NewBufferString(`{"key":"visit","max":1,"window_seconds":60,"per_client":true}`))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				ctx := scope.WithClient(scope.With(r.Context(), scope.Scope{Label: "1024", Caller: "move"}, nil), scope.Client{IP: c.ip})
				router.ServeHTTP(w, r.WithContext(ctx))
				if w.Body.String() != c.want {
					t.Error(c.ip, w.Body.String())
				}
			}
		})
		t.Run("sibling, per client", func(t *testing.T) {
			router := module.NewRouter(module.Manifest{Key: "core", Version: "1"})
			l.Routes(router.API)
			call := func(ip string) string {
				r := httptest.NewRequest("POST", "/limits", bytes.NewBufferString(`{"key":"register","max":1,"window_seconds":60,"per_client":true}`))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				ctx := scope.WithClient(scope.With(r.Context(), scope.Scope{Label: "1024", Caller: "move"}, nil), scope.Client{IP: ip})
				router.ServeHTTP(w, r.WithContext(ctx))
				return w.Body.String()
			}
			for _, c := range []struct{ ip, want string }{{"192.0.2.1", "{\"allowed\":true}\n"}, {"192.0.2.2", "{\"allowed\":true}\n"},
				{"192.0.2.1", "{\"allowed\":false,\"retry_after_seconds\":60}\n"}} {
				if got := call(c.ip); got != c.want {
					t.Errorf("%s: %s", c.ip, got)
				}
			}
		})
	})
}
