package app_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

func TestPortalRunsOnBothDatabases(t *testing.T) {
	apptest.Each(t, apptest.Options{Modules: []module.Module{apptest.Probe}}, func(t *testing.T, s *apptest.Server) {
		require.Equal(t, 200, s.Do(apptest.Call{Path: "//healthz"}).Status)
		require.Equal(t, 200, s.Do(apptest.Call{Path: "//readyz"}).Status)
		anna := s.Customer("alpha", "anna")
		a := s.Do(apptest.Call{Method: "POST", Path: "/probe/items", Bearer: anna, Body: map[string]string{"name": "mine"}})
		require.Equal(t, 200, a.Status, string(a.Body))
		var item struct{ ID string }
		a.JSON(t, &item)
		require.NoError(t, s.Advance(t.Context(), 0))
		require.Contains(t, string(s.Do(apptest.Call{Path: "/probe/items/" + item.ID, Bearer: anna}).Body), "mine (seen)")
		require.Contains(t, string(s.Do(apptest.Call{Path: "//.well-known/jwks.json"}).Body), `"keys"`)
		require.Equal(t, "unknown_label", s.Do(apptest.Call{Host: "nobody.example", Path: "//.well-known/jwks.json"}).Code())
		require.Contains(t, string(s.Do(apptest.Call{Path: "/openapi.json"}).Body), `"operationId":"probe.item"`)
	})
}

// slow returns a module with a call that runs until the test ends it, and an event that must not be lost.
func slow(entered, leave chan struct{}, handled chan string) module.Module {
	m := module.Manifest{Key: "slow", Version: "1.0.0", Settings: "#Settings: {}", Handles: []string{"slow.done"}}
	return module.New(m, func(h module.Host) module.Instance {
		r := module.NewRouter(m)
		module.Route(r.API, huma.Operation{OperationID: "wait", Method: http.MethodPost, Path: "/slow"}, module.Public, module.Write,
			func(ctx context.Context, _ *struct{}) (*struct{ Body string }, error) {
				close(entered)
				<-leave
				return &struct{ Body string }{"done"}, h.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
					return tx.Publish(ctx, module.Event{Type: "slow.done", Key: "k"})
				})
			})
		return slowInstance{r, handled}
	})
}

type slowInstance struct {
	module.Router
	handled chan string
}

func (s slowInstance) Handle(_ context.Context, e module.Event) error {
	s.handled <- e.Type
	return nil
}

func TestShutdownLosesNothing(t *testing.T) {
	entered, leave, handled := make(chan struct{}), make(chan struct{}), make(chan string, 10)
	s := apptest.Start(t, apptest.Options{Modules: []module.Module{slow(entered, leave, handled)}})
	answer := make(chan apptest.Answer, 1)
	go func() { answer <- s.Do(apptest.Call{Method: "POST", Path: "/slow"}) }()
	<-entered
	stopped := make(chan error, 1)
	go func() { stopped <- s.Stop(context.Background()) }()
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", s.Addr().String())
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	}, 5*time.Second, time.Millisecond, "the listener closes at once")
	close(leave)
	a := <-answer
	require.Equal(t, 200, a.Status, "a running call is answered")
	require.NoError(t, <-stopped)
	require.Equal(t, "slow.done", <-handled, "and its queued events were delivered")
}

func TestOpenStreamsDoNotDelayAShutdown(t *testing.T) {
	front := t.TempDir()
	s := apptest.Start(t, apptest.Options{Config: config.Config{Front: front, Dev: true}})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/dev/reload", nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer res.Body.Close()
	_, err = bufio.NewReader(res.Body).ReadString('\n')
	require.NoError(t, err)
	// A shutdown that waits for the stream ends with its context and an error.
	require.NoError(t, s.Stop(context.Background()))
}

func TestAFailedStartLeavesNothingOpen(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	a := apptest.New(t, apptest.Options{Config: config.Config{AdminAddr: taken.Addr().String()}})
	err = a.Serve(t.Context())
	require.ErrorContains(t, err, "admin address")
	require.Error(t, a.Store.Ping(t.Context()), "the database is closed")
}

// freeAddr returns an address on which nothing listens.
func freeAddr(t *testing.T) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, free.Close())
	return free.Addr().String()
}

func TestAdminAddress(t *testing.T) {
	addr := freeAddr(t)
	s := apptest.Start(t, apptest.Options{Config: config.Config{AdminAddr: addr}})
	s.Do(apptest.Call{Path: "/portal"})
	for path, want := range map[string]string{"/metrics": `wattle_requests_total{operation="core.portal",status="200"} 1`, "/healthz": "ok",
		"/readyz": `"ready":true`, "/debug/pprof/cmdline": "", "/plugins": "This portal runs without plugins."} {
		res, err := http.Get("http://" + addr + path)
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.Equal(t, 200, res.StatusCode, path)
		require.Contains(t, string(body), want)
		_ = res.Body.Close()
	}
	require.Equal(t, 404, s.Do(apptest.Call{Path: "//metrics", Header: map[string]string{"Accept": "*/*"}}).Status,
		"not on the portal's own address")
	require.Equal(t, 404, s.Do(apptest.Call{Path: "//debug/pprof/", Header: map[string]string{"Accept": "application/json"}}).Status)
	t.Run("10-page-plugins", func(t *testing.T) {
		for _, path := range []string{"//plugins", "//plugins/tide"} {
			require.Equal(t, 404, s.Do(apptest.Call{Path: path, Header: map[string]string{"Accept": "application/json"}}).Status,
				"not on the portal's own address")
		}
	})
}

func TestCostOfPasswords(t *testing.T) {
	t.Run("5.5-password-cost", func(t *testing.T) {
		s, _ := again(t, apptest.Start(t, apptest.Options{}), func(c *config.Config) { c.Unsafe, c.PasswordHash = false, "m=7168,t=5,p=1" })
		s.Customer("alpha", "anna")
		var hash string
		require.NoError(t, s.Store.Read().NewRaw("SELECT password FROM identity_accounts").Scan(t.Context(), &hash))
		require.Regexp(t, `^\$argon2id\$v=19\$m=7168,t=5,p=1\$`, hash)
	})
}

// With two processes on one database, a token that one process revokes is soon refused by the other, which has just accepted it.
func TestATokenEndsOnEveryReplica(t *testing.T) {
	c := storetest.PostgresConfig(t)
	near := apptest.Start(t, apptest.Options{Store: &c, Modules: []module.Module{apptest.Probe}})
	other := apptest.NewReplica(t, near.Config, []module.Module{apptest.Probe})
	require.NoError(t, other.Serve(t.Context()))
	other.Clock.Set(near.Clock.Now()) // the clock of the second process is behind by the time that the first took to start
	t.Cleanup(func() { require.NoError(t, other.Stop(context.Background())) })
	far := near.For(t)
	far.App, far.URL = other, "http://"+other.Addr().String()
	t.Run("7.7-token-ends", func(t *testing.T) {
		anna := near.Customer("alpha", "anna")
		mine := apptest.Call{Path: "/probe/mine", Bearer: anna}
		for _, s := range []*apptest.Server{near, far} {
			require.Equal(t, 200, s.Do(mine).Status)
		}
		require.Equal(t, 204, near.Do(apptest.Call{Method: http.MethodPost, Path: "/auth/sign-out", Bearer: anna}).Status)
		ended := time.Now()
		require.Equal(t, 401, near.Do(mine).Status, "immediately in the process that revoked it")
		for far.Do(mine).Status != 401 {
			require.Less(t, time.Since(ended), 30*time.Second, "never in the other")
		}
		t.Logf("refused by the other process after %v", time.Since(ended))
	})
}

// With two processes on one database, the second does not disturb the first, like `wattle import` during `wattle serve`.
func TestACommandRunsNextToARunningPortal(t *testing.T) {
	s := apptest.Start(t, apptest.Options{})
	c := s.Config
	other := apptest.NewReplica(t, c, nil)
	require.NoError(t, other.Open(t.Context()))
	key, err := other.Identity.AddKey(t.Context(), "alpha", "office")
	require.NoError(t, err)
	require.NoError(t, other.Stop(t.Context()))
	a := s.Do(apptest.Call{Path: "/staff/changes", Bearer: key})
	require.Equal(t, 200, a.Status, string(a.Body))
	_, _, err = s.Importer("nobody")
	require.ErrorContains(t, err, "no label nobody")
	_, order, err := s.Importer("alpha")
	require.NoError(t, err)
	require.Equal(t, "account", strings.Join(order, " "))
}
